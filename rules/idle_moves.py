"""兑 献 拦 跟: what an idle move does, where that is clear (clauses 24.4 to 24.7)."""

from collections.abc import Sequence
from enum import Enum

from rules.attacks import attackers
from rules.chase import gains
from rules.material import exchange, takers, worth
from rules.move import Move
from rules.movegen import ends_from, find_king
from rules.piece import CANNON, CHARIOT, KING
from rules.point import FILES


class IdleKind(Enum):
    """All of them are idle (24.8); a move that does several things has the first."""

    OFFER = "offer"
    """兑: a piece of one kind to be exchanged for its like (24.4)."""
    SACRIFICE = "sacrifice"
    """献: a piece that can be taken at a gain (24.5)."""
    BLOCK = "block"
    """拦: the way of an enemy piece is barred (24.6)."""
    FOLLOW = "follow"
    """跟: a protected enemy piece is attacked (24.7)."""


def idle_kind(before: Sequence[int], after: Sequence[int], move: Move) -> IdleKind | None:
    """What an idle move does; None where it is nothing of these, or not clear."""
    end = move.to_point
    if after[end] & 7 == KING:
        return None
    side = after[end] >> 3
    struck = [p for p in ends_from(after, end) if after[p] and after[p] & 7 != KING]
    threats = takers(after, end, side ^ 1)
    if any(after[p] & 7 == after[end] & 7 and p in threats for p in struck):
        return IdleKind.OFFER
    if exchange(after, end, side ^ 1) > 0:
        return IdleKind.SACRIFICE
    if _blocks(before, move, side):
        return IdleKind.BLOCK
    if any(worth(after, p) and takers(after, p, side ^ 1) for p in struck):
        return IdleKind.FOLLOW
    return None


def _blocks(before: Sequence[int], move: Move, side: int) -> bool:
    """Whether a chariot or cannon of the enemy could have passed there to take the general or win another piece."""
    if before[move.to_point]:
        return False
    king = find_king(before, side)
    attacks = [(p, king) for p in attackers(before, king, side ^ 1)] if king >= 0 else []
    attacks += [(gain.taker, gain.target) for gain in gains(before, side ^ 1)]
    attacks = [(p, target) for p, target in attacks if target != move.from_point]
    return any(before[p] & 7 in (CHARIOT, CANNON) and move.to_point in _between(p, target) for p, target in attacks)


def _between(start: int, end: int) -> range:
    """The points between two on one line."""
    step = FILES if start % FILES == end % FILES else 1
    low, high = sorted((start, end))
    return range(low + step, high, step)
