"""The stills and the clip of one incident, written from the pictures kept of it."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.grid import F64, Grid
from rules.point import parse_point
from vision.frame import Image

MARKED_S = 1.0
"""How long the rings around the points are drawn thick, from when it happened on."""
_RING_BGR, _RING_EDGE_BGR = (0, 0, 255), (255, 255, 255)
"""Red alone is lost on red cloth and red wood."""
_SMALL_WH = (96, 96)
"""Size at which pictures are compared; a hand is far larger than its pixels."""


Crop = tuple[int, int, int, int, float]
"""(x, y, w, h) px of the part of a picture that is kept, and the scale it is kept at."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A picture in memory."""

    t: float
    jpeg: bytes
    crop: Crop
    grid: Grid | None
    """Where the board was then; the camera may have been moved since."""


@dataclass(frozen=True, slots=True)
class Clip:
    """What is to be written of one incident; times in seconds since the source's first frame."""

    happened: float
    ends: float
    """Where the clip ends; it begins with the first picture."""
    told: float
    """When the eye had seen enough, with no hand in the way: then the board is as it was left."""
    points: tuple[str, ...]
    """Ringed in every picture."""
    pictures: list[Kept]
    """From its begin on, in order; those still to come are appended."""
    pictures_per_s: float
    names: tuple[str, str, str]
    """Paths of the stills before and after, and of the clip, relative to the recording's folder."""

    @property
    def whole_at(self) -> float:
        """When every picture that it needs was seen."""
        return max(self.ends, self.told)


_Seen = tuple[Kept, Image]
"""A picture in memory, and what is on it."""


def write_clip(folder: Path, clip: Clip) -> list[tuple[str, str]]:
    """Write the stills and the clip; (path, sha256) of each file."""
    before, after, film = (folder / name for name in clip.names)
    before.parent.mkdir(exist_ok=True)
    seen = [(kept, _decoded(kept)) for kept in clip.pictures]
    calm = _clearest([one for one in seen if one[0].t <= clip.happened] or seen[:1])
    left = next((one for one in seen if one[0].t >= clip.told), seen[-1])
    cv2.imwrite(str(before), _marked(*calm, clip))
    cv2.imwrite(str(after), _marked(*left, clip))
    _write_film(film, [one for one in seen if one[0].t <= clip.ends] or seen[:1], clip)
    return [(name, hashlib.sha256((folder / name).read_bytes()).hexdigest()) for name in clip.names]


def _clearest(seen: list[_Seen]) -> _Seen:
    """The picture in which least is in the way: a hand lies elsewhere in the others, or not at all."""
    small = np.stack([cv2.resize(image, _SMALL_WH, interpolation=cv2.INTER_AREA) for _, image in seen])
    unlike = np.abs(small - np.median(small, axis=0)).mean(axis=(1, 2, 3))
    return seen[int(np.argmin(unlike))]


def _write_film(path: Path, seen: list[_Seen], clip: Clip) -> None:
    size_wh = (seen[-1][1].shape[1], seen[-1][1].shape[0])
    first, last = seen[0][0].t, seen[-1][0].t
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"VP80"), clip.pictures_per_s, size_wh)
    number = 0
    for index in range(int((last - first) * clip.pictures_per_s + 0.5) + 1):
        # What was seen last at each of the film's own times: it plays as fast as it happened.
        t = first + (index + 0.5) / clip.pictures_per_s
        while number + 1 < len(seen) and seen[number + 1][0].t <= t:
            number += 1
        writer.write(_fitted(_marked(*seen[number], clip), size_wh))
    writer.release()


def _fitted(picture: Image, size_wh: tuple[int, int]) -> Image:
    """The picture within another size: the board may have been found, or found anew, in the middle of a clip."""
    if picture.shape[1::-1] == size_wh:
        return picture
    wide, high = size_wh
    scale = min(wide / picture.shape[1], high / picture.shape[0])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)[:high, :wide]
    fitted = np.zeros((high, wide, 3), np.uint8)
    x, y = (wide - small.shape[1]) // 2, (high - small.shape[0]) // 2
    fitted[y : y + small.shape[0], x : x + small.shape[1]] = small
    return fitted


def _decoded(kept: Kept) -> Image:
    picture = cv2.imdecode(np.frombuffer(kept.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return picture.astype(np.uint8, copy=False)


def _marked(kept: Kept, image: Image, clip: Clip) -> Image:
    """The picture with rings around the points, thick when it happens, and how far off that is."""
    picture = image.copy()
    since_s = kept.t - clip.happened
    radius = max(8, max(picture.shape[:2]) // 28)
    thick = 4 if 0.0 <= since_s <= MARKED_S else 2
    for x, y in _places_px(kept, clip.points):
        centre = (round(float(x)), round(float(y)))
        cv2.circle(picture, centre, radius, _RING_EDGE_BGR, thick + 2, cv2.LINE_AA)
        cv2.circle(picture, centre, radius, _RING_BGR, thick, cv2.LINE_AA)
    label = f"{since_s:+.1f} s"
    cv2.putText(picture, label, (8, 22), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(picture, label, (8, 22), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 1, cv2.LINE_AA)
    return picture


def _places_px(kept: Kept, points: tuple[str, ...]) -> F64:
    """(N, 2) where the faces of pieces on the points lie in the picture; none while the board is not found."""
    if kept.grid is None or not points:
        return np.zeros((0, 2))
    indices = [parse_point(name) for name in points]
    cells = np.array([[p % 9, p // 9] for p in indices], dtype=np.float64)
    x, y, _, _, scale = kept.crop
    places: F64 = (kept.grid.to_px(cells, kept.grid.face_height) - np.array([x, y])) * scale
    return places
