"""Noise and damage: nothing breaks, and no wrong time stays."""

import random

import pytest

from clock_bridge.protocol.dgt import DgtParser
from clock_bridge.watch import ClockWatch, WatchConfig
from tests.clock_bridge.damage import LINES, play_damaged
from tests.clock_bridge.material import RECORDINGS
from tests.shared_data import needs_data

GOOD = ("8d000a20050020050009", "8d000a20050020045909")


@pytest.mark.parametrize("seed", range(3))
def test_random_bytes_break_nothing(seed: int) -> None:
    rng = random.Random(seed)
    parser, watch = DgtParser(), ClockWatch(WatchConfig())
    told, t = [], 0.0
    for _ in range(2000):
        t += 0.05
        for signal in parser.feed(rng.randbytes(50), t):
            told += watch.feed(signal)
    assert not {"press", "flag", "start", "pause"} & {each.what.value for each in told}
    last = [signal for hex_text in GOOD for signal in parser.feed(bytes.fromhex(hex_text), t)]
    assert [signal.raw.hex() for signal in last[-2:]] == list(GOOD)


@needs_data
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", RECORDINGS)
def test_a_damaged_recording_gives_no_wrong_time_for_longer_than_a_reading(name: str, seed: int) -> None:
    outcome = play_damaged(name, seed)
    assert outcome.longest_wrong <= 1
    assert outcome.longest_behind <= 1, "the second undamaged message is believed at the latest"
    assert sum(outcome.missing.values()) <= 6


@needs_data
@pytest.mark.parametrize(
    ("name", "seed"),
    [("dgt_3min2s_blitz", 1177), ("dgt_3min2s_blitz", 1186)]
    + [("dgt_5min5s_flagfall", seed) for seed in (1078, 1145, 1155, 1166)],
)
def test_damage_that_was_believed_for_two_readings_once(name: str, seed: int) -> None:
    """The same digit or bit hit in two messages running, and a press whose gain is not known yet."""
    outcome = play_damaged(name, seed)
    assert (outcome.longest_wrong <= 1, outcome.longest_behind <= 1) == (True, True)


@needs_data
@pytest.mark.parametrize("protocol", LINES)
@pytest.mark.parametrize("name", RECORDINGS)
def test_damaged_lines_give_no_wrong_time_for_longer_than_a_reading(name: str, protocol: str) -> None:
    outcome = play_damaged(name, 0, protocol=protocol)
    assert (outcome.longest_wrong <= 1, outcome.longest_behind <= 1) == (True, True)


@needs_data
@pytest.mark.parametrize("name", RECORDINGS)
def test_what_an_undamaged_clock_says_is_sure_but_for_its_first_press(name: str) -> None:
    outcome = play_damaged(name, 0, rate=0.0)
    assert outcome.unsure <= 1
    assert not (outcome.wrong or outcome.longest_behind or outcome.extra or outcome.missing)
