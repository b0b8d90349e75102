"""Things that keep still over points are no pieces come or gone."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from rules.point import parse_point
from tests.vision.test_episode import plain_frame
from vision.change import HALF, Mask
from vision.covering import covered
from vision.window import CELL_PX, CENTRES_PX, TALL, WIDE


def _covered(*discs: tuple[str, tuple[float, float], float]) -> list[str]:
    """The points under discs of matter: near a point, so many cells right and down of it, of a radius in cells."""
    matter = np.zeros((TALL // HALF, WIDE // HALF), dtype=np.uint8)
    for near, shift, radius in discs:
        x, y = (CENTRES_PX[parse_point(near)] + np.array(shift) * CELL_PX) / HALF
        cv2.circle(matter, (round(float(x)), round(float(y))), round(radius * CELL_PX / HALF), 1, -1)
    foreign: Mask = matter > 0
    points = np.flatnonzero(covered(replace(plain_frame(), foreign=foreign)))
    return [f"{'abcdefghi'[p % 9]}{p // 9}" for p in points]


def _pieces(*near: tuple[str, Sequence[float]]) -> list[str]:
    return _covered(*((name, (shift[0], shift[1]), 0.45) for name, shift in near))


def test_a_head_at_the_edge_covers_the_points_under_it() -> None:
    # Before a dark table it is seen only where it is over the board.
    assert _covered(("e9", (0.0, -1.2), 2.0)) == ["d9", "e9", "f9"]


def test_pieces_beside_a_head_are_in_sight() -> None:
    assert _covered(("e9", (0.0, -1.2), 2.0), ("h9", (-0.6, 0.0), 0.45)) == ["d9", "e9", "f9"]


def test_pieces_gone_or_pushed_together_cover_nothing() -> None:
    row = [(name, (0.0, 0.0)) for name in ("d9", "e9", "f9", "g9")]
    assert _pieces(*row) == []
    assert _pieces(*row, ("d9", (0.3, 0.7)), ("e9", (-0.2, 0.8)), ("f9", (-0.5, 0.6))) == []
