"""将 杀 捉 闲: what a move of a repeated line is (clauses 24 and 26)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from rules.attacks import on_own_half, strikes_king
from rules.chase import Gain, gains, gains_by_check
from rules.material import worth
from rules.mating import SearchBudget, mates_by_checks
from rules.move import Move
from rules.movegen import find_king
from rules.piece import ADVISOR, CANNON, CHARIOT, ELEPHANT, HORSE, KING, SOLDIER
from rules.point import Point
from rules.position import Position

MOST_CHECKS = 4
"""A kill is looked for up to so many checks in a row; deeper ones are left to the arbiter."""
KILL_POSITIONS = 4000
"""Positions looked at for one kill at most; a spent budget leaves the label open."""


class LabelKind(Enum):
    """Heaviest first; a move that does several things counts as the heaviest (26.4)."""

    CHECK = "check"
    KILL = "kill"
    CHASE = "chase"
    IDLE = "idle"


@dataclass(frozen=True, slots=True)
class Label:
    """What a move is, and what it aims at."""

    kind: LabelKind
    targets: tuple[Point, ...] = ()
    """The pieces attacked; the general for a check or kill."""
    sure: bool = True
    """False where the text needs a judge."""


@lru_cache(maxsize=4096)
def label_move(before: Position, move: Move, previous: Move | None = None) -> Label:
    """Label a legal move.

    previous : the opponent's move before it, for soldiers that have only just crossed the river (26.7).
    """
    side = before.side
    after = before.play(move).board
    king = find_king(after, side ^ 1)
    if king >= 0 and strikes_king(after, king, side):
        return Label(LabelKind.CHECK, (Point(king),))
    own_king = find_king(before.board, side)
    in_check = own_king >= 0 and strikes_king(before.board, own_king, side ^ 1)
    if in_check and before.board[move.from_point] & 7 == KING:
        # 26.1.2: what a general's flight from check threatens counts as idle.
        return Label(LabelKind.IDLE)
    budget = SearchBudget(KILL_POSITIONS)
    if mates_by_checks(after, side, MOST_CHECKS, budget):
        return Label(LabelKind.KILL, (Point(king),))
    return _chase_or_idle(before, after, previous, in_check, not budget.spent)


def _chase_or_idle(
    before: Position, after: Sequence[int], previous: Move | None, in_check: bool, no_kill: bool
) -> Label:
    """A chase wins, next move, what could not be won before (26.3)."""
    side = before.side
    won_before = {gain.target for gain in gains(before.board, side, in_check_too=True)}
    new = [gain for gain in gains(after, side) if gain.target not in won_before]
    if not any(gain.sure for gain in new):
        won_before |= {gain.target for gain in gains_by_check(before.board, side)}
        new += [gain for gain in gains_by_check(after, side) if gain.target not in won_before]
    new = [gain for gain in new if not _just_crossed(after, gain.target, previous)]
    if not new:
        return Label(LabelKind.IDLE, sure=no_kill)
    sure = any(gain.sure and not _only_holds_the_draw(after, gain, side) for gain in new)
    targets = tuple(dict.fromkeys(Point(gain.target) for gain in new))
    return Label(LabelKind.CHASE, targets, sure and no_kill)


def _just_crossed(board: Sequence[int], target: int, previous: Move | None) -> bool:
    """26.7: a soldier that has only just crossed the river is taken without gain."""
    if previous is None or previous.to_point != target or board[target] & 7 != SOLDIER:
        return False
    return on_own_half(previous.from_point, board[target] >> 3)


def _only_holds_the_draw(board: Sequence[int], gain: Gain, side: int) -> bool:
    """26.2: a side with one attacking piece that also attacks an advisor or elephant may be holding a draw."""
    if board[gain.target] & 7 not in (ADVISOR, ELEPHANT):
        return False
    strong = (CHARIOT, HORSE, CANNON, SOLDIER)
    attacking = sum(piece >> 3 == side and piece & 7 in strong and worth(board, p) > 0 for p, piece in enumerate(board))
    return attacking == 1
