"""From readings to happenings: what public issues of other drivers have taught, case by case."""

from dataclasses import replace

import pytest

from clock_bridge.control import Control, parse_control
from clock_bridge.happening import Happening, What
from clock_bridge.protocol.dgt import DgtParser
from clock_bridge.reading import Display, Flag, Reading
from clock_bridge.watch import ClockWatch, WatchConfig
from rules.event import ClockEventKind
from rules.piece import BLACK, RED, Side

L, R = Display.LEFT, Display.RIGHT


def at(t: float, left_s: float, right_s: float, turn: Display = L, running: bool = True, **more: object) -> Reading:
    reading = Reading(t, left_s, right_s, running, turn, turn_bits_agree=True, fragile=True)
    return replace(reading, **more)  # type: ignore[arg-type]


def watch(control: str | None = None, red: Display = L) -> ClockWatch:
    return ClockWatch(WatchConfig(red=red, control=parse_control(control) if control else None))


def play(clock: ClockWatch, *readings: Reading) -> list[tuple[float, str, Side | None]]:
    return [(each.t, each.what.value, each.side) for each in tell(clock, *readings)]


def tell(clock: ClockWatch, *readings: Reading) -> list[Happening]:
    return [each for reading in readings for each in clock.feed(reading)]


@pytest.mark.parametrize(("red", "side"), [(L, RED), (R, BLACK)])
def test_who_pressed_follows_from_which_side_is_reds(red: Display, side: Side) -> None:
    assert play(watch(red=red), at(0, 600, 600), at(1, 599, 600), at(1.5, 601, 600, R)) == [
        (1.5, "press", side),
        (1.5, "run", side ^ 1),
    ]


def test_a_press_within_the_same_second_gains_the_whole_increment() -> None:
    clock = watch("1m+1s")
    play(clock, at(0, 60, 60), at(0.4, 61, 60, R))
    (press, _) = tell(clock, at(0.8, 61, 61, L))
    assert (press.what, press.side, press.detail) == (What.PRESS, BLACK, {"increment_s": 1})


def test_two_presses_between_two_readings_are_both_told() -> None:
    clock = watch("3m+2s")
    assert play(clock, at(0, 100, 100), at(1, 101, 102)) == [
        (1, "press", RED),
        (1, "press", BLACK),
        (1, "run", RED),
    ]


def test_two_presses_of_an_increment_not_known_yet_are_borne_out_by_the_next_reading() -> None:
    clock = watch()
    played = play(clock, at(0, 100, 100), at(1, 99, 100), at(2, 128, 130), at(3, 127, 130))
    assert played == [(2, "warn_implausible", None), (2, "press", RED), (2, "press", BLACK), (2, "run", RED)]


def test_the_flag_falls_with_its_sign_and_not_with_a_zero() -> None:
    clock = watch()
    assert play(clock, at(0, 1, 16), at(1, 0, 16, running=False, left_flag=Flag.FALLEN)) == [(1, "flag", RED)]
    clock = watch()
    played = play(clock, at(0, 300, 300), at(1, 299, 300), at(2, 0, 0), at(3, 298, 300), at(4, 297, 300))
    assert [what for _, what, _ in played] == ["warn_implausible"]


def test_press_and_flag_in_one_second_keep_their_order() -> None:
    clock = watch("10m")
    played = play(
        clock,
        at(0, 2, 1, R),
        at(0.6, 2, 1, L),
        at(1.6, 1, 1, L),
        at(2.4, 0, 1, L, running=False, left_flag=Flag.FALLEN),
    )
    assert played == [(0.6, "press", BLACK), (0.6, "run", RED), (2.4, "flag", RED)]


def test_five_minutes_taken_while_standing_are_an_adjustment() -> None:
    clock = watch("60m+30s")
    play(
        clock,
        at(0, 1500, 1400),
        at(1, 1499, 1400),
        at(1.4, 1499, 1400, running=False),
        at(1.8, 1499, 1400, running=False),
    )
    (adjust,) = tell(clock, at(30, 1199, 1400, running=False), at(30.4, 1199, 1400, running=False))
    assert (adjust.t, adjust.what, adjust.side, adjust.detail) == (30, What.ADJUST, RED, {"delta_s": -300})


def test_a_silent_pause_bears_an_adjustment_out() -> None:
    clock = watch()
    play(clock, at(0, 500, 500), at(1, 499, 500), at(2, 499, 500, running=False))
    clock.pass_time(10)
    assert play(clock, at(20, 679, 500, running=False)) == []
    assert [(each.t, each.what) for each in clock.pass_time(23)] == [(20, What.ADJUST)]


def test_times_set_before_the_game_are_set_up() -> None:
    clock = watch()
    played = play(
        clock,
        at(0, 300, 300, running=False),
        at(1, 300, 300, running=False),
        at(2, 900, 300, running=False),
        at(3, 900, 300, running=False),
    )
    assert played == [(2, "set_up", RED)]


def test_time_that_rises_while_it_runs_is_an_adjustment_once_borne_out() -> None:
    clock = watch()
    played = play(clock, at(0, 300, 300), at(1, 299, 300), at(2, 301, 300), at(3, 300, 300), at(4, 299, 300))
    assert played == [(2, "warn_implausible", None), (2, "adjust", RED)]


def test_a_wild_reading_changes_nothing() -> None:
    clock = watch()
    play(clock, at(0, 300, 300), at(1, 299, 300), at(2, 5000, 300))
    assert clock.times(2)[RED] == 298
    assert play(clock, at(3, 297, 300)) == []


def test_a_single_wrong_bit_neither_stops_nor_starts_a_clock() -> None:
    clock = watch()
    played = play(clock, at(0, 300, 300), at(1, 299, 300), at(2, 298, 300, running=False), at(3, 297, 300))
    assert played == []


def test_a_pause_is_told_with_its_own_time() -> None:
    clock = watch()
    stopped = at(2, 298, 300, running=False)
    assert play(clock, at(0, 300, 300), at(1, 299, 300), stopped, replace(stopped, t=3)) == [(2, "pause", None)]


def test_the_first_increment_may_come_before_or_at_the_start() -> None:
    shown_before = [at(0, 3630, 3630, running=False), at(1, 3630, 3630), at(2, 3629, 3630)]
    added_at_start = [at(0, 3600, 3600, running=False), at(1, 3630, 3630), at(2, 3629, 3630)]
    for readings in (shown_before, added_at_start):
        assert play(watch("60m+30s"), *readings) == [(1, "start", RED)]


def test_a_start_and_a_press_between_two_looks_are_both_told() -> None:
    clock = watch("5m+5s")
    stand = at(0, 305, 305, running=False)
    played = play(clock, stand, replace(stand, t=0.4), at(0.8, 309, 305, R), at(1.8, 309, 304, R))
    assert played == [(0.8, "start", RED), (0.8, "press", RED), (0.8, "run", BLACK)]


def test_black_starts_reds_clock_without_having_moved() -> None:
    clock = watch("5m+5s")
    stand = at(0, 305, 305, R, running=False)
    assert play(clock, stand, replace(stand, t=0.4), at(0.8, 305, 305), at(1.8, 304, 305)) == [(0.8, "start", RED)]


def test_the_lever_moved_back_after_a_take_back_is_a_press_of_the_other_side() -> None:
    clock = watch("15m")
    play(clock, at(0, 900, 900), at(5, 895, 900, R))
    assert play(clock, at(9, 895, 896, L)) == [(9, "press", BLACK), (9, "run", RED)]


def test_a_lever_that_reads_the_wrong_way_round_is_found_out() -> None:
    clock = watch()
    played = play(clock, at(0, 300, 300), at(1, 300, 299), at(2, 300, 298), at(3, 300, 297))
    assert [what for _, what, _ in played if what != "warn_implausible"] == ["warn_lever_inverted"]
    assert clock.last is not None
    assert clock.last.turn == BLACK
    assert play(clock, at(4, 300, 296, R)) == [(4, "press", BLACK), (4, "run", RED)]


def test_a_lost_line_does_not_make_a_flag_or_a_press_when_it_comes_back() -> None:
    clock = watch()
    play(clock, at(0, 300, 300), at(1, 299, 300))
    clock.link_lost(1.5)
    assert play(clock, at(60, 250, 290, L)) == [(60, "resync", RED)]


def test_presses_in_a_pause_are_none() -> None:
    clock = watch("10m")
    stand = at(0, 300, 300, running=False)
    played = play(clock, stand, replace(stand, t=1), replace(stand, t=2, lever=R), replace(stand, t=3, lever=L))
    assert [what for _, what, _ in played] == ["lever_while_paused"] * 2


@pytest.mark.parametrize(
    ("control", "before", "after", "detail"),
    [
        ("20m+5x60s", 300, 300, {}),
        ("20m+5x60s", 270, 300, {}),
        ("20m+5x60s", 230, 240, {"periods_lost": 1}),
        ("25m b10s", 294, 300, {"restored_s": 6}),
        ("25m d10s", 300, 300, {}),
        ("60m+30s", 299, 329, {"increment_s": 30}),
        ("60m+30s", 299, 328, {"increment_s": 30, "tick_merged": True}),
    ],
)
def test_a_gain_is_named_as_the_control_names_it(
    control: str, before: int, after: int, detail: dict[str, object]
) -> None:
    clock = watch(control)
    tell(clock, at(0, 300, 400, running=True), at(300 - before, before, 400))
    press, _ = tell(clock, at(300 - before + 1, after, 400, R))
    assert press.detail == detail


def test_the_time_between_readings_is_counted_on_but_never_past_the_next_reading() -> None:
    clock = watch()
    play(clock, at(0, 10, 300), at(1, 9, 300))
    assert clock.times(1.0) == (9, 300)
    assert clock.times(1.4) == (pytest.approx(8.6), 300)
    assert clock.times(2.5) == (8, 300)
    play(clock, at(9, 1, 300), at(10, 0, 300))
    assert clock.times(10.7) == (0, 300)


def test_a_running_clock_that_falls_silent_is_lost_and_found() -> None:
    clock = watch()
    play(clock, at(0, 300, 300), at(1, 299, 300))
    (lost,) = clock.pass_time(4.5)
    assert (lost.t, lost.what) == (4, What.STALE)
    event = lost.to_event()
    assert event is not None
    assert event.event is ClockEventKind.LOST
    assert clock.pass_time(10) == []
    assert play(clock, at(11, 289, 300)) == [(11, "fresh", RED)]


def test_a_paused_clock_may_be_silent() -> None:
    clock = watch()
    play(clock, at(0, 300, 300), at(1, 299, 300), at(2, 299, 300, running=False), at(3, 299, 300, running=False))
    assert clock.pass_time(300) == []


def test_a_delay_is_no_silence() -> None:
    control = parse_control("25m d10s")
    assert isinstance(control, Control)
    clock = watch("25m d10s")
    play(clock, at(0, 300, 300))
    assert clock.pass_time(9) == []


def test_every_event_says_how_sure_its_time_is() -> None:
    clock = watch()
    told = tell(clock, at(0, 300, 300), at(0.4, 300, 300), at(0.8, 302, 300, R), at(1.8, 302, 299, R))
    assert [each.uncertainty_s for each in told] == [pytest.approx(0.5)] * 2


def test_a_press_whose_message_was_lost_is_as_unsure_as_the_gap_was_long() -> None:
    clock = watch()
    press, _ = tell(clock, at(0, 300, 300), at(1, 299, 300), at(3.2, 300, 298, R))
    assert press.what is What.PRESS
    assert press.uncertainty_s == pytest.approx(2.3)


def test_a_press_whose_gain_is_not_known_is_told_at_once_and_its_times_are_sure_with_the_next() -> None:
    clock = watch()
    assert play(clock, at(0, 100, 100), at(1, 99, 100), at(1.4, 101, 100, R))[0] == (1.4, "press", RED)
    assert not clock.sure
    play(clock, at(2.4, 101, 99, R))
    assert clock.sure
    play(clock, at(2.8, 101, 101, L))
    assert clock.sure, "the second press gave what the first did"


def test_a_time_misread_at_a_press_is_told_right_with_the_next_reading() -> None:
    clock = watch()
    play(clock, at(0, 100, 100), at(1, 99, 100), at(1.4, 141, 100, R))
    (corrected,) = tell(clock, at(2.4, 101, 99, R))
    assert (corrected.what, corrected.times_s, clock.sure) == (What.CORRECTED, (101, 99), True)


def test_a_running_clock_is_set_only_where_three_readings_say_so() -> None:
    clock = watch()
    played = play(clock, at(0, 300, 300), at(1, 299, 300), at(2, 778, 300), at(3, 777, 300), at(4, 296, 300))
    assert [what for _, what, _ in played] == ["warn_implausible"]
    assert clock.last is not None
    assert clock.last.times_s == (296, 300)


def test_a_reading_with_a_byte_too_many_behind_it_bears_no_sure_time() -> None:
    clock, parser = watch(), DgtParser()
    stream = "8d000a20050020050009", "8d000a20050020045909", "8d000a2005002000045809"
    for t, message in enumerate(stream):
        for signal in parser.feed(bytes.fromhex(message), t):
            clock.feed(signal)
    assert clock.last is not None
    assert clock.last.times_s == (299, 300)
    assert not clock.sure
