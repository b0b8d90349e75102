"""Which readings of a clock are taken at their word.

A reading that can follow the last one is believed. Any other is held back until the next ones bear it out: a bit error
costs one reading, and what somebody really did to the clock is told a reading or two later with its own time.
Believed is not yet sure: what could be believed but was not to be expected is sure once the next reading follows it.
"""

from dataclasses import dataclass, replace
from enum import Enum, auto

from clock_bridge.plausible import (
    ROUNDING_S,
    Allowance,
    can_follow,
    gains_of_presses,
    is_expected,
    largest_gain_s,
    runner_fell,
    used_s,
)
from clock_bridge.reading import Flag, SidedReading
from rules.piece import other

SILENCE_CONFIRMS_S = 2.0
"""A clock that speaks only on change never repeats itself in a pause: what stood uncontradicted for so long, twice
the longest gap between the messages of a clock that runs, is true."""
_ENOUGH, _ENOUGH_AGAINST_ALL = 2, 3
"""Readings in a row that bear each other out before they count against what was believed. The second: where a running
clock would have been set, which nobody does; the same bit is hit in two messages running once in 300 000 at 1 % of
bytes damaged, in three once in a thousand million."""


class Verdict(Enum):
    """What became of a reading."""

    FIRST = auto()
    """Nothing to compare it with."""
    STEP = auto()
    """It follows the last one."""
    JUMP = auto()
    """Nothing in the play explains it, and it was borne out: somebody set the clock."""
    DOUBTED = auto()
    """Held back."""
    WAITING = auto()
    """It bears out one that is held back, and both wait for more."""
    CORRECTED = auto()
    """It follows the reading before the last one: the last one was wrong, though it could be believed."""
    INVERTED = auto()
    """The lever was found to say the opposite of what the times say: from here on it is read the other way."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A reading and what became of it."""

    verdict: Verdict
    before: SidedReading | None
    """The reading believed before it."""
    reading: SidedReading


class Belief:
    """Fed with every reading; keeps the last one believed and those held back."""

    def __init__(self) -> None:
        self.last: SidedReading | None = None
        self._previous: SidedReading | None = None
        self._held: list[SidedReading] = []
        """Readings in a row that bear each other out, and not the last one believed."""
        self._held_follows = False
        self._held_explained = False
        self._held_corrects = False
        self._held_enough = _ENOUGH
        self._proven = False
        self.ever_proven = False
        """Whether any reading was ever borne out by a second one, or by silence."""
        self._expected = False
        self._inverted = False
        self._meaning: tuple[object, ...] | None = None

    @property
    def heard_t(self) -> float:
        """When anything that looks like a reading came last, s."""
        return max((each.t for each in (self.last, *self._held) if each is not None), default=0.0)

    @property
    def sure(self) -> bool:
        """Whether the times last believed were to be expected or borne out, and nothing speaks against them."""
        return self._expected and (not self._held or self._held_follows)

    def consider(self, reading: SidedReading, allowance: Allowance) -> list[Judged]:
        """What becomes of the reading, and of those held back."""
        if self._inverted:
            reading = _turned(reading)
        out = self.pass_time(reading.t)
        before, held = self.last, self._held[-1] if self._held else None
        if before is None:
            return [self._believe(Verdict.FIRST, reading)]
        follows = self._fits(before, reading, allowance)
        if held is not None and _stood_since(before, held, reading, allowance):
            self._held.append(reading)
            return [*out, *self._take_held()]
        expected = follows and is_expected(before, reading, allowance)
        rivals = self._held_follows or not follows or (len(self._held) >= _ENOUGH and not expected)
        if held is not None and rivals and _bears_out(held, reading, allowance):
            self._held.append(reading)
            if len(self._held) >= self._held_enough:
                return [*out, *self._take_held()]
            return [*out, Judged(Verdict.WAITING, before, reading)]
        if follows and (_ran_meanwhile(before, reading) or not _rests_on_one_bit(before, reading)):
            self._held = []
            return [*out, self._believe(Verdict.STEP, reading, expected and not reading.spoiled)]
        if held is not None and (inverted := self._invert(before, held, reading, allowance)):
            return out + inverted
        if not follows and self._last_is_doubtful(before, reading, allowance):
            self._held = []
            return [*out, self._believe(Verdict.CORRECTED, reading)]
        self._hold(before, reading, follows, allowance)
        return [*out, Judged(Verdict.DOUBTED, before, reading)]

    def pass_time(self, now_s: float) -> list[Judged]:
        """The reading held back, where silence bears it out."""
        if self.last is not None and not self._held and now_s - self.last.t > SILENCE_CONFIRMS_S:
            self._proven = self.ever_proven = True
            # Of a clock that runs, silence says that messages are lost.
            self._expected = self._expected or not self.last.running
        if not self._held or now_s - self._held[-1].t <= SILENCE_CONFIRMS_S:
            return []
        # A clock is set while it stands; of one that ran, silence makes nothing likelier than a fault of the line.
        stood = self.last is not None and not self.last.running and not self._held[-1].running
        if not (self._held_follows or stood or len(self._held) >= _ENOUGH):
            return []
        return self._take_held()

    def restart(self) -> None:
        """The line was cut: the next reading is a first one."""
        self.last = self._previous = None
        self._held = []
        self._proven = False

    def _hold(self, before: SidedReading, reading: SidedReading, follows: bool, allowance: Allowance) -> None:
        self._held, self._held_follows = [reading], follows
        self._held_explained = can_follow(before, reading, allowance)
        self._held_corrects = self._previous is not None and self._fits(self._previous, reading, allowance)
        unseen = reading.t - before.t > SILENCE_CONFIRMS_S
        # Against a first reading, which nothing bore out, the second to agree with another decides.
        borne_out = self._proven and self._previous is not None
        unlikely = borne_out and before.running and before.turn == reading.turn and not unseen
        explained = self._held_explained or self._held_corrects or gains_of_presses(before, reading)
        self._held_enough = _ENOUGH_AGAINST_ALL if reading.spoiled or (unlikely and not explained) else _ENOUGH

    def _take_held(self) -> list[Judged]:
        first, *later = self._held
        self._held = []
        self._meaning = _meaning(first)
        if self._held_explained:
            verdict = Verdict.STEP
        elif self._held_corrects:
            verdict = Verdict.CORRECTED
        else:
            # Two readings disagreed and a third decides: before anything was proven, the first was the wrong one.
            verdict = Verdict.JUMP if self._proven else Verdict.FIRST
        return [self._believe(verdict, first), *(self._believe(Verdict.STEP, each) for each in later)]

    def _believe(self, verdict: Verdict, reading: SidedReading, expected: bool = True) -> Judged:
        before, self.last = self.last, reading
        if verdict is not Verdict.CORRECTED:
            self._previous = before if verdict is Verdict.STEP else None
        self._proven = verdict is not Verdict.FIRST or not reading.fragile
        self.ever_proven = self.ever_proven or self._proven
        self._expected = expected
        if self._meaning is None or verdict is Verdict.FIRST:
            self._meaning = _meaning(reading)
        return Judged(verdict, before, reading)

    def _last_is_doubtful(self, last: SidedReading, reading: SidedReading, allowance: Allowance) -> bool:
        """Whether the last reading, though it could be believed, is surely the wrong one of the two."""
        previous = self._previous
        if previous is None or reading.spoiled or not self._fits(previous, reading, allowance):
            return False
        if self._expected or _rests_on_one_bit(previous, reading):
            return False
        # While the increment is not known yet, the smaller gain is the likelier.
        smaller = largest_gain_s(previous, reading) < largest_gain_s(previous, last)
        return smaller or is_expected(previous, reading, allowance)

    def _fits(self, before: SidedReading, reading: SidedReading, allowance: Allowance) -> bool:
        """Whether it can follow; sources disagree on what the turn bits mean, but one clock keeps to one meaning."""
        same_meaning = self._meaning is None or _meaning(reading) == self._meaning
        return same_meaning and can_follow(before, reading, allowance)

    def _invert(
        self, before: SidedReading, held: SidedReading, reading: SidedReading, allowance: Allowance
    ) -> list[Judged]:
        """Two steps in a row that make sense only when the lever is read the other way."""
        if not before.turn == held.turn == reading.turn:
            return []
        first, second, third = _turned(before), _turned(held), _turned(reading)
        if not (_ran_on(first, second, allowance) and _ran_on(second, third, allowance)):
            return []
        self._inverted = not self._inverted
        self._held, self.last = [], first
        return [
            Judged(Verdict.INVERTED, before, first),
            self._believe(Verdict.STEP, second),
            self._believe(Verdict.STEP, third),
        ]


def _rests_on_one_bit(before: SidedReading, after: SidedReading) -> bool:
    """Whether a bit or two gone wrong would have made this start or stop out of a reading in which nothing happened.

    A start with the lever moved is no such thing, for the turn bits move with it; a press and a stop between two looks
    is so rare that it may wait too."""
    if not after.fragile or before.running == after.running or Flag.FALLEN in after.flags:
        return False
    return before.running or before.turn == after.turn


def _bears_out(held: SidedReading, reading: SidedReading, allowance: Allowance) -> bool:
    return can_follow(held, reading, allowance) and not _rests_on_one_bit(held, reading)


def _ran_meanwhile(before: SidedReading, after: SidedReading) -> bool:
    """Whether a clock that stood shows by its time, too, that it runs."""
    return not before.running and after.running and before.times_s != after.times_s


def _stood_since(before: SidedReading, held: SidedReading, reading: SidedReading, allowance: Allowance) -> bool:
    """Whether a clock that said once that it stands, and now runs, did stand: it lost less time than passed."""
    runner = before.running_side
    if runner is None or held.running or reading.running_side != runner or not can_follow(held, reading, allowance):
        return False
    stood_s = reading.t - before.t - used_s(before, reading, runner)
    return can_follow(before, held, allowance) and stood_s > ROUNDING_S


def _meaning(reading: SidedReading) -> tuple[object, ...]:
    return (reading.turn_bits_agree, *reading.lasting)


def _ran_on(before: SidedReading, after: SidedReading, allowance: Allowance) -> bool:
    return can_follow(before, after, allowance) and runner_fell(before, after)


def _turned(reading: SidedReading) -> SidedReading:
    return reading if reading.turn is None else replace(reading, turn=other(reading.turn))
