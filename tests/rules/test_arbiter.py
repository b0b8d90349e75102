"""The judge over ordinary games: what is recorded, withdrawn, and when a game is over."""

import pytest

from rules.event import (
    BoardCleared,
    ClockEvent,
    ClockEventKind,
    Decision,
    PliesWithdrawn,
    RecordDoubt,
    ViewChanged,
    ViewState,
    WithdrawnWhy,
)  # fmt: skip
from rules.fen import START_FEN, format_fen, parse_fen
from rules.iccs import parse_iccs
from rules.piece import BLACK, RED
from tests.shared_data import needs_data
from tests.shared_games import shared_games
from tests.table_events import fold, found, incidents, of_kind, seen


def test_a_game_is_recorded_move_by_move() -> None:
    clock = ClockEvent(2.4, ClockEventKind.PRESS, RED, 600.0, 600.0, 0.5)
    table, records = fold([found(), seen("h2e2", 2.0), clock, seen("h9g7", 5.0)])
    assert [record.to_json()["kind"] for record in records] == ["board_found", "move", "clock", "move"]
    first, second = of_kind(records, "move")
    assert first["ply"] == 1 and first["side"] == "red" and first["chinese"] == "炮二平五" and first["legal"]
    assert first["clock"] is None
    assert second["clock"] == {"red_s": 600.0, "black_s": 597.6, "age_s": 2.6}
    assert second["fen"] == "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2"
    assert table.position is not None and table.ply == 2


def test_nothing_is_recorded_before_the_board_is_found() -> None:
    table, records = fold([seen("h2e2", 2.0)])
    assert records == [] and table.position is None


def test_the_same_board_found_again_says_nothing() -> None:
    _, records = fold([found(), found(t=3.0)])
    assert len(records) == 1


def test_another_board_found_in_a_game_is_a_difference() -> None:
    _, records = fold([found(), seen("h2e2", 2.0), found(t=3.0)])
    [incident] = of_kind(records, "incident")
    assert incident["incident"] == "board_differs" and incident["points"] == ["e2", "h2"]


@pytest.mark.parametrize(
    ("iccs", "kind"), [("h2e4", "illegal_move"), ("h9g7", "out_of_turn"), ("a0a3", "illegal_move")]
)
def test_a_move_against_the_rules_is_recorded_as_what_it_is(iccs: str, kind: str) -> None:
    table, records = fold([found(), seen(iccs, 2.0)])
    [move], [incident] = of_kind(records, "move"), of_kind(records, "incident")
    assert not move["legal"] and incident["incident"] == kind and incident["severity"] == "breach"
    assert table.position is not None and table.position.side == (RED if kind == "out_of_turn" else BLACK)


def test_leaving_the_general_to_be_taken_is_suicide_and_a_loss_is_proposed() -> None:
    _, records = fold([found("3k5/9/9/9/9/9/9/9/4r4/4KA3 w - - 0 1"), seen("e0d0", 2.0)])
    assert of_kind(records, "incident")[0]["incident"] == "suicide"
    assert of_kind(records, "result")[0] | {"t": 0} == {
        "t": 0, "kind": "result", "result": "0-1", "termination": "suicide", "clause": "4.1.3", "status": "proposed",
    }  # fmt: skip


def test_mate_ends_the_game_and_what_follows_is_no_part_of_it() -> None:
    mate = [found("3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 1"), seen("b7b9", 2.0)]
    table, records = fold([*mate, seen("d9d8", 5.0), PliesWithdrawn(9.0, 1, WithdrawnWhy.TAKEN_BACK)])
    assert of_kind(records, "result")[0]["status"] == "final" and of_kind(records, "result")[0]["result"] == "1-0"
    assert table.ply == 1 and len(of_kind(records, "move")) == 1


def test_stalemate_is_lost_by_the_side_that_cannot_move() -> None:
    _, records = fold([found("3k5/9/4P4/9/9/9/9/9/9/4K4 w - - 0 1"), seen("e7e8", 2.0)])
    [result] = of_kind(records, "result")
    assert (result["result"], result["termination"], result["status"]) == ("1-0", "stalemate", "final")


def test_a_mate_that_the_eye_takes_back_at_once_ends_nothing() -> None:
    mate = [found("3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 1"), seen("b7b9", 2.0)]
    table, records = fold([*mate, PliesWithdrawn(3.0, 1, WithdrawnWhy.CORRECTED), seen("a8a7", 3.1)])
    assert [result["result"] for result in of_kind(records, "result")] == ["1-0", "*"]
    assert table.result is None and table.ply == 1


def test_a_corrected_ply_was_never_played() -> None:
    table, records = fold(
        [found(), seen("h2e4", 2.0), PliesWithdrawn(3.0, 1, WithdrawnWhy.CORRECTED), seen("h2e2", 3.0)]
    )
    straight, _ = fold([found(), seen("h2e2", 3.0)])
    assert table.position == straight.position
    assert [e.counts for e in table.entries] == [False]
    assert of_kind(records, "move_withdrawn") == [{"t": 3.0, "kind": "move_withdrawn", "ply": 1, "why": "corrected"}]


def test_a_released_move_taken_back_is_an_incident() -> None:
    table, records = fold([found(), seen("h2e2", 2.0), PliesWithdrawn(4.0, 1, WithdrawnWhy.TAKEN_BACK, 3.4)])
    [incident] = of_kind(records, "incident")
    assert incident["incident"] == "take_back" and incident["side"] == "red" and incident["clause"] == "5.7"
    assert (incident["t"], incident["t_happened"]) == (4.0, 3.4)
    assert table.position == parse_fen(START_FEN)


@pytest.mark.parametrize("illegal", ["i9h7", "h0g2"], ids=["against its way", "out of turn"])
def test_what_rests_on_a_ply_in_doubt_is_no_breach(illegal: str) -> None:
    for confidence, severity in ((0.99, "breach"), (0.5, "doubt")):
        doubt = RecordDoubt(2.0, 1, (parse_iccs("b2e2"),), confidence)
        _, records = fold([found(), seen("h2e2", 2.0, confidence), doubt, seen(illegal, 5.0)])
        last = of_kind(records, "incident")[-1]
        assert last["incident"] in ("illegal_move", "out_of_turn") and last["severity"] == severity


def test_a_doubt_long_past_or_ruled_on_or_set_right_says_nothing_of_a_later_ply() -> None:
    doubt = RecordDoubt(2.0, 1, (), 0.5)
    game = [seen(iccs, 3.0 + n) for n, iccs in enumerate(("h9g7", "h0g2", "i9h9", "a3a4", "a6a5", "i3i4", "a9a7"))]
    start = [found(), seen("h2e2", 2.0, 0.5), doubt]
    table, _ = fold(start)
    upheld = Decision(2.5, table.entries[-1].seq, "upheld", "arbiter", None)
    position = format_fen(table.position) if table.position is not None else ""
    set_anew = Decision(2.5, None, "corrected", "arbiter", {"fen": position.replace("1C2C4", "4C4")})
    for events in ([*start, *game, seen("i0h2", 12.0)], [*start, upheld, seen("i9h7", 5.0)]):
        assert of_kind(fold(events)[1], "incident")[-1]["severity"] == "breach"
    assert of_kind(fold([*start, set_anew, seen("i9h7", 5.0)])[1], "incident")[-1]["severity"] == "breach"


def test_an_illegal_move_put_back_is_no_take_back_but_binds_its_piece() -> None:
    back = PliesWithdrawn(4.0, 1, WithdrawnWhy.TAKEN_BACK)
    _, records = fold([found(), seen("h2e4", 2.0), back, seen("b0c2", 9.0)])
    kinds = [incident["incident"] for incident in of_kind(records, "incident")]
    assert kinds == ["illegal_move", "touch_move"]
    _, records = fold([found(), seen("h2e4", 2.0), back, seen("h2e2", 9.0)])
    assert [incident["incident"] for incident in of_kind(records, "incident")] == ["illegal_move"]


@pytest.mark.parametrize(
    ("edition", "remedies"),
    [
        ("2020", [("4.1.8", "loss")]),
        ("2011-national", [("4.1.8", "loss")]),
        ("2011-provincial", [("5.8.3", "resume_before"), ("4.1.8", "loss")]),
    ],
)
def test_what_an_illegal_move_costs_is_what_its_clause_and_the_proposal_say(
    edition: str, remedies: list[tuple[str, str]]
) -> None:
    back = PliesWithdrawn(4.0, 1, WithdrawnWhy.TAKEN_BACK)
    _, records = fold([found(), seen("h2e4", 2.0), back, seen("h2d4", 9.0)][: 2 * len(remedies)], edition)
    told = [incident for incident in of_kind(records, "incident") if incident["incident"] == "illegal_move"]
    assert [(i["clause"], i["remedy"]["action"]) for i in told] == remedies  # type: ignore[index]
    assert [r["result"] for r in of_kind(records, "result")] == ["0-1"]
    said = [(str(i["text"]["zh"]), str(i["text"]["en"])) for i in told]  # type: ignore[index]
    assert "判红方负" in said[-1][0] and "Red loses" in said[-1][1] and "重走" not in said[-1][0]
    if len(remedies) > 1:
        assert "重走" in said[0][0] and "2次判负" in said[0][0] and "the 2nd time loses" in said[0][1]


def test_views_and_doubts_are_passed_on() -> None:
    doubt = RecordDoubt(3.0, 1, (parse_iccs("h2d2"),), 0.7)
    _, records = fold([found(), ViewChanged(1.0, ViewState.BLOCKED), seen("h2e2", 2.0), doubt])
    assert of_kind(records, "view")[0]["state"] == "blocked"
    assert of_kind(records, "incident")[0]["remedy"]["alternatives"] == ["h2d2"]  # type: ignore[index]


def test_swept_pieces_end_the_recording_of_moves() -> None:
    table, records = fold([found(), seen("h2e2", 2.0), BoardCleared(9.0), seen("h9g7", 12.0)])
    assert table.ply == 1 and of_kind(records, "result")[0]["result"] == "*"


@needs_data
def test_real_games_are_recorded_without_an_incident_but_repetition() -> None:
    for game in shared_games()[::45]:
        moves = [seen(iccs, 3.0 * number + 3) for number, iccs in enumerate(game["iccs"])]
        table, records = fold([found(game["start_fen"]), *moves])
        assert table.ply == len(moves) and all(ply.legal for ply in table.line)
        assert {i[0] for i in incidents(records)} <= {"repetition", "natural_limit"}
        assert table.position is not None and format_fen(table.position).split()[:2] == game["final_fen"].split()[:2]
