"""Which moves the rules of movement allow in a position, and whether it is check, mate or stalemate."""

from enum import Enum
from functools import cache

from rules.attacks import strikes_king
from rules.move import Move
from rules.movegen import ends_from, find_king, leaves_king_safe, legal_steps, pseudo_legal_steps
from rules.piece import other
from rules.point import Point
from rules.position import Position


class Status(Enum):
    """How the side to move stands; the names are those of the interface."""

    PLAYING = "playing"
    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    """困毙: no legal move and no check; in xiangqi a loss as mate is (clause 4.1.2)."""


@cache
def _move(start: int, end: int) -> Move:
    return Move(Point(start), Point(end))


def legal_moves(position: Position) -> list[Move]:
    """Every move the side to move may make: by its piece's way, its general neither in check nor facing after it."""
    return [_move(start, end) for start, end in legal_steps(position.board, position.side)]


def pseudo_legal_moves(position: Position) -> list[Move]:
    """Every move by the pieces' ways of moving, those that leave the own general to be taken included."""
    return [_move(start, end) for start, end in pseudo_legal_steps(position.board, position.side)]


def is_pseudo_legal(position: Position, move: Move) -> bool:
    """Whether a piece of the side to move can go that way, the general's safety not asked."""
    piece = position.board[move.from_point]
    return bool(piece) and piece >> 3 == position.side and move.to_point in ends_from(position.board, move.from_point)


def is_legal(position: Position, move: Move) -> bool:
    """Whether the side to move may make the move."""
    if not is_pseudo_legal(position, move):
        return False
    king = find_king(position.board, position.side)
    step = (move.from_point, move.to_point)
    return king < 0 or leaves_king_safe(list(position.board), step, king, position.side)


def in_check(position: Position, side: int) -> bool:
    """Whether that side's general could be taken now, by a piece or along an open file by the other general."""
    king = find_king(position.board, side)
    return king >= 0 and strikes_king(position.board, king, other(side))


def status(position: Position) -> Status:
    """Whether the side to move has a move and, where it has none, how it lost."""
    if legal_steps(position.board, position.side):
        return Status.PLAYING
    return Status.CHECKMATE if in_check(position, position.side) else Status.STALEMATE
