"""A video file as a source: decoded ahead in a thread, timed by its own timestamps."""

import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Full, Queue

import cv2
import numpy as np

from vision.errors import SourceError
from vision.frame import Frame
from vision.source import SourceItem

_AHEAD = 4
"""Frames decoded before they are asked for; decoding releases the interpreter lock, so it runs beside the eye."""
_WAIT_S = 0.2
"""How long the threads wait for one another before they look whether the source was closed."""
_FALLBACK_FPS = 25.0
"""Rate assumed where a file names none."""


class VideoFile:
    """Reads every frame of a video, as fast as it is asked to."""

    live = False

    def __init__(self, path: Path) -> None:
        """Open the file; SourceError where it holds no video that can be decoded."""
        self.name = str(path)
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise SourceError(f"not a video that can be read (damaged, or in an unknown format): {path}")
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._frame_s = 1.0 / (fps if 0.5 <= fps <= 1000.0 else _FALLBACK_FPS)
        count = int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        self.frame_count = count if count > 0 else None
        self._closed = threading.Event()

    def items(self) -> Iterator[SourceItem]:
        """Frames with the file's own times, made to rise where the file's do not."""
        queue: Queue[Frame | Exception | None] = Queue(maxsize=_AHEAD)
        thread = threading.Thread(target=self._decode, args=(queue,), name="decode", daemon=True)
        thread.start()
        try:
            while not self._closed.is_set():
                try:
                    item = queue.get(timeout=_WAIT_S)
                except Empty:
                    continue
                if item is None:
                    return
                if isinstance(item, Exception):
                    raise item
                yield item
        finally:
            self._closed.set()
            thread.join()
            self._capture.release()

    def close(self) -> None:
        """End `items`."""
        self._closed.set()

    def _decode(self, queue: "Queue[Frame | Exception | None]") -> None:
        index = 0
        first_s: float | None = None
        last_t = -1.0
        while not self._closed.is_set():
            try:
                ok, image = self._capture.read()
            except cv2.error as error:
                self._put(queue, SourceError(f"decoding stopped at frame {index} of {self.name}: {error}"))
                return
            if not ok or image is None:
                break
            stamp_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
            if first_s is None:
                first_s = stamp_s
            t = stamp_s - first_s
            if t <= last_t:
                t = last_t + self._frame_s
            last_t = t
            self._put(queue, Frame(index, t, image.astype(np.uint8, copy=False)))
            index += 1
        if index == 0 and not self._closed.is_set():
            self._put(queue, SourceError(f"the video holds no picture that can be decoded: {self.name}"))
            return
        self._put(queue, None)

    def _put(self, queue: "Queue[Frame | Exception | None]", item: Frame | Exception | None) -> None:
        while not self._closed.is_set():
            try:
                queue.put(item, timeout=_WAIT_S)
                return
            except Full:
                continue
