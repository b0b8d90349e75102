"""Scripts of whole games: how people play a list of moves, with their different manners."""

import numpy as np

from qiyan.simulator.script import BLITZ, NATURAL, QUICK, SLOW, Action, Pace, Play, Script
from rules.fen import START_FEN, parse_fen
from rules.iccs import parse_iccs
from rules.point import file_of, rank_of
from rules.position import Position

OPENING = [
    "h2e2",
    "h9g7",
    "h0g2",
    "i9h9",
    "i0h0",
    "b9c7",
    "c3c4",
    "g6g5",
    "h0h6",
    "h7i7",
    "h6g6",
    "i7i8",
    "b0c2",
    "d9e8",
    "b2a2",
    "i8g8",
    "g6f6",
    "g7h5",
    "a0b0",
    "a9b9",
    "f6f8",
    "g8g3",
    "g0i2",
    "b7b3",
    "c4c5",
    "c6c5",
    "f8f5",
    "g5g4",
    "f5c5",
    "c9e7",
    "c5c7",
    "h5f4",
    "e2e6",
    "f4g2",
    "c7c3",
]
"""A sharp opening with central cannon against screen horses: the demo's game."""

PACES: dict[str, Pace] = {"blitz": BLITZ, "quick": QUICK, "natural": NATURAL, "slow": SLOW}
SLIDERS_SHARE = 0.3
"""Share of the straight moves over free board that players slide."""
_CAPTURES = ("take_first", "take_first", "swap", "swap", "other_hand")


def play_script(
    moves_iccs: list[str],
    seed: int,
    pace: str = "natural",
    start_fen: str = START_FEN,
    base_s: float = 900.0,
    increment_s: float = 5.0,
) -> Script:
    """A natural game of these moves: manners of moving and capturing change from ply to ply."""
    rng = np.random.default_rng((seed, 5))
    position = parse_fen(start_fen)
    usual = PACES[pace]
    actions: list[Action] = []
    for text in moves_iccs:
        move = parse_iccs(text)
        taken = position.piece_at(move.to_point) != 0
        hurry = float(rng.uniform(0.85, 1.25))
        here = Pace(
            usual.think_s * float(rng.lognormal(0.0, 0.35)),
            usual.reach_s * hurry,
            usual.carry_s * hurry,
            usual.grip_s,
            usual.press_s * float(rng.uniform(0.8, 1.5)),
        )
        manner = "carry"
        if not taken and _way_is_free(position, move.from_point, move.to_point) and rng.random() < SLIDERS_SHARE:
            manner = "slide"
        elif not taken and rng.random() < 0.25:
            manner = "low"
        capture = str(rng.choice(_CAPTURES))
        actions.append(Play(text, here, manner=manner, capture=capture))
        position = position.play(move)
    return Script(tuple(actions), start_fen, base_s, increment_s, seed=seed)


def _way_is_free(position: Position, a: int, b: int) -> bool:
    """Whether a piece can be pushed straight from a to b without meeting another."""
    dx, dy = file_of(b) - file_of(a), rank_of(b) - rank_of(a)
    if dx and dy and not (abs(dx) == abs(dy) == 1):
        return False
    steps = max(abs(dx), abs(dy))
    step = (dx // steps) + 9 * (dy // steps)
    return all(position.piece_at(a + step * k) == 0 for k in range(1, steps + 1))
