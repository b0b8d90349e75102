"""A game as the formats carry it: where it started, what was played, how it ended, who and where."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from rules.fen import START_FEN, parse_fen
from rules.legality import is_legal
from rules.move import Move
from rules.piece import other
from rules.position import Position

START = parse_fen(START_FEN)
"""The usual start."""


class Result(Enum):
    """How a game ended, in the words of PGN."""

    RED_WINS = "1-0"
    BLACK_WINS = "0-1"
    DRAW = "1/2-1/2"
    OPEN = "*"


RESULT_NAMES = {Result.RED_WINS: "红胜", Result.BLACK_WINS: "黑胜", Result.DRAW: "和棋", Result.OPEN: "未知"}
"""As Chinese records say it."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One ply of a game."""

    move: Move | None
    """None where the record names no move that can be read; the turn then passes and the rest is kept."""
    clock_s: float | None = None
    """What the mover's clock showed after it."""
    comment: str = ""
    text: str = ""
    """What stood in the record where `move` is None."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game; its moves may be illegal, for it is a record of what was played."""

    start: Position = START
    plies: tuple[Ply, ...] = ()
    result: Result = Result.OPEN
    headers: dict[str, str] = field(default_factory=dict)
    """Event, Site, Date, Round, Red, Black, RedTeam, BlackTeam, TimeControl ...: the names of PGN tags, but for
    Game, Result, Format and FEN, which follow from the rest. Read-only."""
    comment: str = ""
    """What is said before the first move."""

    def walk(self) -> Iterator[tuple[Position, Ply]]:
        """Every ply with the position before it."""
        position = self.start
        for ply in self.plies:
            yield position, ply
            position = after(position, ply)

    def final_position(self) -> Position:
        """The position after the last ply."""
        position = self.start
        for ply in self.plies:
            position = after(position, ply)
        return position

    def moves(self) -> list[Move]:
        """The moves that could be read."""
        return [ply.move for ply in self.plies if ply.move]

    def faults(self) -> list[tuple[int, str]]:
        """(ply, what is wrong) for plies that could not be read or are not legal; 1 is the first ply."""
        found = []
        for number, (position, ply) in enumerate(self.walk(), start=1):
            if ply.move is None:
                found.append((number, f"cannot be read: {ply.text!r}"))
            elif not is_legal(position, ply.move):
                found.append((number, f"not legal: {str(ply.move)!r}"))
        return found


def after(position: Position, ply: Ply) -> Position:
    """The position after a ply; one that could not be read only passes the turn."""
    if ply.move:
        return position.play(ply.move)
    return replace(position, side=other(position.side), round_number=position.round_number + position.side)


def parse_result(text: str) -> Result | None:
    """The result that a record's words mean; None where they mean none."""
    plain = text.strip()
    for result in Result:
        if plain == result.value:
            return result
    for sign, result in (("红", Result.RED_WINS), ("紅", Result.RED_WINS), ("黑", Result.BLACK_WINS)):
        if sign in plain and ("胜" in plain or "勝" in plain):
            return result
    return Result.DRAW if plain == "1/2" or "和" in plain else None
