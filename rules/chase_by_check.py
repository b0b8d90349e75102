"""Chase by check: what a side could win by giving check, once or twice, and taking (clauses 24.3, 26.7)."""

from collections.abc import Sequence

from rules.chase import Gain, best_elsewhere, gains
from rules.material import step_on, worth
from rules.mating import checks_of
from rules.movegen import legal_steps
from rules.piece import CHARIOT, SOLDIER

MOST_CHECKS = 2
"""Checks in a row looked at; every one more costs some thirty times as much, and judges seldom look further."""


def gains_by_check(board: Sequence[int], side: int, most_checks: int = MOST_CHECKS) -> list[Gain]:
    """What `side` could win by giving check and taking next, whatever the answers (24.3)."""
    found: dict[int, Gain] = {}
    for step in checks_of(board, side):
        if board[step[0]] & 7 == board[step[1]] & 7:
            # Taking its like with check is the exchange that was offered, not a chase.
            continue
        for gain in _won_after_check(board, step, side, most_checks):
            found.setdefault(gain.target, gain)
    return list(found.values())


def _won_after_check(board: Sequence[int], step: tuple[int, int], side: int, checks: int) -> list[Gain]:
    """The best gain after each answer to the check; none where one answer keeps everything."""
    before = worth(board, step[1])
    given = board[step[0]] & 7
    checked = step_on(board, *step)
    won = []
    for reply in legal_steps(checked, side ^ 1):
        lost = worth(checked, reply[1])
        answered = step_on(checked, *reply)
        found = _best(gains(answered, side, at_once=True))
        if (found is None or found.net + before <= lost) and checks > 1 and not lost:
            found = _best(gains_by_check(answered, side, checks - 1))
        if found is None or found.net + before <= lost:
            return []
        # What stood elsewhere before the answer is chased where it stood.
        target = reply[0] if found.target == reply[1] else found.target
        taken = step_on(answered, found.taker, found.target)
        # 26.5: what the pieces kept before they went off may be taken in turn.
        loses = best_elsewhere(taken, found.target, side ^ 1)
        leaves_more = loses > found.net + before - lost and loses > best_elsewhere(board, found.target, side ^ 1)
        # 26.7: giving a soldier with check for a chariot is a chase; other sacrifices are for a judge.
        soldier_for_chariot = given == SOLDIER and reply[1] == step[1] and answered[found.target] & 7 == CHARIOT
        sacrifices = lost and not soldier_for_chariot
        doubt = found.doubt or ("26.5" if leaves_more else "24.3" if sacrifices else None)
        won.append(Gain(target, found.taker, found.net, doubt))
    return won


def _best(found: Sequence[Gain]) -> Gain | None:
    return max(found, key=lambda gain: (gain.net, gain.sure), default=None)
