"""What hands did at each point lately: when they hid it, from where they came, and whether it was seen empty then."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rules.piece import Side
from vision.change import Mask
from vision.hand import NOBODY, Hands
from vision.observation import Observation
from vision.window import CELL_PX, CENTRES_PX, TALL, WIDE

F64 = NDArray[np.float64]

_NEXT_CELLS = 1.1
"""How far apart neighbouring points are, and a little more."""


@dataclass(frozen=True, slots=True)
class Episodes:
    """Per point, arrays of 90, the last time that a hand was over it."""

    hidden_from: F64
    """When it was hidden last, s; NaN where it never was since it was last settled with."""
    hidden_to: F64
    """When it was seen again, s; NaN while it is hidden."""
    came: F64
    """When a hand first hid it since it last looked as remembered, s; NaN while it does."""
    side: NDArray[np.int8]
    """Whose hand hid it; NOBODY where that was not told."""
    emptied: Mask
    """Whether a piece on record was seen to be gone while a hand was about."""
    examined: F64
    """When a look that had changed under a hand was last measured, s."""
    held_s: F64
    """For how long fingers were at the point while it was hidden."""
    held_t: F64
    """When they last were, s; NaN for never."""
    stay_from: F64
    """Since when fingers have been at the point, s; NaN while they are not."""
    held_from: F64
    """When they first came to stay while it was hidden, s; NaN where they only went by."""
    t: float
    """When that was last counted, s."""


def no_episodes() -> Episodes:
    """Nothing happened yet."""
    never = np.full(90, np.nan)
    nobody, nothing = np.full(90, NOBODY, dtype=np.int8), np.zeros(90, dtype=np.bool_)
    return Episodes(never, never, never, nobody, nothing, never, np.zeros(90), never, never, never, np.nan)


def follow_hands(episodes: Episodes, seen: Observation, emptied: Mask, alike: float) -> Episodes:
    """After one more frame.

    emptied : (90,) points on whose emptiness the evidence agrees
    alike   : likeness from which a point looks as remembered
    """
    hidden = seen.hands.hidden & seen.hands.present
    # What is seen in a hand's shadow has a hand over it all the same.
    hidden[list(seen.hands.uncovered)] = True
    resting = np.isnan(episodes.hidden_from) | ~np.isnan(episodes.hidden_to)
    begins = hidden & resting
    # Fingers part and close again: within one episode the first hiding counts. So it does where a hand that has
    # left a point otherwise than it was comes back before it could be measured.
    sides = seen.hands.sides
    same_hand = (episodes.side == NOBODY) | (sides == NOBODY) | (episodes.side == sides)
    apart_s = np.where(same_hand & ~np.isnan(episodes.came), _BACK_AT_ONCE_S, _SAME_EPISODE_S)
    again = begins & (seen.t - episodes.hidden_to < apart_s)
    hidden_from = np.where(begins & ~again, seen.t, episodes.hidden_from)
    hidden_to = np.where(hidden, np.nan, np.where(np.isnan(episodes.hidden_to), seen.t, episodes.hidden_to))
    hidden_to = np.where(np.isnan(hidden_from), np.nan, hidden_to)
    came = np.where(seen.visible & (seen.likeness >= alike), np.nan, episodes.came)
    came = np.where(begins & np.isnan(came), seen.t, came)
    side = np.where(begins & ~again, NOBODY, episodes.side)
    side = np.where(hidden & (sides != NOBODY), sides, side)
    held = np.where(begins & ~again, 0.0, episodes.held_s)
    since_s = min(seen.t - episodes.t, _MOST_STEP_S) if not np.isnan(episodes.t) else 0.0
    held_from = np.where(begins & ~again, np.nan, episodes.held_from)
    fingers = np.zeros(90, dtype=np.bool_)
    fingers[list(fingers_at(seen.hands))] = True
    fingers &= hidden
    held = np.where(fingers, held + since_s, held)
    held_t = np.where(fingers, seen.t, episodes.held_t)
    stay_from = np.where(fingers & np.isnan(episodes.stay_from), seen.t, episodes.stay_from)
    with np.errstate(invalid="ignore"):
        stay_from = np.where(fingers | (seen.t - held_t <= _STAY_S), stay_from, np.nan)
        stays = fingers & np.isnan(held_from) & (seen.t - stay_from >= _STAY_S)
    held_from = np.where(stays, stay_from, held_from)
    return Episodes(
        hidden_from,
        hidden_to,
        came,
        side.astype(np.int8),
        episodes.emptied | emptied,
        np.where(begins, np.nan, episodes.examined),
        held,
        held_t,
        stay_from,
        held_from,
        seen.t,
    )


def fingers_at(hands: Hands) -> set[int]:
    """The points at which hands end: a hand on its way to another point covers some, but holds nothing there."""
    found = set()
    for tip in hands.tips_px:
        away = np.hypot(*(CENTRES_PX - tip).T) / CELL_PX
        nearest = int(away.argmin())
        x, y = tip
        cut_off = min(x, y, WIDE - x, TALL - y) < _CUT_OFF_CELLS * CELL_PX
        if away[nearest] <= (_CUT_OFF_FINGERS_CELLS if cut_off else _FINGERS_CELLS):
            found.add(nearest)
    return found


def settle(episodes: Episodes, points: Mask) -> Episodes:
    """What happened at `points` (90,) was told: it is forgotten.

    But fingers that were there may have held the piece on the next point, if that is not settled yet.
    """
    hidden_from = np.where(points, np.nan, episodes.hidden_from)
    waits = ~np.isnan(hidden_from)
    over = ~waits & ~(_next_to() & waits).any(axis=1)
    return replace(
        episodes,
        hidden_from=hidden_from,
        hidden_to=np.where(points, np.nan, episodes.hidden_to),
        came=np.where(points, np.nan, episodes.came),
        emptied=episodes.emptied & ~points,
        held_s=np.where(over, 0.0, episodes.held_s),
    )


def side_at(episodes: Episodes, points: list[int]) -> Side | None:
    """Whose hand was over most of the points; None where that cannot be told."""
    sides = [int(episodes.side[point]) for point in points if episodes.side[point] != NOBODY]
    if not sides:
        return None
    share = sum(sides) / len(sides)
    return None if share == 0.5 else Side(int(share > 0.5))


def held_near(episodes: Episodes, point: int | np.intp, within_cells: float = _NEXT_CELLS) -> float:
    """For how long fingers were at the point, or next to it: seen aslant, a hand ends beside what it holds, s.

    Those that were beside it before a hand came to hide it held something else.
    """
    return float(episodes.held_s[_near(episodes, point, within_cells)].max(initial=0.0))


def held_since(episodes: Episodes, point: int) -> float | None:
    """When fingers came to the point, or next to it, to stay, s; None where they only went by.

    An arm on its way to another point may have hidden it long before.
    """
    near = _near(episodes, point, _NEXT_CELLS)
    longest = int(np.where(near, episodes.held_s, -1.0).argmax())
    since = float(episodes.held_from[longest])
    return None if np.isnan(since) else max(since, float(episodes.hidden_from[point]))


def _near(episodes: Episodes, point: int | np.intp, within_cells: float) -> Mask:
    """(90,) the points so near to one at which fingers have been since a hand came to hide it."""
    near: Mask = np.hypot(*(CENTRES_PX - CENTRES_PX[point]).T) < within_cells * CELL_PX
    with np.errstate(invalid="ignore"):
        near &= ~(episodes.held_t < episodes.hidden_from[point])
    return near


@cache
def _next_to() -> NDArray[np.bool_]:
    """(90, 90) whether two points are next to each other; each is to itself."""
    near: NDArray[np.bool_] = np.hypot(*(CENTRES_PX[:, None] - CENTRES_PX).transpose(2, 0, 1)) < _NEXT_CELLS * CELL_PX
    return near


def hidden_since(episodes: Episodes, t: float) -> Mask:
    """(90,) points that have been hidden since before `t`."""
    with np.errstate(invalid="ignore"):
        hidden: Mask = np.isnan(episodes.hidden_to) & (episodes.hidden_from < t)
    return hidden


def began_at(episodes: Episodes, points: list[int], otherwise: float) -> float:
    """When a hand first came over one of the points, or to change it, where it looks otherwise since."""
    times = np.where(np.isnan(episodes.came), episodes.hidden_from, episodes.came)[points]
    return float(np.min(times[~np.isnan(times)], initial=np.inf)) if not np.isnan(times).all() else otherwise


_BACK_AT_ONCE_S = 2.0
"""A hand that comes back so soon to what it has left changed may still be at the same."""
_SAME_EPISODE_S = 0.3
_FINGERS_CELLS = 0.7
"""The end of a hand is seen so far from what it holds: knuckles stand out behind it."""
_CUT_OFF_CELLS = 0.4
"""The end of a hand so near to the window's edge is not its end: seen aslant, it stands out beyond the board."""
_CUT_OFF_FINGERS_CELLS = 1.1
"""So far from it they hold a piece: the edge is a cell and a half from the outermost points."""
_STAY_S = 0.15
"""Fingers on their way are at a point for a frame or two of ten a second; a longer break makes another stay."""
_MOST_STEP_S = 0.3
"""Frames further apart tell nothing of the time between."""
