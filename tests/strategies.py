"""Hypothesis strategies for what the rules speak of: positions, moves, games from any start."""

import random
from typing import Any

from hypothesis import strategies as st

from rules.attacks import in_palace
from rules.fen import START_FEN, parse_fen
from rules.legality import legal_moves
from rules.move import Move
from rules.piece import ADVISOR, BLACK, ELEPHANT, FULL_SET, KING, RED, SOLDIER, Side, make_piece
from rules.point import POINTS, Point
from rules.position import Position
from rules.validity import ADVISOR_POINTS, ELEPHANT_POINTS, SOLDIER_POINTS, is_valid

START = parse_fen(START_FEN)


def points() -> st.SearchStrategy[Point]:
    """Any point."""
    return st.integers(0, POINTS - 1).map(Point)


def moves() -> st.SearchStrategy[Move]:
    """Any two different points; mostly not legal."""
    return st.tuples(points(), points()).filter(lambda pair: pair[0] != pair[1]).map(lambda pair: Move(*pair))


def boards() -> st.SearchStrategy[bytes]:
    """Any 90 pieces, possible or not, mostly empty points."""
    piece = st.one_of(st.just(0), st.just(0), st.sampled_from([*range(1, 8), *range(9, 16)]))
    return st.lists(piece, min_size=POINTS, max_size=POINTS).map(bytes)


def any_positions() -> st.SearchStrategy[Position]:
    """Any position that FEN can say, possible or not."""
    return st.builds(Position, boards(), st.sampled_from([RED, BLACK]), st.integers(0, 999), st.integers(1, 999))


def _grounds(kind: int, side: int) -> list[int]:
    if kind == KING:
        return [p for p in range(POINTS) if in_palace(Point(p), side)]
    grounds = {ADVISOR: ADVISOR_POINTS, ELEPHANT: ELEPHANT_POINTS, SOLDIER: SOLDIER_POINTS}.get(kind)
    return sorted(grounds[side]) if grounds else list(range(POINTS))


def _scatter(rng: random.Random) -> Position:
    """Pieces on points where they can stand; a side's soldiers and lines may be crowded on purpose."""
    while True:
        board = bytearray(POINTS)
        crowded = rng.random() < 0.3
        for side in (RED, BLACK):
            for kind, most in FULL_SET.items():
                fewest = 1 if kind == KING else 0
                grounds = _grounds(kind, side)
                if crowded and kind != KING:
                    # Two or three files only, so that pieces of a kind share them.
                    files = rng.sample(range(9), 3)
                    grounds = [p for p in grounds if p % 9 in files]
                for _ in range(rng.randint(fewest, most)):
                    free = [p for p in grounds if not board[p]]
                    if free:
                        board[rng.choice(free)] = make_piece(side, kind)
        position = Position(bytes(board), Side(rng.randint(0, 1)), rng.randint(0, 119), rng.randint(1, 300))
        if is_valid(position):
            return position


def positions() -> st.SearchStrategy[Position]:
    """Valid positions: scattered pieces, crowded files, and what random play makes of the usual start."""
    scattered = st.integers(0, 2**32).map(lambda seed: _scatter(random.Random(seed)))
    played = st.tuples(st.integers(0, 2**32), st.integers(0, 120)).map(
        lambda drawn: random_game(START, random.Random(drawn[0]), drawn[1])[1]
    )
    return st.one_of(scattered, played)


def random_game(start: Position, rng: random.Random, plies: int) -> tuple[list[Move], Position]:
    """At most so many random legal moves from `start`, and where they lead."""
    position, played = start, []
    for _ in range(plies):
        legal = legal_moves(position)
        if not legal:
            break
        played.append(rng.choice(legal))
        position = position.play(played[-1])
    return played, position


@st.composite
def games(draw: Any, most_plies: int = 60) -> tuple[Position, list[Move]]:
    """A start, usual or not, and random legal moves from it."""
    start = draw(st.one_of(st.just(START), positions()))
    rng = random.Random(draw(st.integers(0, 2**32)))
    return start, random_game(start, rng, draw(st.integers(0, most_plies)))[0]
