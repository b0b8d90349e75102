"""What pieces are worth in the 棋例, and what an exchange on a point gains (clauses 1.2, 24.15, 26.6, 26.7)."""

from collections.abc import Sequence

from rules.attacks import attackers, on_own_half
from rules.movegen import find_king, leaves_king_safe
from rules.piece import ADVISOR, CANNON, CHARIOT, ELEPHANT, HORSE, KING, SOLDIER

# 1.2: a chariot is worth two horses, two cannons or one of each. 26.6: no number of advisors and elephants makes up
# for a strong piece. 26.7: a soldier over the river is worth less than any strong piece, one not over it nothing.
_WORTH = {KING: 100, CHARIOT: 10, HORSE: 5, CANNON: 5, ADVISOR: 1, ELEPHANT: 1, SOLDIER: 1}


def worth(board: Sequence[int], p: int) -> int:
    """What the piece on `p` counts for when it is taken."""
    piece = board[p]
    if not piece or (piece & 7 == SOLDIER and on_own_half(p, piece >> 3)):
        return 0
    return _WORTH[piece & 7]


def step_on(board: Sequence[int], start: int, end: int) -> list[int]:
    """The board after a step."""
    stepped = list(board)
    stepped[end] = stepped[start]
    stepped[start] = 0
    return stepped


def takers(board: Sequence[int], target: int, side: int) -> list[int]:
    """Points whose pieces of `side` can legally take on `target`; false roots (24.16) are not among them."""
    king = find_king(board, side)
    work = list(board)
    return [
        start
        for start in attackers(board, target, side)
        if king < 0 or leaves_king_safe(work, (start, target), king, side)
    ]


def exchange(board: Sequence[int], target: int, side: int) -> int:
    """What `side` gains at best by taking on `target` and letting both take there as long as it pays; 0 by not."""
    best = 0
    for start in takers(board, target, side):
        gain = worth(board, target) - exchange(step_on(board, start, target), target, side ^ 1)
        best = max(best, gain)
    return best
