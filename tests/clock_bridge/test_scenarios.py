"""The timed scenarios: readings in, happenings out."""

import json
from typing import Any

import pytest

from clock_bridge.control import Control, Mode
from clock_bridge.happening import Happening
from clock_bridge.protocol.dgt import DgtParser
from clock_bridge.reading import Display
from clock_bridge.watch import ClockWatch, WatchConfig
from rules.piece import SIDE_NAMES
from tests.shared_data import DATA, needs_data

AFTER_S = 5.0
"""How long after the last frame the watch is still asked."""


def scenarios() -> list[Any]:
    path = DATA / "clock" / "clock_scenarios.jsonl"
    if not path.is_file():
        return []
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [pytest.param(row, id=row["name"]) for row in rows]


def make_control(config: dict[str, Any]) -> Control:
    if config.get("mode") == "byoyomi":
        period_s, periods = config["period_s"], config["periods"]
        return Control(Mode.BYO_YOMI, 0.0, period_s=period_s, periods=periods)
    if "mode" in config:
        return Control(Mode(config["mode"]), 0.0, delay_s=config["delay_s"])
    periods = config.get("periods")
    if periods is not None:
        return Control(Mode.QUOTA, periods[0][0], later_s=tuple(added_s for added_s, _ in periods[1:]))
    increment_s = config["increment_s"]
    return Control(Mode.INCREMENT if increment_s else Mode.SUDDEN_DEATH, config["base_s"], increment_s)


def play(frames: list[tuple[int, str]], config: WatchConfig) -> list[Happening]:
    watch, parser = ClockWatch(config), DgtParser()
    out: list[Happening] = []
    t = 0.0
    for t_ms, what in frames:
        t = t_ms / 1000
        if what == "#serial_lost":
            parser.reset()
            out += watch.link_lost(t)
        elif what == "#serial_back":
            out += watch.link_back(t)
        else:
            for signal in parser.feed(bytes.fromhex(what), t):
                out += watch.feed(signal)
    return out + watch.pass_time(t + AFTER_S)


def as_row(happening: Happening) -> dict[str, Any]:
    row: dict[str, Any] = {"t_ms": round(happening.t * 1000), "event": happening.what.value, **happening.detail}
    if happening.side is not None:
        row["side"] = SIDE_NAMES[happening.side]
    return row


@needs_data
@pytest.mark.parametrize("row", scenarios())
def test_a_scenario_gives_its_events(row: dict[str, Any]) -> None:
    config = WatchConfig(red=Display(row["config"]["red"]), control=make_control(row["config"]))
    got = [as_row(each) for each in play(row["frames"], config)]
    # A running clock's silence after the last frame is no part of the scenarios, but for the one about it.
    if row["name"] != "silence_in_update_mode":
        got = [each for each in got if each["event"] != "stale"]
    expected = row["expect_events"]
    assert [(each["t_ms"], each["event"]) for each in got] == [(each["t_ms"], each["event"]) for each in expected]
    for have, want in zip(got, expected, strict=True):
        assert want.items() <= have.items()
