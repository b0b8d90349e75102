"""Finding the board in a picture."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import lattice, refine, template_score
from calibration.camera_model import with_camera
from calibration.corners import CORNER_CELLS, grid_from_corners
from calibration.grid import Grid
from calibration.homography import apply
from calibration.light import even_light
from calibration.ridges import Ridges, find_ridges
from calibration.vanishing import find_families, find_segments

__all__ = ["find_board", "grid_from_corners"]

F64 = NDArray[np.float64]
SMALLEST_SIDE_PX = 800


@dataclass(frozen=True, slots=True)
class View:
    """One way to look at the picture when searching it."""

    side_px: int
    """Its long side is brought to this, at most."""
    even: bool
    """Whether light and contrast are evened first: shows faint lines, and the grain of a table."""


VIEWS = (View(SMALLEST_SIDE_PX, True), View(SMALLEST_SIDE_PX, False), View(1600, True))
"""One after the other until the board is surely found; the last for a small board in a large picture."""
SURE = 0.8
"""Confidence from which no further view is tried."""
CLOSE_CELL_PX = 56.0
"""Size of a cell for the last fit, px: lines of 2 to 3 px."""
HAND_ERROR_CELLS = 0.2
"""Corners given by hand are not moved by more than this."""
FAMILIES = 7
"""Vanishing points that are paired; the board's two are nearly always among the first five."""
COMBS = 24
"""Sets of even steps kept for each family and number of lines."""
REFINED = 8
"""Candidates that are fitted to the lines."""
SEARCH_REACHES = (0.22, 0.16, 0.12)
"""As CLOSE_REACHES, for candidates: farther, as their steps are only roughly even."""
RIVERS = (0.86, 0.93, 1.0, 1.08)
"""Widths of river that a fit starts from, in cells."""
SHORTLIST = 40
"""Candidates of each pair of families that are looked at closely."""
SAME_CELLS = 0.3
"""Candidates whose corners agree this well are one."""
CLOSE_REACHES = (0.12, 0.1, 0.08, 0.06)
"""How far from its place a line is looked for, in cells, each time closer; a double border lies 0.1 to 0.3 off."""
CLOSE_RIVERS = (0.9, 1.0)
"""Widths that the last fit starts from besides the one found: else a narrow river taken for an even one fits half."""
SAME_RIVER = 0.05
"""Widths of river this near are found from one another, in cells."""
NO_DOUBT = 0.98
"""Confidence from which no further candidate is tried."""


def find_board(image_bgr: NDArray[np.uint8]) -> Grid | None:
    """The board's grid, or None. Which end is Red's is left open: the grid may be turned by a half.

    image_bgr : (H, W, 3) uint8
    """
    height, width = image_bgr.shape[:2]
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    best: Grid | None = None
    for view in VIEWS:
        scale = min(1.0, view.side_px / max(width, height))
        if view.side_px > SMALLEST_SIDE_PX and scale == 1.0:
            continue
        small = _shrink(grey, scale)
        found = search(even_light(small) if view.even else small)
        if found is None:
            continue
        found = look_closely(grey, enlarge(found, (width, height)))
        if best is None or found.confidence > best.confidence:
            best = found
        if best.confidence >= SURE:
            break
    return best


def look_closely(grey: NDArray[np.uint8], grid: Grid) -> Grid:
    """Fit the grid once more where its cells are large enough for a sub-pixel fit and its lines still thin."""
    scale = min(1.0, CLOSE_CELL_PX / grid.cell_px())
    small = _shrink(grey, scale)
    ridges = find_ridges(even_light(small))
    close = enlarge(grid, (small.shape[1], small.shape[0]))
    close = refine.refine(ridges, close, CLOSE_REACHES, bend=True)
    fit = template_score.score_fit(ridges, close)
    for river in CLOSE_RIVERS:
        if abs(river - close.river) < SAME_RIVER:
            continue
        other = refine.refine(ridges, with_river(close, river), (SEARCH_REACHES[0], *CLOSE_REACHES), bend=True)
        other_fit = template_score.score_fit(ridges, other)
        if other_fit.score > fit.score:
            close, fit = other, other_fit
    return with_camera(replace(enlarge(close, grid.size_wh), confidence=template_score.confidence(fit)))


def fit_to_lines(image_bgr: NDArray[np.uint8], grid: Grid) -> Grid:
    """A grid given by hand, put exactly on the lines where they are plainly seen; else as it was given."""
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    close = look_closely(grey, grid)
    corners = np.array(list(CORNER_CELLS.values()))
    shift = np.hypot(*(close.to_px(corners) - grid.to_px(corners)).T).max() / grid.cell_px()
    return close if shift <= HAND_ERROR_CELLS and close.confidence >= SURE else grid


def _shrink(grey: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    if scale >= 1.0:
        return grey
    return np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def search(grey: NDArray[np.uint8]) -> Grid | None:
    """The board's grid in a (H, W) grey picture of working size, as a View shows it."""
    ridges = find_ridges(grey)
    best: tuple[float, Grid] | None = None
    size_wh = (grey.shape[1], grey.shape[0])
    for h in distinct(propose(grey, ridges), REFINED):
        start = Grid(h_board_to_px=h, size_wh=size_wh, up_px=np.zeros(3))
        rivers = [with_river(start, river) for river in RIVERS]
        start = max(rivers, key=lambda grid: template_score.score_fit(ridges, grid).score)
        grid = refine.refine(ridges, start, SEARCH_REACHES, bend=False)
        fit = template_score.score_fit(ridges, grid)
        if best is None or fit.score > best[0]:
            best = fit.score, grid
        if template_score.confidence(fit) >= NO_DOUBT:
            break
    return None if best is None else best[1]


def distinct(candidates: list[F64], most: int) -> list[F64]:
    """The first of each group of homographies that put the corners in the same places."""
    corners = np.array(list(CORNER_CELLS.values()))
    kept: list[tuple[F64, F64]] = []
    for h in candidates:
        px = apply(h, corners)
        near = SAME_CELLS * float(np.hypot(*(px[0] - px[2]))) / 12.0
        if all(min(np.abs(px - other).max(), np.abs(np.roll(px, 2, axis=0) - other).max()) > near for _, other in kept):
            kept.append((h, px))
            if len(kept) == most:
                break
    return [h for h, _ in kept]


def with_river(grid: Grid, river: float) -> Grid:
    """The same corners with another width of river."""
    stretched = template_height(grid.river) / template_height(river)
    shrink = np.diag([1.0, stretched, 1.0])
    return replace(grid, h_board_to_px=grid.h_board_to_px @ shrink, river=river)


def template_height(river: float) -> float:
    return 8.0 + river


def propose(grey: NDArray[np.uint8], ridges: Ridges) -> list[F64]:
    size_wh = (grey.shape[1], grey.shape[0])
    rng = np.random.default_rng(1)
    segments = find_segments(grey)
    families = find_families(segments, size_wh, FAMILIES, rng)
    pool: list[tuple[float, F64]] = []
    for i, first in enumerate(families):
        for second in families[i + 1 :]:
            level_h = lattice.level(first, second, size_wh)
            if level_h is None:
                continue
            x = lattice.family_positions(segments, first, level_h, 0)
            y = lattice.family_positions(segments, second, level_h, 1)
            for files_on_x in (True, False):
                of_files, of_ranks = (x, y) if files_on_x else (y, x)
                files = lattice.find_combs(*of_files, 9, COMBS)
                ranks = lattice.find_combs(*of_ranks, 10, COMBS)
                if not files or not ranks:
                    continue
                h = lattice.comb_homographies(files, ranks, level_h, files_on_x)
                h = h[np.argsort(-template_score.coarse_scores(ridges, h, thin=True))[:SHORTLIST]]
                pool += zip(template_score.coarse_scores(ridges, h, thin=False).tolist(), h, strict=True)
    pool.sort(key=lambda item: -item[0])
    return [h for _, h in pool]


def enlarge(grid: Grid, size_wh: tuple[int, int]) -> Grid:
    """The same grid for a larger copy of the picture."""
    sx, sy = size_wh[0] / grid.size_wh[0], size_wh[1] / grid.size_wh[1]
    to_large = np.array([[sx, 0.0, 0.5 * sx - 0.5], [0.0, sy, 0.5 * sy - 0.5], [0.0, 0.0, 1.0]])
    return Grid(
        h_board_to_px=to_large @ grid.h_board_to_px,
        size_wh=size_wh,
        up_px=to_large @ grid.up_px,
        face_height=grid.face_height,
        river=grid.river,
        k1=grid.k1,
        residual_px=grid.residual_px * sx,
        confidence=grid.confidence,
    )
