"""What is told of a ply in doubt: what was recorded, and what else it may have been."""

from dataclasses import replace
from typing import Any

import pytest

from rules.event import PieceBetween, RecordDoubt
from rules.iccs import parse_iccs
from rules.move import Move
from rules.piece import BLACK, CANNON, HORSE, RED, make_piece
from rules.point import parse_point
from tests.table_events import fold, found, of_kind, press, seen


def _moves(*iccs: str) -> tuple[Move, ...]:
    return tuple(map(parse_iccs, iccs))


def _told(*alternatives: str) -> dict[str, Any]:
    _, records = fold([found(), seen("h2e2", 2.0), seen("h9g7", 5.0), RecordDoubt(6.0, 1, _moves(*alternatives), 0.5)])
    return of_kind(records, "incident")[0]


@pytest.mark.parametrize(
    ("alternatives", "zh", "en"),
    [
        (
            [],
            "第1着记为炮二平五 (h2e2)，不能确定（待裁判核实）。",
            "Ply 1 is recorded as C2=5 (h2e2), and not for certain (for the arbiter to look at).",
        ),
        (
            ["b2e2", "g3g4"],
            "第1着记为炮二平五 (h2e2)，不能确定，也可能是炮八平五 (b2e2) / 兵三进一 (g3g4)（待裁判核实）。",
            "Ply 1 is recorded as C2=5 (h2e2), and not for certain; it may have been C8=5 (b2e2) / P3+1 (g3g4) "
            "(for the arbiter to look at).",
        ),
    ],
)
def test_a_doubt_names_the_recorded_move_and_the_others(alternatives: list[str], zh: str, en: str) -> None:
    assert _told(*alternatives)["text"] == {"zh": zh, "en": en}


def test_what_no_piece_could_have_played_is_no_alternative() -> None:
    # A chariot and a soldier do not go there, e4 is empty, the recorded move is no other one, and Red was on move.
    told = _told("a0e2", "a3e2", "e4e5", "h2e2", "h9i7", "b2e2")
    assert told["remedy"]["alternatives"] == ["b2e2"]
    assert told["points"] == ["h2", "e2", "b2"]


def test_of_a_move_out_of_turn_the_other_side_may_have_made_one() -> None:
    _, records = fold([found(), seen("h9g7", 2.0, 0.6), RecordDoubt(3.0, 1, _moves("h2e2", "h9i7", "h9h5"), 0.5)])
    assert of_kind(records, "incident")[-1]["remedy"]["alternatives"] == ["h2e2", "h9i7"]  # type: ignore[index]


@pytest.mark.parametrize(("confidence", "sure"), [(0.99, "（提示）。"), (0.8, "（待裁判核实）。")])
def test_another_piece_seen_is_named(confidence: float, sure: str) -> None:
    other = replace(seen("h2e2", 2.0, confidence), seen_piece=make_piece(BLACK, HORSE))
    told: Any = of_kind(fold([found(), other])[1], "incident")[0]
    assert told["remedy"]["recorded"] == "h2e2"
    assert told["text"]["zh"] == f"第1着记为炮二平五 (h2e2)，不能确定，该子看似黑马{sure}"
    assert "recorded as C2=5 (h2e2), and not for certain; the piece looks like Black's horse (" in told["text"]["en"]


def test_a_point_that_nobody_named_is_told_as_a_doubt() -> None:
    points = (parse_point("b4"), parse_point("b5"), parse_point("c4"))
    lies = PieceBetween(4.0, make_piece(RED, CANNON), parse_point("b2"), (1.0, 4.5), points, 3.4)
    _, records = fold([found(), press(BLACK, 1.0), lies, press(RED, 4.5), seen("h9g7", 9.0)])
    told: Any = of_kind(records, "incident")[-1]
    assert (told["remedy"]["recorded"], told["remedy"]["alternatives"]) == ("b2b4", ["b2b5"])
    assert told["points"] == ["b4", "b5", "c4"] and "炮八进三 (b2b5)" in told["text"]["zh"]
