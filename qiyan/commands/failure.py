"""How commands fail: a message for a person, exit status 2, no traceback."""

import functools
import sqlite3
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import click

P = ParamSpec("P")
R = TypeVar("R")

BAD_INPUT = 2
NO_BOARD = 3
INTERRUPTED = 130


def telling_failures(run: Callable[P, R]) -> Callable[P, R]:
    """Turn the errors that our packages raise on purpose into a message on standard error and exit status 2."""

    @functools.wraps(run)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        from calibration.errors import CalibrationError
        from clock_bridge.errors import ClockError
        from qiyan.errors import ShellError
        from rules.errors import RulesError
        from vision.errors import VisionError

        try:
            return run(*args, **kwargs)
        except (CalibrationError, ClockError, ShellError, RulesError, VisionError) as error:
            click.echo(f"qiyan: {error}", err=True)
            sys.exit(BAD_INPUT)
        except sqlite3.Error as error:
            click.echo(f"qiyan: the journal could not be written or read: {error} (is the disk full?)", err=True)
            sys.exit(BAD_INPUT)
        except OSError as error:
            name = f": {error.filename}" if error.filename else ""
            click.echo(f"qiyan: {error.strerror or error}{name}", err=True)
            sys.exit(BAD_INPUT)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)

    return wrapped
