"""The clock as an object on the table: a box with two displays and a lever."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from qiyan.simulator.camera import Camera
from qiyan.simulator.textures import Bgr

F64 = NDArray[np.float64]
U8 = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class ClockStyle:
    """How the clock looks and where it stands."""

    xy: tuple[float, float] = (-3.2, 4.5)
    """Middle, cells; it lies along the board's edge, Red's button nearer to Red."""
    long: float = 4.0
    wide: float = 1.9
    high: float = 1.1
    body_bgr: Bgr = (70.0, 60.0, 56.0)
    display_bgr: Bgr = (150.0, 176.0, 168.0)
    digits_bgr: Bgr = (30.0, 34.0, 34.0)
    lever_bgr: Bgr = (40.0, 40.0, 44.0)


@dataclass(frozen=True, slots=True)
class ClockFace:
    """What the clock shows."""

    red_s: float
    black_s: float
    red_up: bool
    """Whether Red's end of the lever is up, that is Red has to move."""


def button_of(style: ClockStyle, side: int) -> tuple[float, float, float]:
    """Where the player of `side` presses, cells."""
    towards = -1.0 if side == 0 else 1.0
    return style.xy[0] + 0.3 * style.wide, style.xy[1] + towards * 0.36 * style.long, style.high + 0.22


def box_corners(style: ClockStyle, z: float) -> F64:
    """(4, 3) cells: the corners at height z, from the lowest x and y, counter-clockwise."""
    x, y = style.xy
    w, h = style.wide / 2, style.long / 2
    return np.array([[x - w, y - h, z], [x + w, y - h, z], [x + w, y + h, z], [x - w, y + h, z]])


def draw_clock(image: U8, camera: Camera, style: ClockStyle, face: ClockFace, table_z: float, origin_px: F64) -> None:
    """Draw the clock into a cut of the picture that begins at `origin_px`, (2,) x, y."""
    low, high = box_corners(style, table_z), box_corners(style, style.high)
    # It slopes towards the spectators: the far edge of the top is lower.
    outward = np.array([0, 3]) if style.xy[0] < 4 else np.array([1, 2])
    high[outward, 2] = table_z + 0.45 * (style.high - table_z)
    px_low, px_high = camera.to_px(low) - origin_px, camera.to_px(high) - origin_px
    eye = np.array(camera.centre)
    for i, level in ((0, 0.55), (1, 0.75), (2, 0.6), (3, 0.8)):
        j = (i + 1) % 4
        middle = (low[i] + low[j]) / 2
        normal = middle - np.append(np.array(style.xy), middle[2])
        if float((eye - middle) @ normal) <= 0:
            continue
        side = np.array([px_low[i], px_low[j], px_high[j], px_high[i]])
        _fill(image, side, [c * level for c in style.body_bgr])
    top = _top_texture(style, face)
    h, w = top.shape[:2]
    source = np.array([[0, h], [w, h], [w, 0], [0, 0]], np.float32)
    warp = cv2.getPerspectiveTransform(source, px_high.astype(np.float32))
    size = (image.shape[1], image.shape[0])
    laid = cv2.warpPerspective(top, warp, size, flags=cv2.INTER_AREA)
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(px_high * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    np.copyto(image, laid, where=(mask > 0)[..., None])
    _lever(image, camera, style, face, origin_px)


def _top_texture(style: ClockStyle, face: ClockFace) -> U8:
    """The sloping top, x across, y along from Black's end at row 0 to Red's."""
    n = 56
    h, w = int(style.long * n), int(style.wide * n)
    top = np.empty((h, w, 3), np.uint8)
    top[:] = np.array(style.body_bgr, np.uint8)
    near = 0.08 if style.xy[0] < 4 else 0.50
    for seconds, low in ((face.black_s, 0.08), (face.red_s, 0.54)):
        left, right = int(near * w), int((near + 0.42) * w)
        first, last = int(low * h), int((low + 0.38) * h)
        top[first:last, left:right] = np.array(style.display_bgr, np.uint8)
        label = np.zeros((last - first, right - left), np.uint8).T.copy()
        whole = max(0, int(np.ceil(seconds)))
        text = f"{whole // 60:02d}:{whole % 60:02d}" if whole < 3600 else f"{whole // 3600}:{whole % 3600 // 60:02d}"
        size = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 0.95, 2)[0]
        at = ((label.shape[1] - size[0]) // 2, (label.shape[0] + size[1]) // 2)
        cv2.putText(label, text, at, cv2.FONT_HERSHEY_DUPLEX, 0.95, 255, 2, cv2.LINE_AA)
        turned = np.rot90(label, 3 if style.xy[0] < 4 else 1)
        ink = turned[..., None].astype(np.float32) / 255.0
        part = top[first:last, left:right].astype(np.float32)
        top[first:last, left:right] = part + (np.array(style.digits_bgr, np.float32) - part) * ink
    return top


def _lever(image: U8, camera: Camera, style: ClockStyle, face: ClockFace, origin_px: F64) -> None:
    """The rocker along the board's side: the end of the side to move stands up."""
    x = style.xy[0] + (0.28 if style.xy[0] < 4 else -0.28) * style.wide
    half = 0.42 * style.long
    up, down = style.high + 0.38, style.high + 0.10
    red = np.array([x, style.xy[1] - half, up if face.red_up else down])
    black = np.array([x, style.xy[1] + half, down if face.red_up else up])
    steps = np.linspace(0, 1, 12)[:, None]
    px = camera.to_px(red + (black - red) * steps) - origin_px
    width = max(2, int(0.34 * camera.cell_px(red[None])[0]))
    line = np.round(px * 16).astype(np.int32)
    cv2.polylines(image, [line], False, [c * 0.7 for c in style.lever_bgr], width + 2, cv2.LINE_AA, 4)
    line[:, 1] -= int(0.1 * width * 16)
    cv2.polylines(image, [line], False, style.lever_bgr, width, cv2.LINE_AA, 4)


def _fill(image: U8, px: F64, bgr: list[float]) -> None:
    cv2.fillConvexPoly(image, np.round(px * 16).astype(np.int32), bgr, cv2.LINE_AA, 4)
