"""Finding the board in a picture."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import lattice, refine, template_score
from calibration.corners import grid_from_corners
from calibration.grid import Grid
from calibration.ridges import Ridges, find_ridges
from calibration.vanishing import find_families, find_segments

__all__ = ["find_board", "grid_from_corners"]

F64 = NDArray[np.float64]
WORKING_SIDE_PX = 1280
FAMILIES = 6
COMBS = 24
REFINED = 10


def find_board(image_bgr: NDArray[np.uint8]) -> Grid | None:
    """The board's grid, or None. Which end is Red's is left open: the grid may be turned by a half.

    image_bgr : (H, W, 3) uint8
    """
    height, width = image_bgr.shape[:2]
    scale = min(1.0, WORKING_SIDE_PX / max(width, height))
    small = image_bgr if scale == 1.0 else cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    found = search(np.asarray(grey, dtype=np.uint8))
    return None if found is None else enlarge(found, (width, height))


def search(grey: NDArray[np.uint8]) -> Grid | None:
    ridges = find_ridges(grey)
    candidates = propose(grey, ridges)
    best: tuple[float, Grid] | None = None
    size_wh = (grey.shape[1], grey.shape[0])
    for h in candidates[:REFINED]:
        grid = Grid(h_board_to_px=h, size_wh=size_wh, up_px=np.zeros(3))
        fit = template_score.score_fit(ridges, h)
        grid = refine.refine(ridges, grid, fit.dark, (0.25, 0.2, 0.12), bend=False)
        fit = template_score.score_fit(ridges, grid.h_board_to_px)
        if best is None or fit.score > best[0]:
            best = (fit.score, grid)
    if best is None:
        return None
    return refine.refine(
        ridges,
        best[1],
        template_score.score_fit(ridges, best[1].h_board_to_px).dark,
        (0.12, 0.1, 0.08, 0.06),
        bend=True,
    )


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
                scores = template_score.coarse_scores(ridges, h)
                for k in np.argsort(-scores)[:REFINED]:
                    pool.append((float(scores[k]), h[k]))
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
