"""Self-made kill (自毙): a kill that the opponent's own check brought about (clauses 24.18, 26.3)."""

from rules.material import step_on
from rules.mating import SearchBudget, mates_by_checks
from rules.move import Move
from rules.piece import ELEPHANT, KING
from rules.position import Position

MOST_CHECKS = 2
"""Deeper kills are hardly ever left by an answer to a check; they stay the answering side's own."""
POSITIONS = 800
"""Positions looked at for each of the two questions."""


def may_be_self_made(before: Position, answer: Move, check: Move | None) -> bool:
    """Whether the kill that `answer` leaves may be the checking side's own doing.

    before : the position in check; check : the move that gave it, None where it is not known.

    It may, where there was no kill before the check, and the answering piece has no part in it but standing there:
    an elephant, which cannot strike from there, would do as well.
    """
    piece = before.board[answer.from_point]
    if check is None or piece & 7 == KING:
        return False
    before_check = step_on(before.board, check.to_point, check.from_point)
    if mates_by_checks(before_check, before.side, MOST_CHECKS, SearchBudget(POSITIONS)):
        return False
    standing = list(before.board)
    standing[answer.from_point] = 0
    standing[answer.to_point] = before.side << 3 | ELEPHANT
    return mates_by_checks(standing, before.side, MOST_CHECKS, SearchBudget(POSITIONS))
