"""What the shell raises, each with a message for the person at the terminal.

ShellError
 |- ConfigError    a setting, option or table file is wrong
 |- JournalError   the journal cannot be opened, is damaged or belongs to another recording
 |- DecisionError  an arbiter's decision that cannot be meant
"""


class ShellError(Exception):
    """Anything the shell raises on purpose; shown without a traceback."""


class ConfigError(ShellError):
    """A setting, option or table file is wrong."""


class JournalError(ShellError):
    """The journal cannot be opened, is damaged or belongs to another recording."""


class DecisionError(ShellError):
    """An arbiter's decision that cannot be meant; `code` names the message that the pages show."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(detail or code)
        self.code = code
