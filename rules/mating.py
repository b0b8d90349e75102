"""Mate by checks: whether a side can mate by a check or by checks without end (clause 24.2)."""

from collections.abc import Sequence

from rules.attacks import strikes_king
from rules.material import step_on
from rules.movegen import find_king, legal_steps


class SearchBudget:
    """How many positions a search may still look at; a spent one leaves the answer open."""

    def __init__(self, positions: int) -> None:
        self.left = positions

    @property
    def spent(self) -> bool:
        """Whether the search had to stop."""
        return self.left <= 0


def checks_of(board: Sequence[int], side: int) -> list[tuple[int, int]]:
    """The legal moves of `side` that give check."""
    king = find_king(board, side ^ 1)
    if king < 0:
        return []
    return [step for step in legal_steps(board, side) if strikes_king(step_on(board, *step), king, side)]


def mates_at_once(board: Sequence[int], side: int) -> bool:
    """Whether `side`, to move, has a check that cannot be answered."""
    return any(not legal_steps(step_on(board, *step), side ^ 1) for step in checks_of(board, side))


def mates_by_checks(board: Sequence[int], side: int, most_checks: int, budget: SearchBudget) -> bool:
    """Whether `side`, to move, can mate within `most_checks` of its moves, every one a check."""
    return any(_mates(board, side, checks, budget) for checks in range(1, most_checks + 1))


def _mates(board: Sequence[int], side: int, checks: int, budget: SearchBudget) -> bool:
    for step in checks_of(board, side):
        budget.left -= 1
        if budget.spent:
            return False
        checked = step_on(board, *step)
        replies = legal_steps(checked, side ^ 1)
        if not replies:
            return True
        if checks > 1 and all(_mates(step_on(checked, *reply), side, checks - 1, budget) for reply in replies):
            return True
    return False
