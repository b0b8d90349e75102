"""Touch-move: what a player who touched pieces has to play (clauses 5.1 to 5.5).

A touched piece that cannot be moved, or taken, binds nobody; what is left of the touched pieces decides. A move
that leaves the own general to be taken is no way to move a piece, so check and pins enter by the legal moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.legality import legal_moves
from rules.move import Move
from rules.point import Point
from rules.position import Position
from rules.profile import RuleProfile


@dataclass(frozen=True, slots=True)
class Obligation:
    """What has to be played; free where `moves` is empty, by the clause that frees."""

    moves: tuple[Move, ...]
    clause: str

    @property
    def free(self) -> bool:
        """Whether any legal move may be played."""
        return not self.moves

    def allows(self, move: Move) -> bool:
        """Whether `move` fulfils it."""
        return self.free or move in self.moves


def obligations(position: Position, touched: Sequence[Point], profile: RuleProfile | None = None) -> Obligation:
    """What the side to move has to play after touching the pieces on `touched`, in that order.

    Pieces of both sides touched at the same time (5.5): name the enemy's first. Every edition we know has the
    same order; `profile` is taken so that one that differs can be told apart. Empty points are passed over.
    """
    pieces = [p for p in touched if position.board[p]]
    own = [p for p in pieces if position.board[p] >> 3 == position.side]
    enemy = [p for p in pieces if position.board[p] >> 3 != position.side]
    moves = legal_moves(position)
    of_own = {p: tuple(move for move in moves if move.from_point == p) for p in own}
    taking = {p: tuple(move for move in moves if move.to_point == p) for p in enemy}
    binding = [p for p in pieces if of_own.get(p) or taking.get(p)]
    mover = next((p for p in binding if p in of_own), None)
    target = next((p for p in binding if p in taking), None)
    if own and enemy:
        # Where both bind, their own order counts: a piece that binds nobody is as if it had not been touched.
        both_bind = mover is not None and target is not None
        own_came_first = (binding if both_bind else pieces)[0] in of_own
        order = _own_then_enemy if own_came_first else _enemy_then_own
        return order(mover, target, of_own, taking)
    if mover is not None:
        return Obligation(of_own[mover], "5.1")
    if target is not None:
        return Obligation(taking[target], "5.2")
    return Obligation((), "5.2" if enemy else "5.1")


_Moves = dict[Point, tuple[Move, ...]]


def _own_then_enemy(mover: Point | None, target: Point | None, of_own: _Moves, taking: _Moves) -> Obligation:
    """5.3: the first takes the second; else the first moves; else another takes the second; else free.

    Of several enemy pieces touched, the first takes the first of them that it can take.
    """
    if mover is not None:
        for touched in taking:
            both = tuple(move for move in of_own[mover] if move.to_point == touched)
            if both:
                return Obligation(both, "5.3.1")
        return Obligation(of_own[mover], "5.3.2")
    if target is not None:
        return Obligation(taking[target], "5.3.3")
    return Obligation((), "5.3.4")


def _enemy_then_own(mover: Point | None, target: Point | None, of_own: _Moves, taking: _Moves) -> Obligation:
    """5.4: the second takes the first; else another takes the first; else the second moves; else free.

    Of several own pieces touched, the first of them that can takes the first.
    """
    if target is not None:
        for touched in of_own:
            both = tuple(move for move in taking[target] if move.from_point == touched)
            if both:
                return Obligation(both, "5.4.1")
        return Obligation(taking[target], "5.4.2")
    if mover is not None:
        return Obligation(of_own[mover], "5.4.3")
    return Obligation((), "5.4.4")
