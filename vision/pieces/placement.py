"""Where pieces of each kind stand: soft evidence from the laws of movement and from the start position.

Soft only: positions set up by hand, or after an illegal move, must be read as what they are.
"""

import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64
from rules.piece import ADVISOR, BLACK, CANNON, CHARIOT, ELEPHANT, HORSE, KING, RED, SOLDIER

I64 = NDArray[np.int64]

START_ROWS = {
    0: (CHARIOT, HORSE, ELEPHANT, ADVISOR, KING, ADVISOR, ELEPHANT, HORSE, CHARIOT),
    2: (0, CANNON, 0, 0, 0, 0, 0, CANNON, 0),
    3: (SOLDIER, 0, SOLDIER, 0, SOLDIER, 0, SOLDIER, 0, SOLDIER),
}
"""Red's start position, rank by rank."""

_UNREACHABLE_NATS = -3.5
"""A general outside the palace, an elephant across the river: one picture in thirty shows such a layout."""


def _start_kinds() -> tuple[I64, I64]:
    own = np.zeros(90, dtype=np.int64)
    for rank, row in START_ROWS.items():
        own[rank * 9 : rank * 9 + 9] = row
    return own, own[::-1]


START_KINDS = _start_kinds()
"""For Red and for Black, (90,) the kind that starts on each point, 0 for none."""


def _reachable(kind: int, point: int) -> bool:
    """Whether a Red piece of that kind can ever stand there."""
    file, rank = point % 9, point // 9
    if kind == KING:
        return 3 <= file <= 5 and rank <= 2
    if kind == ADVISOR:
        return (file in (3, 5) and rank in (0, 2)) or (file == 4 and rank == 1)
    if kind == ELEPHANT:
        return (file, rank) in {(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)}
    if kind == SOLDIER:
        return rank >= 5 or (rank >= 3 and file % 2 == 0)
    return True


def _law_nats() -> F64:
    """(2, 90, 7) log weight of each kind at each point, normalised over kinds; Red, then Black by symmetry."""
    table = np.zeros((90, 7))
    for point in range(90):
        for kind in range(1, 8):
            table[point, kind - 1] = 0.0 if _reachable(kind, point) else _UNREACHABLE_NATS
    table -= np.log(np.exp(table).sum(axis=1, keepdims=True))
    return np.stack([table, table[::-1]])


_LAW_NATS = _law_nats()


def placement_nats(side: int, occupied_start_share: float) -> F64:
    """(90, 7) log weight of each kind of a side at each point.

    occupied_start_share : share of the side's 16 start points on which it has a piece: the nearer to the start
                           position, the likelier a piece on a start point has not moved
    """
    weights = np.exp(_LAW_NATS[side])
    unmoved = 0.15 + 0.80 * occupied_start_share**2
    start = START_KINDS[side]
    at = np.flatnonzero(start)
    mixed = weights * 1.0
    mixed[at] *= 1.0 - unmoved
    mixed[at, start[at] - 1] += unmoved
    out: F64 = np.log(mixed)
    return out


def start_points(side: int) -> NDArray[np.bool_]:
    """(90,) bool: the 16 points on which a side starts."""
    mask: NDArray[np.bool_] = START_KINDS[side] > 0
    return mask


assert (RED, BLACK) == (0, 1)
