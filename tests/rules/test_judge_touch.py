"""The judge on touched pieces: what is straightening, what is touch-move, and what is neither."""

from dataclasses import replace

import pytest

from rules.event import (
    ClockEventKind,
    PieceTouched,
    PliesWithdrawn,
    RecordDoubt,
    TableEvent,
    TouchStrength,
    WithdrawnWhy,
)
from rules.piece import BLACK, RED
from tests.table_events import clock, fold, found, incidents, of_kind, press, seen, touched

SHIFTED, LIFTED, DWELT = TouchStrength.SHIFTED, TouchStrength.LIFTED, TouchStrength.DWELT_ON


def test_touching_one_piece_and_playing_another_is_touch_move() -> None:
    _, records = fold([found(), touched("a0", 1.0, RED), seen("h2e2", 6.0)])
    assert incidents(records)[-1] == ("touch_move", "breach", "red", ("a0",), "5.1")
    incident = of_kind(records, "incident")[-1]
    assert incident["remedy"]["moves"] == ["a0a1", "a0a2"]  # type: ignore[index]
    assert incident["ply"] == 1
    assert incident["text"]["zh"].startswith("红方摸触红车·九路第一线（a0）后另走")  # type: ignore[index]


def test_the_notice_becomes_touch_move() -> None:
    _, records = fold([found(), touched("a0", 1.0, RED), TableEvent(4.0), seen("h2e2", 6.0)])
    assert [i[:2] for i in incidents(records)] == [("unannounced_adjust", "notice"), ("touch_move", "breach")]
    assert of_kind(records, "incident")[1]["updates"] == 3


def test_the_text_says_how_many_moves_there_are_beside_those_it_names() -> None:
    _, records = fold([found(), touched("h2", 1.0, RED), seen("a0a1", 6.0)])
    incident = of_kind(records, "incident")[-1]
    moves, text = incident["remedy"]["moves"], incident["text"]  # type: ignore[index]
    assert len(moves) == 12
    assert moves[5] in text["en"] and moves[6] not in text["en"] and " and 6 more played" in text["en"]  # type: ignore[index]
    assert " 等12着" in text["zh"] and "炮二进四" in text["zh"] and moves[0] not in text["zh"]  # type: ignore[index]
    _, records = fold([found(), touched("a0", 1.0, RED), seen("h2e2", 6.0)])
    text = of_kind(records, "incident")[-1]["text"]
    assert "改走车九进一 / 车九进二" in text["zh"] and "a0a1 / a0a2 played" in text["en"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("names", "zh", "en"),
    [
        (["a0"], "能走须走该子", "it has to be moved if it can be"),
        (["h7"], "能吃须吃该子", "it has to be taken if it can be"),
        (["a0", "i0"], "按摸子论处", "touch-move applies to them"),
    ],
)
def test_what_an_unannounced_touch_comes_to_is_told_alike_in_both_languages(names: list[str], zh: str, en: str) -> None:
    touches = [touched(name, 1.0 + 0.2 * n, RED) for n, name in enumerate(names)]
    told = of_kind(fold([found(), *touches, TableEvent(9.0)])[1], "incident")[0]["text"]
    assert told["zh"].endswith(f"第5.6条，如未声明摆正（系统听不到），{zh}（提示）。")  # type: ignore[index]
    assert told["en"].endswith(f": unless announced, which the system cannot hear, {en} (notice).")  # type: ignore[index]


MIDDLE_GAME = "rnbakab1r/9/1c4nc1/p1p1p3p/6p2/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 1"


def test_the_first_mover_of_a_game_read_in_the_middle_touched_in_the_own_time() -> None:
    begun = [found(MIDDLE_GAME), touched("a9", 2.0, BLACK), TableEvent(5.0), seen("i9h9", 6.0)]
    _, records = fold(begun)
    assert [i[:3] for i in incidents(records)] == [
        ("unannounced_adjust", "notice", "black"),
        ("touch_move", "breach", "black"),
    ]
    notice = of_kind(records, "incident")[0]
    assert notice["remedy"]["own_time"] is True  # type: ignore[index]


def test_who_touched_before_the_others_first_move_did_so_in_their_time() -> None:
    both = [touched("a9", 2.0, BLACK), touched("a0", 2.2, RED), TableEvent(5.0), seen("i9h9", 6.0)]
    _, records = fold([found(MIDDLE_GAME), *both])
    assert [(i[0], i[2], i[3]) for i in incidents(records)] == [
        ("unannounced_adjust", "black", ("a9",)),
        ("unannounced_adjust", "red", ("a0",)),
        ("touch_move", "black", ("a9",)),
    ]


@pytest.mark.parametrize(
    "events",
    [
        pytest.param([touched("h2", 1.0, RED), seen("h2e2", 2.0)], id="the piece is then moved"),
        pytest.param([touched("h2", 1.0, RED), touched("h2", 1.8, RED), seen("h2e2", 3.0)], id="twice, then moved"),
        pytest.param([touched("a0", 1.0, RED, DWELT), seen("h2e2", 3.0)], id="only dwelt on"),
        pytest.param([touched("a0", 1.0, RED, LIFTED, 0.3), seen("h2e2", 3.0)], id="unlikely"),
        pytest.param([touched("h9", 1.0, RED), seen("h2h9", 3.0)], id="the enemy's piece that is then taken"),
        pytest.param([touched("b9", 1.0, RED), touched("h2", 1.2, RED), seen("b2b9", 2.5)], id="another takes it"),
        pytest.param([touched("a0", 3.0, RED), seen("h2e2", 3.0)], id="touched after the move was lifted"),
    ],
)
def test_no_touch_move(events: list[TableEvent]) -> None:
    _, records = fold([found(), *events])
    assert incidents(records) == []


@pytest.mark.parametrize(
    ("events", "wanted"),
    [
        ([touched("a0", 1.0, RED, SHIFTED), seen("h2e2", 2.4)], ("touch_move", "doubt", "red", ("a0",), "5.1")),
        ([touched("a0", 1.0, None), seen("h2e2", 2.4)], ("touch_move", "doubt", "red", ("a0",), "5.1")),
        ([touched("a0", 1.0, RED, LIFTED, 0.7), seen("h2e2", 2.4)], ("touch_move", "doubt", "red", ("a0",), "5.1")),
        ([touched("a0", 1.0, RED), seen("h2e2", 2.4, 0.8)], ("touch_move", "doubt", "red", ("a0",), "5.1")),
        ([touched("h9", 1.0, RED), seen("h2e2", 2.4)], ("touch_move", "breach", "red", ("h9",), "5.2")),
        (
            [touched("h2", 1.0, RED), touched("h9", 1.2, RED), seen("h2e2", 3.0)],
            ("touch_move", "breach", "red", ("h2", "h9"), "5.3.1"),
        ),
        (
            [touched("a0", 1.0, RED), touched("h9", 1.8, RED), seen("h2h9", 3.0)],
            ("touch_move", "breach", "red", ("a0",), "5.1"),
        ),
    ],
)
def test_touch_move_is_as_sure_as_what_was_seen(events: list[TableEvent], wanted: tuple[object, ...]) -> None:
    _, records = fold([found(), *events])
    assert incidents(records) == [wanted]


@pytest.mark.parametrize(
    ("late", "wanted"),
    [
        (touched("a0", 1.0, RED), ("touch_move", "doubt", "red", ("a0",), "5.1")),
        (touched("a0", 1.0, RED, LIFTED, 0.65), ("touch_move", "doubt", "red", ("a0",), "5.1")),
        (touched("h7", 1.0, RED), ("unannounced_adjust", "notice", "red", ("h7",), "5.6")),
        (touched("a0", 1.0, RED, SHIFTED), ("unannounced_adjust", "notice", "red", ("a0",), "5.6")),
        (touched("a0", 2.9, RED), ("unannounced_adjust", "notice", "red", ("a0",), "5.6")),
    ],
    ids=["bound", "hardly otherwise", "binds to nothing", "brushed", "after the move"],
)
def test_a_touch_known_only_after_the_move_is_for_the_arbiter(late: PieceTouched, wanted: tuple[object, ...]) -> None:
    _, records = fold([found(), seen("h2e2", 3.0), replace(late, t=3.4), TableEvent(6.0)])
    assert incidents(records) == [wanted]


@pytest.mark.parametrize(("apart_s", "severity"), [(0.4, "doubt"), (1.5, "breach")])
def test_who_may_have_touched_the_moved_piece_first_is_for_the_arbiter(apart_s: float, severity: str) -> None:
    touches = [touched("a0", 2.0, RED), touched("i0", 2.0 + apart_s, RED)]
    _, records = fold([found(), *touches, seen("i0i1", 6.0)])
    incident = of_kind(records, "incident")[-1]
    assert (incident["incident"], incident["severity"]) == ("touch_move", severity)
    # Whichever came first, neither of them was moved.
    _, records = fold([found(), *touches, seen("h2e2", 6.0)])
    assert incidents(records)[-1][:2] == ("touch_move", "breach")


def test_a_taken_piece_that_may_have_been_touched_first_is_for_the_arbiter() -> None:
    fen = "rnbakabC1/1c7/7cr/1Cp1p1p1p/p8/9/P1P1P1P1P/6N2/9/RNBAKAB1R w - - 0 1"
    for apart_s, severity in ((0.34, "doubt"), (1.5, "breach")):
        touches = [touched("e0", 3.0, RED), touched("e6", 3.0 + apart_s, RED)]
        _, records = fold([found(fen), *touches, seen("b6e6", 6.5)])
        assert incidents(records)[-1][:2] == ("touch_move", severity)


def test_of_many_pieces_touched_at_once_with_the_one_played_which_was_first_is_open() -> None:
    touches = [touched(name, 3.0, RED) for name in ("a0", "c3", "e3", "g3", "i3", "i0")]
    _, records = fold([found(), *touches, seen("i0i1", 9.0)])
    assert incidents(records)[-1][:2] == ("touch_move", "doubt")
    _, records = fold([found(), *touches, seen("h2e2", 9.0)])
    assert incidents(records)[-1][:2] == ("touch_move", "breach")


def test_a_piece_that_cannot_move_binds_nobody() -> None:
    pinned = found("4k4/9/9/9/4r4/9/9/4N4/9/4K4 w - - 0 1")
    _, records = fold([pinned, touched("e2", 1.0, RED), seen("e0d0", 2.4)])
    assert [i for i in incidents(records) if i[0] == "touch_move"] == []


def test_straightening_is_a_notice_once_for_each_piece() -> None:
    ticks = [TableEvent(4.0), TableEvent(5.0), touched("a0", 6.0, RED), TableEvent(9.0), TableEvent(12.0)]
    _, records = fold([found(), touched("a0", 1.0, RED, SHIFTED), *ticks])
    assert incidents(records) == [("unannounced_adjust", "notice", "red", ("a0",), "5.6")]


def test_two_pieces_straightened_together_are_one_notice() -> None:
    both = [touched("a0", 1.0, RED, SHIFTED), touched("i0", 1.6, RED, SHIFTED)]
    _, records = fold([found(), *both, TableEvent(4.0), seen("a0a1", 6.0)])
    assert incidents(records) == [("unannounced_adjust", "notice", "red", ("a0", "i0"), "5.6")]


def test_straightening_in_the_opponents_time_is_a_notice_but_never_binds() -> None:
    events = [found(), seen("h2e2", 2.0), touched("a0", 3.0, RED), seen("h9g7", 6.0), seen("h0g2", 9.0)]
    _, records = fold(events)
    assert incidents(records) == [("unannounced_adjust", "notice", "red", ("a0",), "5.6")]


def test_putting_the_moved_piece_right_is_nothing() -> None:
    _, records = fold([found(), seen("h2e2", 2.0), touched("e2", 2.5, RED, SHIFTED), TableEvent(9.0)])
    assert incidents(records) == []


def test_touches_survive_a_ply_that_was_misread() -> None:
    misread = [seen("h2d2", 3.0), PliesWithdrawn(3.5, 1, WithdrawnWhy.CORRECTED)]
    _, records = fold([found(), touched("a0", 1.0, RED), *misread, seen("h2e2", 3.6)])
    assert [i[:2] for i in incidents(records)] == [("touch_move", "breach")] * 2


def test_a_move_put_back_for_touch_move_is_no_take_back() -> None:
    back = PliesWithdrawn(9.0, 1, WithdrawnWhy.TAKEN_BACK)
    _, records = fold([found(), touched("a0", 1.0, RED), seen("h2e2", 3.0), back, seen("a0a1", 12.0)])
    assert [i[0] for i in incidents(records)] == ["touch_move"]


def test_either_player_may_straighten_the_piece_just_put_down() -> None:
    _, records = fold([found(), seen("h2e2", 2.0), touched("e2", 3.0, BLACK, SHIFTED), seen("h9g7", 6.0)])
    assert incidents(records) == []


def test_nothing_touched_while_the_clock_is_stopped_binds() -> None:
    stopped = [clock(ClockEventKind.STOP, 3.0), touched("a9", 4.0, BLACK), touched("a0", 5.0, RED)]
    go_on = [clock(ClockEventKind.START, 8.0, BLACK), touched("c9", 7.4, BLACK), seen("h9g7", 12.0)]
    _, records = fold([found(), press(BLACK, 0.8), seen("h2e2", 2.0), press(RED, 2.2), *stopped, *go_on])
    assert incidents(records) == []


def test_a_taken_back_move_that_was_doubted_is_a_doubt() -> None:
    doubt = RecordDoubt(2.5, 1, (), 0.7)
    back = PliesWithdrawn(4.0, 1, WithdrawnWhy.TAKEN_BACK)
    _, records = fold([found(), seen("h2e2", 2.0), doubt, back])
    assert incidents(records)[-1][:2] == ("take_back", "doubt")


def test_black_is_judged_likewise() -> None:
    _, records = fold([found(), seen("h2e2", 2.0), touched("a9", 4.0, BLACK), seen("i9i8", 8.0)])
    assert incidents(records)[-1] == ("touch_move", "breach", "black", ("a9",), "5.1")
