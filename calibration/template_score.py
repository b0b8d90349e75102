"""How well a homography puts the board's lines on lines of the picture."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration import template
from calibration.ridges import Ridges

F64 = NDArray[np.float64]

COARSE_SHARES = np.array([0.3, 0.5, 0.7])


def project(h: F64, xy: F64) -> F64:
    """(..., 2) positions through (B, 3, 3) homographies: (B, ..., 2)."""
    flat_xy = xy.reshape(-1, 2)
    flat = np.einsum("bij,nj->bni", h, np.column_stack([flat_xy, np.ones(len(flat_xy))]))
    depth = flat[..., 2:]
    depth = np.where(np.abs(depth) < 1e-9, 1e-9, depth)
    out: F64 = (flat[..., :2] / depth).reshape(len(h), *xy.shape)
    return out


def strengths(ridges: Ridges, h: F64, edges: template.Edges, shares: F64) -> F64:
    """(B, N, K) signed line strength at shares of each of N edges, under B homographies."""
    at = project(h, template.along(edges, shares))
    start, end = project(h, edges[:, :2]), project(h, edges[:, 2:])
    direction = end - start
    norm = np.hypot(direction[..., 0], direction[..., 1])[..., None] + 1e-9
    direction = direction / norm
    normal = np.stack([-direction[..., 1], direction[..., 0]], axis=-1)[:, :, None, :]
    return ridges.across(at, np.broadcast_to(normal, at.shape))


def coarse_scores(ridges: Ridges, h: F64) -> F64:
    """(B,) rough scores of B homographies, for dark lines or light ones, whichever are better."""
    scores = np.full(len(h), -1.0)
    for part in range(0, len(h), 400):
        some = h[part : part + 400]
        line = strengths(ridges, some, template.LINE_EDGES, COARSE_SHARES).mean(axis=2)
        gap = strengths(ridges, some, template.RIVER_GAPS, COARSE_SHARES).mean(axis=2)
        outside = strengths(ridges, some, template.OUTSIDE_EDGES, COARSE_SHARES).mean(axis=2)
        palace = strengths(ridges, some, template.PALACE_EDGES, COARSE_SHARES).mean(axis=2)
        best = np.full(len(some), -1.0)
        for sign in (1.0, -1.0):
            value = (
                np.clip(sign * line, 0, 1).mean(axis=1)
                - 0.25 * np.clip(sign * gap, 0, 1).mean(axis=1)
                - 0.4 * np.clip(sign * outside, 0, 1).mean(axis=1)
                + 0.1 * np.clip(sign * palace, 0, 1).mean(axis=1)
            )
            best = np.maximum(best, value)
        scores[part : part + 400] = best
    return scores


@dataclass(frozen=True, slots=True)
class Fit:
    """How the lines of a candidate look in the picture."""

    score: float
    """Higher is better; about 0 for no board."""
    lines: float
    """Mean strength where lines must be."""
    gaps: float
    """Mean strength where the river must interrupt them."""
    outside: float
    """Mean strength beyond the border."""
    palaces: float
    """Mean strength on the palaces' diagonals, less that on diagonals of a shifted board."""
    dark: bool
    """Whether the lines are darker than the ground."""


def score_fit(ridges: Ridges, h: F64) -> Fit:
    """Judge one (3, 3) homography closely."""
    shares = np.linspace(0.1, 0.9, 17)

    def mean(edges: template.Edges, sign: float) -> float:
        return float(np.clip(sign * strengths(ridges, h[None], edges, shares)[0].mean(axis=1), 0, 1).mean())

    fits = []
    for sign in (1.0, -1.0):
        lines, gaps = mean(template.LINE_EDGES, sign), mean(template.RIVER_GAPS, sign)
        outside = mean(template.OUTSIDE_EDGES, sign)
        palaces = mean(template.PALACE_EDGES, sign) - mean(template.FALSE_PALACE_EDGES, sign)
        score = lines - 0.25 * gaps - 0.4 * outside + 0.15 * palaces
        fits.append(Fit(score, lines, gaps, outside, palaces, sign > 0))
    return max(fits, key=lambda fit: fit.score)
