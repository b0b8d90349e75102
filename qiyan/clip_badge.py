"""The badge in the corner of a picture of an incident: how far off it happened, and whether this is the touch."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

TOUCH_WORD = "touch"
_TOUCH_SIGN = """
....#.........#.....
...##........##.....
...#####.....##.....
...#..##.....##.....
..##..##.....##.....
..##..#...########..
.########.#..##..#..
.##..#..#.#..##..#..
..#..#..#.#..##..#..
..#######.#..##..#..
..##.#..#.#..##..#..
..#..#..#.########..
..#..#..#....##.....
..#######....##.....
..#..#..#....##.##..
..#..#..#....##..#..
..#..#..#....######.
.##..#..###########.
.#...####.##......#.
....................
"""
"""触, as OpenCV's own letters are Latin only; from Noto Sans CJK (SIL Open Font License)."""
_FONT, _SCALE = cv2.FONT_HERSHEY_SIMPLEX, 0.6
_RIM_PX, _GAP_PX = 8, 10
_INK_BGR, _PLAIN_BGR, _TOUCH_BGR = (255, 255, 255), (0, 0, 0), (0, 0, 170)
"""A badge of the touch is red as the rings are, and so is told apart also where its words are too small to read."""


def draw_badge(picture: Image, since_s: float, is_touch: bool) -> None:
    """Write into the upper left corner the time since it happened, and 触 touch where this is the touch before it."""
    time = f"{since_s:+.1f} s"
    sign = _touch_sign()
    (time_px, high_px), _ = cv2.getTextSize(time, _FONT, _SCALE, 1)
    (word_px, _), _ = cv2.getTextSize(TOUCH_WORD, _FONT, _SCALE, 1)
    sign_x = _RIM_PX + time_px + _GAP_PX
    word_x = sign_x + sign.shape[1] + _GAP_PX // 2
    right, bottom = (word_x + word_px if is_touch else _RIM_PX + time_px) + _RIM_PX, high_px + 2 * _RIM_PX
    cv2.rectangle(picture, (0, 0), (right, bottom), _TOUCH_BGR if is_touch else _PLAIN_BGR, cv2.FILLED)
    _write(picture, time, _RIM_PX, bottom - _RIM_PX)
    if is_touch:
        _write(picture, TOUCH_WORD, word_x, bottom - _RIM_PX)
        top = (bottom - sign.shape[0]) // 2 + 1
        # A picture smaller than its badge shows what there is room for.
        part = picture[top : top + sign.shape[0], sign_x : sign_x + sign.shape[1]]
        part[sign[: part.shape[0], : part.shape[1]]] = _INK_BGR


def _write(picture: Image, text: str, x: int, y: int) -> None:
    cv2.putText(picture, text, (x, y), _FONT, _SCALE, _INK_BGR, 1, cv2.LINE_AA)


def _touch_sign() -> NDArray[np.bool_]:
    return np.array([[sign == "#" for sign in row] for row in _TOUCH_SIGN.split()])
