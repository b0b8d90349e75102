"""Pieces that stand on no point: between points, pushed aside, or beside the board."""

from dataclasses import dataclass

import cv2
import numpy as np

from rules.piece import Side
from rules.point import FILES, RANKS, Point
from vision.change import HALF, HALF_CELL_PX
from vision.looks import Looks
from vision.observation import Observation
from vision.rectify import px_to_cells
from vision.rims import F64, gradient_products
from vision.round_things import RoundThing, round_things
from vision.window import CELL_PX, MARGIN_CELLS


@dataclass(frozen=True, slots=True)
class StrayConfig:
    """What is taken for a piece off its point."""

    least_occupancy: float = 0.35
    """Score from which a round thing is a piece."""
    least_blob_cells2: float = 0.08
    """Smaller changes are no piece."""
    most_blob_cells2: float = 6.0
    """Larger ones are not searched; three tall pieces that lie together come to five."""
    off_board_cells: float = 0.6
    """Farther outside the outermost lines than this a piece lies beside the board."""


@dataclass(frozen=True, slots=True)
class Stray:
    """A piece that was not there when the scene was remembered."""

    xy_cells: tuple[float, float]
    side: Side | None
    """None of what the window's edge cuts off: whose it is cannot be told."""
    occupancy: float
    sure: bool = True
    """Whether its middle was found by how pieces of its side look; a rim alone may be that of a ring, or of a wall."""

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

    def is_near(self, other: "Stray") -> bool:
        """Whether two of them may be one piece."""
        (x, y), (u, v) = self.xy_cells, other.xy_cells
        return bool(np.hypot(x - u, y - v) < _ONE_PIECE_CELLS)

    def distance_to(self, point: int) -> float:
        """Distance from a point, cells."""
        return float(np.hypot(self.xy_cells[0] - point % FILES, self.xy_cells[1] - point // FILES))


def find_strays(seen: Observation, looks: Looks, config: StrayConfig) -> list[Stray]:
    """Round things of the pieces' size where the scene has changed and no hand is."""
    changed = (seen.foreign & ~seen.hands.mask).astype(np.uint8)
    closed = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((3, 3), dtype=np.uint8))
    count, labels, stats, centres = cv2.connectedComponentsWithStats(closed, connectivity=8)
    areas = stats[:, cv2.CC_STAT_AREA] / HALF_CELL_PX**2
    fitting = [n for n in range(1, count) if config.least_blob_cells2 <= areas[n] <= config.most_blob_cells2]
    if not fitting:
        return []
    products = gradient_products(seen.window)
    found = round_things(seen.window, products, [labels == n for n in fitting], looks, config.least_occupancy)
    strays = [_stray(seen, thing, looks) for thing in found]
    at_edge = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    cut_off = [Stray(_cells(centres[n] * HALF + 0.5), None, 0.0) for n in fitting if n in at_edge]
    # What is seen whole in the same matter stands for it.
    return strays + [one for one in cut_off if one.off_board(config) and not any(map(one.is_near, strays))]


def _stray(seen: Observation, thing: RoundThing, looks: Looks) -> Stray:
    rim_px = np.array(thing.xy_px)
    middle_px = looks.middle(seen.window, rim_px, thing.side)
    sure = middle_px is not None
    return Stray(_cells(rim_px if middle_px is None else middle_px), thing.side, thing.occupancy, sure)


def _cells(xy_px: tuple[float, float] | F64) -> tuple[float, float]:
    x, y = px_to_cells(np.array([xy_px]), CELL_PX, MARGIN_CELLS)[0]
    return float(x), float(y)


_ONE_PIECE_CELLS = 1.0
"""The middle of a piece is not so far from the middle of what is seen of it."""
