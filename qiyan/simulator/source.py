"""The simulated table as a source of frames for a recorder in the same process."""

from collections.abc import Iterator

from qiyan.simulator.table import Table
from vision.frame import Frame
from vision.source import SourceItem


class SimulatedSource:
    """Every frame of a table, as fast as they are drawn."""

    live = False

    def __init__(self, table: Table) -> None:
        self.name = f"simulated:{table.look.name}"
        self.frame_count: int | None = table.frame_count
        self._table = table
        self._open = True

    def items(self) -> Iterator[SourceItem]:
        """Frames in order of time."""
        for number, (image, t) in enumerate(self._table.frames()):
            if not self._open:
                return
            yield Frame(number, t, image)

    def close(self) -> None:
        """No more frames."""
        self._open = False
