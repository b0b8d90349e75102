"""The eye as the recorder uses it: the pure pipeline with its state kept."""

from collections.abc import Sequence

from calibration.grid import Grid
from rules.event import TableEvent
from rules.position import Position
from vision import pipeline
from vision.frame import Frame


class PipelineEye:
    """vision.pipeline, fed frame by frame."""

    def __init__(self, setup: pipeline.Setup) -> None:
        self._setup = setup
        self._state = pipeline.initial_state(setup)

    @property
    def grid(self) -> Grid | None:
        """Where the board is; None while it is searched."""
        return None if self._state.table is None else self._state.table.grid

    @property
    def waits(self) -> bool:
        """Whether something was seen that is not told yet, as later frames may explain it better."""
        return self._state.watched is not None and self._state.watched.waiting_since is not None

    def step(self, frame: Frame, position: Position | None, heard: Sequence[TableEvent]) -> list[TableEvent]:
        """What happened up to `frame`."""
        self._state, events = pipeline.step(self._setup, self._state, frame, position, tuple(heard))
        return events
