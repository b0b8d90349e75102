"""Which moves are allowed: hobbled horses, blocked elephants, facing generals, checks, mate and stalemate."""

import pyffish
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.attacks import attackers, strikes_king
from rules.fen import format_fen, parse_fen
from rules.iccs import parse_iccs
from rules.legality import Status, in_check, is_legal, legal_moves, pseudo_legal_moves, status
from rules.movegen import find_king, leaves_king_safe, pseudo_legal_steps
from rules.piece import BLACK, KING, RED, kind_of, make_piece, other
from rules.point import parse_point
from rules.position import Position
from tests.strategies import any_positions, points, positions


def ends_of(fen: str, start: str) -> set[str]:
    """Where the piece on `start` may legally go."""
    return {str(move)[2:] for move in legal_moves(parse_fen(fen)) if str(move).startswith(start)}


@pytest.mark.parametrize(
    ("fen", "start", "ends"),
    [
        ("3k5/9/9/9/9/9/9/2P6/2N6/4K4 w", "c1", {"a0", "a2", "e2"}),
        ("3k5/9/9/9/9/9/9/9/2NP5/4K4 w", "c1", {"a0", "a2", "b3", "d3"}),
        ("3k5/9/9/9/9/2B6/9/9/9/5K3 w", "c4", {"a2", "e2"}),
        ("3k5/9/9/9/9/2B6/3p5/9/9/5K3 w", "c4", {"a2"}),
        ("3k5/9/9/9/9/9/9/4B4/3p5/5K3 w", "e2", {"c4", "g4", "g0"}),
        ("3k5/9/9/9/9/9/9/9/4A4/4K4 w", "e1", {"d2", "f2", "d0", "f0"}),
        ("3k5/9/9/9/9/4P4/9/9/9/4K4 w", "e4", {"e5"}),
        ("3k5/9/9/9/4P4/9/9/9/9/4K4 w", "e5", {"e6", "d5", "f5"}),
        ("4P4/3k5/9/9/9/9/9/9/9/4K4 w", "e9", {"d9", "f9"}),
        ("3k5/9/9/9/9/9/1p7/9/1C2p1r2/5K3 w", "b1", {"a1", "c1", "d1", "b0", "b2", "g1"}),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w", "e0", {"e1", "f0"}),
    ],
    ids=[
        "horse_leg_forward_blocked",
        "horse_leg_to_the_right_blocked",
        "elephant_never_crosses_the_river",
        "elephant_eye_blocked_on_one_side",
        "elephant_with_one_eye_blocked",
        "advisor_in_the_middle",
        "soldier_before_the_river",
        "soldier_beyond_the_river",
        "soldier_at_the_far_edge_goes_sideways",
        "cannon_takes_over_one_screen",
        "general_stays_off_the_file_of_the_other",
    ],
)
def test_pieces_go_where_the_rules_let_them(fen: str, start: str, ends: set[str]) -> None:
    assert ends_of(fen, start) == ends


@pytest.mark.parametrize(
    ("fen", "iccs"),
    [
        ("4k4/9/9/9/9/9/9/9/4R4/4K4 w", "e1d1"),
        ("4k4/4r4/9/9/9/9/9/4N4/9/4K4 w", "e2c3"),
        ("3k5/4c4/9/9/4p4/9/4N4/9/9/4K4 w", "e3c4"),
        ("3k5/4c4/9/9/9/9/9/9/2C6/4K4 w", "c1e1"),
        ("3k5/9/9/9/9/9/9/4c4/4r4/4KR3 w", "f0g0"),
        ("3k5/9/9/9/9/9/9/3n5/3P5/4K4 w", "d1c1"),
        ("3k5/9/9/9/9/4c4/4r4/4R4/9/4K4 w", "e2e3"),
    ],
    ids=[
        "uncovering_the_generals",
        "leaving_a_pin_by_a_chariot",
        "leaving_one_screen_of_two",
        "becoming_the_screen",
        "not_answering_a_check",
        "freeing_a_horse's_leg",
        "taking_into_the_line_of_the_cannon_behind",
    ],
)
def test_no_move_may_leave_the_general_to_be_taken(fen: str, iccs: str) -> None:
    position, move = parse_fen(fen), parse_iccs(iccs)
    assert move not in legal_moves(position)
    assert not is_legal(position, move)


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("3k5/9/9/9/9/9/9/9/9/4K4 w", Status.PLAYING),
        ("3R1k3/9/5R3/9/9/9/9/9/9/4K4 b", Status.CHECKMATE),
        ("3k5/2P6/9/9/9/9/9/9/9/4K4 b", Status.STALEMATE),
    ],
)
def test_status_tells_mate_from_stalemate(fen: str, expected: Status) -> None:
    assert status(parse_fen(fen)) is expected


def test_facing_generals_are_in_check_of_each_other() -> None:
    position = parse_fen("4k4/9/9/9/9/9/9/9/9/4K4 w")
    assert in_check(position, RED)
    assert in_check(position, BLACK)


def test_side_without_a_general_is_never_in_check() -> None:
    position = parse_fen("3k5/9/9/9/9/9/9/9/4r4/9 w")
    assert not in_check(position, RED)
    assert legal_moves(position) == []


@given(positions())
def test_legal_moves_are_those_that_pyffish_finds(position: Position) -> None:
    theirs = pyffish.legal_moves("xiangqi", format_fen(position), [])
    ours = [f"{m[0]}{int(m[1]) + 1}{m[2]}{int(m[3]) + 1}" for m in map(str, legal_moves(position))]
    assert sorted(ours) == sorted(theirs)


@given(any_positions())
def test_pins_and_screens_equal_trying_every_move(position: Position) -> None:
    king = find_king(position.board, position.side)
    tried = [
        step
        for step in pseudo_legal_steps(position.board, position.side)
        if king < 0 or leaves_king_safe(list(position.board), step, king, position.side)
    ]
    assert [(m.from_point, m.to_point) for m in legal_moves(position)] == tried
    assert all(is_legal(position, move) == (move in legal_moves(position)) for move in pseudo_legal_moves(position))


@given(positions(), points())
def test_attackers_are_the_pieces_that_can_take(position: Position, target: int) -> None:
    if kind_of(position.board[target]) == KING:
        return
    for side in (RED, BLACK):
        board = bytearray(position.board)
        board[target] = make_piece(other(side), 7)
        takers = {start for start, end in pseudo_legal_steps(board, side) if end == target}
        assert set(attackers(position.board, target, side)) == takers


@given(positions(), st.sampled_from([RED, BLACK]))
def test_a_general_is_in_check_when_something_attacks_it(position: Position, side: int) -> None:
    king = find_king(position.board, side)
    assert bool(attackers(position.board, king, other(side))) == strikes_king(position.board, king, other(side))


def test_a_general_attacks_the_other_along_an_open_file_only() -> None:
    open_file = parse_fen("4k4/9/9/9/9/9/9/9/9/4K4 w")
    shut_file = parse_fen("4k4/9/9/9/4p4/9/9/9/9/4K4 w")
    assert attackers(open_file.board, parse_point("e9"), RED) == [parse_point("e0")]
    assert attackers(shut_file.board, parse_point("e9"), RED) == []
