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


@dataclass(frozen=True, slots=True)
class Allowance:
    """How far times may move for a reason."""

    gain_s: float = LARGEST_GAIN_S
    """At a press, to the presser."""
    start_gain_s: float = LARGEST_GAIN_S
    """At the start, when the first increment is added only then."""


def can_follow(before: SidedReading, after: SidedReading, allowance: Allowance) -> bool:
    """Whether `after` is what a sound clock and its players can have made of `before`; a period counts as such."""
    elapsed_s = max(after.t - before.t, 0.0)
    if not before.running:
        return _after_standing(before, after, elapsed_s, allowance)
    runner = before.turn
    if runner is None or after.turn is None:
        return all(_ran(before, after, side, elapsed_s) for side in (RED, BLACK))
    if after.turn != runner:
        gain_s = -_used(before, after, runner)
        return -(elapsed_s + ROUNDING_S) <= gain_s <= allowance.gain_s and _ran(before, after, other(runner), elapsed_s)
    if _ran(before, after, runner, elapsed_s) and _stood(before, after, other(runner)):
        return True
    return period_added_s(before, after) is not None


def period_added_s(before: SidedReading, after: SidedReading) -> float | None:
    """What a new period added to both sides at once, s; None where there is no new period.

    The sign of it is a flag that is shown while the time goes on; it tells a period from an arbiter's hand."""
    runner = before.running_side
    if runner is None or not any(
        old is Flag.NONE and new is Flag.SHOWN for old, new in zip(before.flags, after.flags, strict=True)
    ):
        return None
    idle_gain_s, runner_gain_s = -_used(before, after, other(runner)), -_used(before, after, runner)
    slack_s = max(after.t - before.t, 0.0) + ROUNDING_S
    if idle_gain_s > 0 and -slack_s <= runner_gain_s - idle_gain_s <= ROUNDING_S:
        return idle_gain_s
    return None


def _after_standing(before: SidedReading, after: SidedReading, elapsed_s: float, allowance: Allowance) -> bool:
    if not after.running:
        return all(_stood(before, after, side) for side in (RED, BLACK))
    gains_s = [-_used(before, after, side) for side in (RED, BLACK)]
    return all(-(elapsed_s + ROUNDING_S) <= gain <= 0 or 0 <= gain <= allowance.start_gain_s for gain in gains_s)


def _used(before: SidedReading, after: SidedReading, side: int) -> float:
    """By how much the time of `side` fell, s; 0 where it is not told."""
    old, new = before.times_s[side], after.times_s[side]
    return 0.0 if old is None or new is None else old - new


def _ran(before: SidedReading, after: SidedReading, side: int, elapsed_s: float) -> bool:
    return 0 <= _used(before, after, side) <= elapsed_s + ROUNDING_S


def _stood(before: SidedReading, after: SidedReading, side: int) -> bool:
    return abs(_used(before, after, side)) < after.step_s
