"""How well a homography puts the board's lines on lines of the picture."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration import template
from calibration.grid import Grid
from calibration.ridges import Ridges

F64 = NDArray[np.float64]

COARSE_SHARES = np.array([0.35, 0.65])
COARSE_EDGES = (template.LINE_EDGES, template.RIVER_GAPS, template.OUTSIDE_EDGES, template.PALACE_EDGES)
THIN_EDGES = tuple(edges[::3] for edges in COARSE_EDGES)
BATCH = 512
GAP_WEIGHT = 0.25
OUTSIDE_WEIGHT = 0.4
PALACE_WEIGHT = 0.15
"""Weights against that of the lines: there are few gaps and diagonals, and text or an outer frame may lie in places."""
FINE_SHARES = np.linspace(0.1, 0.9, 17)
SEEN_NATS, PALACE_NATS, GAP_NATS, OUTSIDE_NATS, PARTIAL_NATS = 14.0, 14.0, 20.0, 10.0, 60.0
"""Log-odds of being a board for each unit of a fit's quality, see `confidence`; more makes it surer either way."""
SEEN_MARGIN = 0.1
"""Line strength above that of the ground, from which a piece of line counts as seen."""
OUTSIDE_MARGIN_CELLS = 0.1
"""A point this little outside the picture still counts as in it."""


def coarse_scores(ridges: Ridges, h: F64, thin: bool) -> F64:
    """(B,) rough scores of B homographies (B, 3, 3), for dark lines or light ones, whichever are better.

    thin : look at a third of the lines only
    """
    scores = np.full(len(h), -1.0)
    parts = THIN_EDGES if thin else COARSE_EDGES
    for part in range(0, len(h), BATCH):
        some = h[part : part + BATCH]
        line, gap, outside, palace = (_strengths(ridges, some, edges) for edges in parts)
        for sign in (1.0, -1.0):
            value = (
                np.clip(sign * line, 0, 1).mean(axis=1)
                - GAP_WEIGHT * np.clip(sign * gap, 0, 1).mean(axis=1)
                - OUTSIDE_WEIGHT * np.clip(sign * outside, 0, 1).mean(axis=1)
                + PALACE_WEIGHT * np.clip(sign * palace, 0, 1).mean(axis=1)
            )
            scores[part : part + BATCH] = np.maximum(scores[part : part + BATCH], value)
    return scores


def _strengths(ridges: Ridges, h: F64, edges: template.Edges) -> F64:
    """(B, N) signed line strength at two places of each of N edges, under B homographies."""
    places = template.along(edges, COARSE_SHARES)
    flat = np.concatenate([places.reshape(-1, 2).T, np.ones((1, places.shape[0] * 2))])
    image = np.matmul(h, flat)
    depth = np.where(np.abs(image[:, 2]) < 1e-9, 1e-9, image[:, 2])
    at = np.stack([image[:, 0] / depth, image[:, 1] / depth], axis=-1).reshape(len(h), len(edges), 2, 2)
    direction = at[:, :, 1] - at[:, :, 0]
    direction /= np.hypot(direction[..., 0], direction[..., 1])[..., None] + 1e-9
    normal = np.stack([-direction[..., 1], direction[..., 0]], axis=-1)[:, :, None, :]
    out: F64 = ridges.across(at, np.broadcast_to(normal, at.shape)).mean(axis=2)
    return out


@dataclass(frozen=True, slots=True)
class Fit:
    """How the lines of a candidate look in the picture."""

    score: float
    """Higher is better; about 0 for no board."""
    lines: float
    """Mean strength where lines must be."""
    seen: float
    """Share of the pieces of line that stand out from the ground beside them."""
    gaps: float
    """Mean strength where the river must interrupt them."""
    outside: float
    """Mean strength beyond the border."""
    palaces: float
    """Mean strength on the palaces' diagonals, less that on diagonals of a shifted board."""
    between: float
    """Mean strength halfway between lines, where there must be none."""
    inside: float
    """Share of the 90 points that lie in the picture."""
    dark: bool
    """Whether the lines are darker than the ground."""


def score_fit(ridges: Ridges, grid: Grid) -> Fit:
    """Judge one grid closely."""
    parts = {
        name: _edge_strengths(ridges, grid, edges)
        for name, edges in (
            ("lines", template.LINE_EDGES),
            ("gaps", template.RIVER_GAPS),
            ("outside", template.OUTSIDE_EDGES),
            ("palaces", template.PALACE_EDGES),
            ("false", template.FALSE_PALACE_EDGES),
            ("between", template.BETWEEN_EDGES),
        )
    }
    points = grid.to_px(np.array([[f, r] for r in range(10) for f in range(9)], dtype=np.float64))
    margin = OUTSIDE_MARGIN_CELLS * grid.cell_px()
    width, height = grid.size_wh
    inside = (points > -margin).all(axis=1) & (points[:, 0] < width - 1 + margin) & (points[:, 1] < height - 1 + margin)
    fits = []
    for sign in (1.0, -1.0):
        mean = {name: float(np.clip(sign * v, 0, 1).mean()) for name, v in parts.items()}
        beside = float(np.percentile(np.clip(sign * parts["between"], 0, 1), 75))
        seen = float((sign * parts["lines"] > beside + SEEN_MARGIN).mean())
        palaces = mean["palaces"] - mean["false"]
        score = mean["lines"] - GAP_WEIGHT * mean["gaps"] - OUTSIDE_WEIGHT * mean["outside"] + PALACE_WEIGHT * palaces
        fits.append(
            Fit(
                score,
                mean["lines"],
                seen,
                mean["gaps"],
                mean["outside"],
                palaces,
                mean["between"],
                float(inside.mean()),
                sign > 0,
            )
        )
    return max(fits, key=lambda fit: fit.score)


def _edge_strengths(ridges: Ridges, grid: Grid, edges: template.Edges) -> F64:
    """(N,) mean signed line strength along each edge."""
    at = grid.to_px(template.along(edges, FINE_SHARES).reshape(-1, 2)).reshape(len(edges), len(FINE_SHARES), 2)
    direction = at[:, -1] - at[:, 0]
    normal = np.column_stack([-direction[:, 1], direction[:, 0]])
    normal /= np.hypot(direction[:, 0], direction[:, 1])[:, None] + 1e-9
    out: F64 = ridges.across(at, np.broadcast_to(normal[:, None, :], at.shape)).mean(axis=1)
    return out


def confidence(fit: Fit) -> float:
    """Probability that the fit is a whole board's, from what tells boards from other things with lines.

    On the sample, boards have 0.65 to 1 of their lines seen and palaces at 0.14 to 0.9; chess boards, checkerboards and
    grids of other things at most 0.6 and 0.02. A line drawn through the river, lines going on beyond the border, and
    points outside the picture speak against it.
    """
    logit = SEEN_NATS * (fit.seen - 0.55) + PALACE_NATS * (fit.palaces - 0.06)
    logit -= GAP_NATS * max(0.0, fit.gaps - 0.15) + OUTSIDE_NATS * max(0.0, fit.outside - 0.12)
    logit -= PARTIAL_NATS * max(0.0, 0.97 - fit.inside)
    return float(1.0 / (1.0 + np.exp(-logit)))
