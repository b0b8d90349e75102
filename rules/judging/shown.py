"""A move as records and messages show it."""

from dataclasses import replace

from rules.chinese import format_chinese
from rules.errors import RulesError
from rules.judging.table import Ply
from rules.move import Move
from rules.piece import side_of
from rules.position import Position


def chinese_or_none(before: Position, move: Move) -> str | None:
    """The move in Chinese; None where it cannot be said, as for a move no piece of the kind could make."""
    side = side_of(before.piece_at(move.from_point))
    as_mover = before if side == before.side else replace(before, side=side)
    try:
        return format_chinese(as_mover, move)
    except RulesError:
        return None


def shown_move(ply: Ply) -> str:
    """A move for a message: in Chinese where that can be said, with its points."""
    chinese = chinese_or_none(ply.before, ply.move)
    return str(ply.move) if chinese is None else f"{chinese} ({ply.move})"
