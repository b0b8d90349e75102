"""Clocks that send lines of text: a pattern with named groups says what stands where.

Groups that count, all optional: `left` and `right` (times of the two sides, in the order in which the device names its
players: first, White or 1 is left), `time` with `side` (the time of one), `turn` (whose time runs), `pressed` (who
pressed), `state` (running or not). Which side is Red's is a setting, as for every clock.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from clock_bridge.errors import ProtocolError
from clock_bridge.protocol.assemble import Assembler, Part
from clock_bridge.protocol.lines import LONGEST_LINE, LineSplitter
from clock_bridge.reading import Display, Signal

GROUPS = frozenset({"left", "right", "time", "side", "turn", "pressed", "state"})


NOTHING = Part()


class Unit(Enum):
    """How a time is written."""

    CLOCK = "clock"
    """h:mm:ss, mm:ss, each with decimals or not; a bare number is seconds."""
    SECONDS = "s"
    MILLISECONDS = "ms"


SIDE_WORDS: Mapping[str, Display] = {
    **dict.fromkeys(("w", "white", "1", "l", "left", "p1", "r", "red", "first"), Display.LEFT),
    **dict.fromkeys(("b", "black", "2", "right", "p2", "second"), Display.RIGHT),
}
"""What devices call their sides. `r` is Red, the first player; a form whose device means right by it says so."""
STATE_WORDS: Mapping[str, bool] = {
    **dict.fromkeys(("running", "run", "started", "1", "on", "true"), True),
    **dict.fromkeys(("stopped", "stop", "paused", "pause", "0", "off", "false", "ended"), False),
}


@dataclass(frozen=True, slots=True)
class LineForm:
    """One form of line of a device."""

    name: str
    pattern: re.Pattern[str]
    """Has to match the whole line, case aside."""
    unit: Unit = Unit.CLOCK
    sides: Mapping[str, Display] = field(default_factory=lambda: SIDE_WORDS)
    states: Mapping[str, bool] = field(default_factory=lambda: STATE_WORDS)
    says: Part = NOTHING
    """What such a line says by being sent, such as a pause."""


def make_form(name: str, pattern: str, unit: str = "clock") -> LineForm:
    """A form from a user's pattern; raises ProtocolError where it cannot serve."""
    try:
        compiled = re.compile(pattern, re.IGNORECASE)
        how = Unit(unit)
    except (re.error, ValueError) as error:
        raise ProtocolError(f"{error}: {pattern!r}") from error
    unknown = set(compiled.groupindex) - GROUPS
    if unknown or not compiled.groupindex:
        raise ProtocolError(f"expected named groups out of {', '.join(sorted(GROUPS))}: {pattern!r}")
    return LineForm(name, compiled, how)


class TextParser:
    """Lines to readings, by the first form that matches."""

    def __init__(self, forms: Sequence[LineForm], lone_signs: bytes = b"", longest: int = LONGEST_LINE) -> None:
        self._forms = forms
        self._lines = LineSplitter(lone_signs, longest)
        self._assembler = Assembler()
        self.unknown_lines = 0
        """Lines so far that matched no form: boot text, noise, or the wrong protocol."""

    @property
    def dropped_bytes(self) -> int:
        """Bytes so far that belonged to no line."""
        return self._lines.dropped_bytes

    def feed(self, data: bytes, t: float) -> list[Signal]:
        """The readings that `data`, arrived at `t`, completes."""
        signals: list[Signal] = []
        for line in self._lines.feed(data, t):
            part = read_line(self._forms, line)
            if part is None:
                self.unknown_lines += 1
            else:
                signals.append(self._assembler.add(part, t, line))
        return signals

    def reset(self) -> None:
        """Forgets a line begun: the connection was cut."""
        self._lines.reset()


def read_line(forms: Sequence[LineForm], line: bytes) -> Part | None:
    """What the line says; None where it is of no known form."""
    text = line.decode("utf-8", "replace").strip()
    for form in forms:
        match = form.pattern.fullmatch(text)
        if match is not None:
            part = _read_match(form, match.groupdict())
            if part is not None:
                return part
    return None


def _read_match(form: LineForm, groups: Mapping[str, str | None]) -> Part | None:
    """None where a group holds what it cannot mean."""
    part = form.says
    try:
        for name, text in groups.items():
            if text is None:
                continue
            word = text.strip().lower()
            if name in ("left", "right"):
                part = _with_time(part, Display(name), word, form.unit)
            elif name == "time":
                side = form.sides[(groups.get("side") or "").strip().lower()]
                part = replace(_with_time(part, side, word, form.unit), turn=side)
            elif name == "turn":
                part = replace(part, turn=form.sides[word])
            elif name == "pressed":
                part = replace(part, pressed=form.sides[word])
            elif name == "state":
                part = replace(part, running=form.states[word])
    except (KeyError, ValueError):
        return None
    return part


def _with_time(part: Part, side: Display, text: str, unit: Unit) -> Part:
    time_s, step_s = parse_time(text, unit)
    if side is Display.LEFT:
        return replace(part, left_s=time_s, step_s=step_s)
    return replace(part, right_s=time_s, step_s=step_s)


def parse_time(text: str, unit: Unit) -> tuple[float, float]:
    """(seconds, resolution in s) of a time as written; raises ValueError where it is none."""
    if unit is Unit.MILLISECONDS:
        return max(int(text), 0) / 1000, 0.001
    if unit is Unit.SECONDS:
        text = f"0:{text}"
    *higher, seconds = text.replace(",", ".").split(":")
    step_s = 1.0 if "." not in seconds else 10.0 ** -len(seconds.partition(".")[2])
    time_s = float(seconds)
    if len(higher) > 2 or (higher and unit is Unit.CLOCK and time_s >= 60):
        raise ValueError(text)
    for factor, part in zip((60, 3600), reversed(higher), strict=False):
        time_s += factor * int(part)
    # A local countdown that nobody stopped runs below zero on some devices; there is no less than no time.
    return max(time_s, 0.0), step_s
