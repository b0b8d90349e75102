"""The simulator's scenes as a perfect eye would see them: the judge must find in each what its truth says."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from clock_bridge.feed import open_clock
from qiyan.simulator.film import write_clock
from qiyan.simulator.happenings import HARMLESS, INCIDENTS, happening_script
from qiyan.simulator.looks import named_look
from qiyan.simulator.random_play import position_after
from qiyan.simulator.script import PlaceBetween
from qiyan.simulator.stage import Stage
from qiyan.simulator.table import Table
from rules import arbiter
from rules.event import (
    BetweenResolved,
    BoardCleared,
    BoardDiffers,
    BoardFound,
    MoveSeen,
    PieceBetween,
    PiecesDisturbed,
    PiecesRestored,
    PieceTouched,
    PliesWithdrawn,
    TableEvent,
    TouchStrength,
    WithdrawnWhy,
)
from rules.fen import parse_fen
from rules.iccs import parse_iccs
from rules.incident import Incident, Severity
from rules.piece import SIDE_NAMES, Side
from rules.point import parse_point
from rules.profile import DEFAULT_EDITION, find_profile

SEEN_AFTER_S = 0.4
"""A perfect eye knows what happened so long after the hand is gone."""
DIFFERENCE_AFTER_S = 3.0
CORNERS = {"a0": (0.0, 9.0), "i0": (8.0, 9.0), "i9": (8.0, 0.0), "a9": (0.0, 0.0)}


def _number(value: object) -> float:
    assert isinstance(value, float)
    return value


def _seen(move: dict[str, object]) -> MoveSeen:
    t = _number(move["t_released"]) + SEEN_AFTER_S
    return MoveSeen(t, parse_iccs(str(move["iccs"])), _number(move["t_lifted"]), _number(move["t_placed"]), 0.995)


def _events(table: Table) -> Iterator[TableEvent]:
    """What the eye tells, in any order."""
    stage = table.stage
    yield BoardFound(0.3, CORNERS, "bottom", parse_fen(table.script.start_fen), 0.2, 0.999)
    between = [a for a in table.script.actions if isinstance(a, PlaceBetween)]
    for move in stage.moves:
        if move.get("timing") is False:
            yield from _between_events(stage, move, between[0])
        else:
            yield _seen(move)
    for move in stage.withdrawn:
        yield _seen(move)
        t = _number(move["t_withdrawn"]) + 0.3
        yield PliesWithdrawn(t, int(str(move["ply"])), WithdrawnWhy.TAKEN_BACK)
    for touch in stage.touches:
        strength = {"lifted": TouchStrength.LIFTED, "shifted": TouchStrength.SHIFTED}.get(str(touch["how"]))
        if strength is not None:
            t = _number(touch["t_released"]) + SEEN_AFTER_S
            size = float(str(touch.get("cells", 0.0)))
            point = parse_point(str(touch["point"]))
            side = Side(int(str(touch["side"])))
            yield PieceTouched(t, point, strength, _number(touch["t"]), side, size, 0.99)
    for incident in stage.incidents:
        yield from _accident_events(stage, incident)
    if table.script.note == "swept_at_the_end":
        yield BoardCleared(stage.now - 3.0)


def _between_events(stage: Stage, move: dict[str, object], action: PlaceBetween) -> Iterator[TableEvent]:
    t = _number(move["t_released"]) + SEEN_AFTER_S
    candidates = tuple(parse_point(name) for name in action.candidates)
    home, to = parse_point(action.point), parse_point(str(move["iccs"])[2:])
    before = position_after([str(m["iccs"]) for m in stage.moves if _number(m["t_lifted"]) < t - 2.0])
    yield PieceBetween(t, before.piece_at(home), home, (0.0, 0.0), candidates)
    yield BetweenResolved(stage.resolved_t + SEEN_AFTER_S, to)


def _accident_events(stage: Stage, incident: dict[str, object]) -> Iterator[TableEvent]:
    if not incident["required"] or incident["incident"] not in ("disturbed_pieces", "board_differs"):
        return
    began = _number(incident["t"])
    names = incident["points"]
    assert isinstance(names, list)
    points = tuple(parse_point(name) for name in names)
    if incident["incident"] == "board_differs":
        gone = tuple((point, stage.pieces[0].piece, None) for point in points)
        yield BoardDiffers(began + DIFFERENCE_AFTER_S, gone, 0.99)
        return
    off = points[:1] if stage.script.note == "knocked_off_board" else ()
    side = Side(SIDE_NAMES.index(str(incident["side"])))
    yield PiecesDisturbed(began + 1.2, points, off, side, began)
    yield PiecesRestored(stage.resolved_t + SEEN_AFTER_S)


def _judged(table: Table, trace: str) -> list[Incident]:
    clock = open_clock(trace)
    events = [*_events(table), *clock.poll(table.length_s + 5.0)]
    clock.close()
    state = arbiter.new_table(find_profile(DEFAULT_EDITION))
    out: list[Incident] = []
    ticks = [TableEvent(float(t)) for t in np.arange(0.5, table.length_s, 0.25)]
    for event in sorted([*events, *ticks], key=lambda e: e.t):
        state, records = arbiter.judge(state, event)
        out.extend(record for record in records if isinstance(record, Incident))
    return out


def _matches(incident: Incident, wanted: dict[str, object]) -> bool:
    if incident.incident.value != wanted["incident"]:
        return False
    if wanted["side"] is not None and incident.side is not None and SIDE_NAMES[incident.side] != wanted["side"]:
        return False
    return _number(wanted["t"]) - 0.7 <= (incident.t_happened or incident.t) <= _number(wanted["t_end"])


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", [*INCIDENTS, *HARMLESS])
def test_the_judge_finds_what_the_truth_says(name: str, seed: int, tmp_path: Path) -> None:
    table = Table(named_look("hall", seed), happening_script(name, seed))
    trace = tmp_path / "trace.jsonl"
    write_clock(table, trace)
    found = _judged(table, str(trace))
    for wanted in table.stage.incidents:
        if wanted["required"]:
            assert any(_matches(incident, wanted) for incident in found), (wanted, found)
    for incident in found:
        if incident.severity is not Severity.NOTICE:
            assert any(_matches(incident, wanted) for wanted in table.stage.incidents), incident
