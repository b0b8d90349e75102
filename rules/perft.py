"""Perft: the number of move sequences of a given length, the measure of every move generator."""

from rules.movegen import legal_steps
from rules.piece import EMPTY
from rules.point import POINT_NAMES
from rules.position import Position


def perft(position: Position, depth: int) -> int:
    """Leaves of the tree of legal moves after `depth` plies; the last ply is counted, not played."""
    return 1 if depth < 1 else _count(list(position.board), position.side, depth)


def divide(position: Position, depth: int) -> dict[str, int]:
    """The same count by first move in ICCS, for finding where two generators part."""
    board, side = list(position.board), position.side
    counts = {}
    for start, end in legal_steps(board, side):
        after = board.copy()
        after[end], after[start] = after[start], EMPTY
        counts[POINT_NAMES[start] + POINT_NAMES[end]] = 1 if depth < 2 else _count(after, side ^ 1, depth - 1)
    return counts


def _count(board: list[int], side: int, depth: int) -> int:
    steps = legal_steps(board, side)
    if depth == 1:
        return len(steps)
    total = 0
    for start, end in steps:
        taken = board[end]
        board[end] = board[start]
        board[start] = EMPTY
        total += _count(board, side ^ 1, depth - 1)
        board[start] = board[end]
        board[end] = taken
    return total
