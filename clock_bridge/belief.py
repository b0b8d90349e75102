"""Which readings of a clock are taken at their word.

A reading that can follow the last one is believed. Any other is held back until the next one bears it out: a bit error
costs one reading, and what somebody really did to the clock is told a reading later with its own time.
"""

from dataclasses import dataclass, replace
from enum import Enum, auto

from clock_bridge.plausible import ROUNDING_S, Allowance, can_follow, is_snug, largest_gain_s, runner_fell, used_s
from clock_bridge.reading import Flag, SidedReading
from rules.piece import other

SILENCE_CONFIRMS_S = 2.0
"""A clock that speaks only on change never repeats itself in a pause: what stood uncontradicted for so long, twice
the longest gap between the messages of a clock that runs, is true."""


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
    """Fed with every reading; keeps the last one believed and the one held back."""

    def __init__(self) -> None:
        self.last: SidedReading | None = None
        self._previous: SidedReading | None = None
        self._held: SidedReading | None = None
        self._held_follows = False
        self._held_explained = False
        self._proven = False
        self.ever_proven = False
        """Whether any reading was ever borne out by a second one, or by silence."""
        self._inverted = False
        self._meaning: tuple[object, ...] | None = None

    @property
    def heard_t(self) -> float:
        """When anything that looks like a reading came last, s."""
        return max((each.t for each in (self.last, self._held) if each is not None), default=0.0)

    def consider(self, reading: SidedReading, allowance: Allowance) -> list[Judged]:
        """What becomes of the reading, and of the one held back."""
        if self._inverted:
            reading = _turned(reading)
        out = self.pass_time(reading.t)
        before, held = self.last, self._held
        if before is None:
            return [self._believe(Verdict.FIRST, reading)]
        follows = self._fits(before, reading, allowance)
        if held is not None and (
            ((self._held_follows or not follows) and _bears_out(held, reading, allowance))
            or _stood_since(before, held, reading, allowance)
        ):
            return [*out, *self._take_held(), self._believe(Verdict.STEP, reading)]
        if follows and (_ran_meanwhile(before, reading) or not _rests_on_one_bit(before, reading)):
            self._held = None
            return [*out, self._believe(Verdict.STEP, reading)]
        if held is not None and (inverted := self._invert(before, held, reading, allowance)):
            return out + inverted
        if not follows and self._last_is_doubtful(before, reading, allowance):
            self._held = None
            return [*out, self._believe(Verdict.CORRECTED, reading)]
        self._held, self._held_follows = reading, follows
        self._held_explained = can_follow(before, reading, allowance)
        return [*out, Judged(Verdict.DOUBTED, before, reading)]

    def pass_time(self, now_s: float) -> list[Judged]:
        """The reading held back, where silence bears it out."""
        if self.last is not None and self._held is None and now_s - self.last.t > SILENCE_CONFIRMS_S:
            self._proven = self.ever_proven = True
        if self._held is None or now_s - self._held.t <= SILENCE_CONFIRMS_S:
            return []
        # A clock is set while it stands; of one that ran, silence makes nothing likelier than a fault of the line.
        stood = self.last is not None and not self.last.running and not self._held.running
        if not (self._held_follows or stood):
            return []
        return self._take_held()

    def restart(self) -> None:
        """The line was cut: the next reading is a first one."""
        self.last = self._previous = self._held = None
        self._proven = False

    def _take_held(self) -> list[Judged]:
        held, self._held = self._held, None
        assert held is not None
        self._meaning = _meaning(held)
        if self._held_explained:
            return [self._believe(Verdict.STEP, held)]
        # Two readings disagreed and a third decides: before anything was proven, the first was the wrong one.
        return [self._believe(Verdict.JUMP if self._proven else Verdict.FIRST, held)]

    def _believe(self, verdict: Verdict, reading: SidedReading) -> Judged:
        before, self.last = self.last, reading
        self._previous = before if verdict is Verdict.STEP else None
        self._proven = verdict is not Verdict.FIRST or not reading.fragile
        self.ever_proven = self.ever_proven or self._proven
        if self._meaning is None or verdict is Verdict.FIRST:
            self._meaning = _meaning(reading)
        return Judged(verdict, before, reading)

    def _last_is_doubtful(self, last: SidedReading, reading: SidedReading, allowance: Allowance) -> bool:
        """Whether the last reading, though it could be believed, is likelier the wrong one of the two."""
        previous = self._previous
        if previous is None or not self._fits(previous, reading, allowance):
            return False
        if is_snug(previous, last, allowance):
            return False
        # While the increment is not known yet, the smaller gain is the likelier.
        smaller = largest_gain_s(previous, reading) < largest_gain_s(previous, last)
        return smaller or is_snug(previous, reading, allowance)

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
        self._held, self.last = None, first
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
