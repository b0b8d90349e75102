"""Why positions are impossible, every reason at once."""

import pytest

from rules.fen import START_FEN, parse_fen
from rules.iccs import parse_iccs
from rules.piece import BLACK, RED
from rules.point import format_point
from rules.validity import ReasonKind, is_valid, reasons
from tests.shared_data import needs_data
from tests.shared_games import shared_games


def told(fen: str) -> set[tuple[str, int | None, str]]:
    """(kind, side, points) of every reason."""
    return {
        (reason.kind.name, reason.side, " ".join(map(format_point, reason.points)))
        for reason in reasons(parse_fen(fen))
    }


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("9/9/9/9/9/9/9/9/9/4K4 w", {("KING_MISSING", BLACK, "")}),
        ("4k4/9/9/9/4p4/9/9/9/9/3KK4 w", {("TOO_MANY", RED, "d0 e0")}),
        ("3k5/9/9/9/9/9/9/9/9/RRR1K4 w", {("TOO_MANY", RED, "a0 b0 c0")}),
        ("3k5/9/9/9/9/9/4K4/9/9/9 w", {("KING_OUTSIDE_PALACE", RED, "e3")}),
        ("3k1a3/9/4a4/9/9/9/9/9/9/4K4 w", {("ADVISOR_OFF_ITS_POINTS", BLACK, "e7")}),
        ("3k5/9/9/9/9/9/9/9/4B4/4K4 w", {("ELEPHANT_OFF_ITS_POINTS", RED, "e1")}),
        ("3k5/9/9/9/2B6/9/9/9/9/4K4 w", {("ELEPHANT_OFF_ITS_POINTS", RED, "c5")}),
        ("3k5/9/9/9/9/9/1P7/9/9/4K4 w", {("SOLDIER_UNREACHABLE", RED, "b3")}),
        ("3k5/9/9/9/9/9/9/P8/9/4K4 w", {("SOLDIER_UNREACHABLE", RED, "a2")}),
        ("3k5/9/9/p8/p8/9/9/9/9/4K4 w", {("SOLDIERS_SHARE_A_WAY", BLACK, "a5 a6")}),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", {("KINGS_FACING", None, "e0 e9")}),
        ("4k4/9/9/9/9/9/9/9/4R4/4K4 w", {("WAITING_SIDE_IN_CHECK", BLACK, "e9")}),
        (
            "4k4/9/9/9/9/9/9/9/9/R3K4 w",
            {("KINGS_FACING", None, "e0 e9")},
        ),
        (
            "R3k4/9/9/1p7/9/9/9/9/A8/4K4 w",
            {
                ("KINGS_FACING", None, "e0 e9"),
                ("WAITING_SIDE_IN_CHECK", BLACK, "e9"),
                ("SOLDIER_UNREACHABLE", BLACK, "b6"),
                ("ADVISOR_OFF_ITS_POINTS", RED, "a1"),
            },
        ),
    ],
)
def test_every_reason_is_told_with_its_points(fen: str, expected: set[tuple[str, int | None, str]]) -> None:
    assert told(fen) == expected


def test_side_to_move_may_be_in_check() -> None:
    assert is_valid(parse_fen("4k4/9/9/9/9/9/9/9/4R4/4K4 b"))


def test_a_reason_reads_as_a_sentence() -> None:
    [reason] = reasons(parse_fen("3k1a3/9/4a4/9/9/9/9/9/9/4K4 w"))
    assert reason.kind is ReasonKind.ADVISOR_OFF_ITS_POINTS
    assert str(reason) == "black: an advisor off its five points (a) at e7"


def test_usual_start_is_valid() -> None:
    assert reasons(parse_fen(START_FEN)) == []


@needs_data
def test_every_position_of_real_games_is_valid() -> None:
    for game in shared_games()[::40]:
        position = parse_fen(game["start_fen"])
        for iccs in game["iccs"]:
            assert reasons(position) == []
            position = position.play(parse_iccs(iccs))
