"""The move generator: plain ints in, plain ints out, for everything that asks often.

Whether a move leaves the mover's general to be taken is not tried out move by move. From the general's point of
view only a few points matter: where its own pieces are pinned, and where one must not step because it would become
the screen of a cannon. Only under check are moves tried out.
"""

from collections.abc import Sequence

from rules.attacks import (
    ADVISOR_STEPS,
    ELEPHANT_JUMPS,
    HORSE_JUMPS,
    HORSE_STRIKERS,
    KING_STEPS,
    RAYS,
    SOLDIER_STEPS,
    strikes_king,
)
from rules.piece import ADVISOR, CANNON, CHARIOT, ELEPHANT, EMPTY, HORSE, KING, SOLDIER
from rules.point import POINTS

Step = tuple[int, int]
"""(from, to) as point numbers."""


def find_king(board: Sequence[int], side: int) -> int:
    """The point of that side's general; -1 where it has none."""
    king = side << 3 | KING
    return board.index(king) if king in board else -1


def ends_from(board: Sequence[int], start: int) -> list[int]:
    """Where the piece on `start` can go by its way of moving, captures of the enemy included."""
    piece = board[start]
    side, kind = piece >> 3, piece & 7
    if kind == CHARIOT:
        return _chariot_ends(board, start, side)
    if kind == CANNON:
        return _cannon_ends(board, start, side)
    ends: Sequence[int]
    if kind == HORSE:
        ends = [end for leg, pair in HORSE_JUMPS[start] if not board[leg] for end in pair]
    elif kind == SOLDIER:
        ends = SOLDIER_STEPS[side][start]
    elif kind == ELEPHANT:
        ends = [end for eye, end in ELEPHANT_JUMPS[side][start] if not board[eye]]
    elif kind == ADVISOR:
        ends = ADVISOR_STEPS[side][start]
    elif kind == KING:
        ends = KING_STEPS[side][start]
    else:
        return []
    return [end for end in ends if not board[end] or board[end] >> 3 != side]


def _chariot_ends(board: Sequence[int], start: int, side: int) -> list[int]:
    ends = []
    for ray in RAYS[start]:
        for p in ray:
            piece = board[p]
            if not piece:
                ends.append(p)
            else:
                if piece >> 3 != side:
                    ends.append(p)
                break
    return ends


def _cannon_ends(board: Sequence[int], start: int, side: int) -> list[int]:
    ends = []
    for ray in RAYS[start]:
        screened = False
        for p in ray:
            piece = board[p]
            if screened:
                if piece:
                    if piece >> 3 != side:
                        ends.append(p)
                    break
            elif piece:
                screened = True
            else:
                ends.append(p)
    return ends


def pseudo_legal_steps(board: Sequence[int], side: int) -> list[Step]:
    """Every move by the pieces' ways of moving, the general's safety not asked."""
    return [
        (start, end)
        for start in range(POINTS)
        if board[start] and board[start] >> 3 == side
        for end in ends_from(board, start)
    ]


def legal_steps(board: Sequence[int], side: int) -> list[Step]:
    """Every legal move; where a side has no general (an impossible position), nothing can be left in check."""
    king = find_king(board, side)
    if king < 0:
        return pseudo_legal_steps(board, side)
    work = list(board)
    if strikes_king(work, king, side ^ 1):
        return [step for step in pseudo_legal_steps(work, side) if leaves_king_safe(work, step, king, side)]
    held, barred = bonds(work, king, side)
    found = []
    for start in range(POINTS):
        piece = work[start]
        if not piece or piece >> 3 != side:
            continue
        if start == king:
            found += [(start, p) for p in ends_from(work, start) if leaves_king_safe(work, (start, p), king, side)]
        elif start in held:
            may = held[start]
            found += [(start, p) for p in ends_from(work, start) if p in may and p not in barred]
        elif barred:
            found += [(start, p) for p in ends_from(work, start) if p not in barred]
        else:
            found += [(start, p) for p in ends_from(work, start)]
    return found


def leaves_king_safe(board: list[int], step: Step, king: int, side: int) -> bool:
    """Whether the general on `king` (moved along, if it is the mover) is safe after the move; board is put back."""
    start, end = step
    taken = board[end]
    board[end] = board[start]
    board[start] = EMPTY
    safe = not strikes_king(board, end if start == king else king, side ^ 1)
    board[start] = board[end]
    board[end] = taken
    return safe


def bonds(board: Sequence[int], king: int, side: int) -> tuple[dict[int, Sequence[int]], Sequence[int]]:
    """What binds the pieces of a side that is not in check.

    Returns the pinned pieces, each with the only points it may go to, and the empty points where no piece of the
    side may step, because it would become the screen of a cannon.
    """
    first = (side ^ 1) << 3
    chariot, cannon, general, horse = first | CHARIOT, first | CANNON, first | KING, first | HORSE
    held: dict[int, Sequence[int]] = {}
    barred: Sequence[int] = ()
    for direction, ray in enumerate(RAYS[king]):
        blockers: list[int] = []
        for distance, p in enumerate(ray):
            piece = board[p]
            if not piece:
                continue
            if not blockers:
                if piece == cannon:
                    barred = (*barred, *ray[:distance])
            elif len(blockers) == 1:
                if piece == chariot or (piece == general and direction < 2):
                    if board[blockers[0]] >> 3 == side:
                        # With a cannon right behind, the taker would become its screen.
                        behind = next((board[q] for q in ray[distance + 1 :] if board[q]), EMPTY)
                        held[blockers[0]] = ray[:distance] if behind == cannon else ray[: distance + 1]
                    break
            else:
                if piece == cannon:
                    _hold_both_screens(board, side, ray, (blockers[0], blockers[1], p), held)
                break
            blockers.append(p)
    for leg, start in HORSE_STRIKERS[king]:
        if board[start] == horse and board[leg] and board[leg] >> 3 == side:
            # A second horse behind the same leg cannot be answered by taking the first.
            held[leg] = () if leg in held else (start,)
    return held, barred


def _hold_both_screens(
    board: Sequence[int], side: int, ray: tuple[int, ...], line: tuple[int, int, int], held: dict[int, Sequence[int]]
) -> None:
    """Two pieces stand between general and cannon: neither may leave the other alone."""
    near, far, cannon = line
    if board[near] >> 3 == side:
        held[near] = (*ray[: ray.index(far)], cannon)
    if board[far] >> 3 == side:
        held[far] = ray[ray.index(near) + 1 : ray.index(cannon) + 1]
