"""The child process that owns a camera: opens it, reads it, hands over the newest frame."""

import os
import signal
import time
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory

import cv2
import numpy as np

SLOTS = 3
"""Pictures in the shared memory: one being read, one ready, one being written."""
MAX_BYTES = 3840 * 2160 * 3
"""Room for one picture; larger ones are refused."""


def run(address: str, size_wh: tuple[int, int] | None, open_timeout_s: float, memory: str, pipe: Connection) -> None:
    """Read `address` until the pipe closes or the camera fails.

    Sends ("opened", w, h), then ("frame", slot, h, w, monotonic time, crc of the content) for each picture, and at the
    end ("failed", why). Receives the numbers of slots that may be written again.
    """
    # Ctrl-C reaches the whole group: the recorder alone decides when its camera closes.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    capture = _open(address, size_wh, open_timeout_s)
    if not capture.isOpened():
        _send(pipe, ("failed", "cannot be opened"))
        return
    shared = SharedMemory(name=memory)
    try:
        _send(pipe, ("opened", int(capture.get(3)), int(capture.get(4))))
        _pump(capture, shared, pipe)
    finally:
        shared.close()
        capture.release()


def _open(address: str, size_wh: tuple[int, int] | None, open_timeout_s: float) -> cv2.VideoCapture:
    if not address.isdigit() and not address.startswith("/dev/"):
        # The timeouts must stand in the constructor: set later they are ignored, and a frozen stream blocks 30 s.
        limit_ms = int(open_timeout_s * 1000)
        os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", "rtsp_transport;tcp")
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
        return cv2.VideoCapture(
            address,
            cv2.CAP_FFMPEG,
            [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, limit_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, limit_ms],
        )
    capture = cv2.VideoCapture(int(address) if address.isdigit() else address)
    if size_wh is not None:
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size_wh[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size_wh[1])
    return capture


def _pump(capture: cv2.VideoCapture, shared: SharedMemory, pipe: Connection) -> None:
    free = list(range(SLOTS))
    while True:
        ok, image = capture.read()
        at = time.monotonic()
        while pipe.poll():
            try:
                slot = pipe.recv()
            except (EOFError, OSError):  # the recorder was killed
                return
            if slot is None:
                return
            free.append(slot)
        if not ok or image is None:
            _send(pipe, ("failed", "the stream ended or timed out"))
            return
        if image.nbytes > MAX_BYTES:
            _send(pipe, ("failed", f"pictures of {image.shape[1]} x {image.shape[0]} px are too large"))
            return
        if not free:
            continue  # the eye is behind: this picture is dropped, the next one is newer
        slot = free.pop(0)
        view = np.ndarray(image.shape, np.uint8, shared.buf, offset=slot * MAX_BYTES)
        view[...] = image
        # Thinned: enough to tell a frozen picture from a live one, whose noise is everywhere.
        mark = hash(image[::8, ::8].tobytes())
        if not _send(pipe, ("frame", slot, image.shape[0], image.shape[1], at, mark)):
            return


def _send(pipe: Connection, message: tuple[object, ...]) -> bool:
    try:
        pipe.send(message)
    except (BrokenPipeError, OSError):
        return False
    return True
