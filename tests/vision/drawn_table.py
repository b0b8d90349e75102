"""A table drawn with a few strokes, seen from straight above: quick pictures for tests of the pipeline.

Flat and clean on purpose; the simulator draws tables that look real.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np

from calibration.grid import Grid
from rules.piece import EMPTY, LETTERS
from vision.frame import Image

CELL_PX = 40
MARGIN_PX = 64
SIZE_WH = (8 * CELL_PX + 2 * MARGIN_PX, 9 * CELL_PX + 2 * MARGIN_PX)
_INK = {0: (40, 30, 200), 1: (40, 50, 30)}


def true_grid() -> Grid:
    """Where the points are drawn; Red sits at the bottom."""
    h = np.array([[CELL_PX, 0.0, MARGIN_PX], [0.0, -CELL_PX, MARGIN_PX + 9.0 * CELL_PX], [0.0, 0.0, 1.0]])
    return Grid(h, SIZE_WH, np.zeros(3), face_height=0.01)


@dataclass
class DrawnTable:
    """What lies on the table now; change it and take pictures."""

    board: bytes
    seed: int = 1
    offsets: dict[int, tuple[float, float]] = field(default_factory=dict)
    """Where pieces stand off their points, cells."""
    turns: dict[int, float] = field(default_factory=dict)
    """Degrees by which pieces are turned."""
    hand: tuple[float, float] | None = None
    """Cells where a hand's finger tips are; it comes from Red's side."""
    hand_from_black: bool = False
    box: tuple[float, float] | None = None
    """Cells of the middle of a box that lies on the board."""
    light: float = 1.0
    camera_px: tuple[float, float] = (0.0, 0.0)
    camera_deg: float = 0.0

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)
        grain = np.random.default_rng(7).normal(0.0, 3.0, (SIZE_WH[1], SIZE_WH[0], 1))
        self._wood = np.clip(np.array([120.0, 175.0, 205.0]) + cv2.GaussianBlur(grain, (0, 0), 1.5)[..., None], 0, 255)
        self._turn = {p: float(np.random.default_rng(p).uniform(-25, 25)) for p in range(90)}

    def play(self, text: str) -> None:
        """Put the piece from one point on another, as in `h2e2`, turned a little."""
        start, end = ((ord(text[i]) - 97) + 9 * int(text[i + 1]) for i in (0, 2))
        board = bytearray(self.board)
        board[end], board[start] = board[start], EMPTY
        self.board = bytes(board)
        self._turn[end] = self._turn[start] + 17.0
        self.offsets.pop(start, None)

    def picture(self) -> Image:
        """The table as the camera sees it now, with a little noise."""
        image = self._wood.astype(np.uint8).copy()
        _draw_lines(image)
        for point in range(90):
            if self.board[point] != EMPTY:
                self._draw_piece(image, point)
        if self.box is not None:
            x, y = _px(*self.box)
            cv2.rectangle(image, (x - 40, y - 40), (x + 40, y + 40), (90, 40, 40), -1)
        if self.hand is not None:
            self._draw_hand(image, self.hand)
        if self.camera_px != (0.0, 0.0) or self.camera_deg:
            w, h = SIZE_WH
            m = cv2.getRotationMatrix2D((w / 2, h / 2), self.camera_deg, 1.0)
            m[:, 2] += self.camera_px
            image = cv2.warpAffine(image, m, SIZE_WH, borderMode=cv2.BORDER_REPLICATE).astype(np.uint8)
        noisy = image.astype(np.float32) * self.light + self._rng.normal(0.0, 1.5, image.shape).astype(np.float32)
        return np.clip(noisy, 0, 255).astype(np.uint8)

    def _draw_piece(self, image: Image, point: int) -> None:
        dx, dy = self.offsets.get(point, (0.0, 0.0))
        x, y = _px(point % 9 + dx, point // 9 + dy)
        piece = self.board[point]
        ink = _INK[piece >> 3]
        cv2.circle(image, (x + 2, y + 3), 16, (80, 120, 150), -1, cv2.LINE_AA)
        cv2.circle(image, (x, y), 15, (190, 225, 240), -1, cv2.LINE_AA)
        cv2.circle(image, (x, y), 13, ink, 1, cv2.LINE_AA)
        face = np.full((30, 30, 3), 255, dtype=np.uint8)
        cv2.putText(face, LETTERS[piece].upper(), (7, 22), cv2.FONT_HERSHEY_SIMPLEX, 0.7, ink, 2, cv2.LINE_AA)
        turn = self._turn[point] + self.turns.get(point, 0.0) + (180.0 if piece > 7 else 0.0)
        m = cv2.getRotationMatrix2D((14.5, 14.5), turn, 1.0)
        turned = cv2.warpAffine(face, m, (30, 30), borderValue=(255, 255, 255))
        area = image[y - 15 : y + 15, x - 15 : x + 15]
        ys, xs = np.mgrid[-15:15, -15:15]
        inked = (turned.min(axis=2) < 200) & (np.hypot(xs, ys) < 12)
        area[inked] = turned[inked]

    def _draw_hand(self, image: Image, tip: tuple[float, float]) -> None:
        x, y = _px(*tip)
        away = -1 if self.hand_from_black else 1
        skin, sleeve = (120, 150, 215), (110, 60, 40)
        for finger in (-14, 0, 14):
            cv2.line(image, (x + finger, y), (x + finger // 2, y + away * 45), skin, 14, cv2.LINE_AA)
        cv2.ellipse(image, (x, y + away * 60), (30, 34), 0, 0, 360, skin, -1, cv2.LINE_AA)
        cv2.line(image, (x, y + away * 90), (x + 10, y + away * 900), sleeve, 50, cv2.LINE_AA)


def _draw_lines(image: Image) -> None:
    ink = (50, 60, 70)
    for rank in range(10):
        cv2.line(image, _px(0, rank), _px(8, rank), ink, 1, cv2.LINE_AA)
    for file in range(9):
        for low, high in ((0, 4), (5, 9)) if 0 < file < 8 else ((0, 9),):
            cv2.line(image, _px(file, low), _px(file, high), ink, 1, cv2.LINE_AA)
    for low in (0, 7):
        cv2.line(image, _px(3, low), _px(5, low + 2), ink, 1, cv2.LINE_AA)
        cv2.line(image, _px(5, low), _px(3, low + 2), ink, 1, cv2.LINE_AA)


def _px(x: float, y: float) -> tuple[int, int]:
    return round(MARGIN_PX + x * CELL_PX), round(MARGIN_PX + (9 - y) * CELL_PX)
