"""Game files that an independent library wrote are read right.

No public XQF or CBR sample and no library that writes these could be had; cchess writes PGN with Chinese moves.
"""

import json
from pathlib import Path

import cchess
import pytest

from rules.fen import START_FEN
from rules.pgn import parse_pgn
from tests.shared_data import DATA, needs_data

EVERY = 12
"""Of the 896 games each so many-th is written: 25 at least start from the usual position."""


def _games() -> list[list[str]]:
    path = DATA / "rules" / "games.jsonl"
    if not path.is_file():
        return []
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [record["iccs"] for record in records if record["start_fen"] == START_FEN][::EVERY]


@needs_data
def test_there_are_enough_foreign_games() -> None:
    assert len(_games()) >= 25


@needs_data
@pytest.mark.parametrize("moves", _games(), ids=lambda moves: f"{moves[0]}-{len(moves)}")
def test_a_file_that_cchess_wrote_reads_to_its_moves(moves: list[str], tmp_path: Path) -> None:
    board = cchess.ChessBoard(START_FEN)
    game = cchess.Game(board.copy())
    last = None
    for iccs in moves:
        move = board.move_iccs(iccs)
        if last is None:
            game.append_first_move(move)
        else:
            last.append_next_move(move)
        last = move
        board.next_turn()
    path = tmp_path / "game.pgn"
    game.save_to(str(path))
    assert [str(move) for move in parse_pgn(path.read_bytes()).moves()] == moves
