"""The eye as the recorder uses it: the pure pipeline with its state kept."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from calibration.grid import Grid
from qiyan.stored_grid import StoredGridSearch
from rules.event import TableEvent
from rules.position import Position
from vision import pipeline
from vision.frame import Frame, Image

logger = logging.getLogger(__name__)


class PipelineEye:
    """vision.pipeline, fed frame by frame."""

    def __init__(self, setup: pipeline.Setup, stored: Grid | None = None) -> None:
        """`stored` is where the board lay when the table was calibrated: it is believed if the picture bears it out."""
        self._setup = setup
        self._state = pipeline.initial_state(setup)
        self._search = None if stored is None else StoredGridSearch(setup, stored)
        self._told_sizes: set[tuple[int, int]] = set()

    @property
    def grid(self) -> Grid | None:
        """Where the board is; None while it is searched."""
        return None if self._state.table is None else self._state.table.grid

    @property
    def waits(self) -> bool:
        """Whether something was seen, or is hidden, that later frames may tell or explain better."""
        watched = self._state.watched
        if watched is None:
            return False
        return watched.waiting_since is not None or (watched.hands is not None and watched.hands.present)

    def step(self, frame: Frame, position: Position | None, heard: Sequence[TableEvent]) -> list[TableEvent]:
        """What happened up to `frame`."""
        if self._search is not None:
            found, events = self._search.step(frame, position)
            if found is None:
                return []
            self._setup = replace(self._setup, grid=self._search.believed)
            self._state, self._search = found, None
            return events
        if not self._reaches_board(frame.image):
            return []
        self._state, events = pipeline.step(self._setup, self._state, frame, position, tuple(heard))
        return events

    def _reaches_board(self, image: Image) -> bool:
        """Whether the board's place lies in the picture, which may be smaller than those before."""
        table = self._state.table
        if table is None:
            return True
        height, width = image.shape[:2]
        x0, y0, x1, y1 = table.window.crop
        if min(min(x1, width) - x0, min(y1, height) - y0) >= table.window.shrink:
            return True
        if (width, height) not in self._told_sizes:
            self._told_sizes.add((width, height))
            wide, high = table.grid.size_wh
            logger.warning(
                "passed over pictures of %d x %d px: the board was found in pictures of %d x %d px and lies outside of "
                "them; set the camera back to that size, or take them out of the folder", width, height, wide, high
            )  # fmt: skip
        return False
