"""When plies that nobody saw are taken for what happened."""

import pytest

from rules.iccs import parse_iccs
from vision.accepting import comes_back


@pytest.mark.parametrize(
    ("moves", "back"),
    [
        ("a0a2 a7a3 a2a0", True),
        ("c7b9 e2e6 b9c7 e6e5 c7d5", True),
        ("e2e5 g9e7 h2e2", False),
        ("a0a1 c9e7 a1c1", False),
        ("", False),
    ],
)
def test_only_the_piece_itself_comes_back(moves: str, back: bool) -> None:
    assert comes_back([parse_iccs(text) for text in moves.split()]) is back
