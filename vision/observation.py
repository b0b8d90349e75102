"""What one frame says about each of the 90 points, or that it says nothing."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rules.piece import BLACK, RED
from vision.change import (
    F32,
    ChangeConfig,
    Mask,
    Match,
    Pattern,
    even_out,
    foreign,
    gain,
    halved,
    likeness,
    match,
    moving,
    passing_shade,
    pattern_like,
    pattern_of,
    stillness,
)
from vision.difference import difference
from vision.frame import Image
from vision.hand import HandConfig, Hands, find_hands, no_hands
from vision.looks import Looks
from vision.lying import LyingConfig, lies_still, only_lying, still_lying
from vision.resting import RestConfig, RestingHand, area_of, at_rest, remember_hands
from vision.rims import find_discs
from vision.uncovered import Matter, UncoverConfig, uncover
from vision.window import CELL_PX, CENTRES_PX, Window


@dataclass(frozen=True, slots=True)
class ObservationConfig:
    """How a frame is read."""

    change: ChangeConfig = field(default_factory=ChangeConfig)
    hand: HandConfig = field(default_factory=HandConfig)
    rest: RestConfig = field(default_factory=RestConfig)
    lying: LyingConfig = field(default_factory=LyingConfig)
    uncover: UncoverConfig = field(default_factory=UncoverConfig)
    alike: float = 0.93
    """Likeness from which a point looks as remembered; its features need not be measured."""
    clear_piece: float = 0.6
    """Score from which such a thing is taken for the piece."""
    unclear: tuple[float, float] = (-0.5, 0.8)
    """Occupancy scores between these are measured again on the roundest thing near the point: a piece that stands half
    a cell off still looks like most of one."""
    unlike: float = 0.86
    """So is what scores less where the likeness is below this: of a tall piece off its point one sees the side there,
    which may be as plain as an empty board."""
    clear_side: float = 0.7
    """So is what looks like a piece of neither side by this much: its sign is not where it is looked for."""
    most_searched: int = 12
    """Where more points than this look otherwise it is the light: then only what scores near 0 is measured again."""
    clearer: float = 0.3
    """A thing beyond `off_centre_cells` has to look that much more like a piece than what is seen on the point."""
    off_centre_cells: float = 0.36
    """A piece seen farther than this from a point is off it. Of a piece just moved, vision.placing tells better."""
    rim_error_cells: float = 0.12
    """Where its rim is seen about so far the middle of its face tells: a rim errs by up to a tenth of a cell."""
    apart_cells: float = 0.7
    """The middles of two pieces are at least this far apart."""
    search_cells: float = 0.56
    """How far it is looked for: with less, the edge of what is searched passes for the piece's middle."""
    still_levels: float = 4.0
    """Mean difference of a patch from the frame before up to which it stands still; noise is 1 to 2."""
    still_noises: float = 2.0
    """The same in medians of all patches, which in the dark is more."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One frame, point by point. Hidden points have numbers too, but they mean nothing."""

    t: float
    window: Image
    """The window under the light of the remembered scene."""
    half: Image
    """(TALL/2, WIDE/2, 3) the same, smaller."""
    gain: F32
    """(3,) how much brighter the frame was."""
    hands: Hands
    foreign: Mask
    """(TALL/2, WIDE/2) matter come or gone since the scene was remembered."""
    likeness: F32
    """(90,) to the remembered scene, -1..1."""
    still: Mask
    """(90,) as in the frame before."""
    occupancy: NDArray[np.float64]
    """(90,) -1 empty .. +1 piece; NaN where it was not measured, because hidden or as remembered."""
    side: NDArray[np.float64]
    """(90,) -1 red .. +1 black, of a piece, if it is one."""
    picture: Image
    """(H, W, 3) the frame as it came."""
    resting: tuple[RestingHand, ...] = ()
    """The hands as the next frame is to know them."""
    lying: Mask | None = None
    """(TALL/2, WIDE/2) where matter is known to lie that would pass for a hand."""

    @property
    def visible(self) -> Mask:
        """(90,) points that say something."""
        return ~self.hands.hidden


@dataclass(frozen=True, slots=True)
class Glance:
    """The first look at a frame: the window under the remembered light, and how like the remembered scene it is."""

    window: Image
    half: Image
    """(TALL/2, WIDE/2, 3) the same, smaller."""
    gain: F32
    match: Match
    """Of its patches with the remembered ones."""
    likeness: F32
    picture: Image
    """(H, W, 3) the frame as it came."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """The scene that a frame is compared with."""

    reference: Image
    """(TALL, WIDE, 3) the table without hands."""
    half: Image
    """(TALL/2, WIDE/2, 3) the same, smaller."""
    pattern: Pattern
    """The reference's patches, by `weights`."""
    weights: F32
    """(90, 576) which pixels of each patch are compared."""
    inside: Mask
    """(TALL/2, WIDE/2) within the picture."""


def remembered(reference: Image, weights: F32, inside: Mask) -> Remembered:
    """Make a scene ready for comparison."""
    return Remembered(reference, halved(reference), pattern_of(reference, weights), weights, inside)


def glance(picture: Image, window: Window, scene: Remembered, unhidden: Mask, config: ObservationConfig) -> Glance:
    """Even out the light in the window of a picture and compare it, point by point, with the remembered scene.

    unhidden : (TALL/2, WIDE/2) where no hand was in the frame before
    """
    watched = window.apply(picture)
    factor = gain(watched, scene.reference, unhidden & scene.inside)
    evened = even_out(watched, factor)
    found = match(pattern_like(evened, scene.pattern), scene.pattern)
    return Glance(evened, halved(evened), factor, found, likeness(found, config.change), picture)


def observe(
    t: float,
    look: Glance,
    previous: Image,
    scene: Remembered,
    looks: Looks,
    config: ObservationConfig,
    before: tuple[RestingHand, ...] = (),
    lying: Mask | None = None,
    quiet_s: float = 0.0,
) -> Observation:
    """Find hands, and measure the points that look otherwise than remembered.

    previous : (TALL/2, WIDE/2, 3) the halved window of the frame before
    before   : the hands of that frame
    lying    : (TALL/2, WIDE/2) where matter lay in it that would pass for a hand
    quiet_s  : for how long up to that frame no hand was about and nothing moved
    """
    evened, alike = look.window, look.likeness
    from_previous, from_scene = difference(look.half, previous), difference(look.half, scene.half)
    moves, bar = moving(from_previous, from_scene, config.change)
    changed, deep = foreign(from_scene, bar, config.change)
    shade = passing_shade(from_previous, config.change)
    restless = stillness(from_previous, shade)
    still = restless <= max(config.still_levels, config.still_noises * float(np.median(restless)))
    resting = at_rest(before, t, look.half, bar, from_previous.largest > bar, changed, config.rest)
    matter = Matter(changed, moves & ~shade, scene.inside, area_of(resting) if resting else None, deep)
    hands = first = find_hands(matter.changed, matter.moves, scene.inside, config.hand, resting=matter.resting)
    if hands.present and (shade & moves).any():
        # An arm can look like a shadow of the board, but no shadow like the hand at its end.
        joined_to = hands.mask & scene.inside
        hands = find_hands(changed, moves, scene.inside, config.hand, joined_to, matter.resting)
    hands = uncover(hands, first, matter, evened, (look.half, scene.half), looks, config.uncover, config.hand)
    lying = still_lying(lying, moves, config.lying)
    # Pieces that lie beside each other, or at the rim, may hang together all at once: none of them has come so.
    none_came = quiet_s >= config.lying.quiet_s and lies_still(changed, moves, hands, config.lying)
    if none_came or only_lying(evened, scene.reference, changed, moves, hands, looks, lying, config.lying):
        area = hands.mask & scene.inside
        lying = area if lying is None else lying | area
        hands = no_hands(scene.inside, config.hand)
    occupancy, side = np.full(len(alike), np.nan), np.full(len(alike), np.nan)
    doubtful = np.flatnonzero(~hands.hidden & (alike < config.alike))
    if len(doubtful):
        occupancy[doubtful], side[doubtful] = looks.score(evened, CENTRES_PX[doubtful])
    least, most = config.unclear
    unlike = alike < config.unlike
    if len(doubtful) > config.most_searched:
        unlike, most = np.zeros_like(unlike), -least
    no_side = unlike & (np.abs(side) < config.clear_side)
    unclear = np.flatnonzero(np.where(occupancy < most, (occupancy > least) | unlike, no_side))
    if len(unclear):
        _measure_off_centre(evened, looks, unclear, occupancy, side, config)
    resting = remember_hands(before, resting, t, look.half, hands, changed, config.rest)
    return Observation(
        t,
        evened,
        look.half,
        look.gain,
        hands,
        changed,
        alike,
        still,
        occupancy,
        side,
        look.picture,
        resting,
        lying,
    )


def _measure_off_centre(
    window: Image,
    looks: Looks,
    points: NDArray[np.intp],
    occupancy: NDArray[np.float64],
    side: NDArray[np.float64],
    config: ObservationConfig,
) -> None:
    """Pieces put down beside the middle of their points are measured where they are."""
    for point in points:
        near = CENTRES_PX[point : point + 1]
        centres, _ = find_discs(window, near, np.array([looks.radius_px]), config.search_cells * CELL_PX)
        there, its_side = looks.score(window, centres)
        if there[0] <= config.clear_piece:
            continue
        if abs(float(np.hypot(*(centres - near)[0])) / CELL_PX - config.off_centre_cells) <= config.rim_error_cells:
            middle = looks.middle(window, centres[0], BLACK if its_side[0] > 0 else RED)
            centres = centres if middle is None else middle[None]
        if occupancy[point] < config.unclear[0] and _is_a_neighbour(window, looks, int(point), centres[0], config):
            continue
        if float(np.hypot(*(centres - near)[0])) <= config.off_centre_cells * CELL_PX:
            occupancy[point], side[point] = there[0], its_side[0]
        elif len(points) <= config.most_searched and there[0] > occupancy[point] + config.clearer:
            # Part of a piece that stands on no point: neither empty nor taken.
            occupancy[point] = min(occupancy[point], 0.0)


def _is_a_neighbour(
    window: Image, looks: Looks, point: int, centre_px: NDArray[np.float64], config: ObservationConfig
) -> bool:
    """Whether what is seen beside a point that looks empty is the side of a piece on the next one."""
    away = np.hypot(*(CENTRES_PX - CENTRES_PX[point]).T) / CELL_PX
    # A piece on a point farther from what was found is too far from it, wherever near that point it is found.
    within = (config.apart_cells + 1.5 * config.search_cells) * CELL_PX
    next_to = np.flatnonzero((np.abs(away - 1.2) < 0.3) & (np.hypot(*(CENTRES_PX - centre_px).T) < within))
    radius, reach = np.array([looks.radius_px]), config.search_cells * CELL_PX
    found = [find_discs(window, CENTRES_PX[other : other + 1], radius, reach)[0] for other in next_to]
    others = np.concatenate(found) if found else np.zeros((0, 2))
    # What is found farther from the next point may be this very thing, seen from there.
    on_it = np.hypot(*(others - CENTRES_PX[next_to]).T) <= config.off_centre_cells * CELL_PX
    others = others[on_it & (looks.score(window, others)[0] > config.clear_piece)]
    nearest_px = float(np.hypot(*(others - centre_px).T).min(initial=np.inf))
    # Nearer still it is the same thing, found from both points.
    return _SAME_THING_CELLS * CELL_PX < nearest_px < config.apart_cells * CELL_PX


_SAME_THING_CELLS = 0.15
