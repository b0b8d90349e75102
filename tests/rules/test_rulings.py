"""Rulings on rounds built from the clauses: each with the reasoning, and what the clause says of every move."""

import pytest

from rules.adjudication import Ruling, adjudicate
from rules.fen import parse_fen
from rules.iccs import parse_iccs
from rules.piece import BLACK, RED
from rules.profile import find_profile
from rules.repetition import make_line

# (why, position before the round, the round, ruling, side, clause, Red's labels, Black's labels)
ROUNDS = [
    (
        "25.1: a chariot checks at every move, the general only steps aside",
        "3k5/9/9/9/9/9/9/9/9/4RK3 w - - 0 1",
        "e0d0 d9e9 d0e0 e9d9",
        (Ruling.LOSS, RED, "25.1"),
        "check check",
        "idle idle",
    ),
    (
        "25.1, 26.1: a soldier may always chase, but nobody may always check",
        "3k5/4P4/9/9/9/9/9/9/9/5K3 w - - 0 1",
        "e8d8 d9e9 d8e8 e9d9",
        (Ruling.LOSS, RED, "25.1"),
        "check check",
        "idle idle",
    ),
    (
        "24.11, 25.3: a chariot chases a cannon that nothing protects",
        "3k5/9/9/9/c8/1R7/9/9/9/5K3 w - - 0 1",
        "b4a4 a5b5 a4b4 b5a5",
        (Ruling.MUST_DEVIATE, RED, "25.3"),
        "chase chase",
        "idle idle",
    ),
    (
        "24.7, 24.15: the same cannon with a chariot for a root is only followed",
        "3k5/9/9/9/c7r/1R7/9/9/9/5K3 w - - 0 1",
        "b4a4 a5b5 a4b4 b5a5",
        (Ruling.DRAW, None, "25.2"),
        "follow follow",
        "idle idle",
    ),
    (
        "24.16: the horse that protects the cannon is all that stands between the generals, a false root",
        "3k5/9/9/3n5/1c7/9/R8/9/9/3K5 w - - 0 1",
        "a3a5 b5b7 a5a7 b7b5 a7a5 b5b7 a5a7 b7b5 a7a5 b5b7 a5a7 b7b5",
        (Ruling.MUST_DEVIATE, RED, "25.3"),
        "chase chase",
        "idle idle",
    ),
    (
        "24.15: with the generals on different files the same horse is a root",
        "3k5/9/9/3n5/1c7/9/R8/9/9/5K3 w - - 0 1",
        "a3a5 b5b7 a5a7 b7b5 a7a5 b5b7 a5a7 b7b5 a7a5 b5b7 a5a7 b7b5",
        (Ruling.DRAW, None, "25.2"),
        "follow follow",
        "idle idle",
    ),
    (
        "1.2, 24.3: a cannon chases a chariot, which no root protects from a piece of half its worth",
        "4k4/9/3rb4/9/9/9/4PC3/9/9/4K4 w - - 0 1",
        "f3f7 d7d3 f7f3 d3d7",
        (Ruling.MUST_DEVIATE, RED, "25.3"),
        "chase chase",
        "idle idle",
    ),
    (
        "26.7: soldiers that have not crossed the river are no gain",
        "4k4/9/9/p1p6/9/2R6/9/9/9/3K5 w - - 0 1",
        "c4a4 e9e8 a4c4 e8e9",
        (Ruling.DRAW, None, "25.2"),
        "idle idle",
        "idle idle",
    ),
    (
        "24.11, 26.7: soldiers over the river are, and two pieces in turn are one perpetual chase",
        "4k4/9/9/9/9/9/p1p6/9/2R6/3K5 w - - 0 1",
        "c1a1 e9e8 a1c1 e8e9",
        (Ruling.MUST_DEVIATE, RED, "25.3"),
        "chase chase",
        "idle idle",
    ),
    (
        "26.1.1: the soldier steps aside so that a chariot behind it attacks anew each time",
        "4ka3/4a4/3RR4/4P4/9/9/4p4/9/9/3K5 w - - 0 1",
        "e6d6 e3d3 d6e6 d3e3",
        (Ruling.MUST_DEVIATE, RED, "25.3"),
        "chase chase",
        "idle idle",
    ),
    (
        "26.1: a soldier itself may chase a cannon for ever",
        "4k4/7c1/6P2/9/9/9/9/9/9/3K5 w - - 0 1",
        "g7h7 h8g8 h7g7 g8h8",
        (Ruling.DRAW, None, "25.2"),
        "idle idle",
        "idle idle",
    ),
    (
        "26.1: a general itself may chase a cannon for ever",
        "5k3/9/9/9/9/9/9/4c4/3K5/3A1A3 w - - 0 1",
        "d1e1 e2d2 e1d1 d2e2",
        (Ruling.DRAW, None, "25.2"),
        "idle idle",
        "idle idle",
    ),
    (
        "24.10, 25.3: a mate on the back rank is threatened at every move; barring the file is idle (24.6)",
        "4k4/7R1/9/9/r8/9/9/9/R8/3K5 w - - 0 1",
        "a1b1 a5b5 b1a1 b5a5",
        (Ruling.MUST_DEVIATE, RED, "25.3"),
        "kill kill",
        "offer offer",
    ),
    (
        "24.12, 25.2: the chariot offers itself to its like for ever, and it has a root",
        "2bak4/4a4/4b4/9/r8/9/1R7/9/9/1R2KA3 w - - 0 1",
        "b3a3 a5b5 a3b3 b5a5",
        (Ruling.DRAW, None, "25.2"),
        "offer offer",
        "offer idle",
    ),
    (
        "26.9: a chariot alone chases a cannon, which chases a horse with a screen of its own each time",
        "5k3/9/NN7/pp7/9/c8/1R7/9/9/3K5 w - - 0 1",
        "b3a3 a4b4 a3b3 b4a4",
        (Ruling.MUST_DEVIATE, RED, "26.9"),
        "chase chase",
        "chase chase",
    ),
    (
        "26.9: the same with Red's own soldiers for screens: each side chases with one piece",
        "5k3/NN7/9/PP7/9/c8/1R7/9/9/3K5 w - - 0 1",
        "b3a3 a4b4 a3b3 b4a4",
        (Ruling.DRAW, None, "26.9"),
        "chase chase",
        "chase chase",
    ),
    (
        "26.9: both check at every move",
        "9/4c4/3k5/3r5/9/9/4C4/9/4K4/3R5 w - - 0 1",
        "e3d3 d6e6 d3e3 e6d6",
        (Ruling.DRAW, None, "26.9"),
        "check check",
        "check check",
    ),
    (
        "26.11: chariot and cannon touch a cannon at once: an offer or a chase, for a judge to say",
        "3k5/9/9/CC7/9/1R7/9/9/9/c4K3 w - - 0 1",
        "b4a4 a0b0 a4b4 b0a0",
        (Ruling.NEEDS_ARBITER, None, "26.11"),
        "chase? chase?",
        "idle idle",
    ),
    (
        "26.5: the chariot that attacks a soldier is the root of a horse that would be lost for it",
        "3k5/9/7r1/5R1N1/9/4p4/9/9/9/5K3 w - - 0 1",
        "f6e6 e4f4 e6f6 f4e4",
        (Ruling.NEEDS_ARBITER, None, "26.5"),
        "chase? chase?",
        "idle idle",
    ),
]


def kinds(verdict, line, side):  # type: ignore[no-untyped-def]
    found = []
    for e in verdict.evidence[:4]:
        if line.positions[e.ply - 1].side == side:
            name = e.label.idle_as.value if e.label.idle_as is not None else e.label.kind.value
            found.append(name + ("" if e.label.sure else "?"))
    return " ".join(found)


@pytest.mark.parametrize(("why", "fen", "moves", "wanted", "red", "black"), ROUNDS, ids=lambda v: str(v)[:40])
def test_a_round(why, fen, moves, wanted, red, black) -> None:  # type: ignore[no-untyped-def]
    plies = moves.split()
    line = make_line(parse_fen(fen), [parse_iccs(m) for m in (plies if len(plies) > 4 else plies * 2)])
    verdict = adjudicate(line, find_profile("2020"))
    assert (verdict.ruling, verdict.side, verdict.clause) == wanted
    assert kinds(verdict, line, RED) == red
    assert kinds(verdict, line, BLACK) == black
