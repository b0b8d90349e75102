"""The clock in software: what it shows at any time, and the bytes it sends."""

import math
from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from clock_bridge.protocol.dgt_message import ClockSide, TimeMessage, encode_time
from clock_bridge.reading import Display
from rules.piece import BLACK, RED, Side, other


@dataclass(frozen=True, slots=True)
class ClockState:
    """What the clock knows at one moment."""

    red_s: float
    black_s: float
    to_move: Side
    """Whose end of the lever is up."""
    running: bool
    red_flag: bool = False
    black_flag: bool = False


@dataclass(frozen=True, slots=True)
class GameClock:
    """A clock with two sides that the players press."""

    red_s: float
    black_s: float
    increment_s: float
    start_t: float
    """When it is started, s of the film."""
    presses: tuple[tuple[float, Side], ...]
    """In order of time. A press by the side whose end is down already changes nothing."""
    stops: tuple[float, ...] = ()
    first: Side = RED
    """Who has the move when it starts."""

    def at(self, t: float) -> ClockState:
        """The clock at `t`."""
        left = [self.red_s, self.black_s]
        side, since = self.first, self.start_t
        if t < self.start_t:
            return ClockState(left[0], left[1], side, False)
        halt = min([stop for stop in self.stops if stop <= t], default=t)
        known = self.presses[: bisect_right(self.presses, (min(t, halt), Side(2)))]
        for pressed_t, who in known:
            if who != side or pressed_t < since:
                continue
            left[side] -= pressed_t - since
            if left[side] <= 0.0:
                return self._flagged(left, side)
            left[side] += self.increment_s
            side, since = other(side), pressed_t
        left[side] -= max(0.0, min(t, halt) - since)
        if left[side] <= 0.0:
            return self._flagged(left, side)
        return ClockState(left[0], left[1], side, halt >= t)

    def flag_t(self) -> float | None:
        """When the first flag falls, s of the film; None where none does as long as the clock is left running."""
        turns = [t for t, who in self.presses] + [np.inf]
        for end in turns:
            before = self.at(float(min(end, 1e9)) - 1e-6)
            if before.red_flag or before.black_flag:
                start = max([self.start_t, *(t for t in turns if t < end)])
                standing = self.at(start + 1e-6)
                left = standing.red_s if standing.to_move == RED else standing.black_s
                return start + left
        return None

    def _flagged(self, left: list[float], side: Side) -> ClockState:
        left[side] = 0.0
        return ClockState(left[0], left[1], side, False, side == RED, side == BLACK)


def dgt_message(state: ClockState, increment: bool) -> bytes:
    """The ten bytes of a DGT clock with Red at the left display."""

    def shown(seconds: float, flag: bool) -> ClockSide:
        whole = max(0, math.ceil(seconds - 1e-6))
        return ClockSide(time_s=whole, flag_shown=False, time_per_move=increment, flag_fallen=flag)

    red_moves = state.to_move == RED
    return encode_time(
        TimeMessage(
            right=shown(state.black_s, state.black_flag),
            left=shown(state.red_s, state.red_flag),
            running=state.running,
            lever_high=Display.LEFT if red_moves else Display.RIGHT,
            battery_low=False,
            bit3=red_moves,
            bit4=not red_moves,
            no_clock=False,
        )
    )


def clock_trace(clock: GameClock, length_s: float, rng: np.random.Generator) -> list[tuple[float, bytes]]:
    """(t, bytes) as a polled clock sends them: about every 0.4 s, a message sometimes in two parts."""
    out: list[tuple[float, bytes]] = []
    t = float(rng.uniform(0.02, 0.1))
    while t < length_s:
        data = dgt_message(clock.at(t), clock.increment_s > 0.0)
        if rng.random() < 0.06:
            cut = int(rng.integers(1, len(data)))
            out.append((t, data[:cut]))
            out.append((t + 0.006, data[cut:]))
        else:
            out.append((t, data))
        t += 0.4 + float(rng.normal(0.0, 0.012))
    return out
