"""将 杀 捉 闲 one by one: roots, false roots, exchanges, soldiers, generals, threats of mate."""

import pytest

from rules.fen import parse_fen
from rules.iccs import parse_iccs
from rules.labels import label_move
from rules.point import format_point

BLACK_HOME, RED_HOME = "3aka3/9/4b4", "4B4/9/3AKA3 w - - 0 1"

TABLE = [
    ("an unprotected cannon", "9/8c/R8/9", "a4i4", "chase", "i5"),
    ("a cannon with a root", "8r/8c/R8/9", "a4i4", "idle", ""),
    ("a cannon with an elephant for a root", "9/6c2/R8/9", "a4g4", "idle", ""),
    ("a rooted chariot by a cannon, which is worth less", "r8/r8/P8/1C7", "b3a3", "chase", "a5"),
    ("a chariot by a horse", "r8/9/9/1N7", "b3c5", "chase", "a6"),
    ("a rooted chariot by a horse", "r7r/9/9/1N7", "b3c5", "chase", "a6"),
    ("a rooted cannon by a horse", "c7r/9/9/1N7", "b3c5", "idle", ""),
    ("a horse whose leg is blocked", "c8/1P7/9/1N7", "b3c5", "idle", ""),
    ("a chariot that can take back is an offer", "9/8r/R8/9", "a4i4", "idle", ""),
    ("a horse by a soldier, which may always take", "9/3n5/3P5/9", "d4d5", "idle", ""),
    ("a soldier on its own bank", "8p/9/R8/9", "a4i4", "idle", ""),
    ("a soldier over the river", "9/9/R8/8p", "a4i4", "chase", "i3"),
    ("what was attacked before", "9/8c/8R/9", "i4i3", "idle", ""),
    ("by a chariot behind the piece that moved", "9/R1N5c/9/9", "c5e4", "chase", "i5"),
    ("two at once", "9/c7c/9/4R4", "e3e5", "chase", "a5 i5"),
]


def _label(fen: str, iccs: str) -> tuple[str, str, bool]:
    label = label_move(parse_fen(fen), parse_iccs(iccs))
    return label.kind.value, " ".join(sorted(format_point(p) for p in label.targets)), label.sure


@pytest.mark.parametrize(("what", "middle", "iccs", "kind", "targets"), TABLE, ids=lambda value: str(value)[:40])
def test_an_attack_on(what: str, middle: str, iccs: str, kind: str, targets: str) -> None:
    assert _label(f"{BLACK_HOME}/{middle}/{RED_HOME}", iccs)[:2] == (kind, targets)


@pytest.mark.parametrize(
    ("what", "fen", "iccs", "wanted"),
    [
        ("check", "4k4/9/9/9/9/9/9/9/R8/1R2K4 w - - 0 1", "a1a9", ("check", "e9", True)),
        ("mate next", "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1", "a1b1", ("kill", "d9", True)),
        ("a general chases", "3aka3/9/4b4/9/9/9/9/4B4/5c3/3AK4 w - - 0 1", "e0e1", ("idle", "", True)),
        (
            "a root that cannot leave its line is none",
            "3aka3/9/4b4/9/6c2/R8/9/9/9/4K4 w - - 0 1",
            "a4g4",
            ("chase", "g5", True),
        ),
        (
            "an elephant, by the only attacking piece, may be holding a draw",
            "3aka3/9/4b4/p8/9/R8/9/4B4/9/3AKA3 w - - 0 1",
            "a4e4",
            ("chase", "e7", False),
        ),
        (
            "more takers than roots is for a judge",
            "3aka3/9/4b4/2n6/4c4/9/N3R4/4B4/9/3AKA3 w - - 0 1",
            "a3c4",
            ("chase", "e5", False),
        ),
        (
            "a general's flight from check",
            "3aka3/9/4b4/9/R8/8c/4r4/9/9/4K4 w - - 0 1",
            "e0f0",
            ("idle", "", True),
        ),
    ],
)
def test_a_move_that_is(what: str, fen: str, iccs: str, wanted: tuple[str, str, bool]) -> None:
    assert _label(fen, iccs) == wanted


def test_a_soldier_that_has_only_just_crossed_is_no_gain() -> None:
    before = parse_fen(f"{BLACK_HOME}/9/9/R7p/9/{RED_HOME}")
    move = parse_iccs("a4a5")
    assert label_move(before, move).kind.value == "idle"
    over = parse_fen(f"{BLACK_HOME}/9/R8/8p/9/{RED_HOME}")
    attack = parse_iccs("a5a4")
    assert label_move(over, attack).kind.value == "chase"
    assert label_move(over, attack, parse_iccs("i5i4")).kind.value == "idle"
