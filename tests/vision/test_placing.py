"""Where a piece stands that was put down beside its point: tall ones, seen aslant, with a ring painted on them."""

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules.fen import START_FEN, parse_fen
from rules.move import Move
from rules.piece import EMPTY, RED
from rules.point import parse_point
from vision.frame import Image
from vision.looks import Looks, learn_looks
from vision.mean_face import find_face, learn_mean_faces
from vision.placing import PlacingConfig, lies_between
from vision.window import CELL_PX, CENTRES_PX, TALL, WIDE

_BOARD = parse_fen(START_FEN).board
_FROM, _TO = int(parse_point("c3")), int(parse_point("c4"))
_SCALE = 8
_INK = {0: (40, 30, 200), 1: (40, 80, 30)}


def _window(board: bytes, offsets: Mapping[int, tuple[float, float]], wall_cells: float = 0.4) -> Image:
    """A window of a board whose pieces' walls are seen to the right of their faces."""
    image = np.full((TALL * _SCALE, WIDE * _SCALE, 3), (110, 165, 120), dtype=np.uint8)
    cell = CELL_PX * _SCALE
    rng = np.random.default_rng(5)
    for point, piece in enumerate(board):
        if piece == EMPTY:
            continue
        right, up = np.array(offsets.get(point, (0.0, 0.0))) + rng.normal(0.0, 0.03, 2) * (point not in offsets)
        x, y = (CENTRES_PX[point] + 0.5 + np.array([right, -up]) * CELL_PX) * _SCALE
        ink = _INK[piece >> 3]
        middle, foot = (round(x), round(y)), (round(x + wall_cells * cell), round(y))
        cv2.line(image, middle, foot, (85, 95, 100), round(0.74 * cell), cv2.LINE_AA)
        cv2.circle(image, middle, round(0.37 * cell), (165, 200, 190), -1, cv2.LINE_AA)
        cv2.circle(image, middle, round(0.26 * cell), ink, round(0.05 * cell), cv2.LINE_AA)
        turn = float(rng.uniform(0.0, 6.3))
        for stroke in rng.uniform(-0.16, 0.16, (4, 4)):
            ends = [stroke[i] * np.array([np.cos(turn), np.sin(turn)]) + stroke[i + 1] for i in (0, 2)]
            a, b = ((round(x + e[0] * cell), round(y + e[1] * cell)) for e in ends)
            cv2.line(image, a, b, ink, round(0.04 * cell), cv2.LINE_AA)
    small = cv2.resize(image, (WIDE, TALL), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.clip(small + rng.normal(0.0, 2.0, small.shape), 0, 255).astype(np.uint8)


def _looks() -> Looks:
    then = _window(_BOARD, {})
    return replace(learn_looks(then, _BOARD), faces=learn_mean_faces(then, _BOARD))


def _moved(off_cells: tuple[float, float]) -> Image:
    board = bytearray(_BOARD)
    board[_TO], board[_FROM] = board[_FROM], EMPTY
    return _window(bytes(board), {_TO: off_cells})


@pytest.mark.parametrize("off_cells", [(0.0, 0.0), (0.3, 0.0), (0.0, -0.3), (-0.45, 0.0), (0.45, 0.1)])
def test_the_middle_of_a_tall_piece_with_a_ring_is_found(off_cells: tuple[float, float]) -> None:
    faces = learn_mean_faces(_window(_BOARD, {}), _BOARD)
    assert faces.red is not None
    found = find_face(_moved(off_cells), faces.red, CENTRES_PX[_TO], 0.56)
    assert found.off_cells == pytest.approx(off_cells, abs=0.04)
    assert found.score > 0.6


@pytest.mark.parametrize("way", [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
@pytest.mark.parametrize(("cells", "between"), [(0.3, False), (0.43, True)])
def test_a_piece_put_down_carelessly_stands_on_its_point_whatever_way_its_wall_is_seen(
    way: tuple[float, float], cells: float, between: bool
) -> None:
    then, now = _window(_BOARD, {}), _moved((way[0] * cells, way[1] * cells))
    move = Move(parse_point("c3"), parse_point("c4"))
    assert lies_between(then, now, move, RED, _looks(), PlacingConfig()) == between


def test_where_the_mean_face_is_not_known_it_takes_more_for_a_piece_to_lie_between() -> None:
    then, now = _window(_BOARD, {}, 0.0), _moved((0.3, 0.0))
    move = Move(parse_point("c3"), parse_point("c4"))
    assert not lies_between(then, now, move, RED, replace(_looks(), faces=None), PlacingConfig())


def test_a_side_of_few_pieces_has_no_mean_face() -> None:
    board = bytes(piece if 0 < piece < 8 or point >= 86 else EMPTY for point, piece in enumerate(_BOARD))
    faces = learn_mean_faces(_window(board, {}), board)
    assert faces.red is not None and faces.black is None


def test_a_hand_over_some_pieces_does_not_lead_their_mean_face_astray() -> None:
    then = _window(_BOARD, {})
    x, y = (round(float(v)) for v in CENTRES_PX[int(parse_point("h1"))])
    cv2.rectangle(then, (x - 40, y - 20), (x + 30, y + 50), (120, 150, 215), -1)
    faces = learn_mean_faces(then, _BOARD)
    assert faces.red is not None
    found = find_face(_moved((0.3, 0.0)), faces.red, CENTRES_PX[_TO], 0.56)
    assert found.off_cells == pytest.approx((0.3, 0.0), abs=0.05)
