"""Touched pieces: lifted and put back, or shifted, each with its time and whose hand it was."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.event import PieceTouched, TouchStrength
from rules.point import Point
from vision.align import Alignment, align, face_light, score_in_place
from vision.belief import SAME, SAME_TIME_S, Belief
from vision.change import Mask
from vision.episode import Episodes, held_near, held_since, side_at
from vision.frame import Image
from vision.nudge import nudge
from vision.rims import find_discs
from vision.window import CELL_PX, CENTRES_PX


@dataclass(frozen=True, slots=True)
class TouchConfig:
    """What shows that a piece was touched."""

    shift_cells: float = 0.05
    """Shifts from this on are seen; measuring errs by about 0.01."""
    least_gain: float = 0.04
    """The match has to be better than where the piece stood by this much; else light changed, not the piece."""
    least_score: float = 0.85
    """The old picture has to match the new one this well: the same piece under the same light."""
    other_light: float = 0.08
    """Where the light on a face differs by more than this share, a shadow lies on it or has gone:"""
    shaded_score: float = 0.94
    """then the match has to be so good."""
    most_turn_deg: float = 45.0
    """So good a match is needed as well for a larger turn by a hand going by, or"""
    held_most_turn_deg: float = 100.0
    """by fingers."""
    stands_score: float = 0.92
    """A piece that matches so well where it stood was not touched; the smallest touches come to 0.87."""
    most_cells: float = 0.35
    """A match farther away than this is by chance: the piece would stand on no point. One beyond doubt may be"""
    pushed_cells: float = 0.5
    """up to half way to the next point."""
    held_s: float = 0.35
    """With fingers at a piece for this long it was taken hold of, not brushed on the way to another: four frames of ten
    a second."""
    covered_s: float = 1.0
    """And it was under the hand for at least this: to lift a piece and let it go takes longer, to brush it less."""
    surely_held_s: float = 0.6
    """Fingers were on it beyond doubt from this on; an arm that brushes a piece on its way is there for 0.4 s."""
    held_shift_cells: float = 0.035
    """A piece taken hold of was touched if it stands at least this far from where it stood, or"""
    held_turn_deg: float = 4.0
    """is turned by at least this."""
    controls: int = 3
    """So many pieces that no hand came near are measured with it: if they moved as well, it was the camera."""
    same_place_cells: float = 0.015
    """A piece lifted and put back stands at least this far from where it stood, or"""
    same_turn_deg: float = 3.0
    """is turned by at least this."""
    explained: float = 0.35
    """A piece taken hold of was put down a little otherwise where a small motion explains this share of how its sign
    looks otherwise: weak evidence, told with less probability. Of untouched ones chance explains up to 0.20,"""
    strange: float = 0.3
    """and no more than this of the sign is strange then: 0.01 to 0.18, and 0.43 and more where it is another sign."""
    altered_cells: float = 0.006
    """It has to stand at least this far off for that, or"""
    altered_turn_deg: float = 2.0
    """be turned by at least this."""
    apart_gain: float = 0.4
    """A face that matches better elsewhere by this much than where it stood is the one that stood there, shifted,"""
    apart_score: float = 0.75
    """even where it matches no better than this: aslant, a shifted face is seen otherwise."""
    apart_cells: float = 0.2
    """That holds up to this shift: a piece pushed farther off its point is disturbed, see DisorderConfig."""
    lifted_probability: float = 0.92
    shifted_probability: float = 0.8
    altered_probability: float = 0.65
    contact_s: float = 0.3
    """A hand that hides a piece touches it about this long after."""
    again_s: float = 1.0
    """A look that could not be explained is measured again after this long."""


@dataclass(frozen=True, slots=True)
class Look:
    """The table as it was remembered, or is seen."""

    window: Image
    """(TALL, WIDE, 3)"""
    fine: Image
    """(2 TALL, 2 WIDE, 3) the same, twice as fine."""


@dataclass(frozen=True, slots=True)
class Touch:
    """A piece found to have been touched."""

    point: int
    alignment: Alignment
    lifted: bool
    """Whether it was taken hold of: seen gone, or found otherwise after fingers had been at it. Else it was brushed."""
    sure: bool = True
    """Whether it stands otherwise by more than measuring errs, and fingers were on it and not only beside it."""
    itself: bool = False
    """Whether its face is beyond doubt the one that stood there, and no other of its side put in its place."""


def suspects(
    belief: Belief,
    episodes: Episodes,
    board: bytes,
    settled: Mask,
    evidence: NDArray[np.float64],
    config: TouchConfig,
) -> Mask:
    """(90,) pieces that stand where they stood, were under a hand, and may have been touched."""
    pieces = np.frombuffer(board, dtype=np.uint8) > 0
    was_hidden = ~np.isnan(episodes.hidden_to)
    # A piece pushed aside looks poorly like a piece, but no more like an empty point or one of the other side.
    same = evidence[:, SAME]
    likest = same >= evidence.max(axis=1) - _MOVED_NATS
    out: Mask = pieces & settled & was_hidden & ((same > _LIKE_ITSELF) | likest)
    with np.errstate(invalid="ignore"):
        looks_otherwise = (belief.likeness < UNTOUCHED) | episodes.emptied
    # A piece that fingers held can be turned by a few degrees and look as ever.
    held = [held_near(episodes, point) >= config.held_s for point in np.flatnonzero(out)]
    out[out] = np.array(held, dtype=np.bool_) | looks_otherwise[out]
    return out


def examine(
    then: Look,
    now: Look,
    points: Mask,
    steady: Mask,
    moved: Mask,
    episodes: Episodes,
    t: float,
    config: TouchConfig,
) -> tuple[list[Touch], Mask, Episodes]:
    """Measure the suspects: the touched ones, those that turn out untouched (90,), and the episodes with it noted.

    steady : (90,) pieces in view that no hand came near
    moved  : (90,) points that a piece has come to or left: what fingers did there was that
    """
    touched: list[Touch] = []
    of_others = replace(episodes, held_s=np.where(moved, 0.0, episodes.held_s))
    untouched = np.zeros(90, dtype=np.bool_)
    examined = episodes.examined.copy()
    slip: tuple[float, float] | None = None
    for point in (int(p) for p in np.flatnonzero(points)):
        if t - examined[point] < config.again_s:
            continue
        examined[point] = t
        touch: Touch | None = None
        score = in_place = score_in_place(then.window, now.window, point)
        held, emptied = _was_held(episodes, point, config), bool(episodes.emptied[point])
        if in_place >= (UNTOUCHED if held or emptied else config.stands_score):
            untouched[point] = in_place >= UNTOUCHED and not emptied
        else:
            how = align(then.window, now.window, point)
            score = how.score
            # Else it is another piece, something laid on it, or a shadow; not this piece shifted.
            same = _is_same_piece(then.window, now.window, point, how, held, config)
            if same and emptied and not _stands_as_it_stood(how, config):
                touch = Touch(point, how, True)
            elif same and _was_touched(how, held, config):
                slip = _slip(then.window, now.window, steady, point, config) if slip is None else slip
                own = replace(how, shift_cells=(how.shift_cells[0] - slip[0], how.shift_cells[1] - slip[1]))
                # Where a hand only ends next to the piece, or not for long, it may have gone by and brushed it.
                sure = not held or bool(episodes.held_s[point] >= config.surely_held_s)
                itself = _gains(how, config) and how.score >= config.shaded_score
                touch = Touch(point, own, held, sure, itself) if _was_touched(own, held, config) else None
            else:
                untouched[point] = same and how.score >= UNTOUCHED
        if touch is None and _was_held(of_others, point, config):
            altered = _altered(then.fine, now.fine, steady, point, config)
            if altered is not None:
                touch = Touch(point, Alignment(*altered, score, in_place), True, sure=False)
        if touch is not None:
            touched.append(touch)
            untouched[point] = False
    return touched, untouched, replace(episodes, examined=examined)


def _was_held(episodes: Episodes, point: int, config: TouchConfig) -> bool:
    """Whether fingers were at a piece as long as it takes to take hold of it and let it go again."""
    covered_s = float(episodes.hidden_to[point] - episodes.hidden_from[point]) + SAME_TIME_S
    return held_near(episodes, point) >= config.held_s and covered_s >= config.covered_s


def _is_same_piece(
    reference: Image, window: Image, point: int, how: Alignment, held: bool, config: TouchConfig
) -> bool:
    """Whether the match is the piece that stood there, and not a shadow's edge on it that fits somewhere by chance."""
    gains = _gains(how, config)
    beyond_doubt = gains and how.score >= config.shaded_score
    if how.size_cells > (config.pushed_cells if beyond_doubt else config.most_cells):
        return False
    apart = gains and abs(how.turn_deg) <= config.most_turn_deg
    apart = apart and how.size_cells <= config.apart_cells
    if how.score < (config.apart_score if held and apart else config.least_score):
        return False
    if how.score >= config.shaded_score:
        return True
    if abs(how.turn_deg) > (config.held_most_turn_deg if held else config.most_turn_deg):
        return False
    return light_change(reference, window, point, how) <= config.other_light


def _gains(how: Alignment, config: TouchConfig) -> bool:
    """Whether a face matches so much better elsewhere that it can only be the one that stood there, shifted."""
    return how.score - how.score_in_place >= config.apart_gain


def light_change(reference: Image, window: Image, point: int, how: Alignment) -> float:
    """By what share the light on a piece's face differs from before, in the channel where it does most."""
    light = face_light(window, point, how.shift_cells) / np.maximum(face_light(reference, point), 1.0)
    return float(np.abs(light - 1.0).max())


def _was_touched(how: Alignment, held: bool, config: TouchConfig) -> bool:
    """Whether a piece stands otherwise than it stood by more than measuring errs."""
    if how.score - how.score_in_place < config.least_gain:
        return False
    if not held:
        # A shadow's edge can pass for a turn on the spot; nobody does that without his fingers.
        return how.size_cells >= config.shift_cells
    return how.size_cells >= config.held_shift_cells or abs(how.turn_deg) >= config.held_turn_deg


def _altered(
    then: Image, now: Image, steady: Mask, point: int, config: TouchConfig
) -> tuple[tuple[float, float], float] | None:
    """The shift in cells and turn in degrees of a piece put down a little otherwise; None where that is not seen.

    then, now : fine windows
    """
    how = nudge(then, now, point)
    if how.explained < config.explained or how.strange > config.strange:
        return None
    others = [nudge(then, now, int(other)) for other in _nearest(steady, point, config)]
    if not others:
        return None
    x, y = how.shift_cells
    slipped = [other.shift_cells for other in others if other.explained >= config.explained]
    if 2 * len(slipped) > len(others):
        # It was camera or board, as well.
        slip = np.median(np.array(slipped), axis=0)
        x, y = x - float(slip[0]), y - float(slip[1])
    if np.hypot(x, y) < config.altered_cells and abs(how.turn_deg) < config.altered_turn_deg:
        return None
    return (x, y), how.turn_deg


def _nearest(steady: Mask, point: int, config: TouchConfig) -> NDArray[np.intp]:
    """The pieces nearest to a point that no hand came near."""
    others = np.flatnonzero(steady)
    order = np.hypot(*(CENTRES_PX[others] - CENTRES_PX[point]).T).argsort()
    nearest: NDArray[np.intp] = others[order[: config.controls]]
    return nearest


def _slip(reference: Image, window: Image, steady: Mask, point: int, config: TouchConfig) -> tuple[float, float]:
    """By how much pieces that nobody touched seem to have moved near a point: camera or board did."""
    near = _nearest(steady, point, config)
    shifts = [align(reference, window, int(other)).shift_cells for other in near]
    if not shifts:
        return 0.0, 0.0
    x, y = np.median(np.array(shifts), axis=0)
    return float(x), float(y)


def _stands_as_it_stood(how: Alignment, config: TouchConfig) -> bool:
    """Nobody puts a piece back to a hundredth of a cell and the degree: what hid it was no empty point."""
    return how.size_cells < config.same_place_cells and abs(how.turn_deg) < config.same_turn_deg


def off_middle_cells(window: Image, point: int) -> float:
    """How far from the middle of its point a piece stands now, cells."""
    centres, _ = find_discs(window, CENTRES_PX[point : point + 1], _FACE_RADII_PX, _FACE_REACH_PX)
    return float(np.hypot(*(centres[0] - CENTRES_PX[point]))) / CELL_PX


def tell(touch: Touch, episodes: Episodes, t: float, config: TouchConfig) -> PieceTouched:
    """The event of a touched piece."""
    began = float(episodes.hidden_from[touch.point])
    began = t if np.isnan(began) else began
    ended = float(episodes.hidden_to[touch.point])
    since = held_since(episodes, touch.point)
    contact = min(began + config.contact_s if since is None else since, ended if not np.isnan(ended) else t)
    return PieceTouched(
        t,
        Point(touch.point),
        TouchStrength.LIFTED if touch.lifted else TouchStrength.SHIFTED,
        contact,
        side_at(episodes, [touch.point]),
        round(touch.alignment.size_cells, 3),
        _probability(touch, config),
    )


def _probability(touch: Touch, config: TouchConfig) -> float:
    if not touch.sure:
        return config.altered_probability
    return config.lifted_probability if touch.lifted else config.shifted_probability


_FACE_RADII_PX = CELL_PX * np.array([0.30, 0.34, 0.38, 0.42])
_FACE_REACH_PX = 0.45 * CELL_PX
_LIKE_ITSELF = -2.5
"""Log likelihood from which a point still looks like the piece that stood there."""
_MOVED_NATS = 1.6
"""So much less likely than a piece newly come is the old one that was moved, see BeliefConfig.replaced_nats."""
UNTOUCHED = 0.97
"""Likeness from which a piece was certainly not moved: 0.05 cell costs 0.1 of it."""
