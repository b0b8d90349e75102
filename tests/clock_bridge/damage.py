"""What a bad line does to a recording, and what the watch may make of it."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from clock_bridge.protocol import make_parser
from clock_bridge.protocol.dgt import DgtParser
from clock_bridge.protocol.dgt_frame import CLOCK_ID
from clock_bridge.reading import Display, Reading
from clock_bridge.watch import ClockWatch, WatchConfig
from tests.clock_bridge.material import recording

Times = tuple[float | None, float | None]


def damage(data: bytes, rng: random.Random, rate: float) -> bytes:
    """`data` with a share of its bytes dropped, doubled, or with a bit flipped."""
    out = bytearray()
    for byte in data:
        if rng.random() >= rate:
            out.append(byte)
            continue
        match rng.randrange(3):
            case 0:
                pass
            case 1:
                out += bytes([byte, byte])
            case _:
                out.append(byte ^ 1 << rng.randrange(8))
    return bytes(out)


@dataclass
class Outcome:
    """How far what was believed is from the truth."""

    longest_wrong: int = 0
    """Most readings in a row with which a time that never stood on the clock was called sound."""
    longest_behind: int = 0
    """Most undamaged clock messages in a row after which the believed times were not yet the true ones."""
    wrong: int = 0
    """Messages after which such a time was called sound."""
    wrong_unsure: int = 0
    """Messages after which such a time was believed, and said to be unsure."""
    unsure: int = 0
    """Undamaged messages after which the true time was believed and yet said to be unsure."""
    messages: int = 0
    extra: Counter[str] = field(default_factory=Counter)
    """Happenings that the undamaged recording does not have."""
    missing: Counter[str] = field(default_factory=Counter)


def play_damaged(name: str, seed: int, rate: float = 0.01, protocol: str = "dgt") -> Outcome:
    """Both watches side by side: one on the recording, spoken in the protocol, one on what is left of it."""
    rng = random.Random(seed)
    true_watch, watch = ClockWatch(WatchConfig()), ClockWatch(WatchConfig())
    true_parser, parser = make_parser(protocol), make_parser(protocol)
    outcome = Outcome()
    stood: list[Times] = []
    wrong_run = behind_run = 0
    for t, message in _spoken(name, protocol):
        for signal in true_parser.feed(message, t):
            outcome.missing.update(each.what.value for each in true_watch.feed(signal))
        damaged = damage(message, rng, rate)
        signals = parser.feed(damaged, t)
        for signal in signals:
            outcome.extra.update(each.what.value for each in watch.feed(signal))
        if (protocol == "dgt" and message[0] != CLOCK_ID) or true_watch.last is None or watch.last is None:
            continue
        outcome.messages += 1
        true_s, believed_s = true_watch.last.times_s, watch.last.times_s
        stood.append(true_s)
        is_right = _same_second(believed_s, true_s)
        is_wrong = not any(_same_second(believed_s, each) for each in reversed(stood))
        behind_run = behind_run + 1 if damaged == message and not is_right else 0
        if not (is_wrong and watch.sure):
            wrong_run = 0
        elif any(isinstance(signal, Reading) for signal in signals):
            wrong_run += 1
        outcome.wrong += is_wrong and watch.sure
        outcome.wrong_unsure += is_wrong and not watch.sure
        outcome.unsure += damaged == message and is_right and not watch.sure
        outcome.longest_wrong = max(outcome.longest_wrong, wrong_run)
        outcome.longest_behind = max(outcome.longest_behind, behind_run)
    outcome.extra, outcome.missing = outcome.extra - outcome.missing, outcome.missing - outcome.extra
    return outcome


def _same_second(one: Times, other: Times) -> bool:
    return all(a is not None and b is not None and abs(a - b) < 1 for a, b in zip(one, other, strict=True))


def _spoken(name: str, protocol: str) -> Iterator[tuple[float, bytes]]:
    """The messages of a recording, as a clock of that protocol would have sent them."""
    t, last = 0.0, None
    parser = DgtParser()
    for chunk in recording(name):
        readings = [each for each in parser.feed(chunk, t) if isinstance(each, Reading)]
        for reading in readings:
            t += _elapsed_s(last, reading)
            last = reading
            if protocol != "dgt":
                yield t, LINES[protocol](reading).encode()
        if protocol == "dgt":
            yield t, chunk


def _times_line(reading: Reading) -> str:
    turn = "w" if reading.lever is Display.LEFT else "b"
    return f"{_h_mm_ss(reading.left_s)} {_h_mm_ss(reading.right_s)} {turn}\r\n"


def _status_line(reading: Reading) -> str:
    left_ms, right_ms = round((reading.left_s or 0) * 1000), round((reading.right_s or 0) * 1000)
    state, turn = "RUNNING" if reading.running else "STOPPED", "w" if reading.lever is Display.LEFT else "b"
    return f"STATUS:{left_ms}:{right_ms}:2:{state}:{turn}\r\n"


def _h_mm_ss(time_s: float | None) -> str:
    whole = round(time_s or 0)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


LINES: dict[str, Callable[[Reading], str]] = {"times": _times_line, "arduino": _status_line}
"""The text protocols whose every line holds both times."""


def _elapsed_s(before: Reading | None, after: Reading) -> float:
    """The recordings have no times of their own; a running clock's message comes when a second is over, a press's
    some time within one."""
    if before is None or None in (before.left_s, before.right_s, after.left_s, after.right_s):
        return 0.0
    fell_s = max(before.left_s - after.left_s, before.right_s - after.right_s, 0)  # type: ignore[operator]
    return fell_s or 0.4
