"""A recording of a file that broke off goes on: nothing is told twice, and no decision made meanwhile is lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from qiyan import inbox
from rules.event import ClockEvent, ClockEventKind
from rules.piece import RED
from tests.qiyan.recorded_table import MOVES, GreyFilm, RecordedTable, seen_game
from vision.source import SourceItem

PLIES = list(MOVES.values())
CORRECTION = {"ruling": "corrected", "by": "arb", "change": {"ply": 2, "iccs": "h9i7"}}


@pytest.fixture
def table(tmp_path: Path) -> RecordedTable:
    return RecordedTable(tmp_path)


def test_a_decision_made_while_the_recorder_is_down_takes_effect_when_it_is_back(table: RecordedTable) -> None:
    table.record(killed_at=18)
    inbox.leave(table.folder, CORRECTION)
    table.record()
    assert len(table.entries("decision")) == 1 and inbox.waiting(table.folder) == []
    assert table.line() == [PLIES[0], "h9i7", *PLIES[2:]]
    plies = [(entry["ply"], entry["iccs"]) for entry in table.entries("move")]
    assert plies.count((3, PLIES[2])) == 2, "played once, and once again after the corrected ply"
    told = table.inputs()
    assert [one["type"] for one in told[:5]] == ["BoardFound", "MoveSeen", "MoveSeen", "MoveSeen", "Decision"]
    table.record()
    assert table.inputs() == told, "and it is met again when the file is worked through once more"
    assert table.line() == [PLIES[0], "h9i7", *PLIES[2:]]


def test_a_decision_on_a_finished_recording_takes_effect_when_it_is_called_again(table: RecordedTable) -> None:
    table.record()
    inbox.leave(table.folder, CORRECTION)
    table.record()
    assert table.line() == [PLIES[0], "h9i7", *PLIES[2:]] and inbox.waiting(table.folder) == []
    told = table.inputs()
    inbox.leave(table.folder, {"ruling": "corrected", "by": "arb", "change": {"result": "1-0"}})
    table.record()
    assert table.inputs()[:-1] == told
    assert [entry["result"] for entry in table.entries("result")] == ["1-0"]


@pytest.mark.parametrize("live", [False, True])
def test_a_decision_left_after_the_last_frame_is_taken(live: bool, tmp_path: Path) -> None:
    class LateArbiter(GreyFilm):
        def items(self) -> Iterator[SourceItem]:
            yield from super().items()
            inbox.leave(tmp_path, CORRECTION)

    table = RecordedTable(tmp_path, LateArbiter(live=live))
    table.record()
    assert table.line()[1] == "h9i7" and inbox.waiting(tmp_path) == []


@pytest.mark.parametrize("second", [{**MOVES, 15: "b0c2"}, {k: v for k, v in MOVES.items() if k != 15}])
def test_what_is_seen_otherwise_the_second_time_leaves_the_record_as_it_stands(
    second: dict[int, str], table: RecordedTable
) -> None:
    table.record()
    before = table.inputs()
    inbox.leave(table.folder, {"ruling": "noted", "by": "arb", "change": {"note": "x"}})
    table.record(seen_game(second))
    assert table.inputs()[:-1] == before and table.line() == PLIES
    assert len(table.entries("decision")) == 1


def test_what_is_seen_only_the_second_time_is_told_after_the_break_and_not_before(table: RecordedTable) -> None:
    table.record(seen_game({5: "h2e2", 15: "h9g7"}), killed_at=18)
    clocked = {**seen_game({5: "h2e2", 15: "h9g7", 25: "h0g2"})}
    early, late = (ClockEvent(t, ClockEventKind.PRESS, RED, 600.0, 600.0, 0.5) for t in (1.0, 2.0))
    table.record({**clocked, 10: early, 20: late})
    assert [one["type"] for one in table.inputs()] == ["BoardFound", "MoveSeen", "MoveSeen", "ClockEvent", "MoveSeen"]
    assert table.line() == ["h2e2", "h9g7", "h0g2"]


def test_a_break_in_the_middle_of_working_it_through_again_loses_nothing(table: RecordedTable) -> None:
    table.record(killed_at=28)
    before = table.inputs()
    table.source.frame_count = 8  # Ctrl-C ends it here
    inbox.leave(table.folder, CORRECTION)
    table.record()
    table.source.frame_count = 30
    table.record()
    assert table.inputs()[:-1] == before
    assert table.line() == [PLIES[0], "h9i7", *PLIES[2:]]


def test_a_decision_counts_once_though_the_process_ended_before_its_file_was_removed(table: RecordedTable) -> None:
    inbox.leave(table.folder, CORRECTION)
    ((path, _),) = inbox.waiting(table.folder)
    text = path.read_text(encoding="utf-8")
    table.record(killed_at=18)
    path.write_text(text, encoding="utf-8")
    inbox.leave(table.folder, {"ruling": "noted", "by": "arb", "change": {"note": "x"}})
    table.record()
    assert [entry["ruling"] for entry in table.entries("decision")] == ["corrected", "noted"]
    assert inbox.waiting(table.folder) == []
