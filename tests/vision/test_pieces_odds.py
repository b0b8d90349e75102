"""Which of two ways round a whole board lies: what its signs say of it, and how sure contrary evidence may leave it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.network import Nets, load_nets
from qiyan.simulator.looks import named_look
from qiyan.simulator.script import Script, Wait
from qiyan.simulator.table import Table
from qiyan.simulator.true_grid import true_grid
from rules.fen import format_fen
from vision.pieces.classify import look
from vision.pieces.faces import fit_faces
from vision.pieces.odds import p_likelier
from vision.pieces.read import read_board
from vision.pieces.variants import variant_nats

GAME_FEN = "r1bakab1r/9/1cn2cn2/p3p1p1p/2p6/6P2/P1P1P3P/1CN1C1N2/9/R1BAKAB1R w - - 0 1"


@pytest.fixture(scope="module")
def nets() -> Nets:
    return load_nets()


@pytest.fixture(scope="module")
def street():
    """A still of a set whose general and elephants are written otherwise for Red than for Black."""
    style = replace(named_look("street"), hands_rest_in_view=False)
    table = Table(style, Script((Wait(1.0),), GAME_FEN))
    return table.frame(0.0), true_grid(table.look, table.camera)


def test_the_signs_of_generals_and_elephants_tell_whose_they_are(nets: Nets, street) -> None:
    image, grid = street
    seen = look(image, grid, fit_faces(image, grid), nets)
    board = read_board(image, grid, nets, turn_known=True).position.board
    kinds = np.array([board[point] & 7 for point in seen.standing])
    side = np.array([board[point] >> 3 for point in seen.standing])
    assert variant_nats(seen.spectra[:, 0], kinds, side) > 3.0
    assert variant_nats(seen.spectra[:, 0], kinds, 1 - side) < -3.0


def test_where_signs_and_colours_contradict_each_other_the_reading_is_not_sure(nets: Nets, street) -> None:
    image, grid = street
    assert format_fen(read_board(image, grid, nets).position) == GAME_FEN
    discs = look(image, grid, fit_faces(image, grid), nets)
    reading = read_board(_colours_exchanged(image, grid, discs), grid, nets)
    assert reading.confidence < 0.5


def _colours_exchanged(image, grid, discs):
    """The picture with Red's discs drained of colour and Black's ink made red."""
    out = image.copy()
    for point in discs.standing:
        middle = grid.to_px(discs.faces.displaced(np.array([[point % 9, point // 9]], dtype=float)))[0]
        mask = np.zeros(image.shape[:2], np.uint8)
        cv2.circle(mask, (round(middle[0]), round(middle[1])), round(0.5 * grid.cell_px()), 255, -1)
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        ink = (grey < 0.62 * np.median(grey[mask > 0])) & (mask > 0)
        red = discs.red[point] > 0.0
        dark = np.stack([grey, grey, grey], axis=2) * 0.6
        light = np.stack([grey * 0.7, grey * 0.7, np.minimum(255.0, grey * 0.7 + 130.0)], axis=2)
        out[ink] = np.clip(dark if red else light, 0, 255).astype(np.uint8)[ink]
    return out


def test_contrary_evidence_leaves_it_open() -> None:
    assert p_likelier(8.0, 6.0, 0.0) > 0.99
    assert p_likelier(8.0, -1.0) > 0.9
    assert p_likelier(8.0, -6.0) < 0.6
    assert p_likelier(0.0) == 0.5
