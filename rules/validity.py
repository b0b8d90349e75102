"""Why a position could not stand in a game: every reason at once, each with the points it concerns."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from rules.attacks import ADVISOR_STEPS, ELEPHANT_JUMPS, in_palace, on_own_half
from rules.legality import in_check
from rules.piece import (
    ADVISOR,
    BLACK,
    ELEPHANT,
    FULL_SET,
    KING,
    RED,
    SIDE_NAMES,
    SOLDIER,
    Side,
    kind_of,
    letter_of,
    make_piece,
    other,
    side_of,
)
from rules.point import FILES, POINTS, Point, file_of, format_point, point
from rules.position import Position


class ReasonKind(Enum):
    """What is impossible about a position."""

    KING_MISSING = "no general"
    TOO_MANY = "more pieces of a kind than a set has"
    KING_OUTSIDE_PALACE = "a general outside its palace"
    ADVISOR_OFF_ITS_POINTS = "an advisor off its five points"
    ELEPHANT_OFF_ITS_POINTS = "an elephant off its seven points"
    SOLDIER_UNREACHABLE = "a soldier where soldiers never come"
    SOLDIERS_SHARE_A_WAY = "two soldiers before the river on one file"
    KINGS_FACING = "the generals face each other"
    WAITING_SIDE_IN_CHECK = "the side that has just moved is in check"


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason why the position could not stand in a game."""

    kind: ReasonKind
    side: Side | None
    """Whose pieces are meant; None where both sides' are."""
    points: tuple[Point, ...]
    """The points concerned, empty where a piece is missing."""
    letter: str | None = None
    """FEN letter of the piece where one kind is meant."""

    def __str__(self) -> str:
        """One line in English, such as `black: an advisor off its five points (a) at a9`."""
        who = f"{SIDE_NAMES[self.side]}: " if self.side is not None else ""
        what = f" ({self.letter})" if self.letter else ""
        where = f" at {' '.join(map(format_point, self.points))}" if self.points else ""
        return f"{who}{self.kind.value}{what}{where}"


def _reached(start: Point, steps: tuple[tuple[int, ...], ...]) -> frozenset[int]:
    found, new = {int(start)}, [int(start)]
    while new:
        new = [end for p in new for end in steps[p] if end not in found]
        found.update(new)
    return frozenset(found)


_ELEPHANT_ENDS = tuple(tuple(tuple(end for _, end in jumps) for jumps in side) for side in ELEPHANT_JUMPS)
_BACK_RANK = {RED: 0, BLACK: 9}

ADVISOR_POINTS = tuple(_reached(point(3, _BACK_RANK[side]), ADVISOR_STEPS[side]) for side in (RED, BLACK))
"""[side]: the five points of the palace's diagonals."""
ELEPHANT_POINTS = tuple(_reached(point(2, _BACK_RANK[side]), _ELEPHANT_ENDS[side]) for side in (RED, BLACK))
"""[side]: the seven points."""


def _soldier_points(side: Side) -> frozenset[int]:
    """Beyond the river everywhere; before it, from where soldiers start, on every other file."""
    first_ranks = (3, 4) if side == RED else (6, 5)
    home = {int(point(file, rank)) for rank in first_ranks for file in range(0, FILES, 2)}
    return frozenset(home | {p for p in range(POINTS) if not on_own_half(Point(p), side)})


SOLDIER_POINTS = tuple(_soldier_points(side) for side in (RED, BLACK))
"""[side]: 10 points before the river and all 45 beyond it."""

_GROUNDS = (
    (ADVISOR, ADVISOR_POINTS, ReasonKind.ADVISOR_OFF_ITS_POINTS),
    (ELEPHANT, ELEPHANT_POINTS, ReasonKind.ELEPHANT_OFF_ITS_POINTS),
    (SOLDIER, SOLDIER_POINTS, ReasonKind.SOLDIER_UNREACHABLE),
)


def reasons(position: Position) -> list[Reason]:
    """Every reason why the position could not stand in a game; empty where there is none."""
    found = [reason for side in (RED, BLACK) for reason in _side_reasons(position.board, side)]
    kings = _points_of(position.board, RED, KING), _points_of(position.board, BLACK, KING)
    waiting = other(position.side)
    facing = len(kings[RED]) == 1 and len(kings[BLACK]) == 1 and _facing(position.board, kings[RED][0], kings[BLACK][0])
    if facing:
        found.append(Reason(ReasonKind.KINGS_FACING, None, (kings[RED][0], kings[BLACK][0])))
    # Facing generals give check by definition; the second reason is told only where a piece gives it.
    if len(kings[waiting]) == 1 and in_check(_without_facing(position, kings, facing), waiting):
        found.append(
            Reason(ReasonKind.WAITING_SIDE_IN_CHECK, waiting, kings[waiting], letter_of(make_piece(waiting, KING)))
        )
    return found


def is_valid(position: Position) -> bool:
    """Whether the position could stand in a game."""
    return not reasons(position)


def _side_reasons(board: bytes, side: Side) -> Iterator[Reason]:
    counts = Counter(kind_of(piece) for piece in board if piece and side_of(piece) == side)
    if not counts[KING]:
        yield Reason(ReasonKind.KING_MISSING, side, (), letter_of(make_piece(side, KING)))
    for kind, most in FULL_SET.items():
        if counts[kind] > most:
            yield Reason(ReasonKind.TOO_MANY, side, _points_of(board, side, kind), letter_of(make_piece(side, kind)))
    outside = tuple(p for p in _points_of(board, side, KING) if not in_palace(p, side))
    if outside:
        yield Reason(ReasonKind.KING_OUTSIDE_PALACE, side, outside, letter_of(make_piece(side, KING)))
    for kind, grounds, reason in _GROUNDS:
        off = tuple(p for p in _points_of(board, side, kind) if p not in grounds[side])
        if off:
            yield Reason(reason, side, off, letter_of(make_piece(side, kind)))
    yield from _crowded_home_files(board, side)


def _crowded_home_files(board: bytes, side: Side) -> Iterator[Reason]:
    """A soldier before the river has never left its file, so a file can hold only one of them."""
    home = [p for p in _points_of(board, side, SOLDIER) if on_own_half(p, side) and p in SOLDIER_POINTS[side]]
    for file in range(0, FILES, 2):
        shared = tuple(p for p in home if file_of(p) == file)
        if len(shared) > 1:
            yield Reason(ReasonKind.SOLDIERS_SHARE_A_WAY, side, shared, letter_of(make_piece(side, SOLDIER)))


def _points_of(board: bytes, side: Side, kind: int) -> tuple[Point, ...]:
    piece = make_piece(side, kind)
    return tuple(Point(p) for p in range(POINTS) if board[p] == piece)


def _facing(board: bytes, red: Point, black: Point) -> bool:
    low, high = sorted((red, black))
    return file_of(red) == file_of(black) and not any(board[p] for p in range(low + FILES, high, FILES))


def _without_facing(position: Position, kings: tuple[tuple[Point, ...], tuple[Point, ...]], facing: bool) -> Position:
    """The position with the other general taken off where it faces the waiting one."""
    if not facing:
        return position
    board = bytearray(position.board)
    board[kings[position.side][0]] = 0
    return position.with_board(bytes(board))
