"""What the public may know of a game: entries of the journal cut down to it, and the game folded from them."""

from typing import Any

from rules.errors import RulesError
from rules.fen import START_FEN, parse_fen
from rules.iccs import parse_iccs
from rules.notations import NOTATIONS

_MOVE_FIELDS = ("ply", "side", "iccs", "captured", "fen", "legal", "clock")


class PublicGame:
    """Turns the journal's entries, in order, into what the overlay needs; everything else stays inside."""

    def __init__(self) -> None:
        self.start_fen: str | None = None
        self.moves: list[dict[str, Any]] = []
        self._running: str | None = None
        self._ended = False
        self._shown: dict[str, float | None] = {"red": None, "black": None}

    @property
    def fen(self) -> str | None:
        """The position officially reached; None while no board was found."""
        return self.moves[-1]["fen"] if self.moves else self.start_fen

    def take(self, entry: dict[str, Any]) -> dict[str, Any] | None:
        """The public part of an entry; None where it has none."""
        handle = getattr(self, f"_take_{entry['kind']}", None)
        body: dict[str, Any] | None = None if handle is None else handle(entry)
        return None if body is None else {"seq": entry["seq"], "t": entry["t"], **body}

    def _take_board_found(self, entry: dict[str, Any]) -> dict[str, Any] | None:
        if self.moves:
            return None
        self.start_fen = entry["fen"]
        return {"kind": "start", "fen": entry["fen"]}

    def _take_move(self, entry: dict[str, Any]) -> dict[str, Any]:
        move = {name: entry[name] for name in _MOVE_FIELDS}
        move["names"] = names_of(self.fen or START_FEN, entry["iccs"])
        if entry["chinese"]:
            move["names"]["chinese"] = entry["chinese"]
        del self.moves[entry["ply"] - 1 :]
        self.moves.append(move)
        return {"kind": "move", **move}

    def _take_move_withdrawn(self, entry: dict[str, Any]) -> dict[str, Any]:
        del self.moves[entry["ply"] - 1 :]
        return {"kind": "move_withdrawn", "ply": entry["ply"], "fen": self.fen}

    def _take_clock(self, entry: dict[str, Any]) -> dict[str, Any]:
        event, side = entry["event"], entry.get("side")
        if event == "press" and side is not None:
            self._running = "black" if side == "red" else "red"
        elif event == "start":
            self._running = side or self._running
        elif event in ("stop", "flag", "lost"):
            self._running = None
        elif event == "restored":
            self._running = side
        return self._clock(event, entry["red_s"], entry["black_s"])

    def _clock(self, event: str, red_s: float | None, black_s: float | None) -> dict[str, Any]:
        for side, shown in (("red", red_s), ("black", black_s)):
            if shown is not None:
                self._shown[side] = shown
        return {
            "kind": "clock",
            "event": event,
            "red_s": self._shown["red"],
            "black_s": self._shown["black"],
            "running": self._running,
        }

    def _take_view(self, entry: dict[str, Any]) -> dict[str, Any]:
        return {"kind": "view", **{name: entry[name] for name in ("state", "points") if name in entry}}

    def _take_result(self, entry: dict[str, Any]) -> dict[str, Any] | None:
        # What a rule proposes is the arbiter's business until the arbiter rules; taken back, it was never told.
        told = self._ended if entry["result"] == "*" else entry["status"] == "final"
        if not told:
            return None
        self._ended = entry["result"] != "*"
        return {"kind": "result", "result": entry["result"], "termination": entry["termination"]}

    def _take_decision(self, entry: dict[str, Any]) -> dict[str, Any] | None:
        change = entry.get("change") or {}
        if isinstance(change.get("fen"), str):
            try:
                parse_fen(change["fen"])
            except RulesError:
                return None
            if self.moves:
                self.moves[-1] = {**self.moves[-1], "fen": change["fen"]}
            else:
                self.start_fen = change["fen"]
            return {"kind": "position", "fen": change["fen"]}
        if isinstance(change.get("times"), dict):
            return self._clock("adjust", change["times"].get("red_s"), change["times"].get("black_s"))
        return None

    def _take_system(self, entry: dict[str, Any]) -> dict[str, Any]:
        if entry["event"] == "ended":
            self._running = None
        return {"kind": "system", "event": entry["event"]}


def names_of(fen: str, iccs: str) -> dict[str, str]:
    """The move in every notation; in ICCS where one has no name for it, as an illegal move may have none.

    RulesError where `fen` is no position or `iccs` no move.
    """
    position, move = parse_fen(fen), parse_iccs(iccs)
    names = {}
    for name, notation in NOTATIONS.items():
        try:
            names[name] = notation.format(position, move)
        except RulesError:
            names[name] = iccs
    return names


def fold(bodies: list[dict[str, Any]], written_s: list[float]) -> dict[str, Any]:
    """The whole state that a page needs on connecting, from public entries and when each was written."""
    state: dict[str, Any] = {
        "seq": 0, "start_fen": None, "fen": None, "moves": [], "clock": None, "result": None,
        "view": None, "view_points": [], "system": None,
    }  # fmt: skip
    for body, at_s in zip(bodies, written_s, strict=True):
        apply(state, body, at_s)
    return state


def apply(state: dict[str, Any], body: dict[str, Any], at_s: float) -> None:
    """Take one public entry into the state; static/game.js does the same in the browser."""
    state["seq"] = body["seq"]
    kind = body["kind"]
    if kind == "start":
        state["start_fen"] = state["fen"] = body["fen"]
    elif kind == "move":
        del state["moves"][body["ply"] - 1 :]
        state["moves"].append({name: body[name] for name in (*_MOVE_FIELDS, "names")})
        state["fen"] = body["fen"]
    elif kind == "move_withdrawn":
        del state["moves"][body["ply"] - 1 :]
        state["fen"] = body["fen"]
    elif kind == "position":
        state["fen"] = body["fen"]
        if not state["moves"]:
            state["start_fen"] = body["fen"]
    elif kind == "clock":
        state["clock"] = {name: body[name] for name in ("event", "red_s", "black_s", "running")} | {"at_s": at_s}
    elif kind == "result":
        state["result"] = None if body["result"] == "*" else {n: body[n] for n in ("result", "termination")}
    elif kind == "view":
        state["view"], state["view_points"] = body["state"], body.get("points", [])
    elif kind == "system":
        state["system"] = body["event"]
        if body["event"] == "ended" and state["clock"]:
            # What the clock showed at the end is not known to the second: it stops where it was last read.
            state["clock"] = {**state["clock"], "running": None}
