"""A table's stored grid against what a picture shows: cameras are knocked, and set to another resolution."""

import logging
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from calibration.corners import CORNER_CELLS, grid_from_corners
from calibration.errors import CornersError
from calibration.find_board import enlarge, find_board, fit_to_lines
from calibration.grid import Grid
from calibration.store import load_grid
from calibration.turn import half_turn
from qiyan.errors import ConfigError
from rules.event import BoardFound, TableEvent, ViewChanged, ViewState
from rules.position import Position
from vision import pipeline
from vision.frame import Frame, Image

logger = logging.getLogger(__name__)

SAME_SHAPE = 0.01
"""Width by height of two pictures of one camera may differ by this share: sizes are whole pixels."""
ELSEWHERE_CELLS = 0.3
"""With a corner this far off the board lies elsewhere: what stands on the points is seen wrongly."""
FARTHEST_FACE_CELLS = 10.0
"""A point one cell above the board is not seen this far from the point below it."""
SURE_GRID = 0.9
"""Confidence of a grid found anew that can speak against the stored one."""
SURE_READING = 0.5
"""Probability from which a position read on either grid is believed."""
AS_SURE = 0.9
"""A position read as surely as this on the grid found anew is preferred: only there lie lines."""


def table_grid(table: Path) -> Grid | None:
    """The table's stored grid; None where none is stored, ConfigError where what is stored cannot be a board."""
    again = "run qiyan calibrate with this table's file again"
    with np.errstate(all="ignore"):
        try:
            grid = load_grid(table)
        except np.linalg.LinAlgError as error:
            raise ConfigError(f"{table}: [grid] a0, i0, i9 and a9 do not make a board; {again}") from error
        if grid is None:
            return None
        try:
            grid_from_corners(grid.corners_px(), grid.size_wh)
        except (CornersError, np.linalg.LinAlgError) as error:
            raise ConfigError(f"{table}: [grid] {error}; {again}") from error
        cells = np.array(list(CORNER_CELLS.values()))
        face_px = np.hypot(*(grid.to_px(cells, 1.0) - grid.to_px(cells)).T).max()
        if not face_px <= FARTHEST_FACE_CELLS * grid.cell_px():
            raise ConfigError(f"{table}: [grid] up cannot be that of a camera; {again}")
    return grid


def grid_for_picture(table: Path, size_wh: tuple[int, int]) -> Grid | None:
    """The table's stored grid at a picture's size; None where none is stored or the picture has another shape."""
    grid = table_grid(table)
    return None if grid is None else at_size(grid, size_wh)


def at_size(grid: Grid, size_wh: tuple[int, int]) -> Grid | None:
    """The grid for a larger or smaller copy of its picture; None where the picture has another shape."""
    if size_wh == grid.size_wh:
        return grid
    (width, height), (grid_width, grid_height) = size_wh, grid.size_wh
    alike = abs(width * grid_height / (height * grid_width) - 1.0) <= SAME_SHAPE
    return enlarge(grid, size_wh) if alike else None


def lies_on_lines(image_bgr: Image, grid: Grid) -> bool:
    """Whether the board's lines are plainly seen where the grid has them."""
    return fit_to_lines(image_bgr, grid) is not grid


def apart_cells(grid: Grid, other: Grid) -> float:
    """How far the four corners of the boards lie apart at most, cells, whichever end is Red's."""
    cells = np.array(list(CORNER_CELLS.values()))
    ways = (other.to_px(cells), half_turn(other).to_px(cells))
    at = grid.to_px(cells)
    return float(min(np.hypot(*(way - at).T).max() for way in ways)) / grid.cell_px()


@dataclass(slots=True)
class StoredGridSearch:
    """The search of a table's board where it lay when it was calibrated, and elsewhere where it lies there no longer.

    The stored grid may have been given by hand, where the search finds another one: it is given up only for one on
    which the pieces can be read.
    """

    setup: pipeline.Setup
    stored: Grid
    believed: Grid | None = None
    """The stored grid, at the size of the pictures; None where the board was found elsewhere."""
    _there: pipeline.State = field(default_factory=pipeline.State)
    _anew: pipeline.State = field(default_factory=pipeline.State)

    def step(self, frame: Frame, position: Position | None) -> tuple[pipeline.State | None, list[TableEvent]]:
        """The eye's state once the board was found, and what is told of it; None before."""
        image = frame.image
        stored = at_size(self.stored, (image.shape[1], image.shape[0]))
        if stored is None:
            self._anew, events = pipeline.step(replace(self.setup, grid=None), self._anew, frame, position)
            return self._moved(frame.t, events) if self._anew.watched is not None else (None, [])
        before = self._there
        there, events = pipeline.step(replace(self.setup, grid=stored), before, frame, position)
        if there.searched_t == before.searched_t and there.watched is None:
            return None, []
        if there.watched is not None and lies_on_lines(image, stored):
            self.believed = stored
            return there, events
        elsewhere = _found_elsewhere(image, stored)
        sureness = _sureness(events)
        if there.watched is not None and elsewhere is None and sureness >= SURE_READING:
            self.believed = stored
            return there, events
        self._there = replace(before, searched_t=frame.t) if there.watched is not None else there
        if elsewhere is None:
            return None, []
        self._anew, anew_events = pipeline.step(replace(self.setup, grid=None), self._anew, frame, position)
        if self._anew.watched is None:
            return None, []
        if _sureness(anew_events) >= max(SURE_READING, min(sureness, AS_SURE)):
            return self._moved(frame.t, anew_events)
        self._anew = replace(pipeline.State(), searched_t=frame.t)
        if sureness >= SURE_READING:
            self.believed = stored
            return there, events
        return None, []

    def _moved(self, t: float, events: list[TableEvent]) -> tuple[pipeline.State, list[TableEvent]]:
        logger.warning(
            "the board does not lie where the table's file has it: the camera or the board was moved. It was found "
            "anew for this recording; run qiyan calibrate with this table's file to store where it lies now"
        )
        moved, realigned = ViewChanged(t, ViewState.CAMERA_MOVED), ViewChanged(t, ViewState.REALIGNED)
        return self._anew, [moved, *events, realigned]


def _found_elsewhere(image_bgr: Image, stored: Grid) -> Grid | None:
    """A board that is surely found, and not where the stored grid has it."""
    found = find_board(image_bgr)
    if found is None or found.confidence < SURE_GRID or apart_cells(stored, found) < ELSEWHERE_CELLS:
        return None
    return found


def _sureness(events: list[TableEvent]) -> float:
    """Of the board that they tell of; 0 where they tell of none."""
    return max((event.confidence for event in events if isinstance(event, BoardFound)), default=0.0)
