"""Perft nodes/s: ours, python-chess's on chess, cchess's on xiangqi; the last ply counted in bulk in all three."""

import time
from collections.abc import Callable

import cchess
import chess

from rules.fen import START_FEN, parse_fen
from rules.perft import perft

OURS_DEPTH = 3
CHESS_DEPTH = 3
CCHESS_DEPTH = 2
MIDDLE_GAME_FEN = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1"
CHESS_MIDDLE_GAME_FEN = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
REPEATS = 5
"""The best of so many runs: what else the machine does can only slow a run down."""


def rows() -> list[tuple[str, str]]:
    """(what, figure) lines for `make bench`."""
    ours_start, ours_middle = _ours(START_FEN), _ours(MIDDLE_GAME_FEN)
    chess_start, chess_middle = _python_chess(chess.STARTING_FEN), _python_chess(CHESS_MIDDLE_GAME_FEN)
    theirs = _nodes_per_s(lambda: _count_cchess(cchess.ChessBoard(START_FEN), CCHESS_DEPTH), repeats=1)
    return [
        ("perft, start position", f"{ours_start:,.0f} nodes/s"),
        ("perft, middle game", f"{ours_middle:,.0f} nodes/s"),
        (
            "python-chess on chess, start position",
            f"{chess_start:,.0f} nodes/s, ours is {ours_start / chess_start:.1f}x",
        ),
        (
            "python-chess on chess, middle game",
            f"{chess_middle:,.0f} nodes/s, ours is {ours_middle / chess_middle:.1f}x",
        ),
        ("cchess, start position", f"{theirs:,.0f} nodes/s, ours is {ours_start / theirs:.0f}x"),
    ]


def _nodes_per_s(count: Callable[[], int], repeats: int = REPEATS) -> float:
    best = 0.0
    for _ in range(repeats):
        begun = time.perf_counter()
        nodes = count()
        best = max(best, nodes / (time.perf_counter() - begun))
    return best


def _ours(fen: str) -> float:
    position = parse_fen(fen)
    return _nodes_per_s(lambda: perft(position, OURS_DEPTH))


def _python_chess(fen: str) -> float:
    board = chess.Board(fen)
    return _nodes_per_s(lambda: _count_chess(board, CHESS_DEPTH))


def _count_chess(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += _count_chess(board, depth - 1)
        board.pop()
    return total


def _count_cchess(board: "cchess.ChessBoard", depth: int) -> int:
    # cchess names pseudo-legal moves only; those that leave the mover in check are taken out, as in a legal perft.
    steps = [step for step in board.create_moves() if not board.is_checked_move(*step)]
    if depth == 1:
        return len(steps)
    total = 0
    for start, end in steps:
        after = board.copy()
        after.move(start, end)
        after.next_turn()
        total += _count_cchess(after, depth - 1)
    return total


if __name__ == "__main__":
    for what, figure in rows():
        print(f"{what:40} {figure}")
