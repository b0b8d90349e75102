"""Chase: which pieces a side, were it to move, could win (clauses 24.3, 24.4, 24.15, 24.16, 26.1, 26.7)."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.attacks import strikes_king
from rules.material import exchange, step_on, takers, worth
from rules.mating import checks_of, mates_at_once
from rules.movegen import ends_from, find_king, leaves_king_safe, legal_steps
from rules.piece import KING, SOLDIER
from rules.point import POINTS


@dataclass(frozen=True, slots=True)
class Gain:
    """A piece that could be won."""

    target: int
    taker: int
    net: int
    """By the exchange on that point."""
    sure: bool
    """False where it hangs on a longer exchange, which the texts leave to a judge."""


def gains(board: Sequence[int], side: int, in_check_too: bool = False) -> list[Gain]:
    """What `side` could win by taking at once; generals and soldiers may always take (26.1) and are left out.

    in_check_too : count what could be won but for the check that `side` stands in.
    """
    king = find_king(board, side)
    checked = in_check_too and king >= 0 and strikes_king(board, king, side ^ 1)
    work = list(board)
    found = []
    for start in range(POINTS):
        piece = board[start]
        if not piece or piece >> 3 != side or piece & 7 in (KING, SOLDIER):
            continue
        for end in ends_from(board, start):
            if not worth(board, end) or board[end] & 7 == KING:
                continue
            if king >= 0 and not checked and not leaves_king_safe(work, (start, end), king, side):
                continue
            gain = _gain(board, start, end, side)
            if gain is not None:
                found.append(gain)
    return found


def _gain(board: Sequence[int], start: int, end: int, side: int) -> Gain | None:
    taken = step_on(board, start, end)
    net = worth(board, end) - exchange(taken, end, side ^ 1)
    if net <= 0 or _offers_exchange(board, start, end, side) or mates_at_once(taken, side ^ 1):
        return None
    sure = worth(board, end) > worth(board, start) or not takers(taken, end, side ^ 1)
    return Gain(end, start, net, sure)


def _offers_exchange(board: Sequence[int], start: int, end: int, side: int) -> bool:
    """Pieces of one kind that can take each other: an offer (24.4), idle by 24.8."""
    return board[start] & 7 == board[end] & 7 and end in takers(board, start, side ^ 1)


def gains_by_check(board: Sequence[int], side: int) -> list[Gain]:
    """What `side` could win by giving check and taking next, whatever the answer (24.3)."""
    found: dict[int, Gain] = {}
    for step in checks_of(board, side):
        won = _won_after_check(board, step, side)
        for gain in won:
            found.setdefault(gain.target, gain)
    return list(found.values())


def _won_after_check(board: Sequence[int], step: tuple[int, int], side: int) -> list[Gain]:
    """The best gain after each answer to the check; none where one answer keeps everything."""
    before = worth(board, step[1])
    checked = step_on(board, *step)
    won = []
    for reply in legal_steps(checked, side ^ 1):
        lost = worth(checked, reply[1])
        answered = step_on(checked, *reply)
        best = max(gains(answered, side), key=lambda gain: gain.net, default=None)
        if best is None or best.net + before <= lost:
            return []
        # What stood elsewhere before the answer is chased where it stood.
        target = reply[0] if best.target == reply[1] else best.target
        won.append(Gain(target, best.taker, best.net, best.sure and not lost))
    return won
