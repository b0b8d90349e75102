"""Clips written in a process of their own: in a thread, encoding would hold up the eye.

The process may die, as where the system runs out of memory. What it was writing is written again once, by a new one.
"""

import logging
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

import cv2

from qiyan.clip import Clip, write_clip

logger = logging.getLogger(__name__)

Files = list[tuple[str, str]]
"""(path relative to the recording's folder, sha256) of each file; none where they could not be written."""


@dataclass(slots=True)
class _Task:
    clip: Clip
    files: Future[Files]
    is_second_try: bool = False


class ClipWriter:
    """Writes clips one after the other, in the order in which they come."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pool: ProcessPoolExecutor | None = None
        """Made when the first clip comes."""
        self._tasks: deque[_Task] = deque()

    def submit(self, clip: Clip) -> None:
        """Have a clip written."""
        self._tasks.append(_Task(clip, self._begin(clip)))

    def finished(self, wait: bool) -> list[tuple[Clip, Files]]:
        """Clips that are done with, in order, with their files; all of them where it waits."""
        done: list[tuple[Clip, Files]] = []
        while self._tasks and (wait or self._tasks[0].files.done()):
            task = self._tasks.popleft()
            try:
                done.append((task.clip, task.files.result()))
            except BrokenProcessPool as error:
                logger.error("the process that writes evidence ended (%s) in %s", error, task.clip.names[-1])
                if task.is_second_try:
                    done.append((task.clip, []))
                else:
                    self._tasks.appendleft(_Task(task.clip, task.files, is_second_try=True))
                self._begin_anew()
            except (OSError, cv2.error) as error:
                logger.error("evidence could not be written: %s", error)
                done.append((task.clip, []))
        return done

    def close(self) -> None:
        """End the process."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def _begin(self, clip: Clip) -> Future[Files]:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=_begin_worker)
        try:
            return self._pool.submit(_busily, write_clip, self._folder, clip)
        except (OSError, BrokenProcessPool) as error:
            failed: Future[Files] = Future()
            failed.set_exception(BrokenProcessPool(str(error)))
            return failed

    def _begin_anew(self) -> None:
        """Another process, for all that the one that ended had before it; the first of it was in its hands."""
        assert self._pool is not None
        self._pool.shutdown(wait=False)
        self._pool = None
        for task in self._tasks:
            task.files = self._begin(task.clip)


class _Work:
    """What the worker is at."""

    under_way = threading.Lock()
    last_t = time.monotonic()
    """When it last had something to do, s."""


def _busily(write: Callable[[Path, Clip], Files], folder: Path, clip: Clip) -> Files:
    """Write a clip, in the worker."""
    with _Work.under_way:
        try:
            return write(folder, clip)
        finally:
            _Work.last_t = time.monotonic()


def _end_after_the_recorder() -> None:
    """A recorder that is killed cannot end its worker: that writes what it was given, and ends by itself."""
    recorder = multiprocessing.parent_process()
    if recorder is None:
        return
    recorder.join()
    while True:
        time.sleep(_IDLE_S)
        with _Work.under_way:
            if time.monotonic() - _Work.last_t >= _IDLE_S:
                os._exit(0)


def _begin_worker() -> None:
    """The worker writes clips to the end when Ctrl-C ends the recording, and says nothing.

    OpenCV prints a complaint about the codec's tag for every WebM it writes rightly, past every log level.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    threading.Thread(target=_end_after_the_recorder, name="end after the recorder", daemon=True).start()


_IDLE_S = 3.0
"""With nothing to do for so long a worker whose recorder is gone ends."""
