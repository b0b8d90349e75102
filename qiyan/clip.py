"""The stills and the clip of one incident, written from the pictures kept of it."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64
from qiyan.clip_badge import draw_badge
from qiyan.clip_moment import UNLIKE, moment_of
from qiyan.kept import Kept, Seen
from rules.point import parse_point
from vision.frame import Image

MARKED_S = 1.0
"""How long the rings around the points are drawn thick, from when it happened on, and from a touch before it on."""
_RING_BGR, _RING_EDGE_BGR = (0, 0, 255), (255, 255, 255)
"""Red alone is lost on red cloth and red wood."""
RING_CELLS = 0.52
"""Radius of a ring: around the piece, and rings of neighbouring points only touch."""
BEFORE_S = 3.0
"""The still before is sought so long before it began: when the hand that did it had not come yet."""
CLEAR_S = 1.0
"""The still after is sought from when it was told until so long after that: then the hand is gone altogether."""
HAND_PERCENT_PER_S = 1.0
"""A still is taken a second nearer to the time it is sought at where a hundredth more of the picture is covered."""
_SMALL_WH = (128, 128)
"""Size at which pictures are compared; a hand is far larger than its pixels."""


@dataclass(frozen=True, slots=True)
class Clip:
    """What is to be written of one incident; times in seconds since the source's first frame."""

    began: float
    """When what it is about began; before `happened` where there was something before, such as a touch."""
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
    touched: float
    """When a hand was at one of `points`."""
    names: tuple[str, ...]
    """Paths of the stills before and after, of the clip, and of the still of the moment where there are points, all
    relative to the recording's folder."""

    @property
    def whole_at(self) -> float:
        """When every picture that it needs was seen."""
        return max(self.ends, self.told + CLEAR_S)


I32 = NDArray[np.int32]


def write_clip(folder: Path, clip: Clip) -> list[tuple[str, str]]:
    """Write the stills and the clip; (path, sha256) of each file."""
    paths = [folder / name for name in clip.names]
    paths[0].parent.mkdir(exist_ok=True)
    try:
        _write_parts(paths, clip)
        for path in paths:
            _part(path).replace(path)
    except OSError:
        # What was begun would fill a full disk for good.
        for path in paths:
            _part(path).unlink(missing_ok=True)
        raise
    return [(name, hashlib.sha256((folder / name).read_bytes()).hexdigest()) for name in clip.names]


def _write_parts(paths: list[Path], clip: Clip) -> None:
    before, after, film, *moment = paths
    seen = [(kept, kept.unpacked()) for kept in clip.pictures]
    covered = _covered_percent([image for _, image in seen])
    calm = _calmest(seen, covered, clip.began - BEFORE_S, (-np.inf, clip.happened))
    left = _calmest(seen, covered, clip.told, (clip.told, np.inf))
    cv2.imwrite(str(_part(before)), _marked(*calm, clip))
    cv2.imwrite(str(_part(after)), _marked(*left, clip))
    for path in moment:
        kept, image = moment_of(seen, clip.points, clip.touched, calm, left)
        cv2.imwrite(str(_part(path)), _marked(kept, image, clip, is_moment=True))
    _write_film(_part(film), [one for one in seen if one[0].t <= clip.ends] or seen[:1], clip)


def _part(path: Path) -> Path:
    """Where a file is written: nobody who looks for it meets half of it, and a process that dies leaves none."""
    return path.with_name(f".{path.name}")


def _covered_percent(images: list[Image]) -> F64:
    """How much of each picture is not as it mostly is in all of them: hands, which come and go, and pieces that moved.

    A hand covers some hundredths of the picture, a piece less than half a hundredth.
    """
    small = [cv2.resize(image, _SMALL_WH, interpolation=cv2.INTER_AREA) for image in images]
    usual = np.median(small, axis=0).astype(np.uint8)
    return np.array([100.0 * float((cv2.absdiff(one, usual).max(axis=2) > UNLIKE).mean()) for one in small])


def _calmest(seen: list[Seen], covered_percent: F64, sought_t: float, span: tuple[float, float]) -> Seen:
    """The picture of those within `span` with little in the way, near to the time at which it is sought."""
    inside = [index for index, (kept, _) in enumerate(seen) if span[0] <= kept.t <= span[1]]
    if not inside:
        return seen[0] if span[1] < seen[-1][0].t else seen[-1]
    return seen[
        min(inside, key=lambda k: float(covered_percent[k] / HAND_PERCENT_PER_S + abs(seen[k][0].t - sought_t)))
    ]


def _write_film(path: Path, seen: list[Seen], clip: Clip) -> None:
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


def _marked(kept: Kept, image: Image, clip: Clip, is_moment: bool = False) -> Image:
    """The picture with rings around the points, thick at the touch and when it happens, and how far off that is.

    is_moment : it is the still of the moment, however far from the time that it is dated to
    """
    picture = image.copy()
    is_touch = clip.touched < clip.happened and (is_moment or _is_marked(kept.t, clip.touched))
    thick = 3 if is_touch or is_moment or _is_marked(kept.t, clip.happened) else 2
    for colour, width in ((_RING_EDGE_BGR, thick + 2), (_RING_BGR, thick)):
        cv2.polylines(picture, _rings_px(kept, clip.points), True, colour, width, cv2.LINE_AA)
    draw_badge(picture, kept.t - clip.happened, is_touch)
    return picture


def _is_marked(t: float, since: float) -> bool:
    return 0.0 <= t - since <= MARKED_S


def _rings_px(kept: Kept, points: tuple[str, ...]) -> list[I32]:
    """Rings around the faces of pieces on the points, as they lie in the picture; none while the board is not found."""
    if kept.grid is None:
        return []
    turn = np.linspace(0.0, 2.0 * np.pi, 32, endpoint=False)
    ring = RING_CELLS * np.column_stack([np.cos(turn), np.sin(turn)])
    rings = []
    for point in map(parse_point, points):
        cells = ring + np.array([point % 9, point // 9], dtype=np.float64)
        rings.append(np.round(kept.face_px(cells)).astype(np.int32))
    return rings
