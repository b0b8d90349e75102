"""An arbiter's decision as data from outside: every field looked at before it may reach the judge."""

from typing import Any

from qiyan.errors import DecisionError
from rules.errors import RulesError
from rules.fen import format_fen, parse_fen
from rules.iccs import parse_iccs
from rules.piece import SIDE_NAMES
from rules.point import parse_point

RULINGS = ("upheld", "dismissed", "noted", "corrected")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
CLAIMS = ("draw_offer", "limit_claim")
LONGEST_NOTE = 500
LONGEST_NAME = 100
LONGEST_CLAUSE = 20
LONGEST_CLOCK_S = 24 * 3600.0
LARGEST_PLY = 10_000
LARGEST_SEQ = 2**53
"""Beyond it a browser can no longer count."""


def check_decision(data: Any) -> dict[str, Any]:
    """The fields `of`, `ruling`, `by` and `change` of rules.event.Decision; DecisionError where one cannot be meant."""
    if not isinstance(data, dict):
        raise DecisionError("bad_request")
    of, ruling, change = data.get("of"), data.get("ruling"), data.get("change")
    if of is not None:
        of = _whole("of", of, LARGEST_SEQ)
    if ruling not in RULINGS:
        raise DecisionError("bad_ruling", repr(ruling)[:40])
    if change is not None and not isinstance(change, dict):
        raise DecisionError("bad_change")
    by = data.get("by")
    named = "" if by is None else _line(by, LONGEST_NAME)
    return {"of": of, "ruling": ruling, "by": named, "change": _change(change or {}) or None}


def _change(change: dict[str, Any]) -> dict[str, Any]:
    known = {"point", "ply", "iccs", "was", "fen", "result", "clause", "times", "note", "undo", *CLAIMS}
    if not known.issuperset(change):
        raise DecisionError("bad_change", ", ".join(sorted(set(change) - known))[:80])
    checked: dict[str, Any] = {}
    try:
        if "point" in change:
            parse_point(str(change["point"]))
            checked["point"] = str(change["point"])
        if "ply" in change:
            checked["ply"] = _whole("ply", change["ply"], LARGEST_PLY)
        if change.get("iccs") is not None:
            parse_iccs(str(change["iccs"]))
            checked["iccs"] = str(change["iccs"])
        if "was" in change:
            checked["was"] = None if change["was"] is None else str(parse_iccs(str(change["was"])))
        if "fen" in change:
            checked["fen"] = format_fen(parse_fen(str(change["fen"])[:200]))
    except RulesError as error:
        raise DecisionError("bad_change", str(error)[:200]) from error
    if "ply" not in checked and not {"iccs", "was"}.isdisjoint(checked):
        raise DecisionError("bad_change", "iccs without ply")
    if "result" in change:
        if change["result"] not in RESULTS:
            raise DecisionError("bad_change", repr(change["result"])[:40])
        checked["result"] = change["result"]
    for claim in CLAIMS:
        if claim in change:
            if change[claim] not in SIDE_NAMES:
                raise DecisionError("bad_change", f"{claim}: {change[claim]!r}"[:60])
            checked[claim] = change[claim]
    if change.get("clause"):
        checked["clause"] = _line(change["clause"], LONGEST_CLAUSE)
    if "times" in change:
        checked["times"] = _times(change["times"])
    if change.get("note"):
        checked["note"] = _line(change["note"], LONGEST_NOTE)
    if "undo" in change:
        checked["undo"] = _whole("undo", change["undo"], LARGEST_SEQ)
    return checked


def _times(times: Any) -> dict[str, float]:
    if not isinstance(times, dict) or not times or not {"red_s", "black_s"}.issuperset(times):
        raise DecisionError("bad_change", "times")
    for value in times.values():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LONGEST_CLOCK_S:
            raise DecisionError("bad_change", f"times: {value!r}"[:60])
    return {name: round(float(value), 1) for name, value in times.items()}


def _whole(name: str, value: Any, largest: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= largest:
        raise DecisionError("bad_change", f"{name}: {value!r}"[:60])
    return value


def _line(value: Any, longest: int) -> str:
    """One line that can be printed, and written as UTF-8."""
    if not isinstance(value, str) or len(value) > longest:
        raise DecisionError("bad_change", "text too long")
    return " ".join("".join(sign if sign.isprintable() else " " for sign in value).split())
