"""The picture that the set-up page shows: twice a second, with the grid drawn in, and what is wrong with it."""

import json
import logging
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2

from calibration.drawing import draw_grid
from calibration.grid import Grid
from qiyan.picture_check import check_picture
from qiyan.recorder import Eye
from vision.frame import Frame, Image

logger = logging.getLogger(__name__)

PICTURE_NAME = "live.jpg"
FACTS_NAME = "live.json"
LONGEST_SIDE_PX = 1280
WANTED_NAME = "live.wanted"
"""A page that shows the picture touches a file of this name."""
WANTED_FOR_S = 5.0
BETWEEN_PICTURES_S = 0.5
"""While somebody looks; of the wall clock, so that a file worked through fast is not slowed down."""
BETWEEN_SIGNS_OF_LIFE_S = 3.0
"""While nobody does: a picture takes some 30 ms."""
JPEG_QUALITY = 80


class LivePicture:
    """Follows a recording and leaves its picture in the recording's folder, replaced as a whole each time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shown_at = -BETWEEN_SIGNS_OF_LIFE_S
        self._frames = 0
        self._since = (0, time.monotonic())

    def on_entries(self, entries: Sequence[dict[str, Any]]) -> None:
        """The picture does not follow entries."""

    def on_frame(self, frame: Frame, eye: Eye) -> None:
        """Write the picture where it is due."""
        self._frames += 1
        now = time.monotonic()
        since_shown_s = now - self._shown_at
        if since_shown_s < BETWEEN_PICTURES_S or (since_shown_s < BETWEEN_SIGNS_OF_LIFE_S and not self._wanted()):
            return
        frames, since = self._since
        rate = (self._frames - frames) / max(1e-3, now - since)
        self._since = (self._frames, now)
        self._shown_at = now
        facts = {"by": "recorder", "t": round(frame.t, 3), "frames_per_s": round(rate, 1)}
        try:
            write_live(self._folder, frame.image, eye.grid, facts)
        except OSError as error:
            # Only a picture for the set-up page: the record goes on without it.
            logger.warning("no picture for the pages (%s): %s", error.strerror, self._folder / PICTURE_NAME)

    def _wanted(self) -> bool:
        try:
            return time.time() - (self._folder / WANTED_NAME).stat().st_mtime < WANTED_FOR_S
        except FileNotFoundError:
            return False

    def close(self) -> None:
        """The last picture stays."""


def write_live(folder: Path, image: Image, grid: Grid | None, more: dict[str, Any]) -> None:
    """Write `live.jpg`, then `live.json` that describes it."""
    facts: dict[str, Any] = {
        "unix_s": round(time.time(), 3),
        "size_wh": [image.shape[1], image.shape[0]],
        "warnings": [warning.to_json() for warning in check_picture(image, grid)],
        "corners_px": None,
        **more,
    }
    shown = image
    if grid is not None:
        facts["corners_px"] = {name: [round(x, 2), round(y, 2)] for name, (x, y) in grid.corners_px().items()}
        facts["red_side"] = grid.red_side()
        facts["cell_px"] = round(grid.cell_px(), 1)
        facts["confidence"] = round(grid.confidence, 3)
        shown = draw_grid(image, grid)
    scale = min(1.0, LONGEST_SIDE_PX / max(image.shape[:2]))
    if scale < 1.0:
        shown = cv2.resize(shown, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    ok, data = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if ok:
        _replace(folder / PICTURE_NAME, data.tobytes())
        _replace(folder / FACTS_NAME, json.dumps(facts).encode())


def _replace(path: Path, data: bytes) -> None:
    """Readers see the old file or the new one. Not synced to the disk: a picture that is lost is taken again."""
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(data)
    partial.replace(path)
