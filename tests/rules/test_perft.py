"""Perft against published counts (../shared/data/rules/perft.json); `make bench` measures the speed."""

import json
from typing import Any

import pytest

from rules.fen import START_FEN, parse_fen
from rules.perft import divide, perft
from tests.shared_data import DATA, needs_data

MOST_LEAVES = 400_000
"""Counts up to this are taken as tests, about 5 s in all; the deeper ones are counted by hand."""


def _cases() -> list[Any]:
    path = DATA / "rules" / "perft.json"
    if not path.is_file():
        return []
    entries = json.loads(path.read_text(encoding="utf-8"))["positions"]
    return [
        pytest.param(entry["fen"], int(depth), leaves, id=f"{entry['id']}-{depth}")
        for entry in entries
        for depth, leaves in entry["counts"].items()
        if leaves <= MOST_LEAVES
    ]


@needs_data
@pytest.mark.parametrize(("fen", "depth", "leaves"), _cases())
def test_counts_are_the_published_ones(fen: str, depth: int, leaves: int) -> None:
    assert perft(parse_fen(fen), depth) == leaves


@pytest.mark.parametrize(("depth", "leaves"), [(0, 1), (1, 44), (2, 1920), (3, 79666)])
def test_start_position(depth: int, leaves: int) -> None:
    assert perft(parse_fen(START_FEN), depth) == leaves


def test_counts_by_first_move_sum_to_the_whole() -> None:
    counts = divide(parse_fen(START_FEN), 2)
    assert len(counts) == 44
    assert sum(counts.values()) == 1920
