"""Pieces of one side that changed places are known by their signs, in light in which every face matches every other."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from models.face import FaceStyle, Ring, draw_face
from models.glyphs import load_glyphs
from models.network import load_nets
from rules.fen import START_FEN, parse_fen
from rules.point import parse_point
from vision.episode import Episodes, no_episodes
from vision.exchanged import ExchangeConfig, Faces, find_exchanged
from vision.frame import Image
from vision.signs import Signs
from vision.window import CELL_PX, CENTRES_PX, TALL, WIDE

_HORSE, _ADVISOR = int(parse_point("h9")), int(parse_point("d9"))
_BOARD = parse_fen(START_FEN).board
_SCALE = 8
_RADIUS_PX = 0.38 * CELL_PX


@cache
def _sign(char: str) -> Image:
    return next(glyph.image for glyph in load_glyphs() if glyph.char == char)


def _window(signs: dict[int, str], turn_rad: float, seed: int) -> Image:
    """Dark discs with broad rings of paint and fine signs: what all of them share is most of their look."""
    image = np.full((TALL * _SCALE, WIDE * _SCALE, 3), (34, 40, 46), dtype=np.uint8)
    style = FaceStyle(
        ground_bgr=(50.0, 62.0, 70.0), ink_bgr=(24.0, 26.0, 30.0), rim=0.7, sign_size=0.9, rings=(Ring(0.86, 0.1),)
    )
    size = round(2 * _RADIUS_PX * _SCALE)
    for point, char in signs.items():
        face = draw_face(_sign(char), style, size, turn_rad)
        left, top = (round(float(v + 0.5) * _SCALE) - size // 2 for v in CENTRES_PX[point])
        area = image[top : top + size, left : left + size]
        area[face[:, :, 3] > 127] = face[face[:, :, 3] > 127][:, :3]
    small = cv2.resize(image, (WIDE, TALL), interpolation=cv2.INTER_AREA).astype(np.float32)
    noise = np.random.default_rng(seed).normal(0.0, 1.0, small.shape)
    return np.clip(small + noise, 0, 255).astype(np.uint8)


def _after_fingers() -> Episodes:
    emptied = np.zeros(90, dtype=np.bool_)
    emptied[[_HORSE, _ADVISOR]] = True
    return replace(no_episodes(), emptied=emptied)


def _found(now: dict[int, str], signs: Signs | None) -> list[tuple[int, int]]:
    faces = Faces(_window({_HORSE: "馬", _ADVISOR: "士"}, 0.0, 1), _window(now, 0.6, 2), _BOARD, signs)
    every = np.zeros(90, dtype=np.bool_)
    every[[_HORSE, _ADVISOR]] = True
    # Likeness has a chance too, though these faces look in place nearly as they did.
    config = ExchangeConfig() if signs else replace(ExchangeConfig(), strange_score=0.97)
    return find_exchanged(faces, every, every, _after_fingers(), config)


def test_signs_tell_an_exchange_that_likeness_does_not() -> None:
    crossed = {_HORSE: "士", _ADVISOR: "馬"}
    assert _found(crossed, None) == []
    assert sorted(_found(crossed, Signs(load_nets(), _RADIUS_PX))) == [(_ADVISOR, _HORSE), (_HORSE, _ADVISOR)]


def test_pieces_that_were_only_turned_were_not_exchanged() -> None:
    assert _found({_HORSE: "馬", _ADVISOR: "士"}, Signs(load_nets(), _RADIUS_PX)) == []
