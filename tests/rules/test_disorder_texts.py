"""What the texts of 5.9, 5.10 and 29.2 give as their grounds: when, what, and how much time was left."""

from typing import Any

import pytest

from rules.event import ClockEventKind, PieceBetween, PiecesDisturbed, PiecesRestored, TableEvent
from rules.piece import BLACK, CANNON, RED, make_piece
from rules.point import parse_point
from rules.profile import custom_profile
from tests.table_events import clock, fold, found, of_kind, press, seen

A0, B0 = parse_point("a0"), parse_point("b0")
CHARIOT_ZH = "红车·九路第一线（a0）、红马·八路第一线（b0）"
CHARIOT_EN = "Red's chariot on a0 and Red's horse on b0"


def _pushed(t: float, off: bool = False, by: int | None = RED) -> PiecesDisturbed:
    return PiecesDisturbed(t, (A0, B0), (A0,) if off else (), by, t)  # type: ignore[arg-type]


def _text(events: list[TableEvent], edition: Any = "2020") -> tuple[str, str]:
    told: Any = of_kind(fold([found(), *events], edition)[1], "incident")[-1]
    return told["text"]["zh"], told["text"]["en"]


def _pressed(black_s: float) -> list[TableEvent]:
    return [press(BLACK, 1.0), seen("h2e2", 4.0), press(RED, 4.5, 600.0, black_s)]


@pytest.mark.parametrize(
    ("black_s", "zh", "en"),
    [
        (
            601.0,
            "黑方余时10:01，不少于3分钟，为黑方增加180秒用时，并记犯规一次。",
            "Black has 10:01 left, not less than 3 minutes, so Black gets 180 seconds more, and a foul is counted.",
        ),
        (130.0, "黑方余时2:10，不足3分钟，判红方负。", "Black has 2:10 left, less than 3 minutes, so Red loses."),
        (
            180.3,
            "黑方余时约3:00，不足3分钟则判红方负，否则为黑方增加180秒用时，并记犯规一次（待裁判核实）。",
            "Black has about 3:00 left; with less than 3 minutes Red loses, else Black gets 180 seconds more, "
            "and a foul is counted (for the arbiter to look at).",
        ),
    ],
)
def test_what_disturbing_pieces_costs_is_told_with_the_time_left(black_s: float, zh: str, en: str) -> None:
    told = _text([*_pressed(black_s), _pushed(4.5, off=True)])
    assert told[0] == f"红方碰乱{CHARIOT_ZH}（按钟后，a0之子不在盘上）；据2020年版第5.9条，{zh}"
    assert (
        told[1]
        == f"Red disturbed {CHARIOT_EN} (after the press; off the board: a0); clause 5.9 of the 2020 edition: {en}"
    )


def test_of_pieces_left_lying_at_the_press_that_is_told() -> None:
    zh, en = _text([press(BLACK, 1.0), _pushed(2.0), seen("h2e2", 4.0), press(RED, 4.5)])
    assert "（按钟前未摆正）" in zh and "(not put right before the press)" in en


def test_in_the_own_time_nothing_is_said_of_the_opponents() -> None:
    zh, en = _text([press(BLACK, 1.0), _pushed(2.0)])
    assert zh.startswith(f"红方碰乱{CHARIOT_ZH}（己方用时内）；") and "余时" not in zh
    assert f"{CHARIOT_EN} (in the own time); " in en and "left" not in en


def test_without_a_clock_the_press_and_the_time_are_not_known() -> None:
    zh, en = _text([seen("h2e2", 4.0), _pushed(6.0)])
    assert "（对方用时内）" in zh and "黑方余时不详，不足3分钟则判红方负，否则为黑方增加180秒用时" in zh
    assert "(in the opponent's time)" in en and "the time of Black is not known; with less than 3 minutes Red" in en


def test_of_nobodys_hand_nothing_is_said_of_whose_time_it_was() -> None:
    zh, en = _text([*_pressed(600.0), _pushed(6.0, off=True, by=None)])
    assert "（a0之子不在盘上）" in zh and "(off the board: a0)" in en and "余时" not in zh


def test_an_editions_own_limit_is_the_one_told() -> None:
    edition = custom_profile({"disturbance_limit_s": 90.0, "disturbance_compensation_s": 60.0})
    zh, en = _text([*_pressed(600.0), _pushed(6.0)], edition)
    assert "不少于90秒" in zh and "not less than 90 seconds" in en


def test_the_clock_started_by_the_arbiter_is_no_press() -> None:
    zh, _ = _text([clock(ClockEventKind.START, 1.0, RED), _pushed(2.0, by=BLACK), PiecesRestored(5.0)])
    assert "（对方用时内）" in zh


def _between(origin: str | None = "b2") -> PieceBetween:
    points = (parse_point("b4"), parse_point("b5"))
    start = None if origin is None else parse_point(origin)
    return PieceBetween(4.0, make_piece(RED, CANNON), start, (1.0, 4.5), points, 3.4)


STARTED: list[TableEvent] = [press(BLACK, 1.0)]
POINTS_ZH = "八路第五线（b4）、八路第六线（b5）之间"


@pytest.mark.parametrize(
    ("events", "edition", "zh", "en"),
    [
        (
            [*STARTED, _between(), press(RED, 4.5)],
            "2020",
            f"红炮自八路第三线（b2）走出，落在{POINTS_ZH}，已按钟；据2020年版第5.10条，由黑方指定落点。",
            "Red's cannon from b2 lies between b4 and b5, after the press; clause 5.10 of the 2020 edition: "
            "Black names the point where it stands.",
        ),
        (
            [*STARTED, _between()],
            "2020-quick",
            f"红炮自八路第三线（b2）走出，落在{POINTS_ZH}，尚未按钟；据2020年版（快棋）第29.2条，应立即摆正，并记犯规一次。",
            "Red's cannon from b2 lies between b4 and b5, before the press; clause 29.2 of the 2020 edition, quick "
            "play: it is to be straightened at once, and a foul is counted.",
        ),
        (
            [_between(None)],
            "2020",
            f"红炮落在{POINTS_ZH}；据2020年版第5.10条，由黑方指定落点（待裁判核实）。",
            "Red's cannon lies between b4 and b5; clause 5.10 of the 2020 edition: Black names the point where it "
            "stands (for the arbiter to look at).",
        ),
    ],
)
def test_a_piece_between_points_is_named_with_where_it_stood(
    events: list[TableEvent], edition: str, zh: str, en: str
) -> None:
    assert _text(events, edition) == (zh, en)
