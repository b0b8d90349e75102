"""The game so far as a value of the rules, and as PGN and record sheet."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rules.fen import parse_fen
from rules.game import START, Game, Ply, Result
from rules.iccs import parse_iccs


@dataclass(slots=True)
class GameSoFar:
    """What a consumer of events.jsonl knows after applying every event in order."""

    headers: dict[str, str] = field(default_factory=dict)
    start_fen: str | None = None
    moves: list[dict[str, Any]] = field(default_factory=list)
    """The `move` events that stand."""
    result: str = "*"

    def apply(self, entry: dict[str, Any]) -> bool:
        """Take one event; True where the game changed by it."""
        kind = entry["kind"]
        if kind == "board_found":
            if self.moves or self.start_fen == entry["fen"]:
                return False
            self.start_fen = entry["fen"]
        elif kind == "move":
            self.moves.append(entry)
        elif kind == "move_withdrawn":
            del self.moves[entry["ply"] - 1 :]
        elif kind == "result":
            if entry["status"] != "final" or entry["result"] == self.result:
                return False
            self.result = entry["result"]
        else:
            return False
        return True

    def game(self) -> Game:
        """The game as a value of the rules."""
        start = START if self.start_fen is None else parse_fen(self.start_fen)
        plies = tuple(Ply(parse_iccs(move["iccs"]), _mover_clock_s(move)) for move in self.moves)
        return Game(start, plies, Result(self.result), self.headers)


def _mover_clock_s(move: dict[str, Any]) -> float | None:
    clock = move["clock"]
    if clock is None:
        return None
    shown: float | None = clock[f"{move['side']}_s"]
    return shown


def fold(entries: Iterable[dict[str, Any]]) -> GameSoFar:
    """The game after `entries`."""
    game = GameSoFar()
    for entry in entries:
        game.apply(entry)
    return game
