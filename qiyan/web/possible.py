"""Whether a decision can be carried out as the table stands: what the judge would refuse, the console hears at once."""

from typing import Any

from qiyan.web.errors import Conflict
from qiyan.web.public_game import PublicGame
from rules.fen import parse_fen
from rules.iccs import parse_iccs
from rules.piece import EMPTY
from rules.point import format_point

Entries = list[dict[str, Any]]


def look_whether_possible(entries: Entries, decision: dict[str, Any]) -> None:
    """Conflict where the decision changes nothing; the judge, who may know more by then, has the last word."""
    change = decision["change"] or {}
    if "ply" in change:
        _look_at_ply(entries, change)
    if "point" in change:
        _look_at_point(entries, decision["of"], change["point"])


def _look_at_ply(entries: Entries, change: dict[str, Any]) -> None:
    game = PublicGame()
    for entry in entries:
        game.take(entry)
    number, iccs = change["ply"], change.get("iccs")
    if game.fen is None or number > len(game.moves) + (iccs is not None):
        raise Conflict("no_such_ply", str(number))
    now = game.moves[number - 1]["iccs"] if number <= len(game.moves) else None
    if "was" in change and change["was"] != now:
        raise Conflict("record_changed", str(number))
    if iccs is None:
        return
    before = game.moves[number - 2]["fen"] if number > 1 else game.start_fen
    from_point = parse_iccs(iccs).from_point
    if parse_fen(before or game.fen).piece_at(from_point) == EMPTY:
        raise Conflict("no_piece_there", format_point(from_point))


def _look_at_point(entries: Entries, of: int | None, point: str) -> None:
    told_as = open_between(entries)
    if not told_as or of not in (None, *(incident["seq"] for incident in told_as)):
        raise Conflict("nothing_between", point)
    incident = told_as[-1]
    if point not in incident["points"]:
        raise Conflict("not_between", ", ".join(incident["points"]))


def open_between(entries: Entries) -> Entries:
    """The incident about a piece that lies between points, after those that it has replaced; empty where none is open.

    It is open until the next move, or until it is dismissed.
    """
    told_as: Entries = []
    for entry in entries:
        if entry["kind"] == "incident" and entry["incident"] == "between_points":
            again = bool(told_as) and entry["updates"] == told_as[-1]["seq"]
            told_as = [*told_as, entry] if again else [entry]
        elif entry["kind"] == "move":
            told_as = []
        elif told_as and entry["kind"] == "decision" and entry["ruling"] == "dismissed":
            told_as = [] if entry["of"] == told_as[-1]["seq"] else told_as
    return told_as
