"""The judge on the clock: presses against moves as intervals, flags, and mate before the flag."""

import pytest

from rules.event import ClockEventKind, MoveSeen, PliesWithdrawn, TableEvent, ViewChanged, ViewState, WithdrawnWhy
from rules.iccs import parse_iccs
from rules.piece import BLACK, RED
from rules.point import Point
from tests.table_events import clock, fold, found, incidents, of_kind, press, seen

STARTED = [found(), clock(ClockEventKind.START, 1.0, RED)]


def placed(iccs: str, t_lifted: float, t_placed: float, t: float) -> MoveSeen:
    return MoveSeen(t, parse_iccs(iccs), t_lifted, t_placed, 0.99)


@pytest.mark.parametrize(
    ("move", "severity"),
    [
        (placed("h2e2", 4.0, 4.6, 5.6), None),  # placed before the press, seen after it
        (placed("h2e2", 4.4, 5.2, 5.9), None),  # placed just after the press: explained by its uncertainty
        (placed("h2e2", 4.9, 5.79, 6.5), None),
        (placed("h2e2", 5.2, 6.4, 7.0), "doubt"),  # lifted within what may have been before the press
        (placed("h2e2", 7.2, 7.9, 8.5), "breach"),
        (MoveSeen(8.5, parse_iccs("h2e2"), None, 7.9, 0.99), "doubt"),
        (MoveSeen(8.5, parse_iccs("h2e2"), 7.2, 7.9, 0.7), "doubt"),
    ],
)
def test_a_press_before_the_move_is_a_breach_only_where_no_interval_explains_it(
    move: MoveSeen, severity: str | None
) -> None:
    _, records = fold([*STARTED, press(RED, 5.0), move])
    assert incidents(records) == ([] if severity is None else [("clock_before_move", severity, "red", (), "4.1.9")])


def test_a_press_with_no_move_for_long_is_a_doubt_once() -> None:
    _, records = fold([*STARTED, press(RED, 5.0), TableEvent(9.0), TableEvent(13.5), TableEvent(18.0)])
    assert incidents(records) == [("clock_before_move", "doubt", "red", (), "4.1.9")]


def test_no_press_is_judged_while_the_view_is_blocked() -> None:
    _, records = fold([*STARTED, ViewChanged(4.0, ViewState.BLOCKED), press(RED, 5.0), TableEvent(20.0)])
    assert incidents(records) == []


def test_a_move_that_comes_to_light_when_the_board_is_seen_again_may_be_older_than_its_press() -> None:
    blind = [ViewChanged(4.0, ViewState.CAMERA_MOVED), press(RED, 5.0), ViewChanged(7.0, ViewState.REALIGNED)]
    _, records = fold([*STARTED, *blind, placed("h2e2", 7.0, 7.0, 7.5)])
    assert incidents(records) == []
    _, records = fold([*STARTED, *blind, placed("h2e2", 12.0, 12.6, 13.0)])
    assert [i[:2] for i in incidents(records)] == [("clock_before_move", "breach")]


def test_a_missing_move_is_waited_for_once_the_board_is_seen_again() -> None:
    blind = [ViewChanged(4.0, ViewState.BLOCKED), press(RED, 5.0), ViewChanged(20.0, ViewState.CLEAR)]
    _, records = fold([*STARTED, *blind, TableEvent(22.0)])
    assert incidents(records) == []
    _, records = fold([*STARTED, *blind, TableEvent(22.0), TableEvent(24.5)])
    assert [i[:2] for i in incidents(records)] == [("clock_before_move", "doubt")]


def test_a_few_points_outside_the_picture_keep_no_press_from_being_judged() -> None:
    outside = ViewChanged(4.0, ViewState.BLOCKED, (Point(87), Point(88)))
    _, records = fold([*STARTED, outside, press(RED, 5.0), TableEvent(14.0)])
    assert of_kind(records, "view") == [{"t": 4.0, "kind": "view", "state": "blocked", "points": ["g9", "h9"]}]
    assert [i[:2] for i in incidents(records)] == [("clock_before_move", "doubt")]


def test_the_second_press_before_moving_loses() -> None:
    first = [press(RED, 5.0), placed("h2e2", 7.2, 7.9, 8.5), press(RED, 9.0), seen("h9g7", 12.0), press(BLACK, 12.5)]
    _, records = fold([*STARTED, *first, press(RED, 15.0), placed("h0g2", 18.0, 18.6, 19.0)])
    assert [i[:2] for i in incidents(records)] == [("clock_before_move", "breach")] * 2
    [result] = of_kind(records, "result")
    assert (result["result"], result["termination"], result["clause"]) == ("0-1", "clock_before_move", "4.1.9")
    assert result["status"] == "proposed"


def test_the_press_that_starts_the_game_is_no_press_before_a_move() -> None:
    _, records = fold([found(), press(BLACK, 1.0), seen("h2e2", 4.0), press(RED, 4.5), seen("h9g7", 8.0)])
    assert incidents(records) == []


def test_two_moves_seen_late_with_their_presses_are_in_order() -> None:
    late = [placed("h2e2", 4.0, 4.6, 9.0), placed("h9g7", 6.0, 6.7, 9.0), seen("h0g2", 12.0)]
    _, records = fold([*STARTED, press(RED, 5.0), press(BLACK, 7.1), *late, press(RED, 12.2)])
    assert incidents(records) == []


def test_a_missing_press_is_a_notice_once() -> None:
    played = [seen("h2e2", 4.0), press(RED, 4.2), seen("h9g7", 7.0), press(BLACK, 7.2), seen("h0g2", 10.0)]
    _, records = fold([*STARTED, *played, TableEvent(15.0), TableEvent(21.0), TableEvent(30.0), seen("b9c7", 33.0)])
    assert incidents(records) == [("clock_not_pressed", "notice", "red", (), "21.5")]
    _, records = fold([*STARTED, *played, seen("b9c7", 13.0)])
    assert incidents(records) == [("clock_not_pressed", "notice", "red", (), "21.5")]


def test_a_move_out_of_turn_needs_no_press() -> None:
    played = [seen("h2e2", 4.0), press(RED, 4.2), seen("b2d2", 6.0), press(BLACK, 8.9), seen("h9g7", 9.0)]
    _, records = fold([*STARTED, *played])
    assert [i[0] for i in incidents(records)] == ["out_of_turn"]


def test_after_a_take_back_in_doubt_it_is_in_doubt_whose_turn_it_is() -> None:
    played = [seen("h2e2", 4.0), press(RED, 4.2), PliesWithdrawn(6.0, 1, WithdrawnWhy.TAKEN_BACK), seen("h9g7", 9.0)]
    _, records = fold([*STARTED, *played])
    assert [i[:3] for i in incidents(records)] == [("take_back", "doubt", "red"), ("out_of_turn", "doubt", "black")]


def test_without_a_clock_nobody_presses_too_early_or_not_at_all() -> None:
    _, records = fold([found(), seen("h2e2", 4.0), TableEvent(60.0), seen("h9g7", 70.0), TableEvent(200.0)])
    assert incidents(records) == []


def test_time_that_runs_out_is_a_proposed_loss() -> None:
    flag = clock(ClockEventKind.FLAG, 9.0, RED, 0.0, 300.0)
    _, records = fold([*STARTED, flag, clock(ClockEventKind.FLAG, 10.0, RED, 0.0, 300.0)])
    assert incidents(records) == [("flag_fall", "breach", "red", (), "21")]
    assert of_kind(records, "result")[0]["result"] == "0-1"


MATE_IN_ONE = "3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 1"


def test_the_text_of_a_fallen_flag_names_what_comes_before_it() -> None:
    _, records = fold([*STARTED, clock(ClockEventKind.FLAG, 9.0, RED, 0.0, 300.0)])
    text = of_kind(records, "incident")[0]["text"]
    assert "判红方负（盘上已将死或困毙者除外，第21.6条）" in text["zh"]  # type: ignore[index]
    assert "Red loses, unless checkmate or stalemate came first on the board (21.6)." in text["en"]  # type: ignore[index]


def test_mate_on_the_board_comes_before_the_flag() -> None:
    flag = clock(ClockEventKind.FLAG, 5.0, RED, 0.0, 300.0)
    _, records = fold([found(MATE_IN_ONE), placed("b7b9", 4.0, 4.8, 4.9), flag])
    assert incidents(records) == []
    # The mating move was made before the flag fell, and seen after it.
    _, records = fold([found(MATE_IN_ONE), flag, placed("b7b9", 4.0, 4.8, 5.9)])
    assert [(r["result"], r["status"]) for r in of_kind(records, "result")] == [("0-1", "proposed"), ("1-0", "final")]


def test_a_mate_played_after_the_flag_ends_nothing_by_itself() -> None:
    flag = clock(ClockEventKind.FLAG, 5.0, RED, 0.0, 300.0)
    _, records = fold([found(MATE_IN_ONE), flag, placed("b7b9", 7.0, 7.8, 8.0)])
    assert [(r["result"], r["status"]) for r in of_kind(records, "result")] == [("0-1", "proposed")]


def test_a_clock_that_is_back_says_whose_time_runs() -> None:
    played = [*STARTED, seen("h2e2", 4.0), press(RED, 4.5)]
    away = [*played, clock(ClockEventKind.LOST, 8.0)]
    table, _ = fold([*away, clock(ClockEventKind.RESTORED, 20.0, RED, 580.0, 570.0)])
    assert (table.clock.running, table.clock.heard, table.clock.stopped) == (RED, True, False)
    assert table.clock.remaining_s(RED, 25.0) == 575.0
    table, _ = fold([*away, clock(ClockEventKind.RESTORED, 20.0, None, 580.0, 570.0)])
    assert (table.clock.running, table.clock.heard, table.clock.stopped) == (None, True, True)


def test_a_move_after_the_clock_is_back_has_its_times_counted_on() -> None:
    played = [*STARTED, seen("h2e2", 4.0), press(RED, 4.5), clock(ClockEventKind.LOST, 8.0)]
    _, records = fold([*played, clock(ClockEventKind.RESTORED, 20.0, BLACK, 596.0, 580.0), seen("h9g7", 30.2)])
    assert of_kind(records, "move")[-1]["clock"] == {"red_s": 596.0, "black_s": 570.0, "age_s": 10.2}


def test_a_flag_can_fall_again_once_its_side_was_given_time() -> None:
    fell = [*STARTED, clock(ClockEventKind.FLAG, 700.0, RED, 0.0)]
    _, records = fold([*fell, clock(ClockEventKind.FLAG, 701.0, RED, 0.0)])
    assert len(incidents(records)) == 1
    given = clock(ClockEventKind.ADJUST, 710.0, RED, 180.0)
    _, records = fold([*fell, given, clock(ClockEventKind.FLAG, 900.0, RED, 0.0)])
    assert len(incidents(records)) == 2
