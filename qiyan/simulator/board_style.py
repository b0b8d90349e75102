"""What boards look like: ground, lines, river text, marks, borders, advertisements."""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.glyphs import glyph_of
from qiyan.simulator.textures import Bgr, make_surface, smooth_noise

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """One kind of board."""

    surface: str = "wood"
    """wood, bamboo, cloth, paper, stone or plain."""
    ground_bgr: Bgr = (120.0, 178.0, 216.0)
    line_bgr: Bgr = (30.0, 38.0, 52.0)
    line_cells: float = 0.035
    """Width of the lines, cells."""
    margin: float = 0.85
    """Ground outside the outermost lines, cells."""
    thick: float = 0.25
    """Height of the board over the table, cells; a cloth has 0.03."""
    river: float = 1.0
    """Width of the river, cells."""
    border_gap: float | None = 0.16
    """Distance of a thick frame line outside the grid, cells; None for no frame."""
    double_border: bool = False
    marks: bool = True
    """The small corners at the points of cannons and soldiers."""
    river_text: str = "楚河漢界"
    """Up to four signs; empty for a bare river."""
    font: str = "ukai-tw"
    """Name of the glyph sheet the river's signs come from."""
    text_turned: bool = True
    """Whether the right half of the text faces Black."""
    numbers: bool = False
    """Digits along Red's and Black's edges."""
    river_bgr: Bgr | None = None
    """Another colour of the river's ground."""
    seam: bool = False
    """A folding board's hinge along the river."""
    adverts: bool = False
    """Coloured bars in the margin."""
    wear: float = 0.2
    """How much the lines are worn, 0..1."""
    buckle: float = 0.0
    """How far cloth or paper is pulled out of true, cells."""


def widen(xy: F64, river: float) -> F64:
    """Where points of an even board, (N, 2) cells, lie on a board with a river `river` cells wide."""
    out = np.array(xy, dtype=np.float64, copy=True).reshape(-1, 2)
    out[:, 1] += (river - 1.0) * np.clip(out[:, 1] - 4.0, 0.0, 1.0)
    return out


def board_corners(style: BoardStyle) -> F64:
    """(4, 2) cells, the corners of the board itself, beginning at Red's left."""
    m, top = style.margin, 9.0 + style.river - 1.0
    return np.array([[-m, -m], [8 + m, -m], [8 + m, top + m], [-m, top + m]])


def draw_board(style: BoardStyle, px_per_cell: float, rng: np.random.Generator) -> F32:
    """(h, w, 3) the board from above; row 0 is Black's edge, column 0 Red's left."""
    s = px_per_cell
    m = style.margin
    tall = 9.0 + style.river - 1.0
    shape = (round((tall + 2 * m) * s), round((8 + 2 * m) * s))
    ground = make_surface(style.surface, style.ground_bgr, shape, s, rng)

    def px(x: float, y: float) -> tuple[int, int]:
        at = widen(np.array([[x, y]]), style.river)[0]
        return round(float(at[0] + m) * s * 16), round(float(tall - at[1] + m) * s * 16)

    if style.river_bgr is not None:
        near, far = px(0, 4), px(8, 5)
        stain: F32 = np.divide(style.river_bgr, style.ground_bgr, dtype=np.float32)
        ground[far[1] // 16 : near[1] // 16, near[0] // 16 : far[0] // 16] *= stain
    ink = np.zeros(shape, np.uint8)
    width = max(1, round(style.line_cells * s))

    def line(x0: float, y0: float, x1: float, y1: float, thick: int = width) -> None:
        cv2.line(ink, px(x0, y0), px(x1, y1), 255, thick, cv2.LINE_AA, 4)

    for rank in range(10):
        line(0, rank, 8, rank)
    for file in range(9):
        if file in (0, 8):
            line(file, 0, file, 9)
        else:
            line(file, 0, file, 4)
            line(file, 5, file, 9)
    for y in (0, 7):
        line(3, y, 5, y + 2)
        line(5, y, 3, y + 2)
    if style.marks:
        for x, y in [(1, 2), (7, 2), (1, 7), (7, 7), *((f, r) for f in (0, 2, 4, 6, 8) for r in (3, 6))]:
            _mark(line, x, y)
    if style.border_gap is not None:
        _frame(ink, px, style.border_gap, max(2, int(width * 2.2)))
        if style.double_border:
            _frame(ink, px, style.border_gap + 0.16, width)
    _write(ink, style, px, s)
    worn = np.clip(1.0 - style.wear * (0.5 + 0.5 * smooth_noise(shape, (0.4 * s, 0.4 * s), rng)), 0.15, 1.0)
    cover = (ink.astype(np.float32) / 255.0 * worn)[..., None]
    ground += (np.array(style.line_bgr, np.float32) - ground) * cover
    if style.adverts:
        _adverts(ground, m * s, rng)
    if style.seam:
        y = px(0, 4.5)[1] // 16
        ground[y - 1 : y + 2] *= 0.45
        ground[y + 2 : y + 4] *= 1.12
    if style.buckle:
        ground = _buckled(ground, style.buckle * s, s, rng)
    return np.clip(ground, 0, 255)


Line = Callable[[float, float, float, float], None]
ToPx = Callable[[float, float], tuple[int, int]]


def _mark(line: Line, x: int, y: int) -> None:
    gap, arm = 0.09, 0.24
    for sx in (-1, 1):
        if not 0 <= x + sx <= 8:
            continue
        for sy in (-1, 1):
            line(x + sx * gap, y + sy * gap, x + sx * (gap + arm), y + sy * gap)
            line(x + sx * gap, y + sy * gap, x + sx * gap, y + sy * (gap + arm))


def _frame(ink: NDArray[np.uint8], px: ToPx, gap: float, thick: int) -> None:
    cv2.rectangle(ink, px(-gap, -gap), px(8 + gap, 9 + gap), 255, thick, cv2.LINE_AA, 4)


def _write(ink: NDArray[np.uint8], style: BoardStyle, px: ToPx, s: float) -> None:
    places = (1.45, 2.75, 5.25, 6.55)
    for x, sign in zip(places, style.river_text, strict=False):
        quarter = 1 if x < 4 else 3
        _sign(ink, style, sign, px(x, 4.5), 0.62 * s, quarter if style.text_turned else 0)
    if style.numbers:
        for file in range(9):
            for y, text in ((-0.55, "123456789"[file]), (9.55, "987654321"[file])):
                x_px, y_px = px(file, y)
                at = (int(x_px / 16 - 0.08 * s), int(y_px / 16 + 0.09 * s))
                cv2.putText(ink, text, at, cv2.FONT_HERSHEY_SIMPLEX, s / 110.0, 255, max(1, int(s / 45)), cv2.LINE_AA)


def _sign(ink: NDArray[np.uint8], style: BoardStyle, sign: str, at: tuple[int, int], side: float, turns: int) -> None:
    glyph = glyph_of(sign, style.font)
    if glyph is None:
        return
    size = max(8, int(side))
    image = np.rot90(cv2.resize(glyph.image, (size, size), interpolation=cv2.INTER_AREA), turns)
    left, top = at[0] // 16 - size // 2, at[1] // 16 - size // 2
    part = ink[top : top + size, left : left + size]
    np.maximum(part, image[: part.shape[0], : part.shape[1]], out=part)


def _adverts(ground: F32, margin_px: float, rng: np.random.Generator) -> None:
    """Coloured bars and stamps in the margins, as sponsors print them."""
    h, w = ground.shape[:2]
    for _ in range(int(rng.integers(2, 6))):
        colour = rng.uniform(20, 230, 3).astype(np.float32)
        long, short = int(rng.uniform(0.1, 0.3) * w), int(margin_px * rng.uniform(0.25, 0.45))
        top = int(margin_px * 0.12) if rng.random() < 0.5 else int(h - margin_px * 0.12 - short)
        left = int(rng.uniform(0.05, 0.7) * w)
        ground[top : top + short, left : left + long] = colour
        step = max(4, short // 2)
        for x in range(left + step, left + long - step, step):
            if rng.random() < 0.7:
                ground[top + short // 4 : top + 3 * short // 4, x : x + step // 2] = 255.0 - colour


def _buckled(ground: F32, reach_px: float, s: float, rng: np.random.Generator) -> F32:
    h, w = ground.shape[:2]
    v, u = np.mgrid[0:h, 0:w].astype(np.float32)
    # The waves die out at the corners of the grid, where the truth is measured.
    calm = np.sin(np.pi * u / w) * np.sin(np.pi * v / h)
    for axis in (u, v):
        axis += reach_px * calm * smooth_noise((h, w), (3 * s, 3 * s), rng) * 0.5
    return cv2.remap(ground, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
