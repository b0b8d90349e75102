"""What the shell raises, each with a message for the person at the terminal.

ShellError
 |- ConfigError    a setting, option or table file is wrong
 |- JournalError   the journal cannot be opened, is damaged or belongs to another recording
"""


class ShellError(Exception):
    """Anything the shell raises on purpose; shown without a traceback."""


class ConfigError(ShellError):
    """A setting, option or table file is wrong."""


class JournalError(ShellError):
    """The journal cannot be opened, is damaged or belongs to another recording."""
