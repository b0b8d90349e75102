"""What hands did at each point lately: when they hid it, from where they came, and whether it was seen empty then."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.piece import Side
from vision.change import Mask
from vision.observation import Observation

F64 = NDArray[np.float64]

NOBODY = -1
"""No side: where a hand's side cannot be told."""


@dataclass(frozen=True, slots=True)
class Episodes:
    """Per point, arrays of 90, the last time that a hand was over it."""

    hidden_from: F64
    """When it was hidden last, s; NaN where it never was since it was last settled with."""
    hidden_to: F64
    """When it was seen again, s; NaN while it is hidden."""
    side: NDArray[np.int8]
    """Whose hand hid it; NOBODY where that was not told."""
    emptied: Mask
    """Whether a piece on record was seen to be gone while a hand was about."""
    examined: F64
    """When a look that had changed under a hand was last measured, s."""


def no_episodes() -> Episodes:
    """Nothing happened yet."""
    never = np.full(90, np.nan)
    return Episodes(never, never, np.full(90, NOBODY, dtype=np.int8), np.zeros(90, dtype=np.bool_), never)


def follow_hands(episodes: Episodes, seen: Observation, emptied: Mask) -> Episodes:
    """After one more frame; `emptied` (90,) points on whose emptiness the evidence agrees."""
    hidden = seen.hands.hidden & seen.hands.present
    resting = np.isnan(episodes.hidden_from) | ~np.isnan(episodes.hidden_to)
    begins = hidden & resting
    # Fingers part and close again: within one episode the first hiding counts.
    again = begins & (seen.t - episodes.hidden_to < _SAME_EPISODE_S)
    hidden_from = np.where(begins & ~again, seen.t, episodes.hidden_from)
    hidden_to = np.where(hidden, np.nan, np.where(np.isnan(episodes.hidden_to), seen.t, episodes.hidden_to))
    hidden_to = np.where(np.isnan(hidden_from), np.nan, hidden_to)
    side = np.where(begins & ~again, NOBODY, episodes.side)
    if seen.hands.side is not None:
        side = np.where(hidden, seen.hands.side, side)
    return Episodes(
        hidden_from,
        hidden_to,
        side.astype(np.int8),
        episodes.emptied | emptied,
        np.where(begins, np.nan, episodes.examined),
    )


def settle(episodes: Episodes, points: Mask) -> Episodes:
    """What happened at `points` (90,) was told: it is forgotten."""
    return replace(
        episodes,
        hidden_from=np.where(points, np.nan, episodes.hidden_from),
        hidden_to=np.where(points, np.nan, episodes.hidden_to),
        emptied=episodes.emptied & ~points,
    )


def side_at(episodes: Episodes, points: list[int]) -> Side | None:
    """Whose hand was over most of the points; None where that cannot be told."""
    sides = [int(episodes.side[point]) for point in points if episodes.side[point] != NOBODY]
    if not sides:
        return None
    share = sum(sides) / len(sides)
    return None if share == 0.5 else Side(int(share > 0.5))


def began_at(episodes: Episodes, points: list[int], otherwise: float) -> float:
    """When a hand first came over one of the points."""
    times = [float(episodes.hidden_from[point]) for point in points if not np.isnan(episodes.hidden_from[point])]
    return min(times, default=otherwise)


_SAME_EPISODE_S = 0.3
