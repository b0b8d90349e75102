"""The simulated table as a source of frames for a recorder in the same process, with the troubles of real cameras."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from qiyan.simulator.table import Table
from vision.frame import Frame
from vision.source import SourceItem, SourceLost, SourceRestored, Tick


@dataclass(frozen=True, slots=True)
class Feed:
    """What happens on the way from the camera to the recorder; times in seconds of the film."""

    jitter: float = 0.0
    """How much the time between frames varies, as a share of it."""
    lost: tuple[tuple[float, float], ...] = ()
    """From when to when the camera is unplugged."""
    frozen: tuple[tuple[float, float], ...] = ()
    """From when to when it sends the same picture again and again."""
    dropped: float = 0.0
    """Share of the frames that never arrive."""


class SimulatedSource:
    """Every frame of a table, as fast as they are drawn."""

    live = False

    def __init__(self, table: Table, feed: Feed | None = None) -> None:
        self.name = f"simulated:{table.look.name}"
        self.frame_count: int | None = table.frame_count
        self._table = table
        self._feed = feed or Feed()
        self._open = True

    def items(self) -> Iterator[SourceItem]:
        """Frames in order of time, with news of the camera between them."""
        rng = np.random.default_rng(self._table.look.seed)
        feed, period = self._feed, 1.0 / self._table.look.fps
        t, index, away, last = 0.0, 0, False, None
        while self._open and t < self._table.length_s:
            if _within(t, feed.lost):
                yield Tick(t) if away else SourceLost(t, "unplugged")
                away = True
            else:
                if away:
                    yield SourceRestored(t)
                away = False
                if index == 0 or rng.random() >= feed.dropped:
                    if last is None or not _within(t, feed.frozen):
                        last = self._table.frame(t)
                    yield Frame(index, t, last)
                    index += 1
            t += period * (1.0 + feed.jitter * float(rng.uniform(-1.0, 1.0)))

    def close(self) -> None:
        """No more frames."""
        self._open = False


def _within(t: float, spans: tuple[tuple[float, float], ...]) -> bool:
    return any(start <= t < end for start, end in spans)
