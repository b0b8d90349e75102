"""Where the discs are: the centre and radius of round faces on the rectified board, by the direction of their edges.

Across a circle every gradient points to or from its centre. For a trial centre and radius the measure is the mean over
the circle of the squared radial part of the gradient, with the gradient's length saturated, so that one strong line
counts no more than a faint but whole rim. It is linear in three maps of gradient products, so whole pictures are
searched by convolution and single points by sampling.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64
from vision.frame import Image

F32 = NDArray[np.float32]

RADII_CELLS = np.linspace(0.20, 0.54, 18)
"""Trial radii. Discs of sets in use measure 0.25 to 0.5 cell; beyond that neighbours would overlap."""

_RING_WIDTH_STEPS = 3
"""A ring of ink is up to this many steps of RADII_CELLS (0.06 cell) wide."""
_ANGLES = 40
"""Samples on a circle; 40 at 20 px radius is one every 3 px, the width of a blurred edge."""
_LEAST_SEEN = 0.6
"""Share of a circle that has to lie in the picture for the rest to be taken for like it."""
_SATURATION = 2.0
"""A gradient counts in full above this many times the picture's median of strong gradients' noise floor."""


@dataclass(frozen=True, slots=True)
class Edges:
    """Gradient products of a rectified picture, each gradient's length saturated to at most 1."""

    xx: F32
    """(H, W) squared x part."""
    xy: F32
    """(H, W) product of both parts."""
    yy: F32
    """(H, W) squared y part."""
    dark_x: F32
    """(H, W) x part of the saturated gradient of the green channel, in which both red and black ink are dark."""
    dark_y: F32
    px_per_cell: float
    inside: NDArray[np.bool_] | None = None
    """(H, W) where the picture reaches; None: everywhere."""


@dataclass(frozen=True, slots=True)
class Disc:
    """One round face found on the rectified board."""

    x_px: float
    y_px: float
    radius_px: float
    score: float
    """Mean squared radial part of the gradient over the rim, 0..1."""


def edges_of(image_bgr: Image, px_per_cell: float, inside: NDArray[np.bool_] | None = None) -> Edges:
    """Gradients of the channel that changes most at each pixel: a white disc on yellow cloth shows in blue only.

    inside : (H, W) where the picture reaches; circles cut by its edge are judged by what is seen of them
    """
    smooth = cv2.GaussianBlur(image_bgr, (0, 0), max(0.6, px_per_cell / 48.0)).astype(np.float32)
    gx = cv2.Scharr(smooth, cv2.CV_32F, 1, 0, scale=1 / 32)
    gy = cv2.Scharr(smooth, cv2.CV_32F, 0, 1, scale=1 / 32)
    green_x, green_y = gx[..., 1], gy[..., 1]
    best = np.argmax(gx * gx + gy * gy, axis=2)[..., None]
    gx = np.take_along_axis(gx, best, axis=2)[..., 0]
    gy = np.take_along_axis(gy, best, axis=2)[..., 0]
    length = np.hypot(gx, gy)
    # The floor follows the picture: half of a board is blank, so its median is noise and grain.
    floor = _SATURATION * float(np.median(length)) + 1.0
    weight = 1.0 / np.maximum(length, floor)
    gx, gy = (gx * weight).astype(np.float32), (gy * weight).astype(np.float32)
    green_weight = (1.0 / np.maximum(np.hypot(green_x, green_y), floor)).astype(np.float32)
    return Edges(gx * gx, gx * gy, gy * gy, green_x * green_weight, green_y * green_weight, px_per_cell, inside)


def rim_map(edges: Edges, radius_px: float) -> F32:
    """(H, W) the measure for a circle of this radius about each pixel."""
    band, cos, sin = _circle(radius_px)
    xx, xy, yy = (
        cv2.filter2D(part, cv2.CV_32F, kernel, borderType=cv2.BORDER_REPLICATE)
        for part, kernel in (
            (edges.xx, band * cos * cos),
            (edges.xy, 2 * band * cos * sin),
            (edges.yy, band * sin * sin),
        )
    )
    out: F32 = xx + xy + yy
    return out


def brightening_map(edges: Edges, radius_px: float) -> F32:
    """(H, W) mean outward gradient of green over a circle about each pixel: 1 dark inside, -1 dark outside."""
    band, cos, sin = _circle(radius_px)
    x, y = (
        cv2.filter2D(part, cv2.CV_32F, kernel, borderType=cv2.BORDER_REPLICATE)
        for part, kernel in ((edges.dark_x, band * cos), (edges.dark_y, band * sin))
    )
    out: F32 = x + y
    return out


def _circle(radius_px: float) -> tuple[F32, F32, F32]:
    """A thin circle as a kernel of sum 1, and the cosine and sine of the direction at each pixel of the kernel."""
    half = int(np.ceil(radius_px)) + 1
    ys, xs = np.mgrid[-half : half + 1, -half : half + 1].astype(np.float32)
    r = np.hypot(xs, ys)
    band = np.maximum(0.0, 1.0 - np.abs(r - radius_px)).astype(np.float32)
    safe = np.maximum(r, np.float32(1e-6))
    return band / band.sum(), xs / safe, ys / safe


def rim_stack(edges: Edges, radii_cells: F64 = RADII_CELLS) -> F32:
    """(R, H, W) the measure for each trial radius about each pixel."""
    return np.stack([rim_map(edges, float(r) * edges.px_per_cell) for r in radii_cells])


def ink_ring_stack(edges: Edges, radii_cells: F64 = RADII_CELLS) -> F32:
    """(R, H, W) how much each pixel is the centre of a ring of ink of each outer radius, -1..1.

    Going outwards a ring darkens at its inner edge and brightens at its outer one; a disc's outline does not.
    """
    out = np.stack([brightening_map(edges, float(r) * edges.px_per_cell) for r in radii_cells])
    rings = np.full_like(out, -1.0)
    for k in range(1, len(radii_cells)):
        inner = out[max(0, k - _RING_WIDTH_STEPS) : k]
        rings[k] = 0.5 * (out[k] - inner.min(axis=0))
    return rings


def ring_scores(edges: Edges, centres_px: F64, radii_px: F64) -> F64:
    """The measure at (M, 2) centres for (R,) radii -> (M, R), by sampling."""
    scores: F64 = _squared_radial(edges, centres_px, radii_px).mean(axis=2)
    return scores


def weakest_third(edges: Edges, centres_px: F64, radii_px: F64) -> F64:
    """Mean radial part over the weakest third of each circle -> (M, R), 0..1.

    Lines that cross a circle, as on every empty point, leave most of it blank; a disc's rim is whole.
    """
    squared = _squared_radial(edges, centres_px, radii_px)
    third = _ANGLES // 3
    weakest = np.partition(squared, third, axis=2)[:, :, :third]
    scores: F64 = np.sqrt(np.maximum(weakest, 0.0)).mean(axis=2)
    return scores


def oval_scores(edges: Edges, centres_px: F64, radii_px: F64, oblong: float) -> F64:
    """The measure for upright ovals, `oblong` times as tall as wide, of mean radius (R,) -> (M, R)."""
    theta = np.arange(_ANGLES) * (2 * np.pi / _ANGLES)
    wide, tall = 1.0 / np.sqrt(oblong), np.sqrt(oblong)
    cos, sin = tall * np.cos(theta), wide * np.sin(theta)
    length = np.hypot(cos, sin)
    cos, sin = cos / length, sin / length
    x = np.rint(centres_px[:, 0, None, None] + radii_px[None, :, None] * (wide * np.cos(theta))).astype(np.intp)
    y = np.rint(centres_px[:, 1, None, None] + radii_px[None, :, None] * (tall * np.sin(theta))).astype(np.intp)
    h, w = edges.xx.shape
    at = np.clip(y, 0, h - 1) * w + np.clip(x, 0, w - 1)
    across = (
        edges.xx.ravel()[at] * (cos * cos) + edges.xy.ravel()[at] * (2 * cos * sin) + edges.yy.ravel()[at] * (sin * sin)
    )
    scores: F64 = across.mean(axis=2)
    return scores


def brightening_scores(edges: Edges, centres_px: F64, radii_px: F64) -> F64:
    """Mean outward gradient of green at (M, 2) centres for (R,) radii -> (M, R), by sampling."""
    at, cos, sin = _on_circles(edges, centres_px, radii_px)
    scores: F64 = (edges.dark_x.ravel()[at] * cos + edges.dark_y.ravel()[at] * sin).mean(axis=2)
    return scores


def _squared_radial(edges: Edges, centres_px: F64, radii_px: F64) -> F64:
    """(M, R, A) squared radial part of the gradient; what lies outside the picture counts as the mean of the rest."""
    at, cos, sin = _on_circles(edges, centres_px, radii_px)
    squared: F64 = (
        edges.xx.ravel()[at] * (cos * cos) + edges.xy.ravel()[at] * (2 * cos * sin) + edges.yy.ravel()[at] * (sin * sin)
    )
    if edges.inside is None:
        return squared
    seen = edges.inside.ravel()[at]
    share = seen.mean(axis=2, keepdims=True)
    if share.min() == 1.0:
        return squared
    mean = (squared * seen).sum(axis=2, keepdims=True) / np.maximum(seen.sum(axis=2, keepdims=True), 1)
    return np.where(seen | (share < _LEAST_SEEN), squared, mean)


def _on_circles(edges: Edges, centres_px: F64, radii_px: F64) -> tuple[NDArray[np.intp], F64, F64]:
    """(M, R, A) flat pixel numbers on the circles, and the (A,) cosine and sine of their angles."""
    theta = np.arange(_ANGLES) * (2 * np.pi / _ANGLES)
    cos, sin = np.cos(theta), np.sin(theta)
    x = np.rint(centres_px[:, 0, None, None] + radii_px[None, :, None] * cos).astype(np.intp)
    y = np.rint(centres_px[:, 1, None, None] + radii_px[None, :, None] * sin).astype(np.intp)
    h, w = edges.xx.shape
    np.clip(x, 0, w - 1, out=x)
    np.clip(y, 0, h - 1, out=y)
    return y * w + x, cos, sin


def best_in_windows(stack: F32, centres_px: F64, half_px: int) -> tuple[F64, F64]:
    """For each radius the best measure in a square window about each centre.

    stack      : (R, H, W)
    centres_px : (M, 2)
    returns    : (M, R) measures, (M, R, 2) where they are relative to the centre, px
    """
    count, (radii, h, w) = len(centres_px), stack.shape
    scores, offsets = np.zeros((count, radii)), np.zeros((count, radii, 2))
    for i, (x, y) in enumerate(np.rint(centres_px).astype(int)):
        x0, x1 = np.clip([x - half_px, x + half_px + 1], 0, w)
        y0, y1 = np.clip([y - half_px, y + half_px + 1], 0, h)
        if x1 <= x0 or y1 <= y0:
            continue
        window = stack[:, y0:y1, x0:x1].reshape(radii, -1)
        at = window.argmax(axis=1)
        scores[i] = window[np.arange(radii), at]
        offsets[i, :, 0] = at % (x1 - x0) + x0 - x
        offsets[i, :, 1] = at // (x1 - x0) + y0 - y
    return scores, offsets


def locate_disc(
    edges: Edges, near_px: tuple[float, float], radius_px: float, reach_px: float, ring_px: float | None = None
) -> Disc:
    """The best circle of about the given radius near a place; half a millisecond.

    near_px   : where to look, px of the rectified picture
    radius_px : the radius common to the picture
    reach_px  : how far from `near_px` the centre may be
    ring_px   : outer radius of the ring of ink where the set has one: then the ring is looked for
    """
    target = radius_px if ring_px is None else ring_px
    radii = target * np.array([0.92, 0.96, 1.0, 1.04, 1.08])
    centre, step = np.array(near_px, dtype=np.float64), max(1.0, reach_px / 6.0)
    best = Disc(centre[0], centre[1], radius_px, -1.0)
    while step > 0.2:
        around = np.arange(-6, 7) * step if best.score < 0 else np.arange(-2, 3) * step
        gx, gy = np.meshgrid(around, around)
        trial = np.column_stack([gx.ravel() + best.x_px, gy.ravel() + best.y_px])
        trial = trial[np.hypot(*(trial - centre).T) <= reach_px + 1e-6]
        scores = ring_scores(edges, trial, radii)
        if ring_px is not None:
            inner = radii[:3] * 0.88
            darkening = brightening_scores(edges, trial, inner).min(axis=1, keepdims=True)
            scores = 0.5 * scores + 0.25 * (brightening_scores(edges, trial, radii) - darkening)
        at, k = np.unravel_index(int(np.argmax(scores)), scores.shape)
        if scores[at, k] > best.score:
            radius = float(radii[k]) * radius_px / target
            best = Disc(float(trial[at, 0]), float(trial[at, 1]), radius, float(scores[at, k]))
        step /= 2.5
    return best
