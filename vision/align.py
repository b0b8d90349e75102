"""How a piece stands otherwise than it stood: the shift and turn that bring its old picture onto its new one."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.window import CELL_PX, CENTRES_PX

F32 = NDArray[np.float32]

_REACH_CELLS = 0.45
"""How far the piece is looked for."""
_FACE_CELLS = 0.33
"""Radius of the part of the face that is compared."""
_TURNS_DEG = tuple(range(-180, 180, 9))
_FINE_DEG = tuple(range(-8, 10, 2))
_FINER = 2
"""The patches are made larger by this: at 24 px a cell the strokes are a pixel wide, and half a pixel matters."""
_COARSE_BLUR_PX = 1.0
_FINE_BLUR_PX = 1.4
"""Blur of the patches, for turns in wide steps and for the measurement: fine strokes are sampled differently."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The best match of a piece's old picture with the new one."""

    shift_cells: tuple[float, float]
    """x towards file i, y towards rank 9."""
    turn_deg: float
    """Anticlockwise as seen from above, -180..180."""
    score: float
    """Correlation at the best match, -1..1."""
    score_in_place: float
    """Correlation where it stood, unturned."""

    @property
    def size_cells(self) -> float:
        """Length of the shift."""
        return float(np.hypot(*self.shift_cells))


def align(then: Image, now: Image, point: int) -> Alignment:
    """Find the piece that stood on a point in the window `then` near that point in the window `now`."""
    reach = round((_REACH_CELLS + _FACE_CELLS) * CELL_PX)
    face = round(_FACE_CELLS * CELL_PX)
    old, new = _cut(then, point, face + 4), _cut(now, point, reach)
    coarse = _best(_blurred(old, _COARSE_BLUR_PX), _blurred(new, _COARSE_BLUR_PX), face, _TURNS_DEG)
    old, new = (_blurred(_enlarged(cut), _FINE_BLUR_PX) for cut in (old, new))
    turns = sorted({turn + fine for turn in (0, round(coarse[1])) for fine in _FINE_DEG})
    score, turn_deg, x, y = _best(old, new, face * _FINER, turns)
    shift = _shift_cells(new, face * _FINER, x, y)
    return Alignment(shift, (turn_deg + 180.0) % 360.0 - 180.0, score, _in_place(old, new, face * _FINER))


def face_match(then: Image, now: Image, from_point: int, to_point: int) -> float:
    """How well the piece that stood on `from_point` in the window `then` matches what stands on `to_point` now."""
    return moved_face(then, now, from_point, to_point)[0]


def moved_face(then: Image, now: Image, from_point: int, to_point: int) -> tuple[float, tuple[float, float]]:
    """Find the piece that stood on `from_point` in the window `then` near `to_point` in the window `now`.

    returns : the correlation, -1..1; how much farther right and up, in cells, it stands from `to_point` than it stood
              from `from_point`
    """
    face, reach = round(_FACE_CELLS * CELL_PX), round((_REACH_CELLS + _FACE_CELLS) * CELL_PX)
    old, new = _cut(then, from_point, face + 4), _cut(now, to_point, reach)
    coarse = _best(_blurred(old, _COARSE_BLUR_PX), _blurred(new, _COARSE_BLUR_PX), face, _TURNS_DEG)
    old, new = (_blurred(_enlarged(cut), _FINE_BLUR_PX) for cut in (old, new))
    score, _, x, y = _best(old, new, face * _FINER, [round(coarse[1]) + fine for fine in _FINE_DEG])
    return score, _shift_cells(new, face * _FINER, x, y)


def score_in_place(then: Image, now: Image, point: int) -> float:
    """How well a piece's old picture matches the new one where it stood, at a fiftieth of the cost."""
    face = round(_FACE_CELLS * CELL_PX)
    old, new = (_blurred(_enlarged(_cut(window, point, face + 4)), _FINE_BLUR_PX) for window in (then, now))
    return _in_place(old, new, face * _FINER)


def face_light(window: Image, point: int, shift_cells: tuple[float, float] = (0.0, 0.0)) -> F32:
    """(3,) mean of each channel over the face of a piece that stands so far off its point."""
    face, reach = round(_FACE_CELLS * CELL_PX), round((_REACH_CELLS + _FACE_CELLS) * CELL_PX)
    right, down = (round(float(v) * CELL_PX) for v in (shift_cells[0], -shift_cells[1]))
    cut = _cut(window, point, reach)[reach - face + down :, reach - face + right :]
    mean: F32 = cut[: 2 * face, : 2 * face][_disc(face)[:, :, 0] > 0].mean(axis=0)
    return mean


def _best(old: F32, new: F32, face_px: int, turns_deg: Sequence[int]) -> tuple[float, float, float, float]:
    """The best match over some turns, as of `_match`."""
    ground = _ground(new, face_px)
    return max((_match(old, ground, float(turn)) for turn in turns_deg), key=lambda match: match[0])


def _shift_cells(cut: F32, face_px: int, x: float, y: float) -> tuple[float, float]:
    """Right and up, of a face whose corner was found at x, y px of an enlarged cut, from the cut's middle."""
    middle = cut.shape[1] / 2.0 - face_px
    px = CELL_PX * _FINER
    return (x - middle) / px, -(y - middle) / px


def _enlarged(cut: F32) -> F32:
    return cv2.resize(cut, None, fx=_FINER, fy=_FINER, interpolation=cv2.INTER_CUBIC).astype(np.float32, copy=False)


def _blurred(cut: F32, sigma_px: float) -> F32:
    return cv2.GaussianBlur(cut, (0, 0), sigma_px).astype(np.float32, copy=False)


@dataclass(frozen=True, slots=True)
class _Ground:
    """A picture in which a face is looked for, with what does not depend on the face's turn."""

    image: F32
    """(H, W, 3) less its means, which correlation does not see."""
    spread: F32
    """(H - 2 r + 1, W - 2 r + 1) root of the sum of squares, less their channels' means, under the disc in each
    place."""
    disc: F32
    """(2 r, 2 r, 3) 1 on the disc, 0 round it."""


def _ground(picture: F32, face_px: int) -> _Ground:
    image = picture - picture.mean(axis=(0, 1))
    disc = _disc(face_px)
    flat = np.ascontiguousarray(disc[:, :, 0])
    sums = [cv2.matchTemplate(channel, flat, cv2.TM_CCORR) for channel in cv2.split(image)]
    power = cv2.matchTemplate(image * image, disc, cv2.TM_CCORR)
    means = (sums[0] ** 2 + sums[1] ** 2 + sums[2] ** 2) / float(flat.sum())
    return _Ground(image, np.sqrt(np.maximum(power - means, _FLAT)).astype(np.float32, copy=False), disc)


def _match(old: F32, ground: _Ground, turn_deg: float) -> tuple[float, float, float, float]:
    """(correlation, turn, x, y) of the best place for the turned old face."""
    size, wide = old.shape[0], ground.disc.shape[0]
    about = (size - 1) / 2.0
    turned = cv2.warpAffine(
        old,
        cv2.getRotationMatrix2D((about, about), turn_deg, 1.0),
        (size, size),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    ).astype(np.float32, copy=False)
    cut = (size - wide) // 2
    face = _centred(turned[cut : cut + wide, cut : cut + wide], ground.disc)
    scores = cv2.matchTemplate(ground.image, face, cv2.TM_CCORR) / ground.spread
    _, top, _, (x, y) = cv2.minMaxLoc(scores)
    own = max(cv2.norm(face), _FLAT)
    return top / own, turn_deg, x + _between(scores[y], x), y + _between(scores[:, x], y)


def _in_place(old: F32, new: F32, face_px: int) -> float:
    """Correlation of the face where it stood."""
    disc = _disc(face_px)
    size = disc.shape[0]
    a, b = ((cut.shape[0] - size) // 2 for cut in (old, new))
    then, now = (_centred(cut[at : at + size, at : at + size], disc) for cut, at in ((old, a), (new, b)))
    return float((then * now).sum() / max(cv2.norm(then) * cv2.norm(now), _FLAT))


def _centred(face: F32, disc: F32) -> F32:
    """A face less each channel's mean, and 0 outside the disc."""
    mean = (face * disc).sum(axis=(0, 1)) / disc[:, :, 0].sum()
    centred: F32 = ((face - mean) * disc).astype(np.float32, copy=False)
    return centred


def _between(row: NDArray[np.generic], at: int) -> float:
    """Where between pixels the parabola through the top and its neighbours peaks, -0.5..0.5."""
    if not 0 < at < len(row) - 1:
        return 0.0
    left, top, right = row[at - 1 : at + 2].astype(np.float64).tolist()
    bend = left - 2.0 * top + right
    return 0.0 if bend >= 0.0 else float(np.clip(0.5 * (left - right) / bend, -0.5, 0.5))


def _cut(window: Image, point: int, half: int) -> F32:
    """(2 half, 2 half, 3) round a point; all points lie farther inside the window."""
    x, y = (round(float(v) + 0.5) for v in CENTRES_PX[point])
    return window[y - half : y + half, x - half : x + half].astype(np.float32)


@cache
def _disc(radius_px: int) -> F32:
    at = np.arange(2 * radius_px) + 0.5 - radius_px
    inside = np.hypot(at[None, :], at[:, None]) <= radius_px
    return np.repeat(inside.astype(np.float32)[:, :, None], 3, axis=2)


_FLAT = 1e-3
"""Sums of squares below this are a face of one colour, which matches nothing."""
