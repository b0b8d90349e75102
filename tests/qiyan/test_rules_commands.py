"""`qiyan perft` and `qiyan notation` as people and programs call them."""

import pytest
from click.testing import CliRunner

from qiyan.cli import cli
from rules.fen import START_FEN


def test_perft_prints_the_leaf_count() -> None:
    result = CliRunner().invoke(cli, ["perft", START_FEN, "2"])
    assert (result.exit_code, result.output) == (0, "1920\n")


@pytest.mark.parametrize("arguments", [["perft", "nonsense", "2"], ["perft", START_FEN, "-1"], ["perft", START_FEN]])
def test_perft_refuses_bad_input(arguments: list[str]) -> None:
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


OPENING = {
    "iccs": "h2e2 h9g7 h0g2 i9h9 i0h0",
    "wxf": "C2=5 H8+7 H2+3 R9=8 R1=2",
    "chinese": "炮二平五 马8进7 马二进三 车9平8 车一平二",
    "chinese-short": "炮25 马87 马23 车98 车1平2",
}


@pytest.mark.parametrize("source", OPENING)
@pytest.mark.parametrize("target", OPENING)
def test_notation_translates_every_way(source: str, target: str) -> None:
    given = OPENING[source].replace(" ", "\n", 1)
    result = CliRunner().invoke(cli, ["notation", "--from", source, "--to", target], input=given)
    assert (result.exit_code, result.output) == (0, OPENING[target] + "\n")


@pytest.mark.parametrize(
    ("moves", "said"),
    [("h2e2 h9g7 e2c3", "move 3"), ("h2e2 nonsense", "move 2"), ("h2e2 h2e2", "move 2"), ("e0e5", "move 1")],
)
def test_notation_names_the_move_that_fails(moves: str, said: str) -> None:
    result = CliRunner().invoke(cli, ["notation", "--from", "iccs", "--to", "wxf"], input=moves)
    assert result.exit_code == 2
    assert said in result.output


def test_notation_starts_where_it_is_told() -> None:
    start = "3k5/9/4P1P2/4P1P2/9/9/9/9/9/5K3 w"
    arguments = ["notation", "--from", "iccs", "--to", "chinese", "--start", start]
    result = CliRunner().invoke(cli, arguments, input="g7g8")
    assert result.output == "前三进一\n"


def test_notation_of_no_moves_is_an_empty_line() -> None:
    result = CliRunner().invoke(cli, ["notation", "--from", "iccs", "--to", "wxf"], input="")
    assert (result.exit_code, result.output) == (0, "\n")


def test_notation_refuses_a_bad_start_and_bytes_that_are_no_text() -> None:
    arguments = ["notation", "--from", "iccs", "--to", "wxf"]
    assert CliRunner().invoke(cli, [*arguments, "--start", "x"], input="h2e2").exit_code == 2
    assert CliRunner().invoke(cli, arguments, input=b"\xff\xfe\x00").exit_code == 2
