"""The judge on pieces out of order: between points, disturbed, not as on record; every remedy of 5.9, 5.10, 29.2."""

import pytest

from rules.event import (
    BetweenResolved,
    BoardDiffers,
    Decision,
    PieceBetween,
    PiecesDisturbed,
    PiecesRestored,
    TableEvent,
)  # fmt: skip
from rules.fen import START_FEN
from rules.piece import BLACK, RED, Side, piece_of_letter
from rules.point import parse_point
from tests.table_events import fold, found, incidents, of_kind, press, seen, touched

CANNON = piece_of_letter("C")
assert CANNON is not None


def between(t: float, start: str = "b2", candidates: tuple[str, ...] = ("b4", "b5")) -> PieceBetween:
    points = tuple(parse_point(name) for name in candidates)
    return PieceBetween(t, CANNON, parse_point(start), (1.0, 4.45), points, t - 0.6)  # type: ignore[arg-type]


def disturbed(t: float, side: Side | None, *names: str, off: tuple[str, ...] = ()) -> PiecesDisturbed:
    points = tuple(parse_point(name) for name in names)
    return PiecesDisturbed(t, points, tuple(parse_point(name) for name in off), side, t - 0.2)


STARTED = [found(), press(BLACK, 1.0)]


def test_a_piece_between_points_is_an_incident_once_pressed() -> None:
    _, records = fold([*STARTED, between(4.0)])
    assert incidents(records) == []
    _, records = fold([*STARTED, between(4.0), press(RED, 4.5), between(6.0)])
    assert incidents(records) == [("between_points", "breach", "red", ("b4", "b5"), "5.10")]
    remedy = of_kind(records, "incident")[0]["remedy"]
    assert remedy == {
        "action": "opponent_names_point",
        "candidates": [
            {"point": "b4", "move": "b2b4", "legal": True},
            {"point": "b5", "move": "b2b5", "legal": True},
        ],
        "foul": False,
    }


def test_the_press_may_be_heard_before_the_piece_is_seen() -> None:
    _, records = fold([*STARTED, press(RED, 4.5), between(5.0), TableEvent(20.0)])
    assert incidents(records) == [("between_points", "breach", "red", ("b4", "b5"), "5.10")]


@pytest.mark.parametrize(
    "naming",
    [
        BetweenResolved(9.0, parse_point("b5")),
        seen("b2b5", 9.0),
        Decision(9.0, 5, "noted", "arbiter", {"point": "b5"}),
    ],
)
def test_the_move_counts_once_the_point_is_named(naming: TableEvent) -> None:
    told_twice = [naming, seen("b2b5", 9.5), BetweenResolved(9.6, parse_point("b5"))]
    table, records = fold(
        [*STARTED, between(4.0), press(RED, 4.5), *told_twice, seen("h9g7", 12.0), press(BLACK, 12.2)]
    )
    assert [move["iccs"] for move in of_kind(records, "move")] == ["b2b5", "h9g7"]
    assert len(incidents(records)) == 1 and table.between is None


def test_the_press_of_a_piece_between_points_is_not_missed_later() -> None:
    events = [*STARTED, press(RED, 4.5), between(5.0), seen("b2b5", 9.0), seen("h9g7", 20.0), press(BLACK, 20.2)]
    _, records = fold([*events, TableEvent(31.0), seen("h0g2", 35.0), press(RED, 35.2)])
    assert [i[0] for i in incidents(records)] == ["between_points"]


def test_an_opponent_who_plays_on_leaves_the_nearest_point_in_doubt() -> None:
    events = [*STARTED, between(4.0), press(RED, 4.5), seen("h9g7", 9.0), press(BLACK, 9.2)]
    _, records = fold(events)
    assert [move["iccs"] for move in of_kind(records, "move")] == ["b2b4", "h9g7"]
    assert [i[:2] for i in incidents(records)] == [("between_points", "breach"), ("record_doubt", "doubt")]


def test_in_quick_play_it_is_a_foul_pressed_or_not() -> None:
    _, records = fold([*STARTED, between(4.0)], "2020-quick")
    assert incidents(records) == [("between_points", "breach", "red", ("b4", "b5"), "29.2")]
    assert of_kind(records, "incident")[0]["remedy"]["action"] == "straighten"  # type: ignore[index]
    _, records = fold([*STARTED, press(RED, 3.9), between(4.0)], "2020-quick")
    assert of_kind(records, "incident")[0]["remedy"]["action"] == "opponent_names_point"  # type: ignore[index]


def test_a_piece_straightened_before_the_press_is_just_a_move() -> None:
    events = [*STARTED, between(4.0), BetweenResolved(5.0, parse_point("b4")), press(RED, 5.5), seen("h9g7", 8.0)]
    _, records = fold(events)
    assert incidents(records) == [] and len(of_kind(records, "move")) == 2


def test_three_fouls_lose() -> None:
    events: list[TableEvent] = list(STARTED)
    red, black = [("b2", "b4"), ("b4", "b6"), ("b6", "b5")], ["h9g7", "i9h9", "g6g5"]
    for number, ((start, end), reply) in enumerate(zip(red, black, strict=True)):
        t = 10.0 * (number + 1)
        events += [between(t, start, (end, "b3")), press(RED, t + 0.5), BetweenResolved(t + 2, parse_point(end))]
        events += [seen(reply, t + 5), press(BLACK, t + 6)]
    _, records = fold(events, "2020-quick")
    [result] = of_kind(records, "result")
    assert (result["result"], result["termination"], result["status"]) == ("0-1", "fouls", "proposed")


AFTER_RED_MOVED = [seen("h2e2", 4.0), press(RED, 4.2, 600.0, 600.0)]


@pytest.mark.parametrize(
    ("edition", "side", "black_s", "severity", "action"),
    [
        ("2020", RED, 600.0, "breach", "add_time"),
        ("2020", RED, 180.0, "breach", "add_time"),
        ("2020", RED, 181.0, "breach", "add_time"),
        ("2020", RED, 179.0, "breach", "loss"),
        ("2020", RED, 20.0, "breach", "loss"),
        ("2020", BLACK, 20.0, "notice", "restore"),
        ("2020", None, 600.0, "doubt", "restore"),
        ("2020-quick", RED, 180.0, "breach", "add_time"),
        ("2020-quick", RED, 179.0, "breach", "loss"),
        ("2011-national", RED, 20.0, "doubt", "restore"),
        ("2011-provincial", BLACK, 600.0, "notice", "restore"),
    ],
)
def test_what_disturbing_pieces_costs(
    edition: str, side: Side | None, black_s: float, severity: str, action: str
) -> None:
    moved = [seen("h2e2", 4.0), press(RED, 4.2, 600.0, black_s)]
    _, records = fold([*STARTED, *moved, disturbed(4.4, side, "a0", "b0", off=("a3",))], edition)
    [incident] = of_kind(records, "incident")
    assert (incident["incident"], incident["severity"], incident["clause"]) == ("disturbed_pieces", severity, "5.9")
    assert incident["remedy"]["action"] == action  # type: ignore[index]
    assert incident["side"] == (None if side is None else ("red", "black")[side])
    proposed = [(r["result"], r["status"]) for r in of_kind(records, "result")]
    assert proposed == ([("0-1", "proposed")] if action == "loss" else [])


def test_the_opponents_time_is_what_is_left_when_it_happened() -> None:
    moved = [seen("h2e2", 4.0), press(RED, 4.2, 600.0, 200.0)]
    _, records = fold([*STARTED, *moved, disturbed(50.0, RED, "a0", "b0")])
    assert of_kind(records, "incident")[0]["remedy"]["action"] == "loss"  # type: ignore[index]


def test_pressing_with_disturbed_pieces_puts_them_into_the_opponents_time() -> None:
    _, records = fold([*STARTED, disturbed(3.0, RED, "a0", "b0"), seen("h2e2", 4.0), press(RED, 4.5)])
    assert [i[:3] for i in incidents(records)] == [
        ("disturbed_pieces", "notice", "red"),
        ("disturbed_pieces", "breach", "red"),
    ]
    assert of_kind(records, "incident")[1]["updates"] == 4


def test_putting_disturbed_pieces_back_is_no_touching() -> None:
    knocked = [disturbed(4.5, RED, "a0", "b0"), touched("a0", 5.0, RED), touched("b0", 6.0, RED)]
    back = [PiecesRestored(7.0), touched("a0", 6.5, None), seen("h9g7", 9.0), press(BLACK, 9.2), seen("h0g2", 12.0)]
    _, records = fold([*STARTED, *AFTER_RED_MOVED, *knocked, *back])
    assert [i[0] for i in incidents(records)] == ["disturbed_pieces"]


def test_pieces_touched_late_in_putting_them_back_bind_nobody() -> None:
    late = [disturbed(4.5, RED, "a0", "b0"), seen("h2e2", 4.6), PiecesRestored(4.7), touched("b0", 8.0, BLACK)]
    _, records = fold([*STARTED, press(RED, 4.2), *late, touched("a0", 9.0, RED), seen("h9g7", 14.0)])
    assert [i[0] for i in incidents(records)] == ["disturbed_pieces"]


def test_one_piece_pushed_a_little_is_no_disturbance() -> None:
    _, records = fold([*STARTED, *AFTER_RED_MOVED, disturbed(5.0, RED, "a0")])
    assert incidents(records) == []


def test_a_board_that_differs_is_reported_once_with_the_way_back() -> None:
    soldier = piece_of_letter("P")
    assert soldier is not None
    differs = BoardDiffers(5.0, ((parse_point("a3"), soldier, None),), 0.9)
    _, records = fold([*STARTED, *AFTER_RED_MOVED, differs, BoardDiffers(6.0, differs.differences, 0.95)])
    assert incidents(records) == [("board_differs", "doubt", None, ("a3",), "5.8.2")]
    assert of_kind(records, "incident")[0]["remedy"]["earliest_ply"] == 0  # type: ignore[index]


@pytest.mark.parametrize(
    ("of", "point", "problem"), [(5, "i9", "not_between"), (5, "e0", "not_between"), (3, "b5", "nothing_between")]
)
def test_only_a_point_of_the_piece_that_lies_between_can_be_named(of: int, point: str, problem: str) -> None:
    lies = [*STARTED, between(4.0), press(RED, 4.5)]
    named = Decision(9.0, of, "corrected", "arbiter", {"point": point})
    table, records = fold([*lies, named])
    assert table.ply == 0 and table.between is not None
    told = of_kind(records, "incident")[-1]
    assert told["incident"] == "record_doubt" and told["remedy"]["problem"] == problem  # type: ignore[index]
    table, _ = fold([*lies, named, Decision(10.0, 5, "corrected", "arbiter", {"point": "b5"})])
    assert str(table.line[-1].move) == "b2b5" and table.between is None


def test_one_happening_told_twice_is_one_foul_whichever_of_both_is_upheld() -> None:
    lies = [*STARTED, between(4.0), press(RED, 4.5)]
    table, records = fold(lies, "2020-quick")
    [first, second] = [n for n, r in enumerate(records, 2) if r.to_json()["kind"] == "incident"]
    assert table.fouls(RED) == 1
    ruled = [Decision(9.0 + n, of, "upheld", "arbiter") for n, of in enumerate((first, second))]
    assert fold([*lies, *ruled], "2020-quick")[0].fouls(RED) == 1


def test_a_point_may_be_named_on_the_notice_that_the_press_has_replaced() -> None:
    lies = [found(START_FEN), between(4.0), press(RED, 4.5)]
    assert [i["updates"] for i in of_kind(fold(lies)[1], "incident")] == [None, 3]
    table, _ = fold([*lies, Decision(9.0, 3, "corrected", "arbiter", {"point": "b5"})])
    assert str(table.line[-1].move) == "b2b5"


def test_a_point_named_without_a_piece_between_changes_nothing() -> None:
    table, _ = fold([*STARTED, BetweenResolved(3.0, parse_point("b5"))])
    assert table.ply == 0 and str(table.position) == str(fold([found(START_FEN)])[0].position)
