"""Logging: the only place that sets handlers."""

import logging
import sys


def set_up(verbosity: int) -> None:
    """Log to standard error: warnings, with -v changes of state, with -vv everything, wire bytes too."""
    level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbosity, 2)]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
