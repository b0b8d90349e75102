"""Pieces of one side that changed places are known by their signs, in light in which every face matches every other."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from models.face import FaceStyle, Ring, draw_face
from models.glyphs import load_glyphs
from models.network import load_nets
from rules.fen import START_FEN, parse_fen
from rules.point import parse_point
from vision.align import Alignment
from vision.episode import Episodes, no_episodes
from vision.exchanged import ExchangeConfig, Faces, ask_soon, find_exchanged, may_be_another
from vision.fine import FINER
from vision.frame import Image
from vision.signs import Signs
from vision.touch import Touch
from vision.window import CELL_PX, CENTRES_PX, TALL, WIDE

_HORSE, _ADVISOR = int(parse_point("h9")), int(parse_point("d9"))
_BOARD = parse_fen(START_FEN).board
_SCALE = 8
_RADIUS_PX = 0.38 * CELL_PX


@cache
def _sign(char: str) -> Image:
    return next(glyph.image for glyph in load_glyphs() if glyph.char == char)


def _window(signs: dict[int, str], turn_rad: float, seed: int, finer: int = 1) -> Image:
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
    small = cv2.resize(image, (WIDE * finer, TALL * finer), interpolation=cv2.INTER_AREA).astype(np.float32)
    noise = np.random.default_rng(seed).normal(0.0, 1.0, small.shape)
    return np.clip(small + noise, 0, 255).astype(np.uint8)


def _after_fingers(seen_empty: bool) -> Episodes:
    both, held_s = np.zeros(90, dtype=np.bool_), np.zeros(90)
    both[[_HORSE, _ADVISOR]] = True
    if seen_empty:
        return replace(no_episodes(), emptied=both)
    held_s[both] = 1.0
    return replace(no_episodes(), held_s=held_s)


def _faces(now: dict[int, str], readable: bool = True) -> Faces:
    then = {_HORSE: "馬", _ADVISOR: "士"}
    signs = Signs(load_nets(), _RADIUS_PX, _window(then, 0.0, 3, FINER), _window(now, 0.6, 4, FINER))
    return Faces(_window(then, 0.0, 1), _window(now, 0.6, 2), _BOARD, signs if readable else None)


def _found(now: dict[int, str], readable: bool, seen_empty: bool = True) -> list[tuple[int, int]]:
    every = np.zeros(90, dtype=np.bool_)
    every[[_HORSE, _ADVISOR]] = True
    # Likeness has a chance too, though these faces look in place nearly as they did.
    config = ExchangeConfig() if readable else replace(ExchangeConfig(), strange_score=0.97)
    return find_exchanged(_faces(now, readable), every, every, _after_fingers(seen_empty), config)


@pytest.mark.parametrize("seen_empty", [True, False], ids=["seen to be gone", "under the hand all the while"])
def test_signs_tell_an_exchange_that_likeness_does_not(seen_empty: bool) -> None:
    crossed = {_HORSE: "士", _ADVISOR: "馬"}
    assert _found(crossed, readable=False) == []
    assert sorted(_found(crossed, True, seen_empty)) == [
        (_ADVISOR, _HORSE),
        (_HORSE, _ADVISOR),
    ]


def test_pieces_that_were_only_turned_were_not_exchanged() -> None:
    assert _found({_HORSE: "馬", _ADVISOR: "士"}, readable=True) == []


@pytest.mark.parametrize(("ago_s", "another"), [(0.1, True), (5.0, False)], ids=["not yet measured", "long clear"])
def test_a_strange_face_may_be_that_of_a_piece_the_hand_has_only_just_left(ago_s: float, another: bool) -> None:
    faces = _faces({_HORSE: "士"})
    hidden = np.full(90, np.nan)
    hidden[_ADVISOR] = 9.0 - ago_s
    episodes = replace(no_episodes(), hidden_from=hidden - 1.0, hidden_to=hidden, t=9.0)
    touch = Touch(_HORSE, Alignment((0.0, 0.0), 34.0, 0.9, 0.8), lifted=True)
    assert may_be_another(faces, touch, episodes, ExchangeConfig()) == another


def test_a_piece_that_may_be_another_is_measured_again_in_a_moment() -> None:
    config = ExchangeConfig()
    episodes = ask_soon(replace(no_episodes(), t=9.0), [_HORSE], 1.0, config)
    assert episodes.examined[_HORSE] + 1.0 == pytest.approx(9.0 + config.soon_s)
    assert np.isnan(episodes.examined[_ADVISOR])
