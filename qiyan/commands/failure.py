"""How commands fail: a message for a person, exit status 2, no traceback."""

import errno
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

DISK_FULL = "the disk is full: make room and start the same command again; what was recorded so far is kept"


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
            full = "full" in str(error)
            click.echo(f"qiyan: {DISK_FULL}" if full else f"qiyan: the journal cannot be used: {error}", err=True)
            sys.exit(BAD_INPUT)
        except OSError as error:
            name = f": {error.filename}" if error.filename else ""
            if error.errno == errno.ENOSPC:
                click.echo(f"qiyan: {DISK_FULL}", err=True)
                sys.exit(BAD_INPUT)
            click.echo(f"qiyan: {error.strerror or error}{name}", err=True)
            sys.exit(BAD_INPUT)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)

    return wrapped
