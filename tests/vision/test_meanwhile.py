"""Plies played while nobody looked are found by the colours on the points."""

import pytest

from rules.fen import START_FEN, parse_fen
from rules.iccs import parse_iccs
from vision.meanwhile import after, likeliest, plies_between, sides_of


def _after(moves: str):
    position = parse_fen(START_FEN)
    for text in moves.split():
        position = position.play(parse_iccs(text))
    return position


@pytest.mark.parametrize(
    ("before", "meanwhile"),
    [
        ("", ""),
        ("h2e2 h9g7", "h0g2"),
        ("h2e2 h9g7", "h0g2 g6g5"),
        ("h2e2 h9g7", "h0g2 g6g5 i0h0"),
        ("h2e2 h9g7", "e2e6"),
        ("h2e2 h9g7 h0g2 g6g5", "i0h0 i9h9 h0h4"),
    ],
)
def test_what_was_played_is_among_the_explanations_and_the_glyphs_tell_which(before: str, meanwhile: str) -> None:
    then, now = _after(before), _after(f"{before} {meanwhile}")
    ways = plies_between(then, sides_of(now.board))
    assert now.board in {after(then, way).board for way in ways}
    told = likeliest(then, ways, now.board)
    assert told is not None and after(then, told).board == now.board
    assert len(told) == len(meanwhile.split())


def test_what_no_ply_explains_is_nothing() -> None:
    position = parse_fen(START_FEN)
    seen = sides_of(position.board)
    seen[[0, 8, 45]] = [0, 0, 1]
    assert plies_between(position, seen) == []
