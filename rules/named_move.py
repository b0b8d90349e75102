"""What the traditional notations say of a move: which piece, on which file, forward, back or across, and how far.

Chinese notation and WXF spell the same facts differently; here are the facts. Files are counted 1 to 9 from the
mover's right.
"""

from dataclasses import dataclass
from enum import Enum

from rules.errors import NotationError
from rules.legality import is_legal, is_pseudo_legal
from rules.move import Move
from rules.piece import ADVISOR, ELEPHANT, HORSE, RED, SOLDIER, kind_of, make_piece, side_of
from rules.point import FILES, RANKS, Point, file_of, point, rank_of
from rules.position import Position

SLANTING = (ADVISOR, ELEPHANT, HORSE)
"""Kinds whose last figure is the file they go to, also forward and back."""

MIDDLE = 0
REAR = -1
"""Orders beside 1, 2, 3 ... counted from the front."""


class Action(Enum):
    """进, 退 and 平."""

    FORWARD = 1
    BACK = -1
    ACROSS = 0


@dataclass(frozen=True, slots=True)
class NamedMove:
    """A move as it is spoken; what a notation leaves out is None."""

    kind: int
    file: int | None
    """The file the piece stands on, 1..9 from the mover's right."""
    order: int | None
    """Its place among those of its kind on that file: 1 is the front, MIDDLE, REAR; None where it is alone there."""
    action: Action | None
    number: int
    """Points forward or back, or the file gone to."""
    of: int = 1
    """How many of its kind stand on its file; filled in when a move is named, not needed to find one."""
    crowded_elsewhere: bool = False
    """Another file holds two or more of the kind as well: the order alone does not say which piece is meant."""


def file_number(p: int, side: int) -> int:
    """The file of a point as its player counts it: 1 on his right, 9 on his left."""
    return FILES - file_of(p) if side == RED else file_of(p) + 1


def _file_of_number(number: int, side: int) -> int:
    return FILES - number if side == RED else number - 1


def name_move(position: Position, move: Move) -> NamedMove:
    """Name any move, legal or not, of whichever side the piece is; NotationError where no piece stands."""
    piece = position.board[move.from_point]
    if not piece:
        raise NotationError(f"no piece stands where the move begins: {str(move)!r}")
    kind, side = kind_of(piece), side_of(piece)
    rows = _files_of(position, piece)
    row = rows[file_of(move.from_point)]
    climb = (rank_of(move.to_point) - rank_of(move.from_point)) * (1 if side == RED else -1)
    straight = file_of(move.to_point) == file_of(move.from_point)
    return NamedMove(
        kind,
        file_number(move.from_point, side),
        row.index(move.from_point) + 1 if len(row) > 1 else None,
        Action.FORWARD if climb > 0 else Action.BACK if climb < 0 else Action.ACROSS,
        # An illegal slanting move of a chariot, say, has no proper name: the file it went to is told.
        abs(climb) if straight and climb and kind not in SLANTING else file_number(move.to_point, side),
        len(row),
        sum(len(other) > 1 for other in rows.values()) > 1,
    )


def find_move(position: Position, named: NamedMove, text: str) -> Move:
    """The move of the side to move that the name means; `text` is what was read, for the error.

    Where several pieces fit, the one that can legally go is meant; where none can, but only one move is named at
    all, that one is returned and its legality left to the caller.
    """
    side = position.side
    starts = _starts(position, named)
    moves = [Move(start, end) for start in starts for end in _ends(start, named, side)]
    if len(moves) == 1:
        return moves[0]
    for group in (
        [move for move in moves if is_legal(position, move)],
        [move for move in moves if is_pseudo_legal(position, move)],
        moves,
    ):
        if len(group) == 1:
            return group[0]
        if group:
            raise NotationError(f"could mean {' or '.join(map(str, group))}: {text!r}")
    raise NotationError(f"names no move in this position: {text!r}")


def _files_of(position: Position, piece: int) -> dict[int, list[Point]]:
    """The points of all such pieces by file 0..8, from the front to the rear."""
    rows: dict[int, list[Point]] = {}
    for index, standing in enumerate(position.board):
        if standing == piece:
            rows.setdefault(file_of(index), []).append(Point(index))
    if side_of(piece) == RED:
        for row in rows.values():
            row.reverse()
    return rows


def _starts(position: Position, named: NamedMove) -> list[Point]:
    rows = _files_of(position, make_piece(position.side, named.kind))
    if named.file is not None:
        file = _file_of_number(named.file, position.side)
        rows = {file: rows[file]} if file in rows else {}
    if named.order is None:
        return [p for row in rows.values() for p in row]
    return [p for row in rows.values() if len(row) > 1 for p in _placed(row, named.order)]


def _placed(row: list[Point], order: int) -> list[Point]:
    if order == REAR:
        return row[-1:]
    if order == MIDDLE:
        return [row[len(row) // 2]] if len(row) % 2 else []
    return row[order - 1 : order]


def _ends(start: Point, named: NamedMove, side: int) -> list[Point]:
    """Where the named way leads from `start`; several only where the action is left out."""
    actions = (named.action,) if named.action else tuple(Action)
    ends = (_end(start, named.kind, action, named.number, side) for action in actions)
    return [end for end in ends if end is not None and end != start]


def _end(start: Point, kind: int, action: Action, number: int, side: int) -> Point | None:
    file, rank = file_of(start), rank_of(start)
    climb = action.value * (1 if side == RED else -1)
    if action is Action.ACROSS:
        return None if kind in SLANTING else point(_file_of_number(number, side), rank)
    if kind in SLANTING:
        to_file = _file_of_number(number, side)
        climb *= {ADVISOR: {1: 1}, ELEPHANT: {2: 2}, HORSE: {1: 2, 2: 1}}[kind].get(abs(to_file - file), 0)
        file = to_file
    else:
        climb *= number
    return point(file, rank + climb) if climb and 0 <= rank + climb < RANKS else None


def is_soldier_crowd(named: NamedMove) -> bool:
    """Whether it takes the file as well as the order to tell which soldier is meant."""
    return named.kind == SOLDIER and named.of > 1 and named.crowded_elsewhere
