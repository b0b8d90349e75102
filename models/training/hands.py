"""What comes between camera and board: hands, sleeves, robots, and the shadows they throw."""

import cv2
import numpy as np
from numpy.typing import NDArray

from models.face import Bgr
from models.training.looks import hsv_colour

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Rng = np.random.Generator


def draw_intruder(picture: F32, cell_px: float, rng: Rng) -> F32:
    """Draw a hand with its arm, or a robot's, into the picture.

    picture : (H, W, 3) 0..255, changed
    returns : (H, W) 0..1 what is covered
    """
    h, w = picture.shape[:2]
    robot = rng.random() < 0.15
    cover = np.zeros((h, w), np.float32)
    tip = np.array([rng.uniform(0.05, 0.95) * w, rng.uniform(0.05, 0.95) * h])
    turn = rng.uniform(0.0, 2.0 * np.pi)
    back = np.array([np.cos(turn), np.sin(turn)])
    wrist = tip + back * rng.uniform(1.3, 2.6) * cell_px
    far = wrist + back * 2.0 * max(h, w)
    palm = 0.5 * (tip + wrist) + back * 0.3 * cell_px
    hand = np.zeros((h, w), np.float32)
    arm = np.zeros((h, w), np.float32)
    _capsule(arm, wrist, far, rng.uniform(0.5, 1.3) * cell_px)
    if robot:
        _capsule(hand, tip, wrist, rng.uniform(0.2, 0.6) * cell_px)
    else:
        _capsule(hand, palm, wrist, rng.uniform(0.45, 0.8) * cell_px)
        across = np.array([-back[1], back[0]])
        for number in range(int(rng.integers(2, 6))):
            side = (number - 1.5) * rng.uniform(0.2, 0.5)
            end = tip + (across * side + back * rng.uniform(-0.4, 0.6)) * cell_px
            _capsule(hand, palm + across * side * 0.7 * cell_px, end, rng.uniform(0.11, 0.22) * cell_px)
    shadow_shift = rng.normal(0.0, 0.6, 2) * cell_px
    everything = np.maximum(hand, arm)
    _throw_shadow(picture, everything, shadow_shift, rng)
    skin = hsv_colour(rng, (4, 18), (40, 170), (70, 245))
    sleeve = skin if rng.random() < 0.35 else hsv_colour(rng, (0, 180), (0, 230), (10, 250))
    if robot:
        skin = hsv_colour(rng, (0, 180), (0, 60), (20, 240))
    _paint(picture, hand, skin, cell_px, rng)
    _paint(picture, arm, sleeve, cell_px, rng)
    np.maximum(cover, everything, out=cover)
    return cover


def draw_shadow(picture: F32, cell_px: float, rng: Rng) -> None:
    """Only the shadow of an arm or a head beside the picture."""
    h, w = picture.shape[:2]
    shape = np.zeros((h, w), np.float32)
    start, end = (np.array([rng.uniform(-0.3, 1.3) * w, rng.uniform(-0.3, 1.3) * h]) for _ in range(2))
    _capsule(shape, start, end, rng.uniform(0.4, 2.5) * cell_px)
    _throw_shadow(picture, shape, np.zeros(2), rng)


def _capsule(mask: F32, start: F64, end: F64, radius_px: float) -> None:
    """A thick line with round ends."""
    a, b = (tuple(int(v) for v in np.clip(point, -4000, 4000)) for point in (start, end))
    cv2.line(mask, a, b, 1.0, max(1, round(2.0 * radius_px)), cv2.LINE_AA)


def _throw_shadow(picture: F32, shape: F32, shift_px: F64, rng: Rng) -> None:
    """Darken where the shape's shadow falls."""
    h, w = shape.shape
    moved = cv2.warpAffine(shape, np.array([[1.0, 0.0, shift_px[0]], [0.0, 1.0, shift_px[1]]]), (w, h))
    soft = cv2.GaussianBlur(moved, (0, 0), rng.uniform(0.6, 14.0))
    picture *= (1.0 - np.float32(rng.uniform(0.1, 0.65)) * soft)[..., None]


def _paint(picture: F32, mask: F32, colour: Bgr, cell_px: float, rng: Rng) -> None:
    """Fill the mask with a colour, darker towards its edges, with folds or a pattern."""
    h, w = mask.shape
    round_off = cv2.GaussianBlur(mask, (0, 0), 0.25 * cell_px)
    folds = cv2.resize(rng.standard_normal((int(rng.integers(6, 30)),) * 2).astype(np.float32), (w, h))
    shade = (0.45 + 0.6 * round_off) * (1.0 + np.float32(rng.uniform(0.0, 0.12)) * folds)
    if rng.random() < 0.2:
        stripes = np.sin(np.arange(w, dtype=np.float32)[None, :] * np.float32(rng.uniform(0.2, 1.5)))
        shade = shade * (1.0 + np.float32(rng.uniform(0.05, 0.4)) * stripes)
    fill = np.asarray(colour, np.float32) * shade[..., None]
    picture += (fill - picture) * mask[..., None]
