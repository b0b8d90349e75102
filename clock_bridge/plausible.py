"""Whether one reading of a clock can follow another: the guard against what a bad line makes of a time."""

from dataclasses import dataclass

from clock_bridge.reading import Flag, SidedReading
from rules.piece import BLACK, RED, other

ROUNDING_S = 1.5
"""Two readings may differ by a second of rounding and by the half second between the clock's display and the board's
polling of it, beyond the time that passed; more lets more bit errors through, less holds back sound readings."""
LARGEST_GAIN_S = 60.0
"""Greatest gain at a press that is believed at once where the control is not known (30 s is the longest increment of
clause 6, a byo-yomi period up to a minute); more than this waits for the next reading to bear it out."""


_WHOLE_S = 60.0
"""Periods are whole minutes."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """How far times may move for a reason."""

    gain_s: float = LARGEST_GAIN_S
    """At a press, to the presser."""
    start_gain_s: float = LARGEST_GAIN_S
    """At the start, where the first increment is added only then."""
    increment_s: float = 0.0
    """The increment, where it is known or learned: tells two presses between two readings from a fault."""
    usual_s: float | None = None
    """What a press gives by all that is known or was seen so far, be it once; None where nothing was."""
    byo_yomi_s: float = 0.0
    """What the display goes to when the base time is used up and byo-yomi begins: the sum of the periods."""


def can_follow(before: SidedReading, after: SidedReading, allowance: Allowance) -> bool:
    """Whether `after` is what a sound clock and its players can have made of `before`; a period counts as such."""
    if any(flag is Flag.FALLEN and _left(after, side) >= after.step_s for side, flag in enumerate(after.flags)):
        return False
    elapsed_s = max(after.t - before.t, 0.0)
    if not before.running:
        return _after_standing(before, after, elapsed_s, allowance)
    runner = before.turn
    if runner is None or after.turn is None:
        return all(_ran(before, after, side, elapsed_s) for side in (RED, BLACK))
    if after.turn != runner:
        if period_added_s(before, after) is not None:
            return True
        gain_s = -used_s(before, after, runner)
        # A clock that is blocked at zero gives nothing more.
        given_s = 0.0 if after.flags[runner] is Flag.FALLEN else allowance.increment_s
        least_s = given_s - elapsed_s - ROUNDING_S
        return least_s <= gain_s <= allowance.gain_s and _ran(before, after, other(runner), elapsed_s)
    if _ran(before, after, runner, elapsed_s) and _stood(before, after, other(runner)):
        return True
    return (
        period_added_s(before, after) is not None
        or byo_yomi_began(before, after, allowance)
        or pressed_twice(before, after, allowance)
    )


def is_expected(before: SidedReading, after: SidedReading, allowance: Allowance) -> bool:
    """Whether `after` is what was to be expected, to the second: then it is hardly a wrong one that slipped in."""
    elapsed_s = max(after.t - before.t, 0.0)
    used = [used_s(before, after, side) for side in (RED, BLACK)]
    runner = before.running_side
    if runner is None:
        # A clock that starts may have gone on a second until it is looked at.
        return used == [0, 0] or (after.running and min(used) == 0 and 0 < max(used) <= elapsed_s + 1)
    if after.turn == runner:
        return abs(used[runner] - elapsed_s) <= 1 and _stood(before, after, other(runner))
    if allowance.usual_s is None:
        return False
    thought_s, answered_s = used[runner] + allowance.usual_s, used[other(runner)]
    return min(thought_s, answered_s) >= 0 and thought_s + answered_s <= elapsed_s + 1


def largest_gain_s(before: SidedReading, after: SidedReading) -> float:
    """The most that either side has won, s."""
    return max(-used_s(before, after, side) for side in (RED, BLACK))


def period_added_s(before: SidedReading, after: SidedReading) -> float | None:
    """What a new period added to both sides at once, s; None where there is no new period.

    The sign of it is a flag that is shown while the time goes on; it tells a period from an arbiter's hand."""
    runner = before.running_side
    if (
        runner is None
        or after.turn is None
        or not any(old is Flag.NONE and new is Flag.SHOWN for old, new in zip(before.flags, after.flags, strict=True))
    ):
        return None
    idle_gain_s, runner_gain_s = -used_s(before, after, other(runner)), -used_s(before, after, runner)
    slack_s = max(after.t - before.t, 0.0) + ROUNDING_S
    if after.turn != runner:
        # Pressed in the same look: the one got an increment, perhaps, and the other's time began to run.
        added_s = round((idle_gain_s + slack_s) // _WHOLE_S) * _WHOLE_S
        pressed = -slack_s <= runner_gain_s - added_s <= LARGEST_GAIN_S and 0 <= added_s - idle_gain_s <= slack_s
        return added_s if added_s > 0 and pressed else None
    if idle_gain_s > 0 and -slack_s <= runner_gain_s - idle_gain_s <= ROUNDING_S:
        return idle_gain_s
    return None


def byo_yomi_began(before: SidedReading, after: SidedReading, allowance: Allowance) -> bool:
    """The running side used up its base time, and its byo-yomi periods stand on the display instead."""
    runner = before.running_side
    if runner is None or after.running_side != runner or allowance.byo_yomi_s <= 0:
        return False
    slack_s = max(after.t - before.t, 0.0) + ROUNDING_S
    begun_ago_s = allowance.byo_yomi_s - _left(after, runner)
    return _left(before, runner) <= slack_s and 0 <= begun_ago_s <= slack_s and _stood(before, after, other(runner))


def pressed_twice(before: SidedReading, after: SidedReading, allowance: Allowance) -> bool:
    """Both players pressed between two readings: the lever lies as before, and both times rose by the increment."""
    increment_s = allowance.increment_s
    if increment_s <= 0 or not (before.running and after.running) or before.turn != after.turn:
        return False
    least_s = max(increment_s - max(after.t - before.t, 0.0) - ROUNDING_S, 0.0)
    gains_s = [-used_s(before, after, side) for side in (RED, BLACK)]
    return all(least_s <= gain_s <= increment_s and gain_s > 0 for gain_s in gains_s)


def gains_of_presses(before: SidedReading, after: SidedReading) -> bool:
    """Whether presses alone, of whatever increment, can have brought the times of a running clock to these.

    One press: either side may have won (some clocks add the increment when a turn begins), none lost more than passed.
    Two: the lever lies as before, and both sides won, or lost, much the same."""
    slack_s = max(after.t - before.t, 0.0) + ROUNDING_S
    gains_s = [-used_s(before, after, side) for side in (RED, BLACK)]
    if min(gains_s) < -slack_s or max(gains_s) > LARGEST_GAIN_S:
        return False
    if before.turn != after.turn:
        return True
    return 0 not in gains_s and max(gains_s) - min(gains_s) <= slack_s and max(gains_s) > -slack_s


def unexplained_s(before: SidedReading, after: SidedReading, side: int) -> float:
    """By how much the time of `side` is not what it would be had the clock just gone on, s; 0 within its rounding."""
    gain_s = -used_s(before, after, side)
    if before.running_side != side:
        return gain_s
    elapsed_s = max(after.t - before.t, 0.0)
    if -(elapsed_s + ROUNDING_S) <= gain_s <= ROUNDING_S:
        return 0.0
    return gain_s + round(elapsed_s)


def runner_fell(before: SidedReading, after: SidedReading) -> bool:
    """Whether the side whose time runs by the lever is the one whose time went down."""
    runner = before.running_side
    return runner is not None and after.running_side == runner and used_s(before, after, runner) > 0


def _after_standing(before: SidedReading, after: SidedReading, elapsed_s: float, allowance: Allowance) -> bool:
    if not after.running:
        return all(_stood(before, after, side) for side in (RED, BLACK))
    gains_s = [-used_s(before, after, side) for side in (RED, BLACK)]
    return all(-(elapsed_s + ROUNDING_S) <= gain_s <= allowance.start_gain_s for gain_s in gains_s)


def used_s(before: SidedReading, after: SidedReading, side: int) -> float:
    """By how much the time of `side` fell, s; 0 where it is not told."""
    old, new = before.times_s[side], after.times_s[side]
    return 0.0 if old is None or new is None else old - new


def _left(reading: SidedReading, side: int) -> float:
    return reading.times_s[side] or 0.0


def _ran(before: SidedReading, after: SidedReading, side: int, elapsed_s: float) -> bool:
    return 0 <= used_s(before, after, side) <= elapsed_s + ROUNDING_S


def _stood(before: SidedReading, after: SidedReading, side: int) -> bool:
    return abs(used_s(before, after, side)) < after.step_s
