"""A folder of numbered pictures as a source."""

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.errors import SourceError
from vision.frame import Frame, Image
from vision.source import PICTURE_SUFFIXES, SourceItem

logger = logging.getLogger(__name__)


class PictureFolder:
    """Reads the pictures of a folder in the order of their numbers, a fixed time apart."""

    live = False

    def __init__(self, folder: Path, pictures_per_s: float) -> None:
        """List the folder; SourceError where it holds no picture."""
        self.name = str(folder)
        self._frame_s = 1.0 / pictures_per_s
        self._paths = sorted(
            (p for p in folder.iterdir() if p.suffix.lower() in PICTURE_SUFFIXES), key=lambda p: natural_key(p.name)
        )
        if not self._paths:
            raise SourceError(f"no pictures ({', '.join(sorted(PICTURE_SUFFIXES))}) in the folder: {folder}")
        self.frame_count: int | None = len(self._paths)
        self._closed = False

    def items(self) -> Iterator[SourceItem]:
        """Frames in the order of the numbers in their names; a damaged picture is passed over with a warning."""
        for index, path in enumerate(self._paths):
            if self._closed:
                return
            image = read_picture(path)
            if image is None:
                logger.warning("passed over a picture that cannot be decoded: %s", path)
                continue
            yield Frame(index, index * self._frame_s, image)

    def close(self) -> None:
        """End `items`."""
        self._closed = True


def natural_key(name: str) -> list[tuple[int, int | str]]:
    """Sort key that takes runs of digits as numbers: p2 before p10."""
    return [(0, int(part)) if part.isdigit() else (1, part.lower()) for part in re.split(r"(\d+)", name) if part]


def read_picture(path: Path) -> Image | None:
    """(H, W, 3) uint8 BGR turned as its EXIF says, or None where the file is no picture. OSError where unreadable."""
    data = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    if data.size == 0:
        return None
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else image.astype(np.uint8, copy=False)
