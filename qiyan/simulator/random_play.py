"""Legal play by chance, for scripts: quiet developing moves with a taste for captures."""

import numpy as np

from rules.fen import START_FEN, parse_fen
from rules.iccs import format_iccs, parse_iccs
from rules.legality import legal_moves
from rules.move import Move
from rules.piece import SOLDIER, kind_of
from rules.position import Position

CAPTURE_WEIGHT = 3.0
"""A capture is this many times as likely as a quiet move."""
SOLDIER_WEIGHT = 0.5
OTHER_WAY_WEIGHT = 0.15
"""A piece seldom goes straight back to where it came from."""


def random_moves(seed: int, plies: int, start_fen: str = START_FEN) -> list[str]:
    """Legal moves in ICCS; fewer where the game is over before."""
    rng = np.random.default_rng((seed, 23))
    position = parse_fen(start_fen)
    last: list[Move] = []
    moves = []
    for _ in range(plies):
        move = choose_move(position, rng, last[-2] if len(last) > 1 else None)
        if move is None:
            break
        moves.append(format_iccs(move))
        last.append(move)
        position = position.play(move)
    return moves


def choose_move(
    position: Position, rng: np.random.Generator, before: Move | None = None, but: tuple[int, ...] = ()
) -> Move | None:
    """A legal move after which the game goes on, not from one of the points `but`; None where there is none."""
    moves = [m for m in legal_moves(position) if m.from_point not in but]
    if not moves:
        return None
    weights = np.array([_weight(position, m, before) for m in moves])
    order = rng.choice(len(moves), size=len(moves), replace=False, p=weights / weights.sum())
    return next((moves[i] for i in order if legal_moves(position.play(moves[i]))), None)


def position_after(moves_iccs: list[str], start_fen: str = START_FEN) -> Position:
    """The position after these moves."""
    position = parse_fen(start_fen)
    for text in moves_iccs:
        position = position.play(parse_iccs(text))
    return position


def _weight(position: Position, move: Move, before: Move | None) -> float:
    weight = 1.0
    if position.piece_at(move.to_point):
        weight *= CAPTURE_WEIGHT
    if kind_of(position.piece_at(move.from_point)) == SOLDIER:
        weight *= SOLDIER_WEIGHT
    if before is not None and (before.to_point, before.from_point) == (move.from_point, move.to_point):
        weight *= OTHER_WAY_WEIGHT
    return weight
