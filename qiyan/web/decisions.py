"""An arbiter's decision as the console sends it: looked at before it goes to the recorder."""

from typing import Any

from qiyan.decision import check_decision
from qiyan.errors import DecisionError
from qiyan.web.errors import PageError


def parse_decision(data: Any, incidents: set[int]) -> dict[str, Any]:
    """The decision in `data`, for qiyan.inbox; PageError where a field cannot be meant.

    incidents : numbers of the table's incidents, of which `of` has to be one
    """
    if not isinstance(data, dict):
        raise PageError("bad_request")
    of, change = data.get("of"), data.get("change")
    if of is not None and (isinstance(of, bool) or not isinstance(of, int) or of not in incidents):
        raise PageError("no_such_incident", repr(of)[:40])
    if isinstance(change, dict) and "undo" in change:
        raise PageError("bad_change", "undo")  # has an address of its own
    try:
        decision = check_decision(data)
    except DecisionError as error:
        raise PageError(error.code, str(error)) from error
    if of is None and decision["change"] is None:
        raise PageError("nothing_decided")
    return {name: decision[name] for name in ("of", "ruling", "change")}
