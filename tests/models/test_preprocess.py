"""From picture to net input."""

import cv2
import numpy as np

from models import preprocess
from models.face import FaceStyle, Ring, draw_face
from models.glyphs import glyph_of


def _board_with_face(turn_rad: float, size_px: int = 60, at: tuple[int, int] = (70, 90)) -> np.ndarray:
    glyph = glyph_of("馬", "ukai-tw")
    assert glyph is not None
    face = draw_face(glyph.image, FaceStyle(rings=(Ring(0.85, 0.06),), speckle=0.0), size_px, turn_rad)
    picture = np.full((200, 180, 3), (60, 120, 90), np.uint8)
    x, y = at
    cover = face[..., 3:] / 255.0
    part = picture[y : y + size_px, x : x + size_px]
    part[:] = part * (1 - cover) + face[..., :3] * cover
    return picture


def test_a_disc_fills_its_crop() -> None:
    picture = _board_with_face(0.0)
    crop = preprocess.disc_crops(picture, np.array([[99.5, 119.5, 30.0]]))[0]
    assert crop.shape == (preprocess.CROP_PX, preprocess.CROP_PX)
    disc = cv2.resize(cv2.cvtColor(picture[90:150, 70:130], cv2.COLOR_BGR2GRAY), (40, 40), interpolation=cv2.INTER_AREA)
    y, x = np.mgrid[-1:1:40j, -1:1:40j]
    inside = np.hypot(x, y) < 0.9
    assert np.corrcoef(crop[inside], disc[inside])[0, 1] > 0.97


def test_a_turn_of_the_disc_shifts_what_the_net_sees() -> None:
    discs = np.array([[99.5, 119.5, 30.0]])
    steps = 17
    straight, turned = (
        preprocess.unwrap(preprocess.disc_crops(_board_with_face(turn), discs))[0, 0]
        for turn in (0.0, steps * 2.0 * np.pi / preprocess.ANGLES)
    )
    assert np.corrcoef(np.roll(straight, steps, axis=1).ravel(), turned.ravel())[0, 1] > 0.9
    assert np.corrcoef(straight.ravel(), turned.ravel())[0, 1] < 0.9


def test_brightness_and_contrast_change_nothing() -> None:
    picture = _board_with_face(1.0)
    darker = (picture * 0.5 + 20.0).astype(np.uint8)
    discs = np.array([[99.5, 119.5, 30.0]])
    one, other = (preprocess.unwrap(preprocess.disc_crops(p, discs)) for p in (picture, darker))
    assert np.abs(one - other).mean() < 0.1


def test_patches_are_centred_where_asked() -> None:
    picture = np.zeros((100, 120, 3), np.uint8)
    picture[40:42, 60:62] = 255
    patch = preprocess.point_patches(picture, np.array([[60.5, 40.5]]))[0]
    assert patch.shape == (48, 48, 3)
    assert (patch[23:25, 23:25] == 255).all()
    assert patch.astype(int).sum() == 4 * 3 * 255


def test_patches_beyond_the_picture_repeat_its_edge() -> None:
    picture = np.full((50, 50, 3), 77, np.uint8)
    assert (preprocess.point_patches(picture, np.array([[-10.0, 60.0]])) == 77).all()
