"""23.4: nine rounds of attacks in turn on three points or more, though no position stands three times."""

from itertools import pairwise

from rules.adjudication import Ruling, adjudicate
from rules.fen import parse_fen
from rules.iccs import parse_iccs
from rules.piece import RED
from rules.profile import custom_profile, find_profile
from rules.repetition import Line, make_line
from tests.table_events import fold, found, incidents, seen

START = "3k5/9/9/9/c8/8R/9/9/9/5K3 w - - 0 1"


def chase(files: str) -> list[str]:
    """A chariot follows a cannon along the files, a move of either each."""
    moves, chariot = [], "i"
    for file, next_file in pairwise(files):
        moves += [f"{chariot}4{file}4", f"{file}5{next_file}5"]
        chariot = file
    return moves


def line_of(files: str) -> Line:
    return make_line(parse_fen(START), [parse_iccs(move) for move in chase(files)])


def test_nine_rounds_on_five_points_are_for_a_judge() -> None:
    for files in ("abcghabcgh", "abcghbagcb"):
        verdict = adjudicate(line_of(files), find_profile("2020"))
        assert (verdict.ruling, verdict.side, verdict.clause) == (Ruling.NEEDS_ARBITER, RED, "23.4")
        assert len(verdict.evidence) == 18 and verdict.count < 3


def test_eight_rounds_are_not_enough() -> None:
    assert adjudicate(line_of("abcghabcg"), find_profile("2020")).ruling is Ruling.NONE


def test_an_edition_of_ones_own_may_ask_for_fewer() -> None:
    assert adjudicate(line_of("abcghabcg"), custom_profile({"alternating_rounds": 8})).clause == "23.4"


def test_it_is_reported_at_the_table() -> None:
    moves = chase("abcghabcgh")
    _, records = fold([found(START), *(seen(iccs, 3.0 * n + 3) for n, iccs in enumerate(moves))])
    assert incidents(records) == [("repetition", "doubt", "red", (), "23.4")]


def test_a_position_that_then_stands_three_times_is_ruled_on_all_the_same() -> None:
    moves = chase("abcghabcghabcgh")
    _, records = fold([found(START), *(seen(iccs, 3.0 * n + 3) for n, iccs in enumerate(moves))])
    assert [i[4] for i in incidents(records)] == ["23.4", "25.3"]
