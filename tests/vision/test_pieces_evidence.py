"""Evidence beside the signs: which way they face, the board's lines, and faces that bear none."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.network import Nets, load_nets
from qiyan.simulator.looks import named_look
from qiyan.simulator.script import Script, Wait
from qiyan.simulator.table import Table
from qiyan.simulator.true_grid import true_grid
from rules.fen import START_FEN, format_fen
from rules.point import parse_point
from vision.pieces.crosses import lines_seen
from vision.pieces.read import Doubt, read_board
from vision.pieces.signless import signless_nats
from vision.rectify import rectify

PRACTICE_FEN = "9/9/9/3rcC3/3NRn3/3nrN3/3cCR3/9/9/9 w - - 0 1"
"""No general, the same both ways round: only the signs tell whose end is whose."""
GAME_FEN = "r1bakab1r/9/1cn2cn2/p3p1p1p/2p6/6P2/P1P1P3P/1CN1C1N2/9/R1BAKAB1R w - - 0 1"


def picture(look: str, fen: str, elevation_deg: float | None = None):
    """A still of a simulated table and its true grid."""
    style = named_look(look)
    style = replace(style, hands_rest_in_view=False)
    if elevation_deg is not None:
        style = replace(style, view=replace(style.view, elevation_deg=elevation_deg))
    table = Table(style, Script((Wait(1.0),), fen))
    return table.frame(0.0), true_grid(table.look, table.camera)


@pytest.fixture(scope="module")
def nets() -> Nets:
    return load_nets()


def test_the_signs_tell_which_end_is_reds(nets: Nets) -> None:
    image, grid = picture("street", PRACTICE_FEN)
    for turned in (image, cv2.rotate(image, cv2.ROTATE_180)):
        reading = read_board(turned, grid if turned is image else _upside_down(grid), nets)
        assert format_fen(reading.position) == PRACTICE_FEN


def _upside_down(grid):
    w, h = grid.size_wh
    turn = np.array([[-1.0, 0.0, w - 1.0], [0.0, -1.0, h - 1.0], [0.0, 0.0, 1.0]])
    return replace(grid, h_board_to_px=turn @ grid.h_board_to_px, up_px=turn @ grid.up_px)


def test_tall_discs_seen_at_a_slant_keep_their_points(nets: Nets) -> None:
    image, grid = picture("vietnam", GAME_FEN, 45.0)
    reading = read_board(image, grid, nets, turn_known=True)
    assert format_fen(reading.position) == GAME_FEN


def test_the_lines_of_empty_points_are_seen_and_those_under_a_sheet_are_not() -> None:
    image, grid = picture("club", GAME_FEN)
    empty = np.zeros(90, dtype=np.bool_)
    empty[[parse_point(name) for name in ("e1", "e5", "e4", "d4", "f5", "b4", "h5")]] = True
    assert lines_seen(rectify(image, grid), 0.35, empty)[empty].min() > 0.8
    corners = grid.to_px(np.array([[3.4, 3.4], [5.6, 3.4], [5.6, 5.6], [3.4, 5.6]])).astype(np.int32)
    cv2.fillConvexPoly(image, corners, (90, 120, 150))
    under = [parse_point("e4"), parse_point("e5")]
    assert lines_seen(rectify(image, grid), 0.35, empty)[under].max() < 0.3


def test_points_under_a_sheet_are_named_as_hidden(nets: Nets) -> None:
    image, grid = picture("club", GAME_FEN)
    corners = grid.to_px(np.array([[3.4, 3.4], [5.6, 3.4], [5.6, 5.6], [3.4, 5.6]])).astype(np.int32)
    cv2.fillConvexPoly(image, corners, (90, 120, 150))
    reading = read_board(image, grid, nets, turn_known=True)
    hidden = {point.point for point in reading.points if point.doubt is Doubt.OCCLUDED}
    assert {parse_point(name) for name in ("e4", "e5", "f4", "f5")} <= hidden
    assert format_fen(reading.position) == GAME_FEN


def test_a_round_thing_unlike_all_faces_is_hardly_a_piece() -> None:
    alike = np.full((6, 6), 0.8)
    alike[5, :5] = alike[:5, 5] = 0.1
    sure, unsure = np.log(np.array([0.94] + [0.01] * 6)), np.log(np.full(7, 1 / 7))
    nats = signless_nats(alike, np.stack([sure] * 5 + [unsure]))
    assert (nats[:5] == 0.0).all()
    assert nats[5] < -4.0
    assert (signless_nats(alike[:3, :3], np.stack([unsure] * 3)) == 0.0).all()


@pytest.mark.parametrize("elevation_deg", [60.0, 90.0])
def test_light_signs_on_red_wood_are_given_to_their_sides(nets: Nets, elevation_deg: float) -> None:
    image, grid = picture("museum", GAME_FEN, elevation_deg)
    reading = read_board(image, grid, nets)
    assert format_fen(reading.position) == GAME_FEN
    assert reading.grid.red_side() == grid.red_side()


@pytest.mark.parametrize("fen", [START_FEN, GAME_FEN], ids=["start", "game"])
def test_shadows_that_a_hard_lamp_adds_to_discs_are_not_taken_for_faces(nets: Nets, fen: str) -> None:
    image, grid = picture("study", fen, 75.0)
    reading = read_board(image, grid, nets, turn_known=True)
    assert reading.face_radius < 0.37
    assert format_fen(reading.position) == fen
