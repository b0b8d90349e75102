"""How empty points and pieces of either side look on this very table, learned from a position that is known.

Two linear discriminants over `vision.features`. Under the light and camera at hand 32 pieces and 58 empty points are
enough to tell them apart almost without error, whatever the material (`docs/accuracy.md`). When the light has changed
they are learned again from what is known to stand on the board, together with what was learned first.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.piece import Side
from vision.features import face_radius_px, features
from vision.frame import Image
from vision.mean_face import MeanFaces, find_face
from vision.window import CELL_PX, CENTRES_PX

F64 = NDArray[np.float64]

_SHRINK = 0.1
"""Share of the identity mixed into the covariance: about 90 examples for 15 features."""
_FLOOR = 2.0
"""Least spread of a feature, in its own units (8-bit levels, per cent): steadier ones are not trusted more."""
_CONTRARY = 0.0
"""An example scoring on the wrong side of the middle is no example: a hand lay on it, or nothing stands there."""
_RIM_ERROR_CELLS = 0.2
"""A rim is found no farther than this from the middle of its face: twice what the worst of them err."""
_KNOWN_SCORE = 0.6
"""Correlation from which the mean face of a side is known on a piece: in a shadow's edge it comes to 0.5."""


@dataclass(frozen=True, slots=True)
class Discriminant:
    """A direction in feature space: -1 is the middle of the first class, +1 of the second."""

    weights: F64
    offset: float
    spread: float
    """Standard deviation of the scores within a class, on the same scale."""

    def score(self, features: F64) -> F64:
        """(N, F) features -> (N,) scores."""
        scores: F64 = features @ self.weights + self.offset
        return scores


@dataclass(frozen=True, slots=True)
class Lesson:
    """Examples from one window whose position was known."""

    occupancy_x: F64
    """(N, 15) features of N points."""
    side_x: F64
    """(N, 9)"""
    pieces: NDArray[np.uint8]
    """(N,) what stands on them, 0 where they are empty."""


@dataclass(frozen=True, slots=True)
class Looks:
    """What was learned from the start position."""

    radius_px: float
    """Radius of the faces in the window, px."""
    occupancy: Discriminant
    """-1 empty, +1 a piece."""
    side: Discriminant
    """-1 red, +1 black."""
    agreement: float
    """Share of the 90 points whose look agrees with the position it was learned from, 0..1."""
    first: Lesson
    """The examples that were learned first."""
    foot_cells: tuple[float, float] = (0.0, 0.0)
    """Where the foot of a piece appears from its face: between them its wall is seen."""
    faces: MeanFaces | None = None
    """How the pieces of either side look on the average; None where that was not learned."""

    def score(self, window: Image, centres_px: F64) -> tuple[F64, F64]:
        """(N,) occupancy and (N,) side scores about (N, 2) places of an evened window."""
        occupancy, side = features(window, centres_px)
        return self.occupancy.score(occupancy), self.side.score(side)

    def middle(self, window: Image, rim_px: F64, side: Side) -> F64 | None:
        """(2,) the middle of a piece whose rim was found about a place, (2,) px; None where it cannot be told."""
        face = None if self.faces is None else self.faces.of(side)
        if face is None:
            return None
        placed = find_face(window, face, rim_px, _RIM_ERROR_CELLS)
        if placed.score < _KNOWN_SCORE or max(map(abs, placed.off_cells)) >= _RIM_ERROR_CELLS:
            return None
        middle: F64 = rim_px + np.array([1.0, -1.0]) * placed.off_cells * CELL_PX
        return middle


def learn_looks(window: Image, board: bytes) -> Looks:
    """Learn from a window whose position is known, leaving out points that look like something else."""
    pieces = np.frombuffer(board, dtype=np.uint8)
    lesson = Lesson(*features(window, CENTRES_PX), pieces)
    occupancy, side, agreement = _learn(lesson)
    return Looks(face_radius_px(window, np.flatnonzero(pieces)), occupancy, side, agreement, lesson)


def learn_again(looks: Looks, window: Image, board: bytes, known: NDArray[np.bool_]) -> Looks:
    """Learn from the same table under another light as well.

    known : (90,) points on which what `board` says stands beyond doubt
    """
    points = np.flatnonzero(known)
    occupancy_x, side_x = features(window, CENTRES_PX[points])
    first = looks.first
    both = Lesson(
        np.vstack([first.occupancy_x, occupancy_x]),
        np.vstack([first.side_x, side_x]),
        np.concatenate([first.pieces, np.frombuffer(board, dtype=np.uint8)[points]]),
    )
    occupancy, side, _ = _learn(both)
    return replace(looks, occupancy=occupancy, side=side)


def _learn(lesson: Lesson) -> tuple[Discriminant, Discriminant, float]:
    """Occupancy, side, and the share of the examples that agree with what stands there."""
    is_piece, is_black = lesson.pieces > 0, lesson.pieces > 7
    occupancy, agree = _learn_robustly(lesson.occupancy_x, is_piece)
    side, _ = _learn_robustly(lesson.side_x[is_piece & agree], is_black[is_piece & agree])
    return occupancy, side, float(agree.mean())


def _learn_robustly(x: F64, second: NDArray[np.bool_]) -> tuple[Discriminant, NDArray[np.bool_]]:
    """The discriminant without the contrary examples, and which examples agree with it."""
    keep = np.ones(len(x), dtype=np.bool_)
    found = _fit(x, second)
    for _ in range(3):
        keep = np.where(second, found.score(x) > _CONTRARY, found.score(x) < -_CONTRARY)
        if not (keep & second).any() or not (keep & ~second).any():
            break
        found = _fit(x[keep], second[keep])
    return found, keep


def _fit(x: F64, second: NDArray[np.bool_]) -> Discriminant:
    if not second.any() or second.all():
        return Discriminant(np.zeros(x.shape[1]), 0.0, 1.0)
    first_x, second_x = x[~second], x[second]
    within = np.vstack([first_x - first_x.mean(axis=0), second_x - second_x.mean(axis=0)])
    scale = np.sqrt((within**2).mean(axis=0)) + _FLOOR
    z = within / scale
    covariance = z.T @ z / len(z) + _SHRINK * np.eye(x.shape[1])
    direction = np.linalg.solve(covariance, (second_x.mean(axis=0) - first_x.mean(axis=0)) / scale) / scale
    a, b = float((first_x @ direction).mean()), float((second_x @ direction).mean())
    gap = max(b - a, 1e-9)
    spread = float(np.std(within @ direction)) * 2.0 / gap
    return Discriminant(direction * 2.0 / gap, -(a + b) / gap, spread)
