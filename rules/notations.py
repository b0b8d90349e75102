"""The notations by name, as the command line and the formats offer them."""

from collections.abc import Callable
from dataclasses import dataclass

from rules.chinese import format_chinese, format_chinese_short, parse_chinese
from rules.iccs import format_iccs, parse_iccs
from rules.move import Move
from rules.position import Position
from rules.wxf import format_wxf, parse_wxf


@dataclass(frozen=True, slots=True)
class Notation:
    """How one notation is read and written; both take the position before the move."""

    name: str
    parse: Callable[[Position, str], Move]
    """Raises NotationError; the move may be illegal."""
    format: Callable[[Position, Move], str]


NOTATIONS = {
    notation.name: notation
    for notation in (
        Notation("iccs", lambda _, text: parse_iccs(text), lambda _, move: format_iccs(move)),
        Notation("wxf", parse_wxf, format_wxf),
        Notation("chinese", parse_chinese, format_chinese),
        Notation("chinese-short", parse_chinese, format_chinese_short),
    )
}
