"""What differs between a window and the remembered scene, light aside."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.point import FILES, POINTS, RANKS
from vision.difference import Difference, difference, shares_of_light
from vision.frame import Image
from vision.shadow import DeepShadowConfig, deep_shadow, in_shadow
from vision.surfaces import SurfaceConfig, same_surface
from vision.window import CELL_PX, TALL, WIDE, patch_radius_cells, patches, points_area

F32 = NDArray[np.float32]
Mask = NDArray[np.bool_]

HALF = 2
"""Foreign matter is looked for on the window shrunk by this: half the noise, a quarter of the work."""
HALF_CELL_PX = CELL_PX // HALF


@dataclass(frozen=True, slots=True)
class ChangeConfig:
    """When a pixel or a point counts as changed."""

    foreign_levels: float = 22.0
    """8-bit levels by which a pixel has to differ, light evened out; less sees paler hands and more noise."""
    foreign_noises: float = 7.0
    """The same in medians of what differs from one frame to the next, which in the dark is more."""
    frozen_noises: float = 5.0
    """The same in what a quarter of the pixels differ by from the scene, where that is more: video coders repeat the
    noise of the frame before, so that it does not show between frames."""
    frozen_most: float = 16.0
    """More than this is no noise, but another light, levels."""
    shadow_darkest: float = 0.45
    """A shadow leaves at least this share of the light; darker is matter."""
    shadow_brightest: float = 1.6
    """A patch of sun adds at most this factor; brighter is matter."""
    shadow_tint: float = 0.09
    """A shadow changes the colours' ratios by at most this share; more than that is matter."""
    passing_tint: float = 0.2
    """The same from one frame to the next, where it need not tell a shadow from a hand: that is seen by what stays."""
    restless_levels: float = 8.0
    """8-bit levels of difference from the frame before from which it is asked whether a shadow passes."""
    surface: SurfaceConfig = field(default_factory=SurfaceConfig)
    deep: DeepShadowConfig = field(default_factory=DeepShadowConfig)
    noise_levels: float = 3.0
    """8-bit levels of noise in a patch, under which contrast means nothing."""
    disc_cells: float = 0.44
    """Radius of the area compared at a point."""


def gain(window: Image, reference: Image, usable: Mask) -> F32:
    """(3,) factor by which each channel of the window is brighter than the reference, where `usable` (half size)."""
    now, then = _sparse(window), _sparse(reference)
    good = usable[::2, ::2] & (cv2.min(cv2.min(then[0], then[1]), then[2]) > 20)
    good &= cv2.max(cv2.max(now[0], now[1]), now[2]) < 250
    if np.count_nonzero(good) < 100:
        return np.ones(3, dtype=np.float32)
    one = np.float32(1.0)
    ratios = [(bright[good] + one) / (before[good] + one) for bright, before in zip(now, then, strict=True)]
    return _medians(np.array(ratios))


def _medians(rows: NDArray[np.generic]) -> F32:
    """The median of each row; np.median takes twice as long."""
    middle = rows.shape[1] // 2
    least = middle if rows.shape[1] % 2 else middle - 1
    medians: F32 = np.partition(rows, (least, middle), axis=1)[:, least : middle + 1].mean(axis=1, dtype=np.float32)
    return medians


def _sparse(window: Image) -> Sequence[NDArray[np.uint8]]:
    """Every fourth pixel of every fourth row, by channel."""
    size = (WIDE // 4, TALL // 4)
    return cv2.split(cv2.resize(window, size, interpolation=cv2.INTER_NEAREST))  # type: ignore[return-value]


def even_out(window: Image, factor: F32) -> Image:
    """The window under the reference's light."""
    table = np.clip(np.arange(256)[:, None] / factor[None, :] + 0.5, 0, 255).astype(np.uint8)
    return cv2.LUT(window, table.reshape(256, 1, 3))  # type: ignore[return-value]


def foreign(from_scene: Difference, levels: float, config: ChangeConfig) -> tuple[Mask, bool]:
    """(TALL/2, WIDE/2) where matter is that was not there, or is gone; shadows and sun patches left out.

    levels  : from which difference on, see `moving`
    returns : the mask, and whether the frame has a shadow deeper than most, which is left out as well
    """
    changed: Mask = from_scene.largest > levels
    lit = _lit(from_scene, changed, config.shadow_darkest, config.shadow_brightest, config.shadow_tint)
    matter: Mask = changed & ~lit
    if np.count_nonzero(matter) < _WORTH_A_LOOK:
        return matter, False
    same = same_surface(from_scene.now, from_scene.then, changed, config.surface)
    matter &= ~same
    shadow = deep_shadow(from_scene, same, config.deep)
    if shadow is None:
        return matter, False
    return matter & ~in_shadow(from_scene, matter, shadow, config.deep), True


def passing_shade(from_previous: Difference, config: ChangeConfig) -> Mask:
    """(TALL/2, WIDE/2) of the pixels that differ from the frame before: what shadows can do.

    Lamps are of different colours: what is left is tinted where one of them is shaded.
    """
    restless = from_previous.largest > config.restless_levels
    return _lit(from_previous, restless, config.shadow_darkest, 1.0 / config.shadow_darkest, config.passing_tint)


def _lit(pair: Difference, where: Mask, darkest: float, brightest: float, most_tint: float) -> Mask:
    """(H, W) of the pixels `where` two pictures differ, those that are darker or brighter by no more than light is."""
    asked = np.flatnonzero(where)
    blue, green, red = shares_of_light(pair.now, pair.then, asked).T
    mean = (blue + green + red) / 3.0
    tint = np.maximum(np.maximum(blue, green), red) - np.minimum(np.minimum(blue, green), red)
    lit = np.zeros(where.size, dtype=np.bool_)
    lit[asked[(mean > darkest) & (mean < brightest) & (tint < most_tint * mean)]] = True
    return lit.reshape(where.shape)


def in_other_light(now: Image, then: Image, matter: Mask, levels: float) -> Mask:
    """(TALL/2, WIDE/2) what looks otherwise than before by its light alone: shadows, mostly of hands, and sun."""
    shaded: Mask = (difference(now, then).largest > levels) & ~matter
    return shaded


_WORTH_A_LOOK = 60
"""Half-size pixels of change under which no hand can be."""


def moving(from_previous: Difference, from_scene: Difference, config: ChangeConfig) -> tuple[Mask, float]:
    """(TALL/2, WIDE/2) where a halved window differs from the frame before, and the bar it was measured with.

    Not where it is as it was remembered: there something was a frame ago, and has gone. The bar is the least
    difference that is no noise, levels: of two frames most pixels show the same.
    """
    noise = float(_medians(from_previous.largest[::2, ::2].reshape(1, -1))[0])
    sparse = from_scene.largest[::2, ::2].ravel()
    frozen = float(np.partition(sparse, len(sparse) // 4)[len(sparse) // 4])
    if frozen > config.frozen_most:
        frozen = 0.0
    bar = max(config.foreign_levels, config.foreign_noises * noise, config.frozen_noises * frozen)
    return (from_previous.largest > bar) & (from_scene.largest > _AS_REMEMBERED * bar), bar


_AS_REMEMBERED = 0.5
"""Share of the bar up to which a pixel is as remembered: what is in between may be the edge of a hand."""


def stillness(from_previous: Difference, shade: Mask) -> F32:
    """(90,) mean absolute difference of each point's patch from the frame before, levels.

    What a passing shadow does is left out: the hands that throw them are gone before they are.
    """
    restless = from_previous.levels.copy()
    restless[shade] = 0
    mean: F32 = patches(restless, HALF_CELL_PX).mean(axis=(1, 2), dtype=np.float32)
    return mean


def halved(window: Image) -> Image:
    """The window at half its size, by area."""
    h, w = window.shape[:2]
    return cv2.resize(window, (w // HALF, h // HALF), interpolation=cv2.INTER_AREA)  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Pattern:
    """The patches of a window made ready for comparison: without their means, weighted.

    Channel by channel, in the order of the window's pixels: (3, RANKS, CELL_PX, FILES * CELL_PX).
    """

    weights: F32
    """(RANKS, CELL_PX, FILES * CELL_PX) how much each pixel counts; those of a patch sum to 1."""
    centred: F32
    """The values, less the patch's mean of their channel."""
    weighted: F32
    """The same times the weights."""
    power: F32
    """(90,) weighted sum of squares."""


def pattern_of(window: Image, weights: F32) -> Pattern:
    """Make a window's patches ready. `weights` (90, 576): which pixels of each patch count; rows sum to 1."""
    by_rank = weights.reshape(RANKS, FILES, CELL_PX, CELL_PX)[::-1].swapaxes(1, 2)
    return _pattern(window, np.ascontiguousarray(by_rank).reshape(RANKS, CELL_PX, FILES * CELL_PX))


def pattern_like(window: Image, then: Pattern) -> Pattern:
    """Make a window's patches ready for comparison with those of another one."""
    return _pattern(window, then.weights)


def _pattern(window: Image, weights: F32) -> Pattern:
    values = np.empty((3, *weights.shape), dtype=np.float32)
    for channel, plane in zip(values, cv2.split(np.ascontiguousarray(points_area(window))), strict=True):
        channel[:] = plane.reshape(weights.shape)
    weighted = values * weights
    means = weighted.sum(axis=2).reshape(3, RANKS, FILES, CELL_PX).sum(axis=3)
    values -= np.repeat(means, CELL_PX, axis=2)[:, :, None, :]
    np.multiply(values, weights, out=weighted)
    return Pattern(weights, values, weighted, _sums(values, weighted))


@dataclass(frozen=True, slots=True)
class Match:
    """How the patches of two windows go together; arrays of 90."""

    common: F32
    """Weighted sum of products of the two."""
    now_power: F32
    then_power: F32
    """Weighted sums of squares of each."""


def match(now: Pattern, then: Pattern) -> Match:
    """Compare the patches of two windows."""
    return Match(_sums(now.centred, then.weighted), now.power, then.power)


def likeness(found: Match, config: ChangeConfig) -> F32:
    """(90,) correlation of each point's patch in two windows, -1..1; 1 where both are blank.

    Indifferent to brightness and contrast.
    """
    floor = 3.0 * config.noise_levels**2
    now, then = found.now_power, found.then_power
    # What has no contrast at all beside the other is blank: like any other blank, and not like a piece.
    power = np.sqrt(np.maximum(now, _BLANK * then) * np.maximum(then, _BLANK * now))
    alike: F32 = ((found.common + floor) / (power + floor)).astype(np.float32)
    return alike


def likeness_together(found: Match, points: Mask) -> float:
    """The same of some points, (90,), taken together: those with contrast tell it, and blanks are like nothing."""
    power = float(np.sqrt(found.now_power[points].sum() * found.then_power[points].sum()))
    return float(found.common[points].sum()) / max(power, _NO_POWER)


_BLANK = 1e-3
"""Share of another patch's power under which one is blank beside it: noise alone has more."""
_NO_POWER = 1e-6
"""Of patches in which nothing is to be seen."""


def _sums(a: F32, b: F32) -> F32:
    """(90,) sum of the products over each patch."""
    columns = np.einsum("crij,crij->rj", a, b)
    sums: F32 = columns.reshape(RANKS, FILES, CELL_PX).sum(axis=2)[::-1].ravel()
    return sums


def disc_weights(config: ChangeConfig) -> F32:
    """(90, 576) equal weights over the disc round each point, rows summing to 1."""
    disc = np.clip((config.disc_cells - patch_radius_cells()) * CELL_PX + 0.5, 0.0, 1.0)
    return np.tile((disc / disc.sum()).astype(np.float32), (POINTS, 1))
