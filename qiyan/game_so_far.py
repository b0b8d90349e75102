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
    clocks_s: list[float | None] = field(default_factory=list)
    """What the mover's clock showed after the press of each standing move; before it, while it is not pressed."""
    _press: dict[str, Any] | None = None
    """The last press, until a move is found that it ended."""

    def apply(self, entry: dict[str, Any]) -> bool:
        """Take one event; True where the game changed by it."""
        kind = entry["kind"]
        if kind == "system":
            names = entry.get("settings", {}).get("names")
            if names is None or self.headers == names:
                return False
            self.headers = dict(names)
        elif kind == "board_found":
            if self.moves or self.start_fen == entry["fen"]:
                return False
            self.start_fen = entry["fen"]
        elif kind == "move":
            self.moves.append(entry)
            self.clocks_s.append(_shown_s(entry["side"], entry["clock"]))
            press, self._press = self._press, None
            # A press is heard at once, its move seen when the hand is gone: often the press comes first.
            if press is not None and press["t"] + press["uncertainty_s"] >= (entry["t_placed"] or entry["t"]):
                self._end_move(press)
        elif kind == "clock" and entry["event"] == "press":
            return self._end_move(entry)
        elif kind == "move_withdrawn":
            del self.moves[entry["ply"] - 1 :]
            del self.clocks_s[entry["ply"] - 1 :]
        elif kind == "result":
            # `*` takes back whatever result stood, and is itself never final.
            stands = entry["status"] == "final" or entry["result"] == "*"
            if not stands or entry["result"] == self.result:
                return False
            self.result = entry["result"]
        else:
            return False
        return True

    def _end_move(self, press: dict[str, Any]) -> bool:
        """Take a press as the end of the last move, where it is its mover's; else keep it for the move to come."""
        if not self.moves or self.moves[-1]["side"] != press.get("side"):
            self._press = press
            return False
        self.clocks_s[-1] = _shown_s(press["side"], press)
        return True

    def game(self) -> Game:
        """The game as a value of the rules."""
        start = START if self.start_fen is None else parse_fen(self.start_fen)
        plies = tuple(Ply(parse_iccs(move["iccs"]), s) for move, s in zip(self.moves, self.clocks_s, strict=True))
        return Game(start, plies, Result(self.result), self.headers)


def _shown_s(side: str, clock: dict[str, Any] | None) -> float | None:
    return None if clock is None else clock[f"{side}_s"]


def fold(entries: Iterable[dict[str, Any]]) -> GameSoFar:
    """The game after `entries`."""
    game = GameSoFar()
    for entry in entries:
        game.apply(entry)
    return game
