"""A point that looks like nothing known is empty once its piece is seen elsewhere."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules.fen import START_FEN, parse_fen
from rules.move import Move
from rules.point import Point, parse_point
from vision.belief import BLACK_LOOK, EMPTY_LOOK, F64, RED_LOOK
from vision.carried import CarriedConfig, carried_away, same_piece
from vision.episode import Episodes, no_episodes
from vision.frame import Image
from vision.window import CENTRES_PX, TALL, WIDE

_FROM, _TO = int(parse_point("g0")), int(parse_point("f3"))
_BOARD = parse_fen(START_FEN).board


def _window(face_at: int, another: bool = False, striped: bool = False) -> Image:
    """A board with one face, and with stripes where it stood."""
    scale = 8
    image = np.full((TALL * scale, WIDE * scale, 3), (110, 160, 190), dtype=np.uint8)
    if striped:
        x, y = (round(float(v + 0.5) * scale) for v in CENTRES_PX[_FROM])
        for step in range(-80, 80, 40):
            cv2.rectangle(image, (x + step, y - 80), (x + step + 18, y + 80), (120, 30, 20), -1)
    x, y = (round(float(v + 0.5) * scale) for v in CENTRES_PX[face_at])
    cv2.circle(image, (x, y), 73, (150, 200, 225), -1, cv2.LINE_AA)
    strokes = ((-35, -30, 35, -30), (-8, -45, -8, 45), (-35, 35, 30, 15), (22, -15, 22, 35))
    for a, b, c, d in ((-2, 0, 2, 0), (-2, 4, 2, 4)) if another else strokes:
        cv2.line(image, (x + a, y + b), (x + c, y + d), (30, 30, 40), 10, cv2.LINE_AA)
    return cv2.resize(image, (WIDE, TALL), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _carried(now: Image, episodes: Episodes, like_its_piece: bool = False) -> F64:
    """What is told of the point that was left."""
    weighed = np.zeros((90, 4))
    weighed[:, 1:] = -8.0
    weighed[_FROM] = -5.0, -6.0, -3.5, -0.3
    weighed[_TO] = -6.0, -6.0, 0.0, -3.5
    strange = np.zeros(90, dtype=np.bool_)
    strange[[_FROM, _TO]] = True
    altered = strange.copy()
    if like_its_piece:
        weighed[_FROM], strange[_FROM] = (-1.5, -6.2, 0.0, -3.5), False
    told: F64 = carried_away(_window(_FROM), now, _BOARD, weighed, strange, altered, episodes, CarriedConfig())[_FROM]
    return told


def _after_a_hand() -> Episodes:
    return replace(no_episodes(), hidden_from=np.full(90, 8.0), hidden_to=np.full(90, 9.0))


def test_point_with_a_label_is_empty_once_its_piece_stands_elsewhere() -> None:
    told = _carried(_window(_TO, striped=True), _after_a_hand())
    assert told.argmax() == EMPTY_LOOK and told[EMPTY_LOOK] == 0.0


def test_point_with_a_label_that_looks_like_its_piece_turned_is_empty_once_that_stands_elsewhere() -> None:
    assert _carried(_window(_TO, striped=True), _after_a_hand(), like_its_piece=True).argmax() == EMPTY_LOOK
    there = _carried(_window(_TO, another=True, striped=True), _after_a_hand(), like_its_piece=True)
    assert there[EMPTY_LOOK] < -5.0


def test_another_piece_or_no_hand_makes_no_point_empty() -> None:
    assert _carried(_window(_TO, another=True, striped=True), _after_a_hand())[EMPTY_LOOK] < -5.0
    assert _carried(_window(_TO, striped=True), no_episodes())[EMPTY_LOOK] < -5.0


def test_piece_from_under_a_resting_hand_is_known_by_its_face() -> None:
    move, config = Move(Point(_FROM), Point(_TO)), CarriedConfig()
    assert same_piece(_window(_FROM), _window(_TO), move, 1.5, config)
    assert not same_piece(_window(_FROM), _window(_TO, another=True), move, 1.5, config)
    # A hand that goes on is waited for.
    assert not same_piece(_window(_FROM), _window(_TO), move, 0.5, config)


def _come(look: int, board: bytes, elsewhere: bool = False) -> F64:
    """What is told of the point to which a black piece went, that looks like Red's there."""
    left, weighed = int(parse_point("h7")), np.zeros((90, 4))
    weighed[:, 1:] = -8.0
    weighed[left] = -7.0, 0.0, -9.0, -6.0
    weighed[_TO] = -6.0, -6.0, -3.5, -3.5
    weighed[_TO, look] = -0.6
    strange = np.zeros(90, dtype=np.bool_)
    strange[[left, _TO, *([_FROM] if elsewhere else [])]] = True
    window = _window(_FROM)
    told: F64 = carried_away(window, window, board, weighed, strange, strange, no_episodes(), CarriedConfig())[_TO]
    return told


def test_the_one_piece_that_came_is_the_one_that_left_whatever_the_light_makes_of_its_side() -> None:
    assert _come(RED_LOOK, _BOARD)[BLACK_LOOK] == -0.6
    assert _come(BLACK_LOOK, _BOARD)[RED_LOOK] == -3.5


def test_a_side_is_not_changed_where_more_has_changed() -> None:
    assert _come(RED_LOOK, _BOARD, elsewhere=True)[BLACK_LOOK] == -3.5


@pytest.mark.parametrize(("another", "known"), [(False, True), (True, False)], ids=["its face", "another face"])
def test_a_piece_that_looks_like_nothing_known_where_it_went_is_known_by_its_face(another: bool, known: bool) -> None:
    strange, weighed = np.zeros(90, dtype=np.bool_), np.zeros((90, 4))
    weighed[_FROM], weighed[_TO] = (-7.0, 0.0, -9.0, -6.0), (-4.1, -4.1, -5.6, -3.2)
    strange[[_FROM, _TO]] = True
    windows = _window(_FROM), _window(_TO, another=another)
    told = carried_away(*windows, _BOARD, weighed, strange, strange, no_episodes(), CarriedConfig())[_TO]
    assert (told[RED_LOOK] == 0.0) == known
