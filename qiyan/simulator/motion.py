"""Paths in time: keys that hands and pieces pass, with smooth starts and stops between them."""

from bisect import bisect_right
from dataclasses import dataclass, field
from operator import attrgetter

Xyz = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Key:
    """Something is here at this time."""

    t: float
    xyz: Xyz
    arc: float = 0.0
    """How much higher than the straight line the way to here goes at its middle, cells."""
    pose: str = "open"
    """For a hand: how the fingers are held on arrival."""
    turn: float = 0.0
    """For a piece: radians; for a hand: degrees at the wrist."""
    lean: float = 0.0
    """For a hand: how far its owner leans over the board, 0..1."""


_time = attrgetter("t")


def ease(share: float) -> float:
    """0..1 to 0..1 with rest at both ends, as a hand moves."""
    s = min(max(share, 0.0), 1.0)
    return s * s * s * (10.0 - 15.0 * s + 6.0 * s * s)


@dataclass(slots=True)
class Track:
    """The keys of one hand or piece, in order of time."""

    keys: list[Key] = field(default_factory=list)

    def add(self, key: Key) -> None:
        """Append a key; what was planned for later than it is forgotten."""
        self.cut(key.t)
        self.keys.append(key)

    def cut(self, t: float) -> None:
        """Forget all that is planned after `t`; the thing stops where it is then."""
        if not self.keys or self.keys[-1].t <= t:
            return
        before, after, share = self._around(t)
        here = between(before, after, share, t)
        while self.keys and self.keys[-1].t >= t:
            self.keys.pop()
        self.keys.append(here)

    def hold(self, t: float) -> None:
        """Stay where it is until `t`."""
        last = self.keys[-1]
        if t > last.t:
            self.add(Key(t, last.xyz, 0.0, last.pose, last.turn, last.lean))

    def at(self, t: float) -> tuple[Key, Key, float]:
        """The keys before and after `t`, and how far between them, eased, 0..1."""
        before, after, share = self._around(t)
        return before, after, share

    def xyz(self, t: float) -> Xyz:
        """Where the thing is at `t`."""
        before, after, share = self._around(t)
        return between(before, after, share, t).xyz

    def moving(self, t: float) -> bool:
        """Whether it is on its way at `t`."""
        before, after, share = self._around(t)
        return before.xyz != after.xyz and 0.0 < share < 1.0

    def moves_within(self, first: float, last: float) -> bool:
        """Whether it is on its way at any time between."""
        start = max(1, bisect_right(self.keys, first, key=_time))
        for before, after in zip(self.keys[start - 1 :], self.keys[start:], strict=False):
            if before.t >= last:
                return False
            if (before.xyz, before.pose, before.lean) != (after.xyz, after.pose, after.lean):
                return True
        return False

    def _around(self, t: float) -> tuple[Key, Key, float]:
        index = bisect_right(self.keys, t, key=_time)
        if index == 0:
            return self.keys[0], self.keys[0], 0.0
        if index == len(self.keys):
            return self.keys[-1], self.keys[-1], 1.0
        before, after = self.keys[index - 1], self.keys[index]
        return before, after, ease((t - before.t) / max(after.t - before.t, 1e-6))


def between(before: Key, after: Key, share: float, t: float) -> Key:
    """The key between two others."""
    x, y, z = (a + (b - a) * share for a, b in zip(before.xyz, after.xyz, strict=True))
    z += after.arc * 4.0 * share * (1.0 - share)
    turn = before.turn + (after.turn - before.turn) * share
    lean = before.lean + (after.lean - before.lean) * share
    return Key(t, (x, y, z), 0.0, after.pose if share > 0.5 else before.pose, turn, lean)
