"""Renders the discs that the kind net learns from."""

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.face import FaceStyle, draw_face
from models.glyphs import Glyph, load_glyphs
from models.labels import SIGNS
from models.preprocess import CROP_PX, cut_square, grey_of_disc
from models.training import camera, looks
from models.training.script import fill_cell, warp_sign
from models.training.strokes import write_sign

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Rng = np.random.Generator

STORED_PX = 48
"""Side of a stored crop: the disc has the scale it has in the net's crop, with room for a badly measured one."""
FACE_PX = 72
SCENE_PX = 100


@dataclass(frozen=True, slots=True)
class Disc:
    """One rendered disc."""

    crop: U8
    """(48, 48) grey; the disc's radius is 20 px."""
    kind: int
    """Index into KIND_LETTERS."""
    font: str


@cache
def glyphs_by_kind(split: str) -> tuple[tuple[tuple[Glyph, ...], ...], ...]:
    """For each kind, for each of its signs, the glyphs of the fonts of that split."""
    found = [glyph for glyph in load_glyphs() if glyph.font.split == split]
    return tuple(
        tuple(tuple(glyph for glyph in found if glyph.char == sign) for sign in signs) for signs in SIGNS.values()
    )


SIGN_WEIGHTS = {
    "卆": 0.15,
    "将": 0.4,
    "车": 0.5,
    "马": 0.5,
    "俥": 0.5,
    "傌": 0.5,
    "砲": 0.6,
    "車": 2.0,
    "士": 1.6,
    "卒": 1.6,
}
"""How often a sign is drawn beside the others of its kind (1): as often as sets carry it, roughly."""


KIND_SHARES = (0.12, 0.12, 0.12, 0.12, 0.19, 0.12, 0.21)
"""K A B N R C P: chariots and soldiers are the hardest pair and the commonest pieces."""
WRITTEN_SHARE = 0.45
"""Of the signs that models.training.strokes can write, so many are written rather than taken from a font."""
STYLE_WEIGHTS = {
    "kai": 1.5,
    "li": 2.5,
    "brush": 3.0,
    "running": 2.0,
    "cursive": 0.7,
    "song": 0.7,
    "hei": 0.6,
    "hand": 0.7,
}
"""How often a font of a style is taken: carvers and printers of pieces follow the brush more than the printing press,
and there are fewer fonts of that kind."""


def choose_glyph(kind: int, split: str, rng: Rng) -> Glyph:
    """A glyph of the kind (0..6)."""
    signs = [glyphs for glyphs in glyphs_by_kind(split)[kind] if glyphs]
    weights = np.array([SIGN_WEIGHTS.get(glyphs[0].char, 1.0) for glyphs in signs])
    glyphs = signs[rng.choice(len(signs), p=weights / weights.sum())]
    styles = np.array([STYLE_WEIGHTS[glyph.font.style] for glyph in glyphs])
    return glyphs[rng.choice(len(glyphs), p=styles / styles.sum())]


def render_disc(rng: Rng, split: str = "train") -> Disc:
    """A disc as a camera sees it, cut about its true centre and radius."""
    kind = int(rng.choice(len(SIGNS), p=KIND_SHARES))
    glyph = choose_glyph(kind, split, rng)
    written = write_sign(glyph.char, rng) if split == "train" and rng.random() < WRITTEN_SHARE else None
    if written is not None:
        glyph = replace(glyph, image=fill_cell(written))
    plain = 0.15 if written is None else 0.5
    sign = glyph.image if rng.random() < plain else warp_sign(glyph.image, rng)
    style = looks.random_faces(rng)[int(rng.integers(2))]
    face = draw_face(sign, style, FACE_PX, rng.uniform(0.0, 2.0 * np.pi), rng)
    scene = _on_a_board(face, style, rng)
    return Disc(_seen(scene, rng), kind, glyph.font.name)


def _on_a_board(face: U8, style: FaceStyle, rng: Rng) -> F32:
    """(SCENE_PX, SCENE_PX, 3) the disc in the middle, board and wall and neighbours round it."""
    middle = SCENE_PX // 2
    scene = np.empty((SCENE_PX, SCENE_PX, 3), np.float32)
    scene[:] = looks.hsv_colour(rng, (0, 180), (0, 200), (20, 250))
    radius = FACE_PX // 2
    wall = tuple(channel * float(rng.uniform(0.3, 1.05)) for channel in style.ground_bgr)
    angle, height = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(0.0, 24.0) * (rng.random() < 0.6)
    for share in (1.0, 0.75, 0.5, 0.25):
        at = (int(middle + share * height * np.cos(angle)), int(middle + share * height * np.sin(angle)))
        cv2.circle(scene, at, radius, wall, -1, cv2.LINE_AA)
    if rng.random() < 0.3:
        away = rng.uniform(2.0, 2.3) * radius
        turn = rng.uniform(0.0, 2.0 * np.pi)
        at = (int(middle + away * np.cos(turn)), int(middle + away * np.sin(turn)))
        cv2.circle(scene, at, radius, style.ground_bgr, -1, cv2.LINE_AA)
    corner = middle - radius
    place = scene[corner : corner + FACE_PX, corner : corner + FACE_PX]
    cover = face[..., 3:].astype(np.float32) / 255.0
    place += (face[..., :3] - place) * cover
    return scene


def _seen(scene: F32, rng: Rng) -> U8:
    """Light, lens and chip at the resolution of the camera; then cut and made grey as in use."""
    # Discs of 22 to 90 px across; small ones are the hard ones and come more often.
    across = float(np.exp(rng.uniform(np.log(22.0), np.log(90.0))))
    side = round(SCENE_PX * across / FACE_PX)
    squeeze = 1.0 - abs(rng.normal(0.0, 0.12)) if rng.random() < 0.5 else 1.0
    flat = round(side * max(squeeze, 0.6))
    small = np.asarray(cv2.resize(scene, (side, flat), interpolation=cv2.INTER_AREA), np.float32)
    lit = camera.expose(camera.light(small, rng), rng)
    blurred = camera.blur(lit, rng, most_px=0.2 + 0.022 * across)
    picture = camera.digitise(blurred, rng)
    picture = np.asarray(cv2.resize(picture, (side, side), interpolation=cv2.INTER_LINEAR), np.uint8)
    half = FACE_PX / 2.0 * side / SCENE_PX
    middle = (side - 1) / 2.0
    crop = cut_square(picture, middle, middle, half * STORED_PX / CROP_PX, STORED_PX)
    return grey_of_disc(crop, CROP_PX / STORED_PX)
