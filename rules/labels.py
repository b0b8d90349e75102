"""将 杀 捉 闲: what a move of a repeated line is (clauses 24 and 26)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from rules.attacks import on_own_half, strikes_king
from rules.chase import Gain, gains
from rules.chase_by_check import gains_by_check
from rules.idle_moves import IdleKind, idle_kind
from rules.mating import SearchBudget, mates_by_checks
from rules.move import Move
from rules.movegen import find_king
from rules.piece import ADVISOR, CANNON, CHARIOT, ELEPHANT, HORSE, KING, SOLDIER
from rules.point import POINTS, Point
from rules.position import Position
from rules.self_made_kill import may_be_self_made

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
    doubt: str | None = None
    """The clause by which a judge has to say whether it is that; None where it is plain."""
    idle_as: IdleKind | None = None
    """What an idle move does besides, where that is clear."""
    joint: bool | None = None
    """Of a chase: whether two pieces or more are needed for it (24.17); None where some targets need them, some not."""

    @property
    def sure(self) -> bool:
        """Whether it is plain."""
        return self.doubt is None


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
        self_made = in_check and may_be_self_made(before, move, previous)
        return Label(LabelKind.KILL, (Point(king),), "24.18" if self_made else None)
    label = _chase_or_idle(before, after, previous)
    if budget.spent:
        label = replace(label, doubt="24.2")
    if label.kind is not LabelKind.IDLE:
        return label
    return replace(label, idle_as=idle_kind(before.board, after, move))


def _chase_or_idle(before: Position, after: Sequence[int], previous: Move | None) -> Label:
    """A chase wins, next move, what could not be won before (26.3)."""
    side = before.side
    stood = gains(before.board, side, in_check_too=True)
    new = _new(gains(after, side), stood)
    if not any(gain.sure for gain in new):
        new += _new(gains_by_check(after, side), [*stood, *gains_by_check(before.board, side)])
    new = [gain for gain in new if not _just_crossed(after, gain.target, previous)]
    if not new:
        return Label(LabelKind.IDLE)
    doubts = [gain.doubt or ("26.2" if _only_holds_the_draw(after, gain, side) else None) for gain in new]
    targets = tuple(dict.fromkeys(Point(gain.target) for gain in new))
    return Label(LabelKind.CHASE, targets, None if None in doubts else doubts[0], joint=_joint(after, new, side))


def _new(after: Sequence[Gain], before: Sequence[Gain]) -> list[Gain]:
    """The gains that were not there before: not at all, or only for a judge to say, where now they are plain."""
    surely = {gain.target for gain in before if gain.sure}
    perhaps = {gain.target for gain in before}
    return [gain for gain in after if gain.target not in (surely if gain.sure else perhaps)]


def _joint(board: Sequence[int], new: Sequence[Gain], side: int) -> bool | None:
    """Whether every piece chased needs two chasers or more, or none does."""
    needs = {target: _needs_a_second(board, target, side) for target in {gain.target for gain in new}}
    return needs.popitem()[1] if len(set(needs.values())) == 1 else None


def _needs_a_second(board: Sequence[int], target: int, side: int) -> bool:
    """24.17: one piece more away, and nobody can win the target; not said of its only taker itself."""
    winning = {gain.taker for gain in gains(board, side) if gain.target == target}
    if len(winning) != 1:
        # Won after a check, or by either of two.
        return not winning
    for helper in range(POINTS):
        piece = board[helper]
        if piece and piece >> 3 == side and piece & 7 != KING and helper not in winning:
            without = list(board)
            without[helper] = 0
            if not any(gain.target == target for gain in gains(without, side)):
                return True
    return False


def _just_crossed(board: Sequence[int], target: int, previous: Move | None) -> bool:
    """26.7: a soldier that has only just crossed the river is taken without gain."""
    if previous is None or previous.to_point != target or board[target] & 7 != SOLDIER:
        return False
    return on_own_half(previous.from_point, board[target] >> 3)


def _only_holds_the_draw(board: Sequence[int], gain: Gain, side: int) -> bool:
    """26.2: a side with one attacking piece that also attacks an advisor or elephant may be holding a draw.

    Where the other side has nothing to attack with, there is no draw to be held, and a chase is one.
    """
    if board[gain.target] & 7 not in (ADVISOR, ELEPHANT):
        return False
    return _attacking(board, side) == 1 and _attacking(board, side ^ 1) > 0


def _attacking(board: Sequence[int], side: int) -> int:
    """How many pieces of a side can attack across the river."""
    strong = (CHARIOT, HORSE, CANNON, SOLDIER)
    return sum(bool(piece) and piece >> 3 == side and piece & 7 in strong for piece in board)
