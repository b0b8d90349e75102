"""Touched pieces measured, hands' ends, and why plies are withdrawn."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules.event import WithdrawnWhy
from rules.fen import START_FEN, parse_fen
from rules.iccs import parse_iccs
from vision.align import align
from vision.change import HALF
from vision.episode import Episodes, fingers_at, no_episodes
from vision.fine import FINER
from vision.frame import Image
from vision.hand import HandConfig, find_hands
from vision.hypotheses import Ply
from vision.telling import why_withdrawn
from vision.touch import Look, Touch, TouchConfig, examine
from vision.window import CELL_PX, CENTRES_PX, TALL, WIDE

_POINT = 40


def _drawn(shift_cells: tuple[float, float], turn_deg: float, everything: bool) -> Image:
    """Three pieces with fine signs, eight times as large as the window; the one on `_POINT`, or all, moved."""
    scale = 8
    image = np.full((TALL * scale, WIDE * scale, 3), (110, 170, 200), dtype=np.uint8)
    for point in (_POINT, _POINT - 2, _POINT + 2):
        moved = everything or point == _POINT
        x, y = (CENTRES_PX[point] + 0.5) * scale
        x, y = (x + shift_cells[0] * CELL_PX * scale, y - shift_cells[1] * CELL_PX * scale) if moved else (x, y)
        r = 0.38 * CELL_PX * scale
        cv2.circle(image, (round(x), round(y)), round(r), (150, 200, 225), -1, cv2.LINE_AA)
        cv2.circle(image, (round(x), round(y)), round(0.8 * r), (30, 30, 40), 6, cv2.LINE_AA)
        turn = np.deg2rad(turn_deg if moved else 0.0)
        for a, b, c, d in (
            (-0.5, -0.4, 0.5, -0.4),
            (-0.1, -0.6, -0.1, 0.6),
            (-0.5, 0.5, 0.4, 0.2),
            (0.3, -0.2, 0.3, 0.5),
        ):
            ends = (
                np.array([[a, b], [c, d]]) * r @ np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
            )
            (x0, y0), (x1, y1) = np.rint(ends + np.array((x, y))).astype(int).tolist()
            cv2.line(image, (x0, y0), (x1, y1), (30, 30, 40), 10, cv2.LINE_AA)
    return image


def _seen(image: Image, finer: int = 1) -> Image:
    size = (WIDE * finer, TALL * finer)
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _window(shift_cells: tuple[float, float] = (0.0, 0.0), turn_deg: float = 0.0) -> Image:
    return _seen(_drawn(shift_cells, turn_deg, everything=False))


def _look(shift_cells: tuple[float, float] = (0.0, 0.0), turn_deg: float = 0.0, everything: bool = False) -> Look:
    image = _drawn(shift_cells, turn_deg, everything)
    return Look(_seen(image), _seen(image, FINER))


def _examined(
    now: Look, held_s: float, controls: bool = True, fingers_at: int = _POINT, moved_from: int | None = None
) -> list[Touch]:
    """The touches that are told.

    moved_from : a point whose piece is played away
    """
    points = np.zeros(90, dtype=np.bool_)
    points[_POINT] = True
    steady = np.zeros(90, dtype=np.bool_)
    steady[[_POINT - 2, _POINT + 2]] = controls
    held = np.zeros(90)
    held[fingers_at] = held_s
    moved = np.arange(90) == (-1 if moved_from is None else moved_from)
    came, gone = np.full(90, 8.0 - held_s), np.full(90, 9.0)
    episodes = replace(no_episodes(), held_s=held, examined=np.full(90, -np.inf), hidden_from=came, hidden_to=gone)
    touched, _, _ = examine(_look(), now, points, steady, moved, episodes, 10.0, TouchConfig())
    return touched


def _touched(
    now: Look, held_s: float, controls: bool = True, fingers_at: int = _POINT, moved_from: int | None = None
) -> list[bool]:
    """Of the touches that are told whether each is told as lifted."""
    return [touch.lifted for touch in _examined(now, held_s, controls, fingers_at, moved_from)]


@pytest.mark.parametrize(("x", "y", "turn"), [(0.0, 0.0, 0), (0.083, 0.0, 6), (0.02, -0.03, -10), (-0.15, 0.11, 40)])
def test_shift_and_turn_are_measured_finer_than_a_pixel(x: float, y: float, turn: int) -> None:
    how = align(_window(), _window((x, y), turn), _POINT)
    assert how.shift_cells == pytest.approx((x, y), abs=0.012)
    assert how.turn_deg == pytest.approx(turn, abs=3.0)
    assert how.score > 0.93


def test_piece_that_fingers_held_was_lifted_and_a_brushed_one_shifted() -> None:
    now = _look((0.07, 0.02), 6)
    assert _touched(now, held_s=1.0) == [True]
    assert _touched(now, held_s=0.1) == [False]


def test_a_hair_is_no_touch_unless_the_piece_was_held() -> None:
    now = _look((0.03, 0.02))
    assert _touched(now, held_s=0.0) == []
    assert _touched(now, held_s=1.0) == [True]


def test_a_piece_put_back_almost_as_it_stood_was_touched_if_it_was_held() -> None:
    now = _look((0.012, 0.0), 5)
    assert _touched(now, held_s=0.0) == []
    assert _touched(now, held_s=1.0) == [True]
    assert _touched(_look(), held_s=1.0) == []


def test_fingers_that_took_the_next_piece_away_did_not_put_this_one_back() -> None:
    now = _look((0.02, 0.0), 2)
    assert _touched(now, held_s=1.0, fingers_at=_POINT + 1) == [True]
    assert _touched(now, held_s=1.0, fingers_at=_POINT + 1, moved_from=_POINT + 1) == []


def test_slip_of_the_camera_is_no_touch() -> None:
    assert _touched(_look((0.07, 0.02), everything=True), held_s=1.0) == []


def test_end_of_a_hand_is_where_its_fingers_are() -> None:
    changed = np.zeros((TALL // HALF, WIDE // HALF), dtype=np.bool_)
    x, y = (round(float(v) / HALF) for v in CENTRES_PX[_POINT])
    changed[y:, x - 6 : x + 6] = True
    inside = np.ones_like(changed)
    hands = find_hands(changed, np.zeros_like(changed), inside, HandConfig())
    assert fingers_at(hands) == {_POINT}


def _undone(hidden_from: float, held_s: float) -> Episodes:
    never = no_episodes()
    hidden, held = never.hidden_from.copy(), never.held_s.copy()
    hidden[parse_iccs("h2e2").to_point], held[parse_iccs("h2e2").to_point] = hidden_from, held_s
    return replace(never, hidden_from=hidden, held_s=held)


def test_only_a_ply_that_stood_and_was_taken_up_again_was_taken_back() -> None:
    sure = Ply(parse_fen(START_FEN), parse_iccs("h2e2"), 5.0, 0.99)
    assert why_withdrawn(sure, _undone(6.0, 0.5)) is WithdrawnWhy.TAKEN_BACK
    assert why_withdrawn(sure, _undone(5.1, 0.5)) is WithdrawnWhy.CORRECTED
    assert why_withdrawn(sure, _undone(6.0, 0.0)) is WithdrawnWhy.CORRECTED
    assert why_withdrawn(sure, no_episodes()) is WithdrawnWhy.CORRECTED
    assert why_withdrawn(replace(sure, probability=0.8), _undone(6.0, 0.5)) is WithdrawnWhy.CORRECTED


def test_fingers_that_were_there_for_a_moment_only_are_no_sure_touch() -> None:
    now = _look((0.04, 0.0), 6.0)
    assert [touch.sure for touch in _examined(now, held_s=0.4)] == [False]
    assert [touch.sure for touch in _examined(now, held_s=1.0)] == [True]
