"""Renders the boards that the point net learns from, and cuts them into patches."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.face import FaceStyle, draw_face
from models.glyphs import fonts_with, glyph_of
from models.labels import BLACK_SIGNS, RED_SIGNS, PointState
from models.preprocess import PATCH_PX, point_patches
from models.training import camera, looks
from models.training.grounds import CELL, SUBPIXEL_BITS, Slant, draw_ground, face_px
from models.training.hands import draw_intruder, draw_shadow
from models.training.script import warp_sign

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Rng = np.random.Generator

NO_SIDE = 255
"""Side of a disc whose set shows no colour, or of a point without a piece."""
MINE_CELLS = 0.46
OTHERS_CELLS = 0.55
"""A disc within MINE_CELLS of the middle of the patch in x and y belongs to the point; one beyond OTHERS_CELLS to its
neighbour; between the two nothing is asked."""
COVERED_FROM, FREE_UNTIL = 0.6, 0.2
"""Share of the point's surroundings that is hidden; between the two nothing is asked."""
PATCHES_PER_BOARD = 50


@dataclass(frozen=True, slots=True)
class Patches:
    """Patches of one board and what they show."""

    patches: U8
    """(N, 48, 48, 3) BGR."""
    states: U8
    """(N,) PointState."""
    sides: U8
    """(N,) 0 Red, 1 Black, NO_SIDE."""
    discs: F32
    """(N, 3) x, y from the middle and radius, cells; zeros where there is no piece."""


@dataclass(frozen=True, slots=True)
class _Men:
    """The pieces on a board."""

    xy: F64
    """(M, 2) centres of the faces, cells."""
    sides: NDArray[np.int64]
    radius: float


def render_board(rng: Rng, split: str = "train") -> Patches:
    """One board with pieces and what lies over it, in patches."""
    slant = Slant((0.0, 0.0), 0.0)
    if rng.random() < 0.8:
        angle, length = rng.uniform(0.0, 2.0 * np.pi), abs(rng.normal(0.0, 0.16))
        slant = Slant((length * np.cos(angle), length * np.sin(angle)), abs(rng.normal(0.0, 0.02)))
    picture = draw_ground(slant, rng)
    men = _place_men(rng)
    faces = looks.random_faces(rng)
    _draw_men(picture, men, faces, slant, split, rng)
    if rng.random() < 0.3:
        draw_shadow(picture, CELL, rng)
    hidden = np.zeros(picture.shape[:2], np.float32)
    for _ in range(int(rng.choice(3, p=(0.45, 0.4, 0.15)))):
        np.maximum(hidden, draw_intruder(picture, CELL, rng), out=hidden)
    return _cut(_seen(picture, rng), hidden, men, looks.shows_sides(faces), rng)


def _place_men(rng: Rng) -> _Men:
    """Pieces on a random part of the points, crooked, never overlapping."""
    radius = float(np.clip(rng.normal(0.41, 0.055), 0.26, 0.5))
    crooked = float(rng.choice([0.03, 0.07, 0.14]))
    wanted = np.argwhere(rng.random((9, 10)) < rng.uniform(0.05, 0.6)).astype(np.float64)
    wanted += rng.normal(0.0, crooked, wanted.shape).clip(-0.45, 0.45)
    wanted = np.vstack([wanted, rng.uniform(-0.8, 9.8, (int(rng.integers(0, 4)), 2))])
    if rng.random() < 0.1:  # dragged along, all of them
        wanted += rng.uniform(-0.4, 0.4, 2)
    rng.shuffle(wanted)
    kept: list[F64] = []
    for place in wanted:
        if all(np.hypot(*(place - other)) > 1.98 * radius for other in kept):
            kept.append(place)
    xy = np.array(kept).reshape(-1, 2)
    return _Men(xy, rng.integers(0, 2, len(xy)), radius)


def _draw_men(
    picture: F32, men: _Men, faces: tuple[FaceStyle, FaceStyle], slant: Slant, split: str, rng: Rng
) -> None:
    """Shadows, walls and faces; those nearer the camera last."""
    if not len(men.xy):
        return
    radius = men.radius * CELL
    feet = slant.to_px(men.xy)
    tops = face_px(men.xy)
    light_shift = rng.normal(0.0, 0.15, 2) * CELL
    shadows = np.zeros(picture.shape[:2], np.float32)
    for foot in feet:
        _circle(shadows, foot + light_shift, radius * 1.02, 1.0)
    soft = cv2.GaussianBlur(shadows, (0, 0), rng.uniform(0.5, 7.0))
    picture *= (1.0 - np.float32(rng.uniform(0.0, 0.6)) * soft)[..., None]
    walls = _wall_colours(faces, rng)
    toward = feet.mean(axis=0) - tops.mean(axis=0)
    # The wall shows on the side of the foot: discs further that way stand nearer the camera and hide the others.
    for number in np.argsort(tops @ toward):
        foot, top, side = feet[number], tops[number], int(men.sides[number])
        for share in np.linspace(0.0, 1.0, 5)[:-1]:
            shade = 0.8 + 0.4 * share
            colour = tuple(channel * shade for channel in walls[side])
            _circle(picture, foot + (top - foot) * share, radius, colour)
        _draw_top(picture, top, radius, _sign(side, split, rng), faces[side], rng)


def _wall_colours(faces: tuple[FaceStyle, FaceStyle], rng: Rng) -> list[tuple[float, ...]]:
    """Walls are as the discs, in less light."""
    darker = float(rng.uniform(0.45, 1.0))
    return [tuple(channel * darker for channel in face.ground_bgr) for face in faces]


def _sign(side: int, split: str, rng: Rng) -> U8:
    """Any sign of the side; now and then one of the other, as in sets that swap them."""
    signs = (RED_SIGNS, BLACK_SIGNS)[side if rng.random() < 0.8 else 1 - side]
    kinds = list(signs)
    char = str(rng.choice(list(signs[kinds[rng.integers(len(kinds))]])))
    fonts = fonts_with(char, split)
    glyph = glyph_of(char, fonts[rng.integers(len(fonts))].name)
    assert glyph is not None
    return warp_sign(glyph.image, rng) if rng.random() < 0.4 else glyph.image


def _draw_top(picture: F32, top_px: F64, radius_px: float, sign: U8, style: FaceStyle, rng: Rng) -> None:
    """One face at its place, between pixels."""
    size = 2 * int(np.ceil(radius_px)) + 2
    face = draw_face(sign, style, size, rng.uniform(0.0, 2.0 * np.pi), rng)
    scale = 2.0 * radius_px / size
    x0, y0 = np.floor(top_px - size / 2.0).astype(int)
    shift = top_px - (x0, y0) - scale * (size - 1) / 2.0
    to_window = np.array([[scale, 0.0, shift[0]], [0.0, scale, shift[1]]])
    face = np.asarray(cv2.warpAffine(face, to_window, (size + 2, size + 2), flags=cv2.INTER_LINEAR), np.uint8)
    h, w = picture.shape[:2]
    left, right, above, below = max(0, x0), min(w, x0 + size + 2), max(0, y0), min(h, y0 + size + 2)
    if left >= right or above >= below:
        return
    part = picture[above:below, left:right]
    face = face[above - y0 : below - y0, left - x0 : right - x0]
    # The edge pixels of the turned face are mixed with black outside; alpha already says how much of them counts.
    cover = face[..., 3:].astype(np.float32) / 255.0
    part += (face[..., :3].astype(np.float32) - part) * cover


def _circle(picture: F32, at_px: F64, radius_px: float, colour: float | tuple[float, ...]) -> None:
    """A filled circle between pixels."""
    unit = 1 << SUBPIXEL_BITS
    centre = (round(at_px[0] * unit), round(at_px[1] * unit))
    cv2.circle(picture, centre, round(radius_px * unit), colour, -1, cv2.LINE_AA, SUBPIXEL_BITS)


def _seen(picture: F32, rng: Rng) -> U8:
    """The picture through a camera whose cells are of some size, not the same along both axes."""
    h, w = picture.shape[:2]
    across = float(np.exp(rng.uniform(np.log(0.55), np.log(1.6))))
    along = across * float(rng.uniform(0.55, 1.0)) if rng.random() < 0.6 else across
    if rng.random() < 0.5:
        across, along = along, across
    size = (max(64, round(w * across)), max(64, round(h * along)))
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)
    for _ in range(int(rng.integers(1, 3))):
        small = camera.light(small, rng)
    photo = camera.digitise(camera.blur(camera.expose(small, rng), rng, most_px=1.1), rng)
    return np.asarray(cv2.resize(photo, (w, h), interpolation=cv2.INTER_LINEAR), np.uint8)


def _cut(photo: U8, hidden: F32, men: _Men, sides_show: bool, rng: Rng) -> Patches:
    """Patches about points, about discs put down crooked and about places between, with what they show."""
    points = np.argwhere(np.ones((9, 10))).astype(np.float64)
    points += rng.normal(0.0, 0.05, 2)
    middles = np.vstack([points, rng.uniform(-0.3, 8.3, (20, 2))])
    if len(men.xy):
        near = men.xy[rng.integers(0, len(men.xy), 25)]
        middles = np.vstack([middles, near + rng.uniform(-0.45, 0.45, near.shape)])
    away = men.xy[None] - middles[:, None]
    reach = np.abs(away).max(axis=2) if len(men.xy) else np.full((len(middles), 1), 9.0)
    nearest = reach.argmin(axis=1)
    distance = reach.min(axis=1)
    share = cv2.boxFilter(hidden, -1, (round(0.75 * CELL),) * 2)
    at = np.clip(np.round(face_px(middles)).astype(int), 0, np.array(hidden.shape[::-1]) - 1)
    covered = share[at[:, 1], at[:, 0]]
    clear = (covered < FREE_UNTIL) & ((distance < MINE_CELLS) | (distance > OTHERS_CELLS))
    usable = np.flatnonzero(clear | (covered > COVERED_FROM))
    chosen = rng.choice(usable, min(PATCHES_PER_BOARD, len(usable)), replace=False)
    piece = clear[chosen] & (distance[chosen] < MINE_CELLS)
    states = np.where(piece, PointState.PIECE, np.where(clear[chosen], PointState.EMPTY, PointState.COVERED))
    discs = np.zeros((len(chosen), 3), np.float32)
    sides = np.full(len(chosen), NO_SIDE, np.uint8)
    if len(men.xy):
        discs[piece, :2] = away[chosen, nearest[chosen]][piece]
        discs[piece, 2] = men.radius
        if sides_show:
            sides[piece] = men.sides[nearest[chosen]][piece]
    # The middle pixel boundary of the patch is the place itself: pixel centres lie half a pixel off it.
    patches = point_patches(photo, face_px(middles[chosen]) - 0.5)
    assert patches.shape[1] == PATCH_PX
    return Patches(patches, states.astype(np.uint8), sides, discs)
