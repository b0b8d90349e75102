"""Touch-move: every leaf of 5.1 to 5.5, with checks, pins and screens; the table was looked over move by move."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.fen import START_FEN, parse_fen
from rules.legality import legal_moves
from rules.point import Point, parse_point
from rules.position import Position
from rules.touch_move import obligations
from tests.strategies import positions

# (position, S is the start; points touched in order; clause; what has to be played, nothing where the player is free)
TABLE = [
    ("S", "b9", "5.2", "b2b9"),
    ("S", "b2 b9", "5.3.1", "b2b9"),
    ("S", "h2 b9", "5.3.2", "h2h3 h2h4 h2h5 h2h6 h2h9 h2h1 h2g2 h2f2 h2e2 h2d2 h2c2 h2i2"),
    ("S", "e0 b9", "5.3.2", "e0e1"),
    ("S", "b9 b2", "5.4.1", "b2b9"),
    ("S", "b9 h2", "5.4.2", "b2b9"),
    ("S", "b9 e0", "5.4.2", "b2b9"),
    ("S", "a9 e0", "5.4.3", "e0e1"),
    ("4k4/9/9/9/4r4/9/9/4N4/9/4K4 w - - 0 1", "e2", "5.1", ""),
    ("4k4/9/9/9/4r4/9/9/4R4/9/4K4 w - - 0 1", "e2", "5.1", "e2e3 e2e4 e2e5 e2e1"),
    ("4k4/9/9/9/4r4/9/9/4R4/9/4K4 w - - 0 1", "e5 e2", "5.4.1", "e2e5"),
    ("4k4/9/9/9/4r4/9/9/4C4/9/4K4 w - - 0 1", "e2", "5.1", "e2e3 e2e4 e2e1"),
    ("4k4/9/9/4p4/4r4/9/9/4C4/9/4K4 w - - 0 1", "e2 e6", "5.3.2", "e2e3 e2e4 e2e1"),
    ("4k4/9/9/4c4/9/4P4/9/4N4/9/4K4 w - - 0 1", "e2", "5.1", ""),
    ("4k4/9/9/4c4/9/4P4/9/4N4/9/4K4 w - - 0 1", "e4", "5.1", "e4e5"),
    ("4k4/9/9/4c4/9/4p4/9/4N4/9/4K4 w - - 0 1", "e2", "5.1", ""),
    ("4k4/9/9/9/4P4/9/9/9/9/4K4 w - - 0 1", "e5", "5.1", "e5e6"),
    ("4k4/9/9/9/4P4/9/9/9/9/4K4 w - - 0 1", "e0", "5.1", "e0e1 e0d0 e0f0"),
    ("4k4/9/9/9/4N4/9/9/9/9/4K4 w - - 0 1", "e5", "5.1", ""),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "e0", "5.1", "e0e1 e0f0"),
    ("3k5/9/9/9/4r4/9/9/9/9/R3K4 w - - 0 1", "a0", "5.1", ""),
    ("3k5/9/9/9/4r4/9/9/9/9/R3KA3 w - - 0 1", "f0", "5.1", "f0e1"),
    ("3k5/9/9/9/R3r4/9/9/9/9/4K4 w - - 0 1", "a5", "5.1", "a5e5"),
    ("3k5/9/9/9/R3r4/9/9/9/9/4KA3 w - - 0 1", "f0 e5", "5.3.2", "f0e1"),
    ("3k5/9/9/9/R3r4/9/9/9/9/4KA3 w - - 0 1", "e5 f0", "5.4.2", "a5e5"),
    ("3k5/9/9/9/4r4/9/9/9/P8/4K4 w - - 0 1", "a1", "5.1", ""),
    ("3k5/9/9/9/4r4/9/9/9/9/2B1K4 w - - 0 1", "c0", "5.1", "c0e2"),
    ("3k5/9/9/9/4c4/9/4P4/9/9/4K4 w - - 0 1", "e3", "5.1", ""),
    ("3k5/9/9/9/4c4/9/4p4/9/9/4K4 w - - 0 1", "e0", "5.1", "e0f0"),
    ("3k5/9/9/9/4c4/9/4A4/9/9/4K4 w - - 0 1", "e0", "5.1", "e0f0"),
    ("3k5/9/9/9/4c4/9/4N4/9/9/4K4 w - - 0 1", "e3", "5.1", "e3f5 e3d5 e3d1 e3f1 e3c2 e3c4 e3g4 e3g2"),
    ("3k5/9/9/9/9/9/9/3n5/9/4K4 w - - 0 1", "e0", "5.1", "e0e1 e0d0 e0f0"),
    ("3k5/9/9/9/9/9/9/3n5/9/4KR3 w - - 0 1", "f0", "5.1", ""),
    ("3k5/9/9/9/9/9/9/3n5/5A3/4KR3 w - - 0 1", "f0", "5.1", ""),
    ("3k5/9/9/9/9/9/9/3n2R2/9/4K4 w - - 0 1", "d2 e0", "5.4.2", "g2d2"),
    ("3k5/9/9/9/9/9/9/3n2R2/9/4K4 w - - 0 1", "g2 d2", "5.3.1", "g2d2"),
    ("4k4/9/9/9/9/9/9/9/9/1NRK5 w - - 0 1", "b0", "5.1", "b0c2 b0a2"),
    ("4k4/9/9/9/9/9/9/9/1P7/1NRK5 w - - 0 1", "b0", "5.1", ""),
    ("4k4/9/9/9/9/9/9/9/1P1P5/2BK5 w - - 0 1", "c0", "5.1", ""),
    ("4k4/9/9/9/9/9/9/9/3P5/2BK5 w - - 0 1", "c0", "5.1", "c0a2"),
    ("4k4/9/9/4p4/4P4/9/9/9/9/3K5 w - - 0 1", "e5 e6", "5.3.1", "e5e6"),
    ("4k4/9/9/3p5/4P4/9/9/9/9/5K3 w - - 0 1", "e5 d6", "5.3.2", "e5e6 e5d5 e5f5"),
    ("4k4/9/9/3p5/4P4/9/9/9/9/5K3 w - - 0 1", "d6 e5", "5.4.3", "e5e6 e5d5 e5f5"),
    ("4k4/9/9/3pR4/4P4/9/9/9/9/5K3 w - - 0 1", "d6 e5", "5.4.2", "e6d6"),
    ("4k4/9/9/3pR4/4P4/9/9/9/9/5K3 w - - 0 1", "e5 d6", "5.3.2", "e5d5 e5f5"),
    ("4k4/9/9/3pR4/4P4/9/9/9/9/5K3 b - - 0 1", "d6", "5.1", ""),
    ("4k4/9/9/3pR4/4P4/9/9/9/9/5K3 b - - 0 1", "d6 e6", "5.3.4", ""),
    ("4k4/9/9/3pR4/4P4/9/9/9/9/5K3 b - - 0 1", "e9", "5.1", "e9d9"),
    ("4k4/9/9/3pR4/4P4/9/9/9/9/5K3 b - - 0 1", "e6 e9", "5.4.3", "e9d9"),
    ("3k5/9/9/3pR4/4P4/9/9/9/9/5K3 b - - 0 1", "e6 d9", "5.4.3", "d9d8"),
    ("3k5/9/9/3pR4/4P4/9/9/9/9/5K3 b - - 0 1", "e5 d6", "5.4.3", "d6d5"),
    ("3k5/4a4/9/9/9/9/9/9/9/3RK4 b - - 0 1", "e8", "5.1", "e8d7"),
    ("3k5/4a4/9/9/9/9/9/9/9/3RK4 b - - 0 1", "d0 e8", "5.4.3", "e8d7"),
    ("3k5/4a4/9/9/9/9/9/9/9/3RK4 b - - 0 1", "e8 d0", "5.3.2", "e8d7"),
    ("3k5/4a4/9/9/3r5/9/9/9/9/3RK4 b - - 0 1", "e8 d0", "5.3.2", "e8f9 e8d7 e8f7"),
    ("3k5/4a4/9/9/3r5/9/9/9/9/3RK4 b - - 0 1", "d5 d0", "5.3.1", "d5d0"),
    ("3k5/9/4b4/9/3r5/9/9/9/9/3RK4 b - - 0 1", "d5 e0", "5.3.2", "d5d6 d5d7 d5d8 d5d4 d5d3 d5d2 d5d1 d5d0"),
    ("3k5/9/9/9/3n5/9/9/9/9/3RK4 b - - 0 1", "d5 d0", "5.3.4", ""),
    ("3k5/9/9/9/3n5/9/9/9/c8/3RK4 b - - 0 1", "d5 d0", "5.3.4", ""),
    ("3k5/9/9/9/3n5/9/9/9/9/c2RK4 b - - 0 1", "d5 d0", "5.3.4", ""),
    ("3k5/9/9/9/3n5/9/9/9/9/r2RK4 b - - 0 1", "d5 d0", "5.3.3", "a0d0"),
    ("3k5/9/9/9/3n5/9/9/9/9/r2RK4 b - - 0 1", "d0 d5", "5.4.2", "a0d0"),
    (
        "3k5/9/9/9/3n5/9/9/9/9/r2RK4 b - - 0 1",
        "d5 a0",
        "5.1",
        "a0a1 a0a2 a0a3 a0a4 a0a5 a0a6 a0a7 a0a8 a0a9 a0b0 a0c0 a0d0",
    ),
    ("3k5/9/9/9/3n5/9/9/9/9/r2RK4 b - - 0 1", "e0 d5", "5.4.4", ""),
    ("3k5/9/9/9/3n5/9/9/9/9/4K4 b - - 0 1", "e0 d5", "5.4.3", "d5e7 d5c7 d5c3 d5e3 d5b4 d5b6 d5f6 d5f4"),
    ("3k5/9/9/9/9/9/9/4n4/9/3RK4 b - - 0 1", "e2 e0", "5.3.2", "e2d4 e2d0"),
    ("3k5/9/9/9/3n5/9/9/9/9/r2RK4 b - - 0 1", "d0", "5.2", "a0d0"),
    ("S", "h9", "5.2", "h2h9"),
    ("S", "e9", "5.2", ""),
    ("S", "a6", "5.2", ""),
    ("S", "h7", "5.2", ""),
    ("4k4/9/9/9/4r4/9/9/4N4/R7r/4K4 w - - 0 1", "e2 i1", "5.3.3", "a1i1"),
    ("4k4/9/9/4c4/2p6/2P1P4/9/4N4/9/4K4 w - - 0 1", "e2 c5", "5.3.3", "c4c5"),
    ("S", "h9 h2", "5.4.1", "h2h9"),
    ("4k4/9/9/9/4N4/9/9/9/9/4K4 w - - 0 1", "e9 e5", "5.4.4", ""),
    ("4k4/9/9/9/4r4/9/9/4N4/9/4K4 w - - 0 1", "e5 e2", "5.4.4", ""),
    ("S", "e0 b9 b2", "5.3.2", "e0e1"),
    ("S", "a9 b9 b2", "5.4.1", "b2b9"),
    ("4k4/9/9/9/4r4/9/9/4N4/9/4K4 w - - 0 1", "e2 e0", "5.1", "e0e1 e0d0 e0f0"),
    ("S", "a4", "5.1", ""),
    ("4k4/9/9/9/4r4/9/9/4N4/R7r/4K4 w - - 0 1", "e2 i1 a1", "5.4.1", "a1i1"),
    (
        "4k4/9/9/9/4r4/9/9/4N4/R7r/4K4 w - - 0 1",
        "e2 e9 a1",
        "5.3.2",
        "a1a2 a1a3 a1a4 a1a5 a1a6 a1a7 a1a8 a1a9 a1a0 a1b1 a1c1 a1d1 a1e1 a1f1 a1g1 a1h1 a1i1",
    ),
    ("4k4/9/9/9/4r4/9/9/4N4/R7r/4K4 w - - 0 1", "i1", "5.2", "a1i1"),
    # Three pieces and more: what came first binds first, and of the rest what can be done with it.
    ("4k4/9/9/9/9/3c1n3/9/4N4/R7r/3K5 w - - 0 1", "a1 d4 i1", "5.3.1", "a1i1"),
    ("4k4/9/9/9/9/3c1n3/9/4N4/R7r/3K5 w - - 0 1", "a1 d4 f4", "5.3.2",
     "a1a2 a1a3 a1a4 a1a5 a1a6 a1a7 a1a8 a1a9 a1a0 a1b1 a1c1 a1e1 a1f1 a1g1 a1h1 a1i1"),
    ("4k4/9/9/9/9/3c1n3/9/4N4/R7r/3K5 w - - 0 1", "f4 a1 e2", "5.4.1", "e2f4"),
    ("4k4/9/9/9/9/3c1n3/9/4N4/R7r/3K5 w - - 0 1", "f4 d0 a1", "5.4.2", "e2f4"),
    ("4k4/9/9/9/9/3c1n3/9/4N4/R7r/3K5 w - - 0 1", "d4 d4 d4", "5.2", "e2d4"),
    # Screens: a cannon needs exactly one, of either side, and may not take over two or none.
    ("4k4/9/4n4/9/9/4P4/4C4/9/9/3K5 w - - 0 1", "e3 e7", "5.3.1", "e3e7"),
    ("4k4/9/4n4/4p4/9/4P4/4C4/9/9/3K5 w - - 0 1", "e3 e7", "5.3.2",
     "e3e2 e3e1 e3e0 e3d3 e3c3 e3b3 e3a3 e3f3 e3g3 e3h3 e3i3 e3e6"),
    ("5k3/9/4n4/9/9/9/4C4/9/9/3K5 w - - 0 1", "e7 e3", "5.4.3",
     "e3e4 e3e5 e3e6 e3e2 e3e1 e3e0 e3d3 e3c3 e3b3 e3a3 e3f3 e3g3 e3h3 e3i3"),
    # One screen to an enemy cannon is check: a piece leaves the line or takes. A second one may stay on it only.
    ("4k4/9/9/3c5/9/3P5/9/9/3A5/3K5 w - - 0 1", "d4", "5.1", "d4d5"),
    ("4k4/9/9/3c5/9/9/9/3R5/9/3K5 w - - 0 1", "d2 d6", "5.3.1", "d2d6"),
    ("4k4/9/9/3c5/9/9/9/3C5/9/3K5 w - - 0 1", "d6 d2", "5.4.3",
     "d2a2 d2b2 d2c2 d2e2 d2f2 d2g2 d2h2 d2i2"),
    # In check: only an answer to it is a way to move a piece.
    ("4k4/9/9/3r5/9/9/9/9/9/2BK1A3 w - - 0 1", "c0", "5.1", ""),
    ("4k4/9/9/3r5/9/9/9/9/4A4/2BK1A3 w - - 0 1", "e1", "5.1", "e1d2"),
    ("4k4/9/9/3r5/9/9/9/9/9/2BK1A3 w - - 0 1", "d0 d6", "5.3.4", ""),
    ("4k4/9/9/3r3R1/9/9/9/9/9/2BK1A3 w - - 0 1", "c0 d6", "5.3.3", "h6d6"),
    # Two checks at once (horse and chariot): only the general can answer.
    ("4k4/9/9/3r5/9/9/9/2n6/9/R2K5 w - - 0 1", "a0 c2", "5.3.4", ""),
    ("4k4/9/9/3r5/9/9/4n4/9/9/R2K1A3 w - - 0 1", "f0", "5.1", ""),
    # River and palace: an elephant on the bank, an advisor in the corner, a soldier before and over the river.
    ("4k4/9/9/9/6n2/2B6/9/9/9/3K5 w - - 0 1", "c4 g5", "5.3.2", "c4a2 c4e2"),
    ("4k4/9/9/9/2B6/9/9/9/9/3K5 b - - 0 1", "c5 e9", "5.4.3", "e9e8 e9f9"),
    ("3k5/9/9/9/9/9/9/3A5/9/4K1n2 w - - 0 1", "d2", "5.1", "d2e1"),
    ("4k4/9/9/9/4p4/9/9/9/9/3K5 b - - 0 1", "e5", "5.1", "e5e4"),
    ("4k4/9/9/9/9/4p4/9/9/9/3K5 b - - 0 1", "e4", "5.1", "e4e3 e4d4 e4f4"),
    # The general may not step opposite the other, nor take a piece that would leave it so.
    ("4k4/9/9/9/9/9/9/9/4n4/3K5 w - - 0 1", "d0 e1", "5.3.2", "d0d1 d0e0"),
    ("4k4/9/9/9/9/9/9/9/4n4/4K4 w - - 0 1", "e0 e1", "5.3.2", "e0d0 e0f0"),
]  # fmt: skip


def _parse(fen: str, names: str) -> tuple[Position, list[Point]]:
    return parse_fen(START_FEN if fen == "S" else fen), [parse_point(name) for name in names.split()]


@pytest.mark.parametrize(("fen", "names", "clause", "moves"), TABLE)
def test_touching_obliges(fen: str, names: str, clause: str, moves: str) -> None:
    due = obligations(*_parse(fen, names))
    assert (due.clause, sorted(map(str, due.moves))) == (clause, sorted(moves.split()))


def test_every_leaf_is_reached_three_times() -> None:
    leaves = Counter((clause, bool(moves)) for _, _, clause, moves in TABLE)
    bound = ["5.1", "5.2", "5.3.1", "5.3.2", "5.3.3", "5.4.1", "5.4.2", "5.4.3"]
    free = ["5.1", "5.2", "5.3.4", "5.4.4"]
    assert all(leaves[clause, True] >= 3 for clause in bound) and all(leaves[clause, False] >= 3 for clause in free)


def _by_the_letter(position: Position, first: Point, second: Point) -> tuple[str, set[str]]:
    """The clauses for two pieces, read one after the other as they are printed."""
    moves = legal_moves(position)
    own = position.board[first] >> 3 == position.side
    mine, theirs = (first, second) if own else (second, first)
    takes = {str(m) for m in moves if (m.from_point, m.to_point) == (mine, theirs)}
    goes = {str(m) for m in moves if m.from_point == mine}
    others = {str(m) for m in moves if m.to_point == theirs}
    if own:
        order = [("5.3.1", takes), ("5.3.2", goes), ("5.3.3", others)]
    else:
        order = [("5.4.1", takes), ("5.4.2", others), ("5.4.3", goes)]
    return next(((clause, due) for clause, due in order if due), ("5.3.4" if own else "5.4.4", set()))


@given(positions(), st.data())
def test_two_pieces_oblige_as_the_clauses_are_printed(position: Position, data: st.DataObject) -> None:
    mine = [Point(p) for p in range(90) if position.board[p] and position.board[p] >> 3 == position.side]
    theirs = [Point(p) for p in range(90) if position.board[p] and position.board[p] >> 3 != position.side]
    pair = [data.draw(st.sampled_from(mine)), data.draw(st.sampled_from(theirs))]
    if data.draw(st.booleans()):
        pair.reverse()
    due = obligations(position, pair)
    assert (due.clause, {str(move) for move in due.moves}) == _by_the_letter(position, pair[0], pair[1])


@given(positions(), st.lists(st.integers(0, 89), max_size=6))
def test_what_is_due_can_be_played(position: Position, touched: list[int]) -> None:
    due = obligations(position, [Point(p) for p in touched])
    assert set(due.moves) <= set(legal_moves(position))
