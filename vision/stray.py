"""Pieces that stand on no point: between points, pushed aside, or beside the board."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.piece import BLACK, RED, Side
from rules.point import FILES, RANKS, Point
from vision.change import HALF, HALF_CELL_PX
from vision.looks import Looks
from vision.observation import Observation
from vision.rectify import px_to_cells
from vision.rims import gradient_products, rim_scores
from vision.window import CELL_PX, MARGIN_CELLS

F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class StrayConfig:
    """What is taken for a piece off its point."""

    least_occupancy: float = 0.35
    """Score from which a round thing is a piece."""
    apart_cells: float = 0.6
    """Two pieces are at least this far apart."""
    least_blob_cells2: float = 0.08
    """Smaller changes are no piece."""
    most_blob_cells2: float = 3.0
    """Larger ones are not searched."""
    off_board_cells: float = 0.6
    """Farther outside the outermost lines than this a piece lies beside the board."""


@dataclass(frozen=True, slots=True)
class Stray:
    """A piece that was not there when the scene was remembered."""

    xy_cells: tuple[float, float]
    side: Side
    occupancy: float

    def off_board(self, config: StrayConfig) -> bool:
        """Whether it lies beside the board."""
        x, y = self.xy_cells
        reach = config.off_board_cells
        return x < -reach or y < -reach or x > FILES - 1 + reach or y > RANKS - 1 + reach

    def nearest(self) -> tuple[Point, ...]:
        """The four points round it, nearest first."""
        x, y = self.xy_cells
        fx, ry = int(np.clip(np.floor(x), 0, FILES - 2)), int(np.clip(np.floor(y), 0, RANKS - 2))
        around = [(fx + i, ry + j) for i in (0, 1) for j in (0, 1)]
        around.sort(key=lambda at: float(np.hypot(at[0] - x, at[1] - y)))
        return tuple(Point(at[1] * FILES + at[0]) for at in around)

    def distance_to(self, point: int) -> float:
        """Distance from a point, cells."""
        return float(np.hypot(self.xy_cells[0] - point % FILES, self.xy_cells[1] - point // FILES))


def find_strays(seen: Observation, looks: Looks, config: StrayConfig) -> list[Stray]:
    """Round things of the pieces' size where the scene has changed and no hand is."""
    changed = (seen.foreign & ~seen.hands.mask).astype(np.uint8)
    closed = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((3, 3), dtype=np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    places: list[tuple[float, float, float]] = []
    products = None
    for label in range(1, count):
        area = stats[label, cv2.CC_STAT_AREA] / HALF_CELL_PX**2
        if not config.least_blob_cells2 <= area <= config.most_blob_cells2:
            continue
        products = gradient_products(seen.window) if products is None else products
        rows, columns = np.nonzero(cv2.dilate((labels == label).astype(np.uint8), np.ones((3, 3), np.uint8)))
        trials = np.column_stack([columns, rows]).astype(np.float64) * HALF + 0.5
        radii = looks.radius_px * np.array([0.94, 1.0, 1.06])
        scores = rim_scores(products, trials, radii).max(axis=1)
        places.extend((float(s), float(x), float(y)) for s, (x, y) in zip(scores, trials, strict=True))
    return _distinct(places, seen, looks, config)


def _distinct(
    places: list[tuple[float, float, float]], seen: Observation, looks: Looks, config: StrayConfig
) -> list[Stray]:
    """The best places, each the only one within a piece's width, that look like pieces."""
    found: list[Stray] = []
    taken: list[tuple[float, float]] = []
    for _, x, y in sorted(places, reverse=True):
        if any(np.hypot(x - u, y - v) < config.apart_cells * CELL_PX for u, v in taken):
            continue
        taken.append((x, y))
        occupancy, side = looks.score(seen.window, np.array([[x, y]]))
        if occupancy[0] < config.least_occupancy:
            continue
        cells = px_to_cells(np.array([[x, y]]), CELL_PX, MARGIN_CELLS)[0]
        found.append(Stray((float(cells[0]), float(cells[1])), BLACK if side[0] > 0 else RED, float(occupancy[0])))
    return found
