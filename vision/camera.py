"""A camera as a source: its reader lives in a child process, is watched, and is replaced when it fails."""

import logging
import multiprocessing
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import numpy as np

from vision import camera_process
from vision.frame import Frame, Image
from vision.source import SourceConfig, SourceItem, SourceLost, SourceRestored, Tick

logger = logging.getLogger(__name__)

_POLL_S = 0.1
"""How long a wait for the child lasts before the watchdog looks round."""
_TICK_S = 0.5
"""How often time is told while there is no camera."""
_END_S = 1.0
"""How long a child is given to end by itself."""


class Camera:
    """Frames of a USB or network camera, newest first kept; reopened for ever when they stop."""

    live = True
    frame_count: int | None = None

    def __init__(self, address: str, config: SourceConfig) -> None:
        """Nothing is opened before `items` is read: a camera that is not there yet is waited for."""
        self.name = address
        self._config = config
        self._closed = threading.Event()

    def items(self) -> Iterator[SourceItem]:
        """Frames as they come; SourceLost and SourceRestored between them."""
        started: float | None = None
        index = 0
        lost = False
        tries = 0
        while not self._closed.is_set():
            why = "closed"
            reader = _Reader(self.name, self._config, self._closed)
            try:
                for at, image in reader.frames():
                    if started is None:
                        started = at
                    if lost:
                        lost = False
                        yield SourceRestored(at - started)
                    tries = 0
                    yield Frame(index, at - started, image)
                    index += 1
                why = reader.why
            finally:
                reader.end()
            if self._closed.is_set():
                return
            if not lost:
                lost = True
                now = time.monotonic()
                yield SourceLost(0.0 if started is None else now - started, why)
            pause_s = self._config.backoff_s[min(tries, len(self._config.backoff_s) - 1)]
            tries += 1
            logger.warning("camera %s: %s; next try in %.1f s", self.name, why, pause_s)
            again_at = time.monotonic() + pause_s
            while not self._closed.is_set() and time.monotonic() < again_at:
                self._closed.wait(_TICK_S)
                if started is not None:
                    yield Tick(time.monotonic() - started)

    def close(self) -> None:
        """End `items` and the child."""
        self._closed.set()


class _Reader:
    """One life of the child process."""

    def __init__(self, address: str, config: SourceConfig, closed: threading.Event) -> None:
        self.why = "the stream ended"
        self._config = config
        self._closed = closed
        context = multiprocessing.get_context("spawn")
        self._memory = SharedMemory(create=True, size=camera_process.SLOTS * camera_process.MAX_BYTES)
        self._pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(
            target=camera_process.run,
            args=(address, config.size_wh, config.open_timeout_s, self._memory.name, theirs),
            name=f"camera {address}",
            daemon=True,
        )
        self._process.start()
        theirs.close()

    def frames(self) -> Iterator[tuple[float, Image]]:
        """(monotonic s, picture) until the child fails, falls silent or its picture stands still."""
        config = self._config
        # The open timeout is the child's; what is added covers its start.
        deadline = time.monotonic() + config.open_timeout_s + config.stale_s
        last_mark: int | None = None
        changed_at = time.monotonic()
        while not self._closed.is_set():
            message = _receive(self._pipe)
            if message is None:
                if time.monotonic() > deadline:
                    self.why = f"no picture for {config.stale_s:.0f} s"
                    return
                continue
            if message[0] == "failed":
                self.why = str(message[1])
                return
            deadline = time.monotonic() + config.stale_s
            if message[0] == "opened":
                logger.info("camera opened at %s x %s", message[1], message[2])
                continue
            _, slot, height, width, at, mark = message
            if mark != last_mark:
                last_mark, changed_at = mark, at
            elif at - changed_at > config.frozen_s:
                self.why = f"the picture has stood still to the last bit for {config.frozen_s:.0f} s"
                return
            offset = slot * camera_process.MAX_BYTES
            image = np.ndarray((height, width, 3), np.uint8, self._memory.buf, offset=offset).copy()
            try:
                self._pipe.send(slot)
            except (BrokenPipeError, OSError):
                self.why = "the camera's process ended"
                return
            yield at, image

    def end(self) -> None:
        """Stop the child, by force where it hangs in a driver, and free the memory."""
        try:
            self._pipe.send(None)
        except (BrokenPipeError, OSError):
            logger.debug("the camera's process had ended already")
        self._process.join(_END_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._pipe.close()
        self._memory.close()
        self._memory.unlink()


def _receive(pipe: Connection) -> tuple[Any, ...] | None:
    """The next message; None where none came in time; a failure where the child is gone."""
    try:
        if not pipe.poll(_POLL_S):
            return None
        message: tuple[Any, ...] = pipe.recv()
    except (EOFError, OSError):
        return ("failed", "the camera's process ended")
    return message
