"""Time controls: what a player has at the start and what a press gives."""

import re
from dataclasses import dataclass
from enum import Enum

from clock_bridge.errors import ControlError


class Mode(Enum):
    """How time is given beyond the base."""

    SUDDEN_DEATH = "sudden_death"
    INCREMENT = "increment"
    QUOTA = "quota"
    """So many moves in so much time, then a further period."""
    BYO_YOMI = "byoyomi"
    US_DELAY = "us_delay"
    """The clock waits before it counts."""
    BRONSTEIN = "bronstein"
    """The clock counts at once and gives back what was used, at most the delay."""


@dataclass(frozen=True, slots=True)
class Control:
    """A time control, the same for both sides unless `black_base_s` says otherwise."""

    mode: Mode
    base_s: float
    increment_s: float = 0.0
    delay_s: float = 0.0
    """Delay of US_DELAY and BRONSTEIN."""
    later_s: tuple[float, ...] = ()
    """QUOTA: what each further period adds to both sides."""
    period_s: float = 0.0
    """BYO_YOMI: length of a period."""
    periods: int = 0
    """BYO_YOMI: how many periods; the display shows their sum once the base is used."""
    black_base_s: float | None = None
    """Base of Black in a handicap game (clause 6.4)."""


_UNITS_S = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
_NUMBER = r"\d+(?:\.\d+)?"
_DURATION = rf"(?:(?:{_NUMBER}[hms])+|{_NUMBER})"


def parse_duration(text: str) -> float:
    """Seconds of `60m`, `1h30m`, `90`."""
    if not re.fullmatch(_DURATION, text):
        raise ControlError(f"expected a duration such as 60m or 30s: {text!r}")
    return sum(float(number) * _UNITS_S[unit] for number, unit in re.findall(rf"({_NUMBER})([hms]?)", text))


def parse_control(text: str) -> Control:
    """The control of `60m+30s` (increment), `15m` (sudden death), `60m/15m` or `60m/15m+30s` (quota: periods),
    `20m+5x30s` (byo-yomi), `25m d10s` (US delay) or `25m b10s` (Bronstein)."""
    control = _read(text)
    whole_s = control.base_s + control.increment_s + control.period_s * control.periods
    if whole_s <= 0 or (control.mode is Mode.BYO_YOMI and not control.period_s * control.periods):
        raise ControlError(f"a time control has to give some time: {text!r}")
    return control


def _read(text: str) -> Control:
    spec = text.strip().lower().replace(" ", "")
    if match := re.fullmatch(rf"({_DURATION})\+(\d+)x({_DURATION})", spec):
        base, count, period = match.groups()
        return Control(Mode.BYO_YOMI, parse_duration(base), period_s=parse_duration(period), periods=int(count))
    if match := re.fullmatch(rf"({_DURATION})([db])({_DURATION})", spec):
        base, letter, delay = match.groups()
        mode = Mode.US_DELAY if letter == "d" else Mode.BRONSTEIN
        return Control(mode, parse_duration(base), delay_s=parse_duration(delay))
    if match := re.fullmatch(rf"({_DURATION})\+({_DURATION})", spec):
        base, increment = match.groups()
        return Control(Mode.INCREMENT, parse_duration(base), increment_s=parse_duration(increment))
    if match := re.fullmatch(rf"({_DURATION}(?:/{_DURATION})*)(?:\+({_DURATION}))?", spec):
        base, *later = match[1].split("/")
        mode = Mode.QUOTA if later else Mode.SUDDEN_DEATH
        increment_s = parse_duration(match[2]) if match[2] else 0.0
        return Control(mode, parse_duration(base), increment_s, later_s=tuple(map(parse_duration, later)))
    raise ControlError(f"expected a time control such as 60m+30s, 15m or 20m+5x30s: {text!r}")
