"""Vanishing points: where families of parallel lines of the table meet in the picture."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]

SHORTEST_SEGMENT_PX = 12.0
TOLERANCE_RAD = np.deg2rad(1.6)
"""How far a segment may point past its vanishing point: LSD's own error on short segments, and lens distortion."""
LONGEST = 0.12
"""In half diagonals, about a cell: a longer segment counts no more than this. Lines of a board are broken at every
crossing; planks, cables and edges of tables are not."""
TRIALS = 600
SAME_FAMILY = 0.5
"""Share of common weight from which two vanishing points are the same one."""


@dataclass(frozen=True, slots=True)
class Segments:
    """Straight edges of the picture."""

    middle: F64
    """(N, 2) px"""
    direction: F64
    """(N, 2) unit vectors"""
    length: F64
    """(N,) px"""

    def lines(self) -> F64:
        """(N, 3) homogeneous lines with unit normals."""
        nx, ny = -self.direction[:, 1], self.direction[:, 0]
        return np.column_stack([nx, ny, -(nx * self.middle[:, 0] + ny * self.middle[:, 1])])


@dataclass(frozen=True, slots=True)
class Family:
    """Segments that run to one vanishing point."""

    point: F64
    """(3,) homogeneous, unit length, in px about the picture's centre, divided by half its diagonal"""
    weight: F64
    """(N,) weight of each of the picture's segments in this family, 0 where it is none of it"""


def find_segments(grey: NDArray[np.uint8]) -> Segments:
    """Straight edges of a (H, W) grey picture."""
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_NONE).detect(grey)[0]
    ends = np.zeros((0, 4)) if found is None else found.reshape(-1, 4).astype(np.float64)
    across = ends[:, 2:] - ends[:, :2]
    length = np.hypot(across[:, 0], across[:, 1])
    keep = length >= SHORTEST_SEGMENT_PX
    ends, across, length = ends[keep], across[keep], length[keep]
    return Segments((ends[:, :2] + ends[:, 2:]) / 2.0, across / length[:, None], length)


def find_families(segments: Segments, size_wh: tuple[int, int], most: int, rng: np.random.Generator) -> list[Family]:
    """The strongest vanishing points, strongest first."""
    if len(segments.length) < 8:
        return []
    unit = _normalised(segments, size_wh)
    lines = unit.lines()
    chance = unit.length**2 / np.sum(unit.length**2)
    first = rng.choice(len(chance), size=TRIALS, p=chance)
    second = rng.choice(len(chance), size=TRIALS, p=chance)
    points = np.cross(lines[first], lines[second])
    norm = np.linalg.norm(points, axis=1)
    points = points[norm > 1e-9] / norm[norm > 1e-9, None]
    weights = np.vstack([_weights(unit, p) for p in points])
    families: list[Family] = []
    order = list(np.argsort(-weights.sum(axis=1)))
    for index in order:
        if len(families) == most:
            break
        if any(_overlap(weights[index], f.weight) > SAME_FAMILY for f in families):
            continue
        family = _polish(unit, lines, points[index])
        if any(_overlap(family.weight, f.weight) > SAME_FAMILY for f in families):
            continue
        families.append(family)
    return families


def _normalised(segments: Segments, size_wh: tuple[int, int]) -> Segments:
    w, h = size_wh
    half = np.hypot(w, h) / 2.0
    centre = np.array([(w - 1) / 2.0, (h - 1) / 2.0])
    length = np.minimum(segments.length / half, LONGEST)
    return Segments((segments.middle - centre) / half, segments.direction, length)


def _weights(unit: Segments, point: F64) -> F64:
    """Length of each segment, less the more it points past `point`."""
    to_point = point[:2] - point[2] * unit.middle
    norm = np.hypot(to_point[:, 0], to_point[:, 1]) + 1e-12
    sine = np.abs(unit.direction[:, 0] * to_point[:, 1] - unit.direction[:, 1] * to_point[:, 0]) / norm
    out: F64 = unit.length * np.clip(1.0 - (sine / np.sin(TOLERANCE_RAD)) ** 2, 0.0, None)
    return out


def _overlap(a: F64, b: F64) -> float:
    return float(np.minimum(a, b).sum() / max(min(a.sum(), b.sum()), 1e-12))


def _polish(unit: Segments, lines: F64, point: F64) -> Family:
    for _ in range(4):
        w = _weights(unit, point)
        if w.sum() <= 0.0:
            break
        point = np.linalg.eigh((lines * w[:, None]).T @ lines)[1][:, 0]
    return Family(point, _weights(unit, point))
