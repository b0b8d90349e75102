"""A move as records and messages show it."""

from collections.abc import Callable
from dataclasses import replace

from rules.chinese import format_chinese
from rules.errors import RulesError
from rules.messages import Text
from rules.move import Move
from rules.piece import side_of
from rules.position import Position
from rules.wxf import format_wxf


def chinese_or_none(before: Position, move: Move) -> str | None:
    """The move in Chinese; None where it cannot be said, as for a move no piece of the kind could make."""
    return _said(format_chinese, before, move)


def shown_move(before: Position, move: Move) -> Text:
    """A move for a message, in Chinese or WXF where that can be said, with its points."""
    named = (_said(format_move, before, move) for format_move in (format_chinese, format_wxf))
    return Text(*(str(move) if name is None else f"{name} ({move})" for name in named))


def _said(format_move: Callable[[Position, Move], str], before: Position, move: Move) -> str | None:
    """The move in one notation, whoever is on move; None where it cannot be said."""
    side = side_of(before.piece_at(move.from_point))
    try:
        return format_move(before if side == before.side else replace(before, side=side), move)
    except RulesError:
        return None
