"""Lattice proposals: two families of lines, each at even steps."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.homography import apply
from calibration.vanishing import Family, Segments

F64 = NDArray[np.float64]

SMALLEST_CELL_PX = 16.0
FEWEST_SEGMENTS = 4
FARTHEST_PX = 4000.0
"""Segments that lie farther off on the levelled plane, near the horizon, are no part of the board."""
PEAKS_KEPT = 36
"""Lines of one family that take part in looking for even steps."""
LINE_BLUR_PX = 1.6
"""The two edges of one line are to fall together."""
SAME_COMB = 0.12
"""In steps: combs whose both ends agree this well are one."""


MIRROR = np.array([[-1.0, 0.0, 8.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
"""Board cells with the files counted from the other side."""


@dataclass(frozen=True, slots=True)
class Comb:
    """Lines at even steps."""

    start: float
    """Position of the first line, px of the levelled plane."""
    step: float
    """Distance between neighbours."""
    score: float
    """Sum of its lines' support, each at most 1."""


def level(first: Family, second: Family, size_wh: tuple[int, int]) -> F64 | None:
    """(3, 3) homography from the picture (px) to a plane where the first family is x = const and the second y = const.

    About the picture's centre a px stays a px, as nearly as it can. None where the families do not cross well, or
    meet inside the picture.
    """
    w, h = size_wh
    half = float(np.hypot(w, h) / 2.0)
    centre = np.array([0.0, 0.0, 1.0])
    horizon = np.cross(first.point, second.point)
    if abs(horizon[2]) < 1e-9:
        return None
    horizon = horizon / horizon[2]
    if np.hypot(horizon[0], horizon[1]) * 0.45 > 1.0:
        return None
    x_row, y_row = np.cross(first.point, centre), np.cross(second.point, centre)
    x_row, y_row = x_row / np.hypot(*x_row[:2]), y_row / np.hypot(*y_row[:2])
    if abs(x_row[0] * y_row[1] - x_row[1] * y_row[0]) < 0.5:
        return None
    to_unit = np.array([[1 / half, 0, -(w - 1) / 2 / half], [0, 1 / half, -(h - 1) / 2 / half], [0, 0, 1.0]])
    out: F64 = np.diag([half, half, 1.0]) @ np.vstack([x_row, y_row, horizon]) @ to_unit
    return out


def find_combs(position: F64, weight: F64, teeth: int, most: int) -> list[Comb]:
    """The best sets of `teeth` lines at even steps.

    position, weight : (N,) where each segment lies, and how much it counts
    """
    if len(position) < FEWEST_SEGMENTS:
        return []
    keep = np.abs(position - np.median(position)) < FARTHEST_PX
    position, weight = position[keep], weight[keep]
    low = float(position.min()) - 8.0
    density = np.bincount(np.rint(position - low).astype(np.intp), weights=weight, minlength=int(np.ptp(position)) + 24)
    reach = int(np.ceil(3 * LINE_BLUR_PX))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / LINE_BLUR_PX) ** 2)
    density = np.convolve(density, kernel, mode="same")
    middle = density[1:-1]
    tops = np.flatnonzero((middle >= density[:-2]) & (middle > density[2:])) + 1
    if len(tops) < 3:
        return []
    tops = tops[np.argsort(-density[tops])][:PEAKS_KEPT]
    cap = float(density[tops][min(teeth, len(tops) - 1)])
    density = np.minimum(density / max(cap, 1e-9), 1.0)
    a, b = np.triu_indices(len(tops), 1)
    near = np.minimum(tops[a], tops[b]).astype(np.float64)
    far = np.maximum(tops[a], tops[b]).astype(np.float64)
    starts, steps = [], []
    for between in range(1, teeth):
        step = (far - near) / between
        good = step >= SMALLEST_CELL_PX
        for before in range(teeth - between):
            starts.append((near - before * step)[good])
            steps.append(step[good])
    start, step = np.concatenate(starts), np.concatenate(steps)
    if not len(start):
        return []
    where = np.rint(start[:, None] + step[:, None] * np.arange(teeth)).astype(np.intp)
    inside = (where >= 0) & (where < len(density))
    score = np.where(inside, density[np.clip(where, 0, len(density) - 1)], 0.0).sum(axis=1)
    return _distinct(start + low, step, score, teeth, most)


def _distinct(start: F64, step: F64, score: F64, teeth: int, most: int) -> list[Comb]:
    order = np.argsort(-score)[: 40 * most]
    kept: list[Comb] = []
    for index in order:
        s, d = float(start[index]), float(step[index])
        end = s + d * (teeth - 1)
        if all(
            abs(s - c.start) > SAME_COMB * d or abs(end - c.start - c.step * (teeth - 1)) > SAME_COMB * d for c in kept
        ):
            kept.append(Comb(s, d, float(score[index])))
            if len(kept) == most:
                break
    return kept


def family_positions(segments: Segments, family: Family, level_h: F64, axis: int) -> tuple[F64, F64]:
    """Where the family's segments lie on the levelled plane's axis (0: x, 1: y), and their weights."""
    member = family.weight > 0.0
    flat = np.column_stack([segments.middle[member], np.ones(int(member.sum()))]) @ level_h.T
    ahead = flat[:, 2] > 0.05
    position = flat[ahead, axis] / flat[ahead, 2]
    return position, family.weight[member][ahead]


def comb_homographies(files: list[Comb], ranks: list[Comb], level_h: F64, files_on_x: bool) -> F64:
    """(F * R, 3, 3) homographies from board cells to picture px, one for each pair of combs."""
    back = np.linalg.inv(level_h)
    across = np.array([[[f.step, f.start] for _ in ranks] for f in files]).reshape(-1, 2)
    away = np.array([[[r.step, r.start] for r in ranks] for _ in files]).reshape(-1, 2)
    flat = np.zeros((len(across), 3, 3))
    flat[:, 2, 2] = 1.0
    file_row, rank_row = (0, 1) if files_on_x else (1, 0)
    flat[:, file_row, 0], flat[:, file_row, 2] = across[:, 0], across[:, 1]
    flat[:, rank_row, 1], flat[:, rank_row, 2] = away[:, 0], away[:, 1]
    out: F64 = back @ flat
    # A pair of combs is seen from above or not whatever its steps and starts are.
    return out if seen_from_above(out[0]) else out @ MIRROR


def seen_from_above(h: F64) -> bool:
    """Whether (3, 3) board cells -> px shows the board from above: file i at Red's right hand."""
    left, right, far = apply(h, np.array([[3.0, 4.5], [5.0, 4.5], [3.0, 6.5]]))
    across, away = right - left, far - left
    return bool(across[0] * away[1] - across[1] * away[0] < 0.0)
