"""Whether a picture of the board is good enough, and what a person should change where it is not."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

import cv2
import numpy as np

from calibration.grid import Grid
from rules.point import Point, format_point
from vision.frame import Image


class Fault(Enum):
    """What can be wrong with a picture; the pages have a sentence for each."""

    NO_BOARD = "no_board"
    TOO_DARK = "too_dark"
    TOO_BRIGHT = "too_bright"
    BLURRED = "blurred"
    GLARE = "glare"
    TOO_SMALL = "too_small"
    TOO_LOW = "too_low"
    CUT_OFF = "cut_off"


@dataclass(frozen=True, slots=True)
class CheckConfig:
    """Where a picture stops being good enough."""

    dark_grey: float = 45.0
    """Mean grey (0..255) of the board below which sensors' noise drowns the glyphs."""
    bright_grey: float = 230.0
    """Mean grey above which faces are washed out."""
    glare_grey: int = 250
    """A pixel from here on holds no colour any more."""
    glare_share: float = 0.85
    """Share of such pixels about a point, half a cell wide, that is glare: on a white face the glyph covers more."""
    cell_px: float = 35.0
    """Cells smaller than this leave too few pixels for a glyph."""
    least_squeeze: float = 0.57
    """Height over width of a cell as seen; 0.57 is a camera 35 degrees over the table."""
    sharp_grey: float = 10.0
    """How steep lines and glyphs are on a cell of 24 px, for the board's contrast; 30 and more where it is sharp, 5
    after a blur of a tenth of a cell."""


@dataclass(frozen=True, slots=True)
class PictureWarning:
    """One thing to put right."""

    fault: Fault
    points: tuple[Point, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As the pages read it."""
        return {"code": self.fault.value, "points": [format_point(point) for point in self.points]}


_CELL_PX = 24
_RIM_CELLS = 0.5


def check_picture(image_bgr: Image, grid: Grid | None, config: CheckConfig | None = None) -> list[PictureWarning]:
    """What is wrong with the picture, gravest first; empty where it is good."""
    config = config or CheckConfig()
    if grid is None:
        grey = float(image_bgr[::8, ::8].mean())
        light = [PictureWarning(Fault.TOO_DARK)] if grey < config.dark_grey else []
        return [*light, PictureWarning(Fault.NO_BOARD)]
    found = [*_framing(image_bgr, grid, config)]
    board = _flat(image_bgr, grid)
    grey = float(board.mean())
    if grey < config.dark_grey:
        found.append(PictureWarning(Fault.TOO_DARK))
    elif grey > config.bright_grey:
        found.append(PictureWarning(Fault.TOO_BRIGHT))
    glaring = _glaring(board, config)
    if glaring:
        found.append(PictureWarning(Fault.GLARE, glaring))
    contrast = max(1.0, float(board.std()))
    steep = cv2.Laplacian(board, cv2.CV_32F)
    # Relative to the contrast of the board: a dim picture is not a blurred one.
    if float(np.abs(steep).mean()) / contrast * 40.0 < config.sharp_grey:
        found.append(PictureWarning(Fault.BLURRED))
    return found


def _framing(image: Image, grid: Grid, config: CheckConfig) -> list[PictureWarning]:
    found = []
    rim = np.array([[-_RIM_CELLS, -_RIM_CELLS], [8.5, -_RIM_CELLS], [8.5, 9.5], [-_RIM_CELLS, 9.5]])
    px = grid.to_px(rim)
    height, width = image.shape[:2]
    if px.min() < 0 or px[:, 0].max() > width or px[:, 1].max() > height:
        found.append(PictureWarning(Fault.CUT_OFF))
    if grid.cell_px() < config.cell_px:
        found.append(PictureWarning(Fault.TOO_SMALL))
    if _squeeze(grid) < config.least_squeeze:
        found.append(PictureWarning(Fault.TOO_LOW))
    return found


def _squeeze(grid: Grid) -> float:
    """Shorter over longer axis of a small circle on the board's middle, as seen."""
    px = grid.to_px(np.array([[4.0, 4.5], [4.25, 4.5], [4.0, 4.75]]))
    axes = np.linalg.svd(np.stack([px[1] - px[0], px[2] - px[0]]), compute_uv=False)
    return float(axes[1] / axes[0])


def _flat(image: Image, grid: Grid) -> Image:
    """The board seen from straight above, grey, 24 px a cell, half a cell of rim."""
    to_flat = np.array([[_CELL_PX, 0, _CELL_PX / 2], [0, _CELL_PX, _CELL_PX / 2], [0, 0, 1.0]])
    h = to_flat @ np.linalg.inv(grid.h_board_to_px)
    flat = cv2.warpPerspective(image, h, (9 * _CELL_PX, 10 * _CELL_PX), flags=cv2.INTER_AREA)
    grey: Image = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)  # type: ignore[assignment]
    return grey


def _glaring(board_grey: Image, config: CheckConfig) -> tuple[Point, ...]:
    quarter = _CELL_PX // 4
    blown = (board_grey >= config.glare_grey).reshape(10, _CELL_PX, 9, _CELL_PX)
    share = blown[:, quarter:-quarter, :, quarter:-quarter].mean(axis=(1, 3))
    return tuple(Point(int(rank) * 9 + int(file)) for rank, file in np.argwhere(share > config.glare_share))
