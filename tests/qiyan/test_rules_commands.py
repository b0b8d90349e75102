"""`qiyan judge`, `qiyan touch` and `qiyan rules` as the interface says."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from qiyan.cli import cli
from rules.fen import START_FEN
from rules.profile import EDITIONS


def run(*args: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli, list(args))
    assert result.exit_code == status, result.output
    return result.output


def test_judge_tells_the_position_after_the_moves() -> None:
    said = json.loads(run("judge", "h2e2", "h9g7"))
    assert said["fen"] == "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2"
    assert (said["side"], said["check"], said["status"]) == ("red", False, "playing")
    assert said["rounds_without_capture"] == 1 and said["natural_limit"] is False
    assert said["repetition"] == {"count": 1, "ruling": "none", "side": None, "clause": None, "evidence": []}
    assert "b0c2" in said["legal_moves"] and "b0d1" not in said["legal_moves"]


@pytest.mark.parametrize(
    ("start", "moves", "status", "check"),
    [
        ("3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 1", ["b7b9"], "checkmate", True),
        ("3k5/9/4P4/9/9/9/9/9/9/4K4 w - - 0 1", ["e7e8"], "stalemate", False),
        ("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", ["a0a9"], "playing", True),
    ],
)
def test_judge_tells_mate(start: str, moves: list[str], status: str, check: bool) -> None:
    said = json.loads(run("judge", "--start", start, *moves))
    assert said["status"] == status
    assert said["check"] is check


def test_judge_rules_on_repetition() -> None:
    start = "2ba1k3/4a4/b8/7R1/9/9/1r2p4/9/4A4/2B1KAB1c w - - 0 1"
    said = json.loads(run("judge", "--start", start, *["h6i6", "i0h0", "i6h6", "h0i0"] * 2))["repetition"]
    assert (said["count"], said["ruling"], said["side"], said["clause"]) == (3, "must_deviate", "red", "25.3")
    assert said["evidence"][0] == {
        "ply": 1,
        "label": "chase",
        "targets": ["i0"],
        "sure": True,
        "doubt": None,
        "idle_as": None,
    }


def test_judge_tells_the_natural_limit_by_the_edition() -> None:
    start = "3k5/9/9/9/9/9/9/9/9/4K3R w - - 119 70"
    assert json.loads(run("judge", "--start", start))["natural_limit"] is False
    assert json.loads(run("judge", "--rules", "2011-national", "--start", start, "i0i1"))["natural_limit"] is True


def test_a_move_that_is_not_legal_is_named() -> None:
    assert "move 2 is not legal: 'h2h9'" in run("judge", "h2e2", "h2h9", status=2)
    assert "'xx'" in run("judge", "xx", status=2)
    assert "'1999'" in run("judge", "--rules", "1999", status=2)


@pytest.mark.parametrize(
    ("points", "wanted"),
    [
        (["b2", "b9"], {"obliged": ["b2b9"], "clause": "5.3.1"}),
        (["a9"], {"obliged": [], "clause": "5.2"}),
        (["b9", "h2"], {"obliged": ["b2b9"], "clause": "5.4.2"}),
        (["a0"], {"obliged": ["a0a1", "a0a2"], "clause": "5.1"}),
    ],
)
def test_touch_tells_what_has_to_be_played(points: list[str], wanted: dict[str, object]) -> None:
    assert json.loads(run("touch", *points)) == wanted
    assert "'k5'" in run("touch", "k5", status=2)


def test_rules_lists_every_edition_in_both_languages() -> None:
    shown = run("rules")
    assert all(name in shown for name in EDITIONS) and "犯规" in shown and "fouls" in shown
    listed = json.loads(run("rules", "--json"))["editions"]
    assert [edition["name"] for edition in listed] == list(EDITIONS)
    value = listed[2]["values"]["disturbance_limit_s"]
    assert (value["value"], value["unit"], value["clause"], value["confidence"]) == (180.0, "s", "5.9", "H")
    assert "2020-quick" not in run("rules", "2020")


def test_a_huge_value_is_not_printed_whole() -> None:
    said = run("judge", "x" * 100_000, status=2)
    assert "characters)" in said
    assert len(said) < 500


def test_perft_refuses_a_depth_that_has_no_end() -> None:
    assert "0<=x<=100" in run("perft", START_FEN, "5000", status=2)


def test_notation_without_an_input_says_so() -> None:
    command = [sys.executable, "-m", "qiyan.cli", "notation", "--from", "iccs", "--to", "wxf"]
    done = subprocess.run(["sh", "-c", '"$@" <&-', "sh", *command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "qiyan: standard input is closed\n"
