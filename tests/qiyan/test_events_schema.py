"""Every line of events.jsonl is what the schema beside the interface says."""

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from qiyan.commands.record import command
from qiyan.simulator.film import film
from qiyan.simulator.games import OPENING, play_script
from qiyan.simulator.looks import named_look
from tests.shared_data import DATA, SHARED, needs_data
from tests.short_film import cut_film

SCHEMA = SHARED / "events.schema.json"
VIDEO = DATA / "video" / "touch_own_lift"
SHOWN_S = 8.0
"""As much of the video as holds two plies and their presses."""

needs_schema = pytest.mark.skipif(not SCHEMA.is_file(), reason=f"the schema of events is not at {SCHEMA}")


def _check(out: Path, *args: str) -> list[dict[str, object]]:
    """Record, check every line, return the events."""
    done = CliRunner().invoke(command, [*args, "--out", str(out)])
    assert done.exit_code == 0, done.output
    checker = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    events = [json.loads(line) for line in (out / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    for event in events:
        checker.validate(event)
    return events


@needs_schema
@needs_data
def test_a_filmed_game_with_its_clock(tmp_path: Path) -> None:
    cut_film(VIDEO / "video.mp4", SHOWN_S, tmp_path / "cut.mp4")
    clock = str(VIDEO / "clock.jsonl")
    events = _check(tmp_path / "out", "--source", str(tmp_path / "cut.mp4"), "--clock", clock)
    assert {"system", "board_found", "move", "clock"} <= {event["kind"] for event in events}


@needs_schema
def test_a_simulated_game(tmp_path: Path) -> None:
    film(named_look("club"), play_script(OPENING[:2], 1, "quick"), tmp_path / "film")
    events = _check(
        tmp_path / "out", "--source", str(tmp_path / "film" / "video.mp4"),
        "--clock", str(tmp_path / "film" / "clock.jsonl"),
    )  # fmt: skip
    assert [event["iccs"] for event in events if event["kind"] == "move"] == OPENING[:2]
