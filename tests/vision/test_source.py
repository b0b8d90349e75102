"""Sources: files with their own times, folders in the order of their numbers, cameras that come and go."""

import http.server
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import SourceError
from vision.frame import Frame
from vision.source import FrameSource, SourceConfig, SourceItem, SourceLost, SourceRestored, open_source

RNG = np.random.default_rng(1)


def _picture(value: int) -> np.ndarray:
    return np.full((48, 64, 3), value, np.uint8)


def _film(path: Path, count: int, fps: float) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, (64, 48))
    for index in range(count):
        writer.write(_picture(8 * index))
    writer.release()


def test_a_video_gives_every_frame_with_its_time(tmp_path: Path) -> None:
    _film(tmp_path / "v.mp4", 12, 10.0)
    frames = [item for item in open_source(str(tmp_path / "v.mp4")).items() if isinstance(item, Frame)]
    assert [frame.index for frame in frames] == list(range(12))
    assert [frame.t for frame in frames] == pytest.approx([index / 10 for index in range(12)], abs=1e-3)


def test_a_damaged_video_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.mp4"
    path.write_bytes(b"\x00\x00\x00\x18ftypmp42" + bytes(200))
    with pytest.raises(SourceError, match=r"broken\.mp4"):
        open_source(str(path))


def test_a_video_cut_short_gives_what_it_has(tmp_path: Path) -> None:
    writer = cv2.VideoWriter(str(tmp_path / "v.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for _ in range(30):
        writer.write(RNG.integers(0, 255, (48, 64, 3), dtype=np.uint8))
    writer.release()
    data = (tmp_path / "v.avi").read_bytes()
    (tmp_path / "cut.avi").write_bytes(data[: len(data) // 2])
    assert 0 < len(list(open_source(str(tmp_path / "cut.avi")).items())) < 30


def test_pictures_come_in_the_order_of_their_numbers_and_damaged_ones_are_passed_over(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        cv2.imwrite(str(tmp_path / f"p{number}.png"), _picture(number))
    (tmp_path / "p3.png").write_bytes(b"no picture")
    (tmp_path / "notes.txt").write_text("no picture either")
    frames = [item for item in open_source(str(tmp_path)).items() if isinstance(item, Frame)]
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [1, 2, 10]
    assert [frame.t for frame in frames] == [0.0, 1.0, 3.0]


@pytest.mark.parametrize("address", ["/nowhere/x.mp4", "", "cam0"])
def test_a_source_that_is_not_there_is_named(address: str) -> None:
    with pytest.raises(SourceError, match="no such video file or folder"):
        open_source(address)


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no pictures"):
        open_source(str(tmp_path))


class _MjpegServer:
    """A network camera on this machine: noisy pictures, until told to stall, freeze or hang up."""

    def __init__(self, port: int = 0) -> None:
        self.stalled = threading.Event()
        self.frozen = threading.Event()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                still = _jpeg()
                while not outer.stopped.is_set():
                    if not outer.stalled.is_set():
                        jpeg = still if outer.frozen.is_set() else _jpeg()
                        try:
                            self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n")
                            self.wfile.write(b"Content-Length: %d\r\n\r\n" % len(jpeg) + jpeg + b"\r\n")
                        except OSError:
                            return
                    time.sleep(0.04)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.stopped = threading.Event()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.stopped.set()
        self._server.shutdown()
        self._server.server_close()


def _jpeg() -> bytes:
    return bytes(cv2.imencode(".jpg", RNG.integers(0, 255, (48, 64, 3), dtype=np.uint8))[1])


@pytest.fixture
def camera() -> Iterator[_MjpegServer]:
    server = _MjpegServer()
    yield server
    server.stop()


QUICK = SourceConfig(open_timeout_s=3.0, stale_s=1.0, frozen_s=1.0, backoff_s=(0.2,))


def _until(
    source: FrameSource, items: Iterator[SourceItem], wanted: type[SourceItem], limit_s: float = 30.0
) -> SourceItem:
    """The next item of that type. A source that has nothing to say is closed, so that the test fails, not hangs."""
    timer = threading.Timer(limit_s, source.close)
    timer.start()
    try:
        for item in items:
            if isinstance(item, wanted):
                return item
    finally:
        timer.cancel()
    raise AssertionError(f"no {wanted.__name__} within {limit_s} s")


@pytest.mark.parametrize("trouble", ["stalled", "frozen"])
def test_a_camera_that_stalls_or_freezes_is_lost_and_found_again(camera: _MjpegServer, trouble: str) -> None:
    source = open_source(f"http://127.0.0.1:{camera.port}/", QUICK)
    items = source.items()
    first = _until(source, items, Frame)
    getattr(camera, trouble).set()
    lost = _until(source, items, SourceLost)
    getattr(camera, trouble).clear()
    restored = _until(source, items, SourceRestored)
    frame = _until(source, items, Frame)
    assert isinstance(first, Frame) and isinstance(frame, Frame)
    assert first.t <= lost.t <= restored.t <= frame.t
    assert frame.index > first.index
    source.close()
    assert not [item for item in items if isinstance(item, SourceLost)]


def test_a_camera_that_is_not_there_yet_is_waited_for() -> None:
    server = _MjpegServer()
    port = server.port
    server.stop()
    source = open_source(f"http://127.0.0.1:{port}/", QUICK)
    items = source.items()
    assert isinstance(_until(source, items, SourceLost), SourceLost)
    server = _MjpegServer(port)
    try:
        assert isinstance(_until(source, items, Frame), Frame)
    finally:
        source.close()
        items.close()  # type: ignore[attr-defined]
        server.stop()
