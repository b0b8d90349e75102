"""What is told of points under a hand."""

import numpy as np
import pytest

from rules.fen import START_FEN, parse_fen
from rules.piece import piece_of_letter
from rules.point import parse_point
from vision.pieces.hidden import hidden_pieces, hidden_share


def board(fen: str = START_FEN, without: str = "", covered: str = ""):
    """The board of a position, some points of it not seen, and which points are covered."""
    pieces = np.frombuffer(parse_fen(fen).board, dtype=np.uint8).astype(np.int64)
    hidden = np.zeros(90)
    for name in without.split():
        pieces[parse_point(name)] = 0
    for name in covered.split():
        hidden[parse_point(name)] = 1.0
    return pieces, hidden


def test_at_the_start_a_covered_point_has_its_piece() -> None:
    found = hidden_pieces(*board(without="b9 e9", covered="b9 e9 b8 e8"))
    assert {(h.point, h.piece) for h in found} == {
        (parse_point("b9"), piece_of_letter("n")),
        (parse_point("e9"), piece_of_letter("k")),
    }
    assert all(h.p > 0.8 for h in found)


def test_a_piece_seen_elsewhere_is_not_hidden_at_home() -> None:
    pieces, covered = board(without="b9", covered="b9")
    pieces[parse_point("c7")] = piece_of_letter("n")
    assert hidden_pieces(pieces, covered) == []
    assert hidden_share(pieces, covered) < 0.05


def test_late_in_a_game_a_missing_chariot_may_as_well_be_taken() -> None:
    fen = "4k4/9/4b4/9/2p3r2/6P2/9/4B4/4A4/3A1K3 w - - 0 1"
    pieces, covered = board(fen, covered="a9 b9 a0")
    assert hidden_pieces(pieces, covered) == []
    assert 0.2 < hidden_share(pieces, covered) <= 0.35


@pytest.mark.parametrize("covered", ["e0", "d0 e0 f0 d1 e1 f1 d2 e2 f2"])
def test_a_general_that_is_not_seen_stands_under_the_hand(covered: str) -> None:
    fen = "4k4/9/4b4/9/2p3r2/6P2/9/4B4/9/4K4 w - - 0 1"
    found = hidden_pieces(*board(fen, without="e0", covered=covered))
    assert [(h.point, h.piece) for h in found] == [(parse_point("e0"), piece_of_letter("K"))]


def test_nothing_is_made_up_where_nothing_is_covered() -> None:
    assert hidden_pieces(*board(without="a0 b0 c0")) == []
