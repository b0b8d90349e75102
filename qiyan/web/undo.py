"""Taking a decision back: the decisions that bring about again what stood before it. Nothing is ever removed."""

from typing import Any

from qiyan.decision import CLAIMS
from qiyan.web.errors import Conflict, PageError
from qiyan.web.public_game import PublicGame


def undo(entries: list[dict[str, Any]], seq: int) -> list[dict[str, Any]]:
    """Decisions for qiyan.inbox, in order, that undo decision `seq`; PageError where that cannot be done any more."""
    at = next((i for i, entry in enumerate(entries) if entry["seq"] == seq and entry["kind"] == "decision"), None)
    if at is None:
        raise PageError("no_such_decision", str(seq))
    if any((entry.get("change") or {}).get("undo") == seq for entry in entries if entry["kind"] == "decision"):
        raise Conflict("undone_already")
    decision = entries[at]
    change = decision.get("change") or {}
    if any(claim in change for claim in CLAIMS):
        raise Conflict("cannot_undo_claim")
    before, now = _game(entries[:at]), _game(entries)
    changes: list[dict[str, Any]] = []
    if _was_refused(entries, seq):
        changes = []
    elif "ply" in change:
        changes = _plies(before, now, change)
    elif "fen" in change:
        if len(before.moves) != len(now.moves) or before.fen is None:
            raise Conflict("played_since")
        changes = [{"fen": before.fen}]
    elif "point" in change:
        changes = _named_point(entries, at, now)
    elif "result" in change:
        changes = [{"result": _result(entries[:at])}]
    elif "times" in change:
        changes = _times(entries[:at], change["times"])
    ruling = "corrected" if changes else _ruling_before(entries[:at], decision["of"])
    mark = {"undo": seq}
    if not changes:
        return [{"of": decision["of"], "ruling": ruling, "change": mark}]
    return [{"of": decision["of"], "ruling": ruling, "change": {**one, **mark}} for one in changes]


def _was_refused(entries: list[dict[str, Any]], seq: int) -> bool:
    """Whether the judge said that the decision could not be carried out: it changed nothing."""
    return any(entry["kind"] == "incident" and (entry["remedy"] or {}).get("decision") == seq for entry in entries)


def _plies(before: PublicGame, now: PublicGame, change: dict[str, Any]) -> list[dict[str, Any]]:
    number, old = change["ply"], [move["iccs"] for move in before.moves]
    if "iccs" not in change:
        if len(now.moves) != number - 1:
            raise Conflict("played_since")
        return [{"ply": k, "iccs": old[k - 1]} for k in range(number, len(old) + 1)]
    if number <= len(old):
        # The later plies are played again by the judge; those that could not be came back by no way but this.
        lost = [{"ply": k, "iccs": old[k - 1]} for k in range(len(now.moves) + 1, len(old) + 1)]
        return [{"ply": number, "iccs": old[number - 1]}, *lost]
    if len(now.moves) > number:
        raise Conflict("played_since")
    return [{"ply": number}]


def _named_point(entries: list[dict[str, Any]], at: int, now: PublicGame) -> list[dict[str, Any]]:
    played = next((entry for entry in entries[at + 1 :] if entry["kind"] == "move"), None)
    if played is None or played["ply"] != len(now.moves):
        raise Conflict("played_since")
    return [{"ply": played["ply"]}]


def _result(entries: list[dict[str, Any]]) -> str:
    result = "*"
    for entry in entries:
        if entry["kind"] == "result" and (entry["status"] == "final" or entry["result"] == "*"):
            result = entry["result"]
    return result


def _times(entries: list[dict[str, Any]], times: dict[str, Any]) -> list[dict[str, Any]]:
    shown: dict[str, Any] = {}
    for entry in entries:
        source = entry if entry["kind"] == "clock" else (entry.get("change") or {}).get("times") or {}
        shown.update({name: source[name] for name in times if source.get(name) is not None})
    if not shown:
        raise Conflict("no_times_before")
    return [{"times": shown}]


def _ruling_before(entries: list[dict[str, Any]], of: int | None) -> str:
    """What was ruled on the incident before; `noted` takes a ruling away without giving another."""
    rulings = [entry["ruling"] for entry in entries if entry["kind"] == "decision" and entry["of"] == of]
    earlier = [ruling for ruling in rulings if ruling in ("upheld", "dismissed")]
    return str(earlier[-1]) if of is not None and earlier else "noted"


def _game(entries: list[dict[str, Any]]) -> PublicGame:
    game = PublicGame()
    for entry in entries:
        game.take(entry)
    return game
