"""What a bad line does to a recording, and what the watch may make of it."""

import random
from collections import Counter
from dataclasses import dataclass, field, replace

from clock_bridge.protocol.dgt import DgtParser
from clock_bridge.reading import Reading
from clock_bridge.watch import ClockWatch, WatchConfig
from tests.clock_bridge.material import recording


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
    """Most readings in a row for which a time that never stood on the clock was believed."""
    longest_behind: int = 0
    """Most undamaged clock messages in a row after which the believed times were not yet the true ones."""
    wrong: int = 0
    messages: int = 0
    extra: Counter[str] = field(default_factory=Counter)
    """Happenings that the undamaged recording does not have."""
    missing: Counter[str] = field(default_factory=Counter)


def play_damaged(name: str, seed: int, rate: float = 0.01) -> Outcome:
    """Both watches side by side: one on the recording, one on what is left of it."""
    rng = random.Random(seed)
    true_watch, watch = ClockWatch(WatchConfig()), ClockWatch(WatchConfig())
    true_parser, parser = DgtParser(), DgtParser()
    outcome, t, last = Outcome(), 0.0, None
    stood: set[object] = set()
    wrong_run = behind_run = 0
    for chunk in recording(name):
        for signal in true_parser.feed(chunk, t):
            if not isinstance(signal, Reading):
                continue
            t += _elapsed_s(last, signal)
            last = signal
            outcome.missing.update(each.what.value for each in true_watch.feed(replace(signal, t=t)))
            outcome.messages += 1
        damaged = damage(chunk, rng, rate)
        for signal in parser.feed(damaged, t):
            outcome.extra.update(each.what.value for each in watch.feed(signal))
        if chunk[0] != 0x8D or true_watch.last is None or watch.last is None:
            continue
        stood.add(true_watch.last.times_s)
        is_behind = damaged == chunk and watch.last.times_s != true_watch.last.times_s
        behind_run = behind_run + 1 if is_behind else 0
        is_wrong = watch.last.times_s not in stood
        wrong_run = wrong_run + 1 if is_wrong else 0
        outcome.wrong += is_wrong
        outcome.longest_wrong = max(outcome.longest_wrong, wrong_run)
        outcome.longest_behind = max(outcome.longest_behind, behind_run)
    outcome.extra, outcome.missing = outcome.extra - outcome.missing, outcome.missing - outcome.extra
    return outcome


def _elapsed_s(before: Reading | None, after: Reading) -> float:
    """The recordings have no times of their own; a running clock's message comes when a second is over, a press's
    some time within one."""
    if before is None or None in (before.left_s, before.right_s, after.left_s, after.right_s):
        return 0.0
    fell_s = max(before.left_s - after.left_s, before.right_s - after.right_s, 0)  # type: ignore[operator]
    return fell_s or 0.4
