"""Whose the discs are whose ink leaves it open: as fits the other pieces of a set best."""

from collections.abc import Callable

import numpy as np

from calibration.grid import F64
from vision.pieces.joint import I64, KindReading

_OPEN_NATS = 2.5
"""Log-odds of the ink below which the other pieces are asked; beyond, one disc in 12 and fewer is told wrongly."""
_MOST = 8
"""So many are asked for at most; with more in doubt the picture is too dark to be read."""
_SUREST_NATS = 6.0


def settle_sides(
    read: Callable[[I64], KindReading], side: I64, red: F64, reading: KindReading
) -> tuple[I64, F64, KindReading]:
    """The sides, the log-odds of red and the reading, after each open disc was tried on the other side.

    read    : reads the kinds for given sides
    side    : (N,) by the ink alone
    red     : (N,) log-odds of red by the ink alone
    reading : the reading for these sides
    """
    side, red = side.copy(), red.copy()
    open_discs = [int(disc) for disc in np.argsort(np.abs(red)) if abs(red[disc]) < _OPEN_NATS][:_MOST]
    for disc in open_discs:
        other_side = side.copy()
        other_side[disc] = 1 - side[disc]
        other = read(other_side)
        against = abs(float(red[disc])) + reading.log_weight - other.log_weight
        sign = 1.0 if side[disc] == 0 else -1.0
        red[disc] = sign * float(np.clip(against, -_SUREST_NATS, _SUREST_NATS))
        if against < 0.0:
            side, reading = other_side, other
    return side, red, reading
