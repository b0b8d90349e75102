"""The shortest lawful lines to what is seen."""

import numpy as np
import pytest

from rules.fen import START_FEN, parse_fen
from rules.iccs import parse_iccs
from rules.point import POINTS
from rules.position import Position
from vision.lawful_lines import shortest_lines

EVERY_POINT = frozenset(range(POINTS))


def _after(moves: str) -> Position:
    position = parse_fen(START_FEN)
    for text in moves.split():
        position = position.play(parse_iccs(text))
    return position


def _fits(board: bytes) -> np.ndarray:
    """(90, 16) by colours alone, as the eye sees a piece newly come."""
    sides = np.array([0 if piece == 0 else 1 if piece < 8 else 2 for piece in range(16)])
    return sides[None, :] == sides[list(board)][:, None]  # type: ignore[no-any-return]


def _touched(moves: str) -> frozenset[int]:
    return frozenset(p for text in moves.split() for p in (parse_iccs(text).from_point, parse_iccs(text).to_point))


def _lines(moves: str, least: int = 1) -> set[str]:
    found = shortest_lines(parse_fen(START_FEN), _fits(_after(moves).board), _touched(moves), least)
    return {" ".join(str(move) for move in line) for _, line in found}


@pytest.mark.parametrize("moves", ["h2e2", "h2e2 h9g7", "b2b9 a9b9", "h2e2 h9g7 h0g2", "h2e2 h9g7 h0g2 i9h9 i0h0"])
def test_what_was_played_is_among_the_shortest_lines(moves: str) -> None:
    assert moves in _lines(moves)


def test_all_orders_of_plies_that_do_not_meet_are_found() -> None:
    assert _lines("h2e2 h9g7 b0c2") == {"h2e2 h9g7 b0c2", "b0c2 h9g7 h2e2"}


def test_no_line_is_longer_than_it_has_to_be_and_each_ends_in_what_is_seen() -> None:
    moves = "h2e2 h9g7 h0g2 i9h9"
    found = shortest_lines(parse_fen(START_FEN), _fits(_after(moves).board), _touched(moves), 1)
    assert {len(line) for _, line in found} == {4}
    assert {end.board for end, _ in found} == {_after(moves).board}


def test_moves_are_tried_only_between_the_points_asked_for() -> None:
    start = parse_fen(START_FEN)
    assert shortest_lines(start, _fits(_after("h2e2").board), frozenset({0, 1, 2}), 1) == []


def test_a_board_that_no_lawful_play_leads_to_has_no_line() -> None:
    board = bytearray(_after("").board)
    board[40] = board[0]
    board[0] = 0
    board[50] = 9
    assert shortest_lines(parse_fen(START_FEN), _fits(bytes(board)), frozenset({0, 40, 50}), 1) == []


def test_a_hopeless_search_ends_soon() -> None:
    nothing = np.zeros((POINTS, 16), dtype=np.bool_)
    assert shortest_lines(parse_fen(START_FEN), nothing, EVERY_POINT, 1) == []


def test_a_piece_that_came_in_two_moves_is_followed_over_the_point_between() -> None:
    moves = "a0a1 c9e7 a1c1 d9e8"
    ends = _touched("a0a1 c9e7 d9e8") | {parse_iccs("a1c1").to_point}
    between = parse_iccs("a0a1").to_point
    found = shortest_lines(parse_fen(START_FEN), _fits(_after(moves).board), ends - {between}, 1)
    assert moves in {" ".join(str(move) for move in line) for _, line in found}


def test_of_too_many_lines_those_in_the_order_seen_are_found() -> None:
    moves = "a0a1 a9a8 b0c2 b9c7 h0g2 h9g7 i0i1 i9i8"
    order = [parse_iccs(text).from_point for text in moves.split()]
    rank = [order.index(point) if point in order else len(order) for point in range(POINTS)]
    found = shortest_lines(parse_fen(START_FEN), _fits(_after(moves).board), _touched(moves), 1, rank)
    assert moves in {" ".join(str(move) for move in line) for _, line in found}
