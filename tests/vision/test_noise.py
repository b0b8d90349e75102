"""What of a picture's differences is noise."""

import numpy as np

from vision.change import ChangeConfig, moving
from vision.difference import difference
from vision.frame import Image
from vision.window import TALL, WIDE

_RNG = np.random.default_rng(7)
_SCENE = _RNG.integers(60, 160, (TALL // 2, WIDE // 2, 3)).astype(np.uint8)


def _noisy(levels: float) -> np.ndarray:
    return np.clip(_SCENE + _RNG.normal(0.0, levels, _SCENE.shape), 0, 255).astype(np.uint8)


def _bar(now: Image, previous: Image) -> float:
    return moving(difference(now, previous), difference(now, _SCENE), ChangeConfig())[1]


def test_noise_that_is_repeated_from_frame_to_frame_raises_the_bar_as_noise_does() -> None:
    config, now = ChangeConfig(), _noisy(15.0)
    frozen = _bar(now, now)
    assert frozen > 2.0 * config.foreign_levels
    assert _bar(now, _noisy(15.0)) > 2.0 * config.foreign_levels


def test_another_light_does_not_raise_the_bar() -> None:
    config = ChangeConfig()
    brighter = np.clip(_SCENE.astype(np.int16) + 60, 0, 255).astype(np.uint8)
    assert _bar(brighter, brighter) == config.foreign_levels


def test_a_hand_over_half_of_a_clean_picture_does_not_raise_the_bar() -> None:
    config, now = ChangeConfig(), _noisy(1.0)
    now[: TALL // 4] = 90
    assert _bar(now, now) == config.foreign_levels
