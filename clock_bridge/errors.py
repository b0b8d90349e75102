"""What the clock bridge raises.

ClockError
 |- ClockNotFound    no port carries a clock that answers
 |- ClockBusy        another program holds the port
 |- ClockLost        the cable or the device went away while it was read
 |- ProtocolError    a protocol's name, or an option of it, is unknown or makes no sense
 |- ControlError     a time control cannot be read
"""


class ClockError(Exception):
    """Anything the clock bridge raises on purpose."""


class ClockNotFound(ClockError):
    """No port carries a clock that answers."""


class ClockBusy(ClockError):
    """Another program holds the port."""


class ClockLost(ClockError):
    """The cable or the device went away while it was read."""


class ProtocolError(ClockError):
    """A protocol's name, or an option of it, is unknown or makes no sense."""


class ControlError(ClockError):
    """A time control cannot be read."""
