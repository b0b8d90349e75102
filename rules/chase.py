"""Chase: which pieces a side, were it to move, could win by taking (clauses 24.3, 24.15, 26.1, 26.5, 26.8 to 26.11)."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.attacks import attackers, strikes_king
from rules.material import exchange, step_on, takers, worth
from rules.mating import mates_at_once
from rules.movegen import ends_from, find_king, leaves_king_safe
from rules.piece import CANNON, CHARIOT, HORSE, KING, SOLDIER
from rules.point import POINTS


@dataclass(frozen=True, slots=True)
class Gain:
    """A piece that could be won."""

    target: int
    taker: int
    net: int
    """By the exchange on that point."""
    doubt: str | None = None
    """The clause that leaves it to a judge; None where it is plain."""

    @property
    def sure(self) -> bool:
        """Whether it is plain."""
        return self.doubt is None


def gains(board: Sequence[int], side: int, in_check_too: bool = False, at_once: bool = False) -> list[Gain]:
    """What `side` could win by taking at once; generals and soldiers may take for themselves (26.1), so are left out.

    in_check_too : count what could be won but for the check that `side` stands in.
    at_once : it is the turn of `side`, so that what it takes has no time to take first; nothing is an offer.
    """
    king = find_king(board, side)
    checked = in_check_too and king >= 0 and strikes_king(board, king, side ^ 1)
    work = list(board)
    found = []
    for start in range(POINTS):
        piece = board[start]
        if not piece or piece >> 3 != side or piece & 7 == KING:
            continue
        for end in ends_from(board, start):
            if not worth(board, end) or board[end] & 7 == KING:
                continue
            if king >= 0 and not checked and not leaves_king_safe(work, (start, end), king, side):
                continue
            gain = _by_soldier(board, start, end) if piece & 7 == SOLDIER else _gain(board, start, end, at_once)
            if gain is not None:
                found.append(gain)
    return found


def _gain(board: Sequence[int], start: int, end: int, at_once: bool) -> Gain | None:
    side = board[start] >> 3
    taken = step_on(board, start, end)
    net = worth(board, end) - exchange(taken, end, side ^ 1)
    in_kind = board[start] & 7 == board[end] & 7 and not at_once
    can_answer_in_kind = in_kind and end in takers(board, start, side ^ 1)
    if can_answer_in_kind and not _loses_by_exchanging(board, start, end):
        # An offer (24.4, 26.10), idle by 24.8.
        return None
    if mates_at_once(taken, side ^ 1) or (net <= 0 and not can_answer_in_kind):
        return None
    return Gain(end, start, net, _doubt(board, start, end, net))


def _doubt(board: Sequence[int], start: int, end: int, net: int) -> str | None:
    """The clause that makes it a judge's whether taking on `end` wins the piece."""
    side = board[start] >> 3
    taken = step_on(board, start, end)
    # 26.5: what the taker kept may be taken in turn. What hung before hangs whether it takes or not.
    loses = best_elsewhere(taken, end, side ^ 1)
    if loses > worth(board, end) and loses > best_elsewhere(board, end, side ^ 1):
        return "26.5"
    if _touched_in_kind_too(board, start, end):
        return "26.11"
    if net <= 0:
        return "26.10"
    plain = worth(board, end) > worth(board, start) or not takers(taken, end, side ^ 1)
    return None if plain else "24.15"


def _by_soldier(board: Sequence[int], start: int, end: int) -> Gain | None:
    """26.8: a soldier's taking counts where it opens another piece's check; how far, is for a judge."""
    side = board[start] >> 3
    taken = step_on(board, start, end)
    king = find_king(taken, side ^ 1)
    if king < 0 or not any(p != end for p in attackers(taken, king, side)):
        return None
    return Gain(end, start, worth(board, end), "26.8")


def _loses_by_exchanging(board: Sequence[int], start: int, end: int) -> bool:
    """26.10: whether the side offered an exchange is mated, or loses more than it got, if it takes."""
    side = board[start] >> 3
    accepted = step_on(board, end, start)
    if mates_at_once(accepted, side):
        return True
    return best_elsewhere(accepted, start, side) > best_elsewhere(board, end, side) + worth(board, start)


def best_elsewhere(board: Sequence[int], beside: int, side: int) -> int:
    """The most that `side` could win by one exchange on any point but `beside`; generals and soldiers take too."""
    king = find_king(board, side)
    work = list(board)
    best = 0
    for start in range(POINTS):
        if not board[start] or board[start] >> 3 != side:
            continue
        for end in ends_from(board, start):
            # Taking something of little worth cannot raise the best.
            if end == beside or worth(board, end) <= best or board[end] & 7 == KING:
                continue
            if king >= 0 and not leaves_king_safe(work, (start, end), king if start != king else start, side):
                continue
            best = max(best, worth(board, end) - exchange(step_on(board, start, end), end, side ^ 1))
    return best


def _touched_in_kind_too(board: Sequence[int], start: int, end: int) -> bool:
    """26.11: a chariot attacks a horse (cannon) that another horse (cannon) offers to exchange: offer or chase."""
    kind = board[end] & 7
    if board[start] & 7 != CHARIOT or kind not in (HORSE, CANNON):
        return False
    side = board[start] >> 3
    in_touch = [p for p in attackers(board, end, side) if board[p] & 7 == kind]
    return any(end in takers(board, p, side ^ 1) for p in in_touch)
