"""Repetition: the reference cases, where other rule books differ, what is counted, and how the judge reports it."""

import pytest

from rules.adjudication import Ruling, adjudicate
from rules.event import TableEvent
from rules.fen import START_FEN, parse_fen
from rules.iccs import parse_iccs
from rules.piece import RED
from rules.profile import find_profile
from rules.repetition import make_line, occurrences
from tests.repetition_cases import BEGIN, CASES, DOCUMENT, END, differing_rows, outcome, read_cases, rule
from tests.shared_data import needs_data
from tests.table_events import fold, found, incidents, of_kind, seen

OURS = [case for case in read_cases() if case.rule_set == "CXA"] if CASES.is_file() else []
CONSEQUENCE = {
    "immediate_loss": Ruling.LOSS,
    "must_change": Ruling.MUST_DEVIATE,
    "draw_if_unchanged": Ruling.DRAW,
}


@needs_data
@pytest.mark.parametrize("case", OURS, ids=lambda case: f"line{case.number}")
def test_a_case_of_our_rule_book_gets_its_ruling(case) -> None:  # type: ignore[no-untyped-def]
    verdict = rule(case)
    assert (outcome(verdict), verdict.ruling) == (case.verdict, CONSEQUENCE[case.consequence])


@needs_data
def test_the_document_lists_every_verdict_that_differs() -> None:
    listed = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0].strip().splitlines()
    assert listed == differing_rows(), "python -m tests.repetition_cases writes the table anew"


SHUFFLE = ["a0a1", "a9a8", "a1a0", "a8a9"]


def test_a_position_is_counted_with_its_side_to_move() -> None:
    for plies, count in ((0, 1), (3, 1), (4, 2), (8, 3), (9, 3)):
        line = make_line(parse_fen(START_FEN), [parse_iccs(SHUFFLE[n % 4]) for n in range(plies)])
        assert len(occurrences(line)) == count


def test_a_capture_that_enters_the_round_is_not_counted() -> None:
    start = parse_fen("4k4/9/9/9/9/9/9/9/p8/R3K4 w - - 0 1")
    round_trip = ["e9e8", "a1a2", "e8e9", "a2a1"]
    line = make_line(start, [parse_iccs(m) for m in ["a0a1", *round_trip, *round_trip]])
    assert len(occurrences(line)) == 2
    line = make_line(start, [parse_iccs(m) for m in ["a0a1", *round_trip, *round_trip, *round_trip]])
    assert len(occurrences(line)) == 3


def test_within_25_rounds_red_deviates_from_a_draw() -> None:
    line = make_line(parse_fen(START_FEN), [parse_iccs(SHUFFLE[n % 4]) for n in range(8)])
    verdict = adjudicate(line, find_profile("2020"))
    assert (verdict.ruling, verdict.side, verdict.clause) == (Ruling.MUST_DEVIATE, RED, "4.3")
    assert adjudicate(line, find_profile("2020-quick")).ruling is Ruling.DRAW
    assert adjudicate(line, find_profile("2011-national")).ruling is Ruling.DRAW


def shuffled(start: str, round_trip: list[str], rounds: int) -> list[TableEvent]:
    moves = round_trip * rounds
    return [found(start), *(seen(iccs, 3.0 * n + 3) for n, iccs in enumerate(moves))]


CHECKING = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1"
CHECKS = ["f0e0", "e8f8", "e0f0", "f8e8"]
CHASING = "2ba1k3/4a4/b8/7R1/9/9/1r2p4/9/4A4/2B1KAB1c w - - 0 1"
CHASES = ["h6i6", "i0h0", "i6h6", "h0i0"]


def test_perpetual_check_is_reported_once_and_its_loss_proposed() -> None:
    _, records = fold(shuffled(CHECKING, CHECKS, 4))
    assert incidents(records) == [("repetition", "doubt", "red", (), "25.1")]
    [result] = of_kind(records, "result")
    assert (result["result"], result["termination"], result["clause"]) == ("0-1", "perpetual_check", "4.1.4")


def test_who_has_to_deviate_and_does_not_loses() -> None:
    _, records = fold(shuffled(CHASING, CHASES, 2))
    assert incidents(records) == [("repetition", "doubt", "red", (), "25.3")]
    assert of_kind(records, "result") == []
    _, records = fold(shuffled(CHASING, CHASES, 4))
    assert len(incidents(records)) == 1
    [result] = of_kind(records, "result")
    assert (result["result"], result["termination"]) == ("0-1", "not_deviated")


def test_the_evidence_names_the_plies_and_what_they_aim_at() -> None:
    _, records = fold(shuffled(CHASING, CHASES, 2))
    evidence = of_kind(records, "incident")[0]["remedy"]["evidence"]  # type: ignore[index]
    assert evidence[0] == {"ply": 1, "label": "chase", "targets": ["i0"], "sure": True, "doubt": None, "idle_as": None}
    assert [e["ply"] for e in evidence] == list(range(1, 9))


def test_a_side_that_deviates_may_come_back_and_is_judged_anew() -> None:
    away = [seen("c0a2", 30.0), seen("a7c5", 33.0)]
    again = [seen(iccs, 40.0 + 3 * n) for n, iccs in enumerate(CHASES * 2)]
    _, records = fold([*shuffled(CHASING, CHASES, 2), *away, *again])
    assert [i[0] for i in incidents(records)] == ["repetition", "repetition"]
