"""Where the middle of a piece is, by how the pieces of its side look on the average.

A circle laid on a piece may touch a painted ring on one side and the lower edge of a tall wall on the other, and err
by a tenth of a cell. Ring, rim and wall are the same for all pieces of a side, and their signs differ: the mean of
their pictures shows what they share, and is laid on a piece whose place is asked for.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.piece import BLACK, RED, Side
from vision.frame import Image
from vision.window import CELL_PX, CENTRES_PX

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class MeanFace:
    """How the pieces of one side look."""

    picture: F32
    """(2 r, 2 r, 3) the mean of their pictures, enlarged, with the rim and what of the wall is within it."""
    middle_cells: tuple[float, float]
    """How far right and up of its middle it is where pieces stand on their points, on the average."""


@dataclass(frozen=True, slots=True, eq=False)
class MeanFaces:
    """How the pieces of either side look; None of a side with too few."""

    red: MeanFace | None
    black: MeanFace | None

    def of(self, side: Side) -> MeanFace | None:
        """That of a side."""
        return self.black if side == BLACK else self.red


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a piece was found."""

    off_cells: tuple[float, float]
    """Right and up of the place about which it was looked for."""
    score: float
    """Correlation of the mean face with what is seen there, -1..1."""


def learn_mean_faces(window: Image, board: bytes) -> MeanFaces:
    """Learn from a window whose position is known."""
    pieces = np.frombuffer(board, dtype=np.uint8)
    red, black = (np.flatnonzero((pieces > 0) & ((pieces > _LAST_RED) == (side == BLACK))) for side in (RED, BLACK))
    return MeanFaces(_learn(window, red), _learn(window, black))


def find_face(window: Image, face: MeanFace, near_px: F64, reach_cells: float) -> Placed:
    """The piece that looks most like the mean face about a place.

    near_px     : (2,) in the window
    reach_cells : how far it is looked for, right, left, up and down
    """
    # Places on the outermost lines lie near enough to the window's edge for a face beyond them to reach over it.
    right, up, score = _best(_around(window, near_px, reach_cells), face.picture)
    return Placed((right - face.middle_cells[0], up - face.middle_cells[1]), score)


def _learn(window: Image, points: NDArray[np.intp]) -> MeanFace | None:
    if len(points) < _FEWEST:
        return None
    around = [_around(window, CENTRES_PX[point], _SCATTER_CELLS) for point in points]
    shifts = np.zeros((len(points), 2))
    agree = np.ones(len(points), dtype=np.bool_)
    for _ in range(_ROUNDS):
        shown = [_shifted(cut, shift) for cut, shift, kept in zip(around, shifts, agree, strict=True) if kept]
        picture: F32 = np.mean(shown, axis=0)
        found = np.array([_best(cut, picture) for cut in around])
        shifts, scores = found[:, :2], found[:, 2]
        # A hand may lie on some of them.
        agree = scores >= _AGREES * float(np.median(scores))
    right, up = shifts[agree].mean(axis=0).tolist()
    return MeanFace(picture, (right, up))


def _best(around: F32, picture: F32) -> tuple[float, float, float]:
    """Right and up of the middle of a cut, cells, where a face fits best; the correlation there."""
    scores = cv2.matchTemplate(around, picture, cv2.TM_CCOEFF_NORMED, mask=_disc())
    _, top, _, (x, y) = cv2.minMaxLoc(np.where(np.isfinite(scores), scores, -1.0))
    middle = (scores.shape[0] - 1) / 2.0
    px = CELL_PX * _FINER
    right, down = x + _between(scores[y], x) - middle, y + _between(scores[:, x], y) - middle
    return right / px, -down / px, top


def _around(window: Image, near_px: F64, reach_cells: float) -> F32:
    """(H, H, 3) the surroundings of a place, enlarged, with room for faces so far off it."""
    half = _RADIUS_PX + round(reach_cells * CELL_PX * _FINER)
    cut = _cut(window, float(near_px[0]), float(near_px[1]), half, 1.0 / _FINER, cv2.INTER_CUBIC)
    return cv2.GaussianBlur(cut, (0, 0), _BLUR_PX).astype(np.float32, copy=False)


def _shifted(around: F32, shift_cells: F64) -> F32:
    """(2 r, 2 r, 3) the part of such a cut so far right and up of its middle."""
    middle = (around.shape[0] - 1) / 2.0
    right, up = (float(v) * CELL_PX * _FINER for v in shift_cells)
    return _cut(around, middle + right, middle - up, _RADIUS_PX, 1.0, cv2.INTER_LINEAR)


def _cut(picture: Image | F32, x: float, y: float, half: int, step: float, how: int) -> F32:
    """(2 half, 2 half, 3) about a place, one pixel of the cut being `step` of the picture."""
    corner = (half - 0.5) * step
    placed = np.array([[step, 0.0, x - corner], [0.0, step, y - corner]])
    size = (2 * half, 2 * half)
    how |= cv2.WARP_INVERSE_MAP
    cut = cv2.warpAffine(picture, placed, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
    return cut.astype(np.float32, copy=False)


def _between(row: NDArray[np.generic], at: int) -> float:
    """Where between pixels the parabola through the top and its neighbours peaks, -0.5..0.5."""
    if not 0 < at < len(row) - 1:
        return 0.0
    left, top, right = row[at - 1 : at + 2].astype(np.float64).tolist()
    bend = left - 2.0 * top + right
    return float(np.clip(0.5 * (left - right) / bend, -0.5, 0.5)) if bend < 0.0 else 0.0


@cache
def _disc() -> F32:
    at = np.arange(2 * _RADIUS_PX) + 0.5 - _RADIUS_PX
    inside = (np.hypot(at[None, :], at[:, None]) <= _RADIUS_PX).astype(np.float32)
    return np.repeat(inside[:, :, None], 3, axis=2)


_FINER = 2
"""The pictures are made larger by this: half a pixel of 24 a cell matters."""
_BLUR_PX = 1.4
"""Blur of the pictures: noise of single pixels is no rim."""
_RADIUS_PX = round(0.38 * CELL_PX * _FINER)
"""Of the part that is compared: the face, its rim, and a little of the wall and the board round it."""
_SCATTER_CELLS = 0.25
"""Pieces stand no farther off their points than this at the start."""
_ROUNDS = 3
"""So often the pictures are laid over each other anew, from where they stand on their points on."""
_AGREES = 0.7
"""A piece that looks less like the mean than this share of the median is no example."""
_FEWEST = 5
"""Fewer pieces show a sign among what they share, and their points' middle less well."""
_LAST_RED = 7
"""Piece codes above this are Black's."""
