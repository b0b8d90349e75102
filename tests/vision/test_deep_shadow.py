"""A lamp's deep shadow is no hand where lines are seen through it; a dark sleeve is one."""

import cv2
import numpy as np

from vision.change import ChangeConfig, foreign
from vision.difference import difference
from vision.frame import Image
from vision.window import TALL, WIDE

_BOARD, _LINE = np.array([120.0, 175.0, 205.0]), np.array([40.0, 50.0, 120.0])
_LEFT = np.array([0.36, 0.33, 0.30])
"""Share of each channel's light in the shadow: darker than most shadows, and bluish."""


def _board(lines: bool = True) -> np.ndarray:
    scene = np.tile(_BOARD, (TALL // 2, WIDE // 2, 1))
    if lines:
        scene[6::12, :], scene[:, 6::12] = _LINE, _LINE
    return scene


def _picture(light: np.ndarray) -> Image:
    noise = np.random.default_rng(3).normal(0.0, 1.0, light.shape)
    return np.clip(light + noise, 0, 255).astype(np.uint8)


def _shaded(scene: np.ndarray) -> np.ndarray:
    """A soft-edged shadow over the upper left."""
    depth = np.zeros(scene.shape[:2])
    depth[:80, :70] = 1.0
    depth = cv2.GaussianBlur(depth, (0, 0), 3.0)[:, :, None]
    return scene * (1.0 - depth * (1.0 - _LEFT))


def test_a_deep_shadow_through_which_lines_are_seen_is_no_matter() -> None:
    changed, deep = foreign(difference(_picture(_shaded(_board())), _picture(_board())), 22.0, ChangeConfig())
    assert deep
    assert np.count_nonzero(changed) < 0.01 * 80 * 70


def test_a_sleeve_as_dark_through_which_none_are_seen_is_matter() -> None:
    sleeve = _board()
    sleeve[:80, :70] = _BOARD * _LEFT
    changed, deep = foreign(difference(_picture(sleeve), _picture(_board())), 22.0, ChangeConfig())
    assert not deep
    assert np.count_nonzero(changed[:80, :70]) > 0.7 * 80 * 70


def test_a_hand_in_the_deep_shadow_is_matter() -> None:
    scene = _board()
    scene[20:50, 20:50] = (110.0, 140.0, 215.0)
    changed, deep = foreign(difference(_picture(_shaded(scene)), _picture(_board())), 22.0, ChangeConfig())
    assert deep
    assert np.count_nonzero(changed[22:48, 22:48]) > 0.5 * 26 * 26
