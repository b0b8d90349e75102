"""Sources of frames: one protocol, and the choice of the reader that fits an address."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from vision.errors import SourceError
from vision.frame import Frame

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
NETWORK_SCHEMES = ("rtsp://", "rtsps://", "http://", "https://", "rtmp://", "udp://", "tcp://")


@dataclass(frozen=True, slots=True)
class SourceLost:
    """No more frames come for now; the reader goes on trying."""

    t: float
    """Seconds since the first frame."""
    why: str


@dataclass(frozen=True, slots=True)
class SourceRestored:
    """Frames come again."""

    t: float


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passes without a frame: the camera is away, but the clock may still speak."""

    t: float


SourceItem = Frame | SourceLost | SourceRestored | Tick


class FrameSource(Protocol):
    """Where frames come from."""

    name: str
    """What the user called it."""
    live: bool
    """True where time passes whether we read or not: frames that come too late are dropped by the reader."""
    frame_count: int | None
    """How many frames there are, where that is known."""

    def items(self) -> Iterator[SourceItem]:
        """Frames in order of time, with news of the source between them; ends when the source ends."""

    def close(self) -> None:
        """Let go of the device; `items` ends soon after. May be called from another thread."""


@dataclass(frozen=True, slots=True)
class SourceConfig:
    """How sources are opened and watched."""

    pictures_per_s: float = 1.0
    """Rate of a folder of numbered pictures, which carry no time of their own."""
    open_timeout_s: float = 8.0
    """A camera that has not opened by then is tried again."""
    stale_s: float = 4.0
    """No frame for this long: the camera is lost, closed and reopened (an opened reader never recovers)."""
    frozen_s: float = 10.0
    """Frames identical to the last bit for this long: the camera's picture stands still. Real sensors are noisy."""
    backoff_s: tuple[float, ...] = (0.5, 1.0, 2.0, 5.0, 10.0)
    """Pauses before the first, second ... try to reopen; the last one repeats for ever."""
    size_wh: tuple[int, int] | None = None
    """Size asked of a local camera; None leaves it as it is."""


def open_source(address: str, config: SourceConfig | None = None) -> FrameSource:
    """The reader for a camera index, device path, network address, video file or folder of pictures.

    Raises SourceError where a file or folder cannot be read. A camera need not be there yet.
    """
    from vision.camera import Camera
    from vision.picture_folder import PictureFolder
    from vision.video_file import VideoFile

    config = config or SourceConfig()
    if address.isdigit() or address.startswith(("/dev/video", *NETWORK_SCHEMES)):
        return Camera(address, config)
    path = Path(address)
    if address and path.is_dir():
        return PictureFolder(path, config.pictures_per_s)
    if path.is_file():
        return VideoFile(path)
    raise SourceError(
        f"no such video file or folder (cameras are 0, 1, /dev/video0, rtsp://... or http://...): {address!r}"
    )
