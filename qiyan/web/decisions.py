"""An arbiter's decision as the console sends it: every field looked at before it goes to the recorder."""

from typing import Any

from qiyan.web.errors import PageError
from rules.errors import RulesError
from rules.fen import format_fen, parse_fen
from rules.iccs import parse_iccs
from rules.piece import SIDE_NAMES
from rules.point import parse_point

RULINGS = ("upheld", "dismissed", "noted", "corrected")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
CLAIMS = ("draw_offer", "limit_claim")
LONGEST_NOTE = 500
LONGEST_CLAUSE = 20
LONGEST_CLOCK_S = 24 * 3600.0


def parse_decision(data: Any, incidents: set[int]) -> dict[str, Any]:
    """The decision in `data`, for qiyan.inbox; PageError where a field cannot be meant.

    incidents : numbers of the table's incidents, of which `of` has to be one
    """
    if not isinstance(data, dict):
        raise PageError("bad_request")
    of, ruling = data.get("of"), data.get("ruling")
    if of is not None and (isinstance(of, bool) or not isinstance(of, int) or of not in incidents):
        raise PageError("no_such_incident", repr(of)[:40])
    if ruling not in RULINGS:
        raise PageError("bad_ruling", repr(ruling)[:40])
    change = data.get("change")
    if change is not None and not isinstance(change, dict):
        raise PageError("bad_change")
    checked = _change(change or {})
    if of is None and not checked:
        raise PageError("nothing_decided")
    return {"of": of, "ruling": ruling, "change": checked or None}


def _change(change: dict[str, Any]) -> dict[str, Any]:
    known = {"point", "ply", "iccs", "fen", "result", "clause", "times", "note", *CLAIMS}
    if not known.issuperset(change):
        raise PageError("bad_change", ", ".join(sorted(set(change) - known))[:80])
    checked: dict[str, Any] = {}
    try:
        if "point" in change:
            parse_point(str(change["point"]))
            checked["point"] = str(change["point"])
        if "ply" in change:
            checked["ply"] = _whole(change["ply"])
        if change.get("iccs") is not None:
            parse_iccs(str(change["iccs"]))
            checked["iccs"] = str(change["iccs"])
        if "fen" in change:
            checked["fen"] = format_fen(parse_fen(str(change["fen"])[:200]))
    except RulesError as error:
        raise PageError("bad_change", str(error)[:200]) from error
    if "iccs" in checked and "ply" not in checked:
        raise PageError("bad_change", "iccs without ply")
    if "result" in change:
        if change["result"] not in RESULTS:
            raise PageError("bad_change", repr(change["result"])[:40])
        checked["result"] = change["result"]
    for claim in CLAIMS:
        if claim in change:
            if change[claim] not in SIDE_NAMES:
                raise PageError("bad_change", f"{claim}: {change[claim]!r}"[:60])
            checked[claim] = change[claim]
    if change.get("clause"):
        checked["clause"] = _line(change["clause"], LONGEST_CLAUSE)
    if "times" in change:
        checked["times"] = _times(change["times"])
    if change.get("note"):
        checked["note"] = _line(change["note"], LONGEST_NOTE)
    return checked


def _times(times: Any) -> dict[str, float]:
    if not isinstance(times, dict) or not times or not {"red_s", "black_s"}.issuperset(times):
        raise PageError("bad_change", "times")
    for value in times.values():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LONGEST_CLOCK_S:
            raise PageError("bad_change", f"times: {value!r}"[:60])
    return {name: round(float(value), 1) for name, value in times.items()}


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10_000:
        raise PageError("bad_change", f"ply: {value!r}"[:60])
    return value


def _line(value: Any, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise PageError("bad_change", "text too long")
    return " ".join("".join(sign if sign.isprintable() else " " for sign in value).split())
