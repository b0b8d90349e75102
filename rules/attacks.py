"""Where every kind of piece can step, jump or strike: tables made once, for any point.

The tables are plain tuples of ints, so that the move generator can read them without calling anything. Where a
piece stands outside its own ground (an impossible position), it moves as if it might step back into it.
"""

from collections.abc import Sequence

from rules.piece import ADVISOR, BLACK, CANNON, CHARIOT, ELEPHANT, HORSE, KING, RED, SOLDIER
from rules.point import FILES, POINTS, RANKS, file_of, point, rank_of

ORTHOGONAL = ((0, 1), (0, -1), (-1, 0), (1, 0))
"""Steps (file, rank): towards Black, towards Red, left, right; the order of RAYS."""
DIAGONAL = ((-1, 1), (1, 1), (-1, -1), (1, -1))
SIDES = (RED, BLACK)


def _on_board(file: int, rank: int) -> bool:
    return 0 <= file < FILES and 0 <= rank < RANKS


def in_palace(p: int, side: int) -> bool:
    """Whether the point lies in that side's palace (clause 3.1)."""
    return 3 <= file_of(p) <= 5 and (rank_of(p) <= 2 if side == RED else rank_of(p) >= 7)


def on_own_half(p: int, side: int) -> bool:
    """Whether the point lies on that side's own bank of the river."""
    return (rank_of(p) <= 4) == (side == RED)


def _steps(p: int, steps: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    file, rank = file_of(p), rank_of(p)
    return tuple(point(file + x, rank + y) for x, y in steps if _on_board(file + x, rank + y))


def _ray(p: int, step: tuple[int, int]) -> tuple[int, ...]:
    file, rank = file_of(p) + step[0], rank_of(p) + step[1]
    found = []
    while _on_board(file, rank):
        found.append(point(file, rank))
        file, rank = file + step[0], rank + step[1]
    return tuple(found)


def _horse(p: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    file, rank = file_of(p), rank_of(p)
    found = []
    for x, y in ORTHOGONAL:
        ends = ((file + 2 * x + y, rank + 2 * y + x), (file + 2 * x - y, rank + 2 * y - x))
        on_board = tuple(point(*end) for end in ends if _on_board(*end))
        if on_board:
            found.append((point(file + x, rank + y), on_board))
    return tuple(found)


def _elephant(p: int, side: int) -> tuple[tuple[int, int], ...]:
    file, rank = file_of(p), rank_of(p)
    ends = ((point(file + x, rank + y), file + 2 * x, rank + 2 * y) for x, y in DIAGONAL)
    return tuple((eye, point(x, y)) for eye, x, y in ends if _on_board(x, y) and on_own_half(point(x, y), side))


def _soldier(p: int, side: int) -> tuple[int, ...]:
    forward = (0, 1) if side == RED else (0, -1)
    return _steps(p, (forward,) if on_own_half(p, side) else (forward, (-1, 0), (1, 0)))


RAYS = tuple(tuple(_ray(p, step) for step in ORTHOGONAL) for p in range(POINTS))
"""[point][direction]: the points from its neighbour to the edge, in the order of ORTHOGONAL."""

HORSE_JUMPS = tuple(_horse(p) for p in range(POINTS))
"""[point]: (leg, ends) for each of up to four legs; an occupied leg hobbles the horse (clause 3.1.4)."""

HORSE_STRIKERS = tuple(
    tuple((leg, start) for start in range(POINTS) for leg, ends in HORSE_JUMPS[start] if p in ends)
    for p in range(POINTS)
)
"""[point]: (leg, start) for every start from which a horse reaches the point."""

ELEPHANT_JUMPS = tuple(tuple(_elephant(p, side) for p in range(POINTS)) for side in SIDES)
"""[side][point]: (eye, end); an occupied eye blocks the elephant."""

ADVISOR_STEPS = tuple(
    tuple(tuple(end for end in _steps(p, DIAGONAL) if in_palace(end, side)) for p in range(POINTS)) for side in SIDES
)
"""[side][point]: ends within the palace."""

KING_STEPS = tuple(
    tuple(tuple(end for end in _steps(p, ORTHOGONAL) if in_palace(end, side)) for p in range(POINTS)) for side in SIDES
)
"""[side][point]: ends within the palace; the general's strike along an open file is not among them."""

SOLDIER_STEPS = tuple(tuple(_soldier(p, side) for p in range(POINTS)) for side in SIDES)
"""[side][point]: forward, and sideways once across the river."""

SOLDIER_STRIKERS = tuple(
    tuple(tuple(start for start in range(POINTS) if p in SOLDIER_STEPS[side][start]) for p in range(POINTS))
    for side in SIDES
)
"""[side][point]: where a soldier of `side` strikes the point from."""


def attackers(board: Sequence[int], target: int, side: int) -> list[int]:
    """Points whose pieces of `side` could take on `target` by their way of moving, whatever stands there.

    Whether the taking would leave the taker's own general in check is not asked. A general counts along an open
    file, as it does for the rule that generals may not face each other, only where a general stands on `target`.
    """
    first = side << 3
    found = []
    for direction, ray in enumerate(RAYS[target]):
        screens = 0
        for p in ray:
            piece = board[p]
            if not piece:
                continue
            if screens == 0:
                facing = piece == first | KING and direction < 2 and board[target] & 7 == KING
                if piece == first | CHARIOT or facing:
                    found.append(p)
                screens = 1
            else:
                if piece == first | CANNON:
                    found.append(p)
                break
    found += [start for leg, start in HORSE_STRIKERS[target] if board[start] == first | HORSE and not board[leg]]
    found += [start for start in SOLDIER_STRIKERS[side][target] if board[start] == first | SOLDIER]
    found += _palace_strikers(board, target, side)
    return found


def _palace_strikers(board: Sequence[int], target: int, side: int) -> list[int]:
    """Generals, advisors and elephants of `side` that a step or jump takes to `target`."""
    first = side << 3
    file, rank = file_of(target), rank_of(target)
    found = [p for p in _steps(target, ORTHOGONAL) if board[p] == first | KING and target in KING_STEPS[side][p]]
    found += [p for p in _steps(target, DIAGONAL) if board[p] == first | ADVISOR and target in ADVISOR_STEPS[side][p]]
    for x, y in DIAGONAL:
        if not _on_board(file + 2 * x, rank + 2 * y):
            continue
        start, eye = point(file + 2 * x, rank + 2 * y), point(file + x, rank + y)
        if board[start] == first | ELEPHANT and not board[eye] and on_own_half(target, side):
            found.append(start)
    # Two generals side by side (an impossible position) would be named by the open file too.
    return [p for p in found if not (board[p] == first | KING and board[target] & 7 == KING and p % FILES == file)]


def strikes_king(board: Sequence[int], king: int, side: int) -> bool:
    """Whether a piece of `side` could take the general standing on `king`; facing generals strike each other."""
    first = side << 3
    chariot, cannon, general = first | CHARIOT, first | CANNON, first | KING
    for direction, ray in enumerate(RAYS[king]):
        screened = False
        for p in ray:
            piece = board[p]
            if piece:
                if screened:
                    if piece == cannon:
                        return True
                    break
                if piece == chariot or (piece == general and direction < 2):
                    return True
                screened = True
    horse, soldier = first | HORSE, first | SOLDIER
    for leg, start in HORSE_STRIKERS[king]:
        if board[start] == horse and not board[leg]:
            return True
    return any(board[start] == soldier for start in SOLDIER_STRIKERS[side][king])
