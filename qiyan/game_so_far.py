"""The game so far as a value of the rules, and as PGN and record sheet."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rules.errors import RulesError
from rules.fen import START_FEN, parse_fen
from rules.game import Game, Ply, Result
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
    set_positions: dict[int, str] = field(default_factory=dict)
    """Positions that the arbiter put in place of what was reached, each under the number of plies then standing."""
    _press: dict[str, Any] | None = None
    """The last press, until a move is found that it ended."""
    _withdrawn: dict[int, tuple[dict[str, Any], float | None]] = field(default_factory=dict)
    """The plies that were last withdrawn, by their numbers: the `move` events, each with its mover's clock."""

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
            self._add(entry)
        elif kind == "clock" and entry["event"] == "press":
            return self._end_move(entry)
        elif kind == "move_withdrawn":
            first = entry["ply"] - 1
            gone = zip(self.moves[first:], self.clocks_s[first:], strict=True)
            self._withdrawn = dict(enumerate(gone, entry["ply"]))
            del self.moves[first:]
            del self.clocks_s[first:]
            self.set_positions = {ply: fen for ply, fen in self.set_positions.items() if ply < entry["ply"]}
        elif kind == "result":
            # `*` takes back whatever result stood, and is itself never final.
            stands = entry["status"] == "final" or entry["result"] == "*"
            if not stands or entry["result"] == self.result:
                return False
            self.result = entry["result"]
        elif kind == "decision" and "fen" in (entry["change"] or {}):
            return self._set_position(str(entry["change"]["fen"]))
        else:
            return False
        return True

    def _add(self, move: dict[str, Any]) -> None:
        """A move stands, with what its mover's clock shows."""
        self.moves.append(move)
        before, clock_s = self._withdrawn.get(len(self.moves), (None, None))
        if before is not None and _is_same_act(before, move):
            # The arbiter put the record right: what ply this was, and those after it, ended with the same presses.
            self.clocks_s.append(clock_s)
            return
        self.clocks_s.append(_shown_s(move["side"], move["clock"]))
        press, self._press = self._press, None
        # A press is heard at once, its move seen when the hand is gone: often the press comes first.
        if press is not None and press["t"] + press["uncertainty_s"] >= (move["t_placed"] or move["t"]):
            self._end_move(press)

    def _end_move(self, press: dict[str, Any]) -> bool:
        """Take a press as the end of the last move, where it is its mover's; else keep it for the move to come."""
        if not self.moves or self.moves[-1]["side"] != press.get("side"):
            self._press = press
            return False
        self.clocks_s[-1] = _shown_s(press["side"], press)
        return True

    def _set_position(self, fen: str) -> bool:
        """Take the arbiter's word that the position is another one; what was played before led elsewhere."""
        try:
            position = parse_fen(fen)
        except RulesError:
            return False
        if not self.moves:
            self.start_fen = fen
            return True
        self.set_positions.pop(len(self.moves), None)
        played = parse_fen(self.moves[-1]["fen"])
        if (position.board, position.side) != (played.board, played.side):
            self.set_positions[len(self.moves)] = fen
        return True

    def game(self) -> Game:
        """The game as a value of the rules.

        No format knows of a position that changes without a move: where the arbiter set one, the game begins with it,
        and what was played before is told beside it.
        """
        first = max(self.set_positions, default=0)
        start = parse_fen(self.set_positions.get(first) or self.start_fen or START_FEN)
        moves, clocks_s = self.moves[first:], self.clocks_s[first:]
        plies = tuple(Ply(parse_iccs(move["iccs"]), s) for move, s in zip(moves, clocks_s, strict=True))
        return Game(start, plies, Result(self.result), self.headers, self._before(first))

    def _before(self, first: int) -> str:
        """What was played before ply `first` and the position that the arbiter set then."""
        if not first:
            return ""
        told = ["裁判改定局面 position set by the arbiter; 此前 before it:", self.start_fen or START_FEN]
        for ply, move in enumerate(self.moves[:first], 1):
            told.append(move["iccs"])
            if ply in self.set_positions and ply < first:
                told.append(f"= {self.set_positions[ply]}")
        return " ".join(told)


def _shown_s(side: str, clock: dict[str, Any] | None) -> float | None:
    return None if clock is None else clock[f"{side}_s"]


def _is_same_act(before: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether two `move` events tell of one act at the table: a corrected ply keeps the times of what it replaces."""
    return all(before[name] == now[name] for name in ("side", "t_lifted", "t_placed", "clock"))


def fold(entries: Iterable[dict[str, Any]]) -> GameSoFar:
    """The game after `entries`."""
    game = GameSoFar()
    for entry in entries:
        game.apply(entry)
    return game
