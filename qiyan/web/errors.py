"""What the pages raise, each with the status and the message code that the browser shows in its language.

PageError
 |- NotLoggedIn
 |- Refused        understood, but not allowed or not possible now
 |- TooFast        too many wrong logins
 |- NotFound
 |- Gone           it was announced, and will not come any more
"""


class PageError(Exception):
    """A request that cannot be served; `code` names a message of static/messages."""

    status = 400

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(detail or code)
        self.code = code
        self.detail = detail


class NotLoggedIn(PageError):
    """No session, or one that has ended."""

    status = 401


class Refused(PageError):
    """Understood, but not allowed or not possible now."""

    status = 403


class NotFound(PageError):
    """There is no such table, incident or file."""

    status = 404


class Gone(PageError):
    """It was announced, and will not come any more."""

    status = 410


class Conflict(PageError):
    """Not possible in the state in which the table is."""

    status = 409


class TooFast(PageError):
    """Too many wrong logins; to be tried again after `retry_s`."""

    status = 429

    def __init__(self, retry_s: float) -> None:
        super().__init__("too_fast", f"{retry_s:.0f} s")
        self.retry_s = retry_s
