"""Boards without pieces: wood, cloth, plastic or paper with lines, marks, writing and what lies round them."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.face import Bgr
from models.glyphs import load_glyphs
from models.preprocess import PATCH_PX_PER_CELL
from models.training.looks import hsv_colour

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Rng = np.random.Generator

CELL = PATCH_PX_PER_CELL
MARGIN_CELLS = 1.0
SIZE_HW = (round((9 + 2 * MARGIN_CELLS) * CELL), round((8 + 2 * MARGIN_CELLS) * CELL))
SUBPIXEL_BITS = 4

GROUNDS = (
    # hue, saturation, value, how often
    ((12, 26), (50, 190), (120, 245), 0.42),  # woods, yellow mats
    ((0, 180), (0, 40), (140, 255), 0.22),  # white, grey and cream paper or plastic
    ((35, 90), (30, 170), (70, 220), 0.14),  # green cloth, pale green print
    ((0, 180), (40, 200), (60, 230), 0.10),  # any colour: pink, teal, blue, red
    ((4, 18), (90, 220), (40, 130), 0.12),  # dark wood
)


@dataclass(frozen=True, slots=True)
class Slant:
    """How the board's plane appears against that of the faces: shift and shrinking, in cells."""

    shift: tuple[float, float]
    shrink: float
    """Cells per cell away from the middle."""

    def to_px(self, xy_cells: F64) -> F64:
        """(N, 2) positions on the board -> px in the picture of the faces' plane."""
        xy = np.asarray(xy_cells, np.float64)
        moved = xy + np.array(self.shift) - self.shrink * (xy - np.array([4.0, 4.5]))
        out: F64 = (moved + MARGIN_CELLS) * CELL
        return out


def face_px(xy_cells: F64) -> F64:
    """(N, 2) positions on the plane of the faces -> px."""
    return (np.asarray(xy_cells, np.float64) + MARGIN_CELLS) * CELL


def draw_ground(slant: Slant, rng: Rng) -> F32:
    """(H, W, 3) a board without pieces."""
    picture = np.empty((*SIZE_HW, 3), np.float32)
    picture[:] = hsv_colour(rng, (0, 180), (0, 200), (15, 245))  # the table
    picture *= _texture(rng)
    edge = rng.uniform(0.25, 1.2, 4)
    left, top, right, bottom = -edge[0], -edge[1], 8 + edge[2], 9 + edge[3]
    board = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    mask = np.zeros(SIZE_HW, np.float32)
    cv2.fillPoly(mask, [_fixed(slant.to_px(board))], 1.0, cv2.LINE_AA, SUBPIXEL_BITS)
    number = rng.choice(len(GROUNDS), p=[entry[3] for entry in GROUNDS])
    colour = hsv_colour(rng, *GROUNDS[number][:3])
    surface = np.asarray(colour, np.float32) * _texture(rng)
    picture += (surface - picture) * mask[..., None]
    if rng.random() < 0.3:  # a raised frame
        frame = tuple(channel * float(rng.uniform(0.4, 1.2)) for channel in colour)
        width = max(1, round(rng.uniform(0.1, 0.5) * CELL))
        cv2.polylines(picture, [_fixed(slant.to_px(board))], True, frame, width, cv2.LINE_AA, SUBPIXEL_BITS)
    _draw_lines(picture, slant, _line_colour(colour, rng), rng)
    if rng.random() < 0.75:
        _draw_writing(picture, slant, _line_colour(colour, rng), rng)
    return picture


def _line_colour(ground: Bgr, rng: Rng) -> Bgr:
    """Dark on light or light on dark, from faint to full."""
    brightness = sum(ground) / 3.0
    light = brightness < 90.0 or rng.random() < 0.08
    target = hsv_colour(rng, (0, 180), (0, 200), (200, 255) if light else (0, 110))
    strength = float(rng.uniform(0.25, 1.0))
    b, g, r = (a + (t - a) * strength for a, t in zip(ground, target, strict=True))
    return b, g, r


def _texture(rng: Rng) -> F32:
    """(H, W, 1) brightness of a surface about 1: grain, weave, stains."""
    h, w = SIZE_HW
    out = np.ones(SIZE_HW, np.float32)
    if rng.random() < 0.6:
        coarse = (int(rng.integers(2, 8)), int(rng.integers(20, 120)))
        if rng.random() < 0.5:
            coarse = coarse[::-1]
        noise = rng.standard_normal(coarse).astype(np.float32)
        out += np.float32(rng.uniform(0.0, 0.08)) * cv2.resize(noise, (w, h), interpolation=cv2.INTER_CUBIC)
    stains = rng.standard_normal((4, 4)).astype(np.float32)
    out += np.float32(rng.uniform(0.0, 0.08)) * cv2.resize(stains, (w, h), interpolation=cv2.INTER_CUBIC)
    out += np.float32(rng.uniform(0.0, 0.05)) * rng.standard_normal(SIZE_HW, dtype=np.float32)
    return out[..., None]


def _fixed(xy_px: F64) -> NDArray[np.int32]:
    """Positions in OpenCV's fixed point, for drawing between pixels."""
    return np.round(xy_px * (1 << SUBPIXEL_BITS)).astype(np.int32)


def _segments(rng: Rng) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Lines of a board in cells; some boards lack some of them."""
    lines = [((0.0, float(y)), (8.0, float(y))) for y in range(10)]
    for x in range(9):
        if x in (0, 8) or rng.random() < 0.03:
            lines.append(((float(x), 0.0), (float(x), 9.0)))
        else:
            lines += [((float(x), 0.0), (float(x), 4.0)), ((float(x), 5.0), (float(x), 9.0))]
    if rng.random() < 0.95:
        for y in (0.0, 7.0):
            lines += [((3.0, y), (5.0, y + 2.0)), ((5.0, y), (3.0, y + 2.0))]
    if rng.random() < 0.5:  # an outer border
        out = float(rng.uniform(0.08, 0.3))
        corners = [(-out, -out), (8 + out, -out), (8 + out, 9 + out), (-out, 9 + out)]
        lines += list(zip(corners, [*corners[1:], corners[0]], strict=True))
    if rng.random() < 0.2:  # the seam of a folding board
        lines.append(((-1.0, 4.5), (9.0, 4.5)) if rng.random() < 0.7 else ((4.0, -1.0), (4.0, 10.0)))
    return lines


def _draw_lines(picture: F32, slant: Slant, colour: Bgr, rng: Rng) -> None:
    """Grid, palaces, border and star marks."""
    thickness = int(rng.choice([1, 1, 1, 2, 2, 3]))
    layer = picture.copy()
    for start, end in _segments(rng):
        a, b = _fixed(slant.to_px(np.array([start, end])))
        cv2.line(layer, a.tolist(), b.tolist(), colour, thickness, cv2.LINE_AA, SUBPIXEL_BITS)
    if rng.random() < 0.6:
        _draw_marks(layer, slant, colour, rng)
    if rng.random() < 0.04:  # pegs or holes
        for point in np.ndindex(9, 10):
            at = _fixed(slant.to_px(np.array([point], np.float64)))[0]
            radius = int(rng.uniform(0.04, 0.12) * CELL * (1 << SUBPIXEL_BITS))
            cv2.circle(layer, at.tolist(), radius, colour, -1, cv2.LINE_AA, SUBPIXEL_BITS)
    # Thin lines let the ground through.
    cover = float(rng.uniform(0.4, 1.0)) if thickness == 1 else 1.0
    picture += (layer - picture) * np.float32(cover)


def _draw_marks(layer: F32, slant: Slant, colour: Bgr, rng: Rng) -> None:
    """The angles round the points of cannons and soldiers."""
    gap, length = float(rng.uniform(0.05, 0.12)), float(rng.uniform(0.1, 0.25))
    thickness = int(rng.choice([1, 1, 2]))
    points = [(1, 2), (7, 2), (1, 7), (7, 7)] + [(x, y) for y in (3, 6) for x in (0, 2, 4, 6, 8)]
    for x, y in points:
        for sx, sy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            if not 0 <= x + sx <= 8:
                continue
            corner = (x + sx * gap, y + sy * gap)
            ends = ((corner[0] + sx * length, corner[1]), corner, (corner[0], corner[1] + sy * length))
            angle = _fixed(slant.to_px(np.array(ends)))
            cv2.polylines(layer, [angle], False, colour, thickness, cv2.LINE_AA, SUBPIXEL_BITS)


def _draw_writing(picture: F32, slant: Slant, colour: Bgr, rng: Rng) -> None:
    """River signs, adverts in the border, numbers of the files."""
    if rng.random() < 0.85:
        size, turn = float(rng.uniform(0.4, 1.25)), int(rng.integers(4))
        for _ in range(int(rng.integers(2, 7))):
            at = (float(rng.uniform(0.3, 7.7)), 4.5 + float(rng.normal(0.0, 0.12)))
            _draw_glyph(picture, slant, at, size, turn if rng.random() < 0.7 else int(rng.integers(4)), colour, rng)
    for _ in range(int(rng.choice(4, p=(0.4, 0.3, 0.2, 0.1)))):
        size, away = float(rng.uniform(0.15, 0.5)), float(rng.uniform(0.25, 0.85))
        start, turn = float(rng.uniform(-0.5, 6.0)), int(rng.integers(4))
        side = int(rng.integers(4))
        for number in range(int(rng.integers(2, 15))):
            along = start + number * size * 1.15
            at = ((along, -away), (along, 9.0 + away), (-away, along), (8.0 + away, along))[side]
            _draw_glyph(picture, slant, at, size, turn, colour, rng)


def _draw_glyph(
    picture: F32, slant: Slant, at_cells: tuple[float, float], size_cells: float, turn: int, colour: Bgr, rng: Rng
) -> None:
    """One sign of any font on the board; `turn` in quarter turns."""
    glyphs = load_glyphs()
    glyph = glyphs[rng.integers(len(glyphs))].image
    size = max(4, round(size_cells * CELL))
    x, y = slant.to_px(np.array([at_cells]))[0] - size / 2.0
    x0, y0 = int(np.clip(x, 0, SIZE_HW[1] - size)), int(np.clip(y, 0, SIZE_HW[0] - size))
    cover = cv2.resize(np.rot90(glyph, turn), (size, size), interpolation=cv2.INTER_AREA)
    part = picture[y0 : y0 + size, x0 : x0 + size]
    part += (np.asarray(colour, np.float32) - part) * (cover.astype(np.float32) / 255.0)[..., None]
