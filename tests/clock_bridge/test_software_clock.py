"""The clock in software, and the controls it plays by."""

import pytest

from clock_bridge.control import Control, Mode, parse_control
from clock_bridge.errors import ControlError
from clock_bridge.protocol.dgt import DgtParser
from clock_bridge.reading import Display, Flag, Reading
from clock_bridge.software_clock import SoftwareClock
from clock_bridge.watch import ClockWatch, WatchConfig
from rules.piece import BLACK, RED

L, R = Display.LEFT, Display.RIGHT


def reading(clock: SoftwareClock, t: float) -> Reading:
    (only,) = DgtParser().feed(clock.message(t), t)
    assert isinstance(only, Reading)
    return only


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("60m+30s", Control(Mode.INCREMENT, 3600, 30)),
        ("15m", Control(Mode.SUDDEN_DEATH, 900)),
        ("1h30m", Control(Mode.SUDDEN_DEATH, 5400)),
        ("90m/15m/15m", Control(Mode.QUOTA, 5400, later_s=(900, 900))),
        ("90m/15m+30s", Control(Mode.QUOTA, 5400, 30, later_s=(900,))),
        ("20m+5x30s", Control(Mode.BYO_YOMI, 1200, period_s=30, periods=5)),
        ("25m d10s", Control(Mode.US_DELAY, 1500, delay_s=10)),
        ("25m b10s", Control(Mode.BRONSTEIN, 1500, delay_s=10)),
        ("0m+3x60s", Control(Mode.BYO_YOMI, 0, period_s=60, periods=3)),
    ],
)
def test_controls_are_read(text: str, control: Control) -> None:
    assert parse_control(text) == control


@pytest.mark.parametrize("text", ["", "soon", "60m+", "+30s", "60m30", "10x", "0m", "20m+5x0s", "1" * 60 + "x"])
def test_what_is_no_control_is_refused(text: str) -> None:
    with pytest.raises(ControlError):
        parse_control(text)


def test_an_increment_is_given_at_the_press() -> None:
    clock = SoftwareClock(parse_control("60m+30s"))
    assert (clock.shown_s(L, 0), clock.shown_s(R, 0)) == (3630, 3630)
    clock.start(0)
    assert clock.press(L, 10.2)
    assert not clock.press(L, 10.3)
    assert (clock.shown_s(L, 20), clock.shown_s(R, 20)) == (3650, 3621)


def test_the_flag_falls_at_zero_and_blocks_the_clock() -> None:
    clock = SoftwareClock(parse_control("1m"))
    clock.start(0)
    assert reading(clock, 59.5).left_s == 1
    fallen = reading(clock, 60.0)
    assert (fallen.left_s, fallen.left_flag, fallen.running) == (0, Flag.FALLEN, False)
    assert reading(clock, 99).right_s == 60


def test_a_new_period_goes_to_both_and_shows_a_flag() -> None:
    clock = SoftwareClock(parse_control("1m/10m"))
    clock.start(0)
    later = reading(clock, 61)
    assert (later.left_s, later.right_s) == (599, 660)
    assert (later.left_flag, later.right_flag, later.running) == (Flag.SHOWN, Flag.NONE, True)


@pytest.mark.parametrize(("used_s", "after"), [(20, 300), (59, 300), (70, 240), (125, 180)])
def test_byo_yomi_goes_back_to_whole_periods(used_s: float, after: int) -> None:
    clock = SoftwareClock(parse_control("10s+5x60s"))
    clock.start(0)
    clock.press(L, 10 + used_s)
    assert clock.shown_s(L, 10 + used_s) == after


def test_a_us_delay_waits_and_bronstein_gives_back() -> None:
    waits, gives = SoftwareClock(parse_control("25m d10s")), SoftwareClock(parse_control("25m b10s"))
    for clock in (waits, gives):
        clock.start(0)
    assert (waits.shown_s(L, 9), gives.shown_s(L, 9)) == (1500, 1491)
    for clock in (waits, gives):
        clock.press(L, 15)
        assert clock.shown_s(L, 15) == 1495


def test_the_arbiter_gives_and_takes_time() -> None:
    clock = SoftwareClock(parse_control("10m"))
    clock.adjust(R, 180, 0)
    clock.adjust(L, -900, 0)
    assert (clock.shown_s(L, 0), clock.shown_s(R, 0)) == (0, 780)


def test_what_is_more_than_a_clock_can_show_is_shown_as_its_most() -> None:
    assert reading(SoftwareClock(parse_control("12h")), 0).left_s == 9 * 3600 + 59 * 60 + 59


@pytest.mark.parametrize("red", [L, R])
@pytest.mark.parametrize("spec", ["60m+30s", "10m", "1m/5m", "30s+5x30s", "5m b5s", "5m d5s", "3m+2s"])
def test_the_watch_sees_every_press_of_every_control(spec: str, red: Display) -> None:
    control = parse_control(spec)
    clock, parser = SoftwareClock(control, red), DgtParser()
    watch = ClockWatch(WatchConfig(red=red, control=control))
    presses, told, t = [], [], 0.0
    for tick in range(2000):
        t = tick * 0.4
        if tick == 5:
            clock.start(t - 0.1)
        if tick > 5 and tick % 23 == 0 and clock.running:
            side = RED if clock.turn is red else BLACK
            clock.press(clock.turn, t - 0.17)
            presses.append(side)
        for signal in parser.feed(clock.message(t), t):
            told += watch.feed(signal)
        told += watch.pass_time(t)
        seen = watch.last
        if seen is not None and tick > 6 and clock.running:
            other = R if red is L else L
            assert seen.times_s == (clock.shown_s(red, t), clock.shown_s(other, t))
    assert [each.side for each in told if each.what.value == "press"] == presses
    strange = {each.what.value for each in told} - {"press", "run", "start", "flag", "period"}
    assert not strange
