"""A simulated film kept on disk once it was drawn: while the eye is worked on, the same film is seen many times."""

import pickle
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from qiyan.simulator.source import SimulatedSource
from qiyan.simulator.table import Table
from vision.frame import Frame
from vision.source import SourceItem

_JPEG_QUALITY = 95


class KeptFilm(SimulatedSource):
    """The frames of a table from `path`; where they are not there yet they are drawn, by `drawn`, and kept."""

    def __init__(self, table: Table, path: Path, drawn: SimulatedSource | None = None) -> None:
        super().__init__(table)
        self._path = path
        self._drawn = drawn or SimulatedSource(table)

    def items(self) -> Iterator[SourceItem]:
        """Every frame."""
        if not self._path.is_file():
            kept = []
            for item in self._drawn.items():
                assert isinstance(item, Frame)
                data = cv2.imencode(".jpg", item.image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1]
                kept.append((item.t, data.tobytes()))
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_bytes(pickle.dumps(kept))
        for index, (t, jpeg) in enumerate(pickle.loads(self._path.read_bytes())):
            yield Frame(index, t, cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR))
