"""What single moves are, where a clause of chapter 26 or 24.18 decides: each with the reasoning beside it."""

import pytest

from rules.fen import parse_fen
from rules.iccs import parse_iccs
from rules.labels import label_move
from rules.point import format_point

# (why, position, move before it or nothing, move, label; a question mark where a judge has to say, targets)
TABLE = [
    (
        "26.10: horse offers itself to horse; taking opens the file to the chariot",
        "5k3/2r6/9/2p6/9/2n6/9/9/2C2N3/3K5 w - - 0 1",
        "f1d2",
        "chase",
        "c4",
    ),
    (
        "24.4: the same with the chariot protected by its like: nothing is lost by taking, an offer",
        "2r2k3/2r6/9/2p6/9/2n6/9/9/2C2N3/3K5 w - - 0 1",
        "f1d2",
        "idle offer",
        "",
    ),
    (
        "26.11: chariot and horse touch one horse",
        "5k3/9/9/2n6/9/3N4R/9/9/9/3K5 w - - 0 1",
        "i4i6",
        "chase?",
        "c6",
    ),
    (
        "26.3, 24.16: a cannon pins the root of a horse that could only be won by a long exchange before",
        "5k3/9/9/9/9/3c5/3r5/3NB4/4A4/4K4 b - - 0 1",
        "d4e4",
        "chase",
        "d2",
    ),
    (
        "26.2: nothing attacks Red, so there is no draw to hold, and one chariot that chases an elephant chases",
        "3aka3/9/4b4/9/R8/9/9/9/9/3AKA3 w - - 0 1",
        "a5e5",
        "chase",
        "e7",
    ),
    (
        "26.2: with one black cannon left the chariot may be holding a draw",
        "3aka3/9/4b4/9/R8/9/9/9/c8/3AKA3 w - - 0 1",
        "a5e5",
        "chase?",
        "e7",
    ),
    (
        "26.6: an advisor attacks a cannon with a root",
        "3k5/9/9/9/9/3r5/9/3c5/9/3AK4 w - - 0 1",
        "d0e1",
        "chase",
        "d2",
    ),
    (
        "26.6: a cannon for an advisor with a root is none",
        "4ka3/4a4/9/9/9/9/9/4P4/1C7/3K5 w - - 0 1",
        "b1e1",
        "idle follow",
        "",
    ),
    (
        "26.7: a soldier given with check for a chariot chases it",
        "4kr2R/9/5P3/9/9/9/9/9/9/3K5 w - - 0 1",
        "f7e7",
        "chase",
        "f9",
    ),
    (
        "26.8: a soldier takes and opens another piece's check",
        "3k5/9/9/2nP5/9/9/9/9/R8/5K3 w - - 0 1",
        "a1d1",
        "chase?",
        "c6",
    ),
    (
        "26.1: a soldier attacks without opening a check",
        "3k5/9/9/2nP5/9/9/9/9/R8/5K3 w - - 0 1",
        "a1b1",
        "idle",
        "",
    ),
    (
        "24.3: who would be mated after taking does not chase",
        "8c/3k5/9/9/2R6/9/9/2r6/r8/4K4 w - - 0 1",
        "c5c9",
        "idle offer",
        "",
    ),
    (
        "24.2: two checks that mate are a kill",
        "3k5/9/9/9/9/9/9/1R7/R8/4K4 w - - 0 1",
        "b2b1",
        "kill",
        "d9",
    ),
    (
        "24.5: a horse put where a soldier takes it for nothing",
        "4k4/9/9/2p6/9/1N7/9/9/9/3K5 w - - 0 1",
        "b4d5",
        "idle",
        "",
    ),
    (
        "24.5: a horse put where a soldier takes it for nothing",
        "4k4/9/9/3p5/9/1N7/9/9/9/3K5 w - - 0 1",
        "b4d5",
        "idle sacrifice",
        "",
    ),
    (
        "24.6: an elephant bars a chariot's way to a horse",
        "3k5/9/9/9/9/9/9/1N6r/4K4/2B6 w - - 0 1",
        "c0e2",
        "idle block",
        "",
    ),
]


@pytest.mark.parametrize(("why", "fen", "iccs", "kind", "targets"), TABLE, ids=lambda v: str(v)[:48])
def test_a_move_by_its_clause(why: str, fen: str, iccs: str, kind: str, targets: str) -> None:
    label = label_move(parse_fen(fen), parse_iccs(iccs))
    shown = label.kind.value + ("" if label.sure else "?")
    shown += f" {label.idle_as.value}" if label.idle_as is not None else ""
    assert (shown, " ".join(sorted(format_point(p) for p in label.targets))) == (kind, targets)


def labelled_answer(fen: str, check: str, answer: str) -> tuple[str, bool]:
    before = parse_fen(fen).play(parse_iccs(check))
    label = label_move(before, parse_iccs(answer), parse_iccs(check))
    return label.kind.value, label.sure


# Red threatens b1b9 mate as soon as the cannon on the b-file leaves it, which it does to check.
OPENED = "3k5/R8/9/9/1c7/9/4P4/9/1R7/4KA3 b - - 0 1"


def test_24_18_a_kill_that_the_check_itself_opened_is_for_a_judge() -> None:
    assert labelled_answer(OPENED, "b5e5", "f0e1") == ("kill", False)


def test_26_3_a_kill_that_stood_before_the_check_is_the_answering_side_s() -> None:
    stood = OPENED.replace("1c7", "2c6")
    assert labelled_answer(stood, "c5e5", "f0e1") == ("kill", True)


def test_26_1_2_a_general_s_flight_is_idle_though_it_leaves_a_kill() -> None:
    assert labelled_answer(OPENED, "b5e5", "e0e1") == ("idle", True)
