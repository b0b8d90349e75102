"""Small motions of a piece, told from light and noise."""

import cv2
import numpy as np
import pytest

from vision.fine import FINE_CELL_PX, FINER
from vision.frame import Image
from vision.nudge import nudge
from vision.window import CENTRES_PX, TALL, WIDE

_POINT = 40
_SCALE = 4


def _fine(shift_cells: tuple[float, float] = (0.0, 0.0), turn_deg: float = 0.0, seed: int = 1) -> Image:
    """A piece with a heavy ring and a faint sign, and the noise of one frame."""
    image = np.full((TALL * FINER * _SCALE, WIDE * FINER * _SCALE, 3), (110, 170, 200), dtype=np.uint8)
    cell = FINE_CELL_PX * _SCALE
    x, y = (CENTRES_PX[_POINT] + 0.5) * FINER * _SCALE + np.array([shift_cells[0], -shift_cells[1]]) * cell
    cv2.circle(image, (round(x), round(y)), round(0.42 * cell), (150, 200, 225), -1, cv2.LINE_AA)
    cv2.circle(image, (round(x), round(y)), round(0.32 * cell), (60, 110, 60), round(0.06 * cell), cv2.LINE_AA)
    turn = np.deg2rad(turn_deg)
    for right, up, length in ((-0.1, 0.08, 0.3), (0.05, -0.1, 0.2), (-0.02, 0.0, 0.24)):
        ends = np.array([[right - length / 2, up], [right + length / 2, up + right]])
        ends = ends @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        (x0, y0), (x1, y1) = np.rint(np.array([x, y]) + ends * np.array([cell, -cell])).astype(int).tolist()
        cv2.line(image, (x0, y0), (x1, y1), (110, 160, 150), round(0.04 * cell), cv2.LINE_AA)
    small = cv2.resize(image, (WIDE * FINER, TALL * FINER), interpolation=cv2.INTER_AREA).astype(np.float64)
    small += np.random.default_rng(seed).normal(0.0, 2.0, small.shape)
    return np.clip(small, 0, 255).astype(np.uint8)


def _sloping(window: Image) -> Image:
    """The same in a light that is weaker and slopes."""
    slope = np.linspace(0.6, 0.9, window.shape[1])[None, :, None]
    return np.asarray(np.clip(window * slope, 0, 255), dtype=np.uint8)


@pytest.mark.parametrize(("shift", "turn"), [((0.0, 0.0), 5.7), ((0.012, -0.006), 0.0), ((0.02, 0.03), -6.0)])
@pytest.mark.parametrize("sloping", [False, True], ids=["the same light", "sloping light"])
def test_a_small_motion_is_found_in_any_light(shift: tuple[float, float], turn: float, sloping: bool) -> None:
    now = _fine(shift, turn, seed=2)
    how = nudge(_fine(), _sloping(now) if sloping else now, _POINT)
    assert how.explained > 0.5
    assert how.strange < 0.15
    assert how.shift_cells == pytest.approx(shift, abs=0.006)
    assert how.turn_deg == pytest.approx(turn, abs=1.5)


@pytest.mark.parametrize("sloping", [False, True], ids=["the same light", "sloping light"])
def test_noise_and_light_are_no_motion(sloping: bool) -> None:
    now = _fine(seed=2)
    assert nudge(_fine(), _sloping(now) if sloping else now, _POINT).explained < 0.2


def test_the_edge_of_a_shadow_is_no_motion() -> None:
    now = _fine(seed=2)
    x = round(float(CENTRES_PX[_POINT][0]) * FINER)
    now[:, : x + 2] = (now[:, : x + 2] * 0.6).astype(np.uint8)
    assert nudge(_fine(), now, _POINT).explained < 0.2


def test_another_sign_is_strange() -> None:
    assert nudge(_fine(), _fine(turn_deg=130.0, seed=2), _POINT).strange > 0.4
