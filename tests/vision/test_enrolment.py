"""A set learnt at the start position, kept on disk, and what it is good for later."""

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from models.network import Nets, load_nets
from qiyan.simulator.looks import named_look
from qiyan.simulator.script import Script, Wait
from qiyan.simulator.table import Table
from qiyan.simulator.true_grid import true_grid
from rules.fen import START_FEN, format_fen, parse_fen
from vision.errors import EnrolmentFileError
from vision.pieces.enrol import enrol
from vision.pieces.enrolment import Enrolment, seen_again
from vision.pieces.enrolment_file import load_enrolment, save_enrolment
from vision.pieces.read import read_board
from vision.rectify import rectify

LATER_FEN = "r1bakab1r/9/1cn2cn2/p3p1p1p/2p6/6P2/P1P1P3P/1CN1C1N2/9/R1BAKAB1R w - - 0 1"


def picture(fen: str):
    """A still of a simulated table with that position, nobody's hand over it, and its true grid."""
    table = Table(named_look("club"), Script((Wait(1.0),), fen))
    return table.frame(0.0), true_grid(table.look, table.camera)


@pytest.fixture(scope="module")
def nets() -> Nets:
    return load_nets()


@pytest.fixture(scope="module")
def enrolled(nets: Nets) -> Enrolment:
    image, grid = picture(START_FEN)
    return enrol(image, grid, parse_fen(START_FEN), nets)


def test_all_32_pieces_and_the_58_empty_points_are_learnt(enrolled: Enrolment) -> None:
    assert len(enrolled.kinds) == 32
    assert sum(look.any() for look in enrolled.empties) == 58


def test_it_comes_back_from_disk_as_it_was(enrolled: Enrolment, tmp_path: Path) -> None:
    path = tmp_path / "table.set.npz"
    save_enrolment(path, enrolled)
    back = load_enrolment(path)
    for field in fields(Enrolment):
        assert np.array_equal(getattr(back, field.name), getattr(enrolled, field.name)), field.name
    assert path.stat().st_size < 2_000_000


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 broken"])
def test_a_damaged_file_is_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "table.set.npz"
    path.write_bytes(content)
    with pytest.raises(EnrolmentFileError, match=r"table\.set\.npz"):
        load_enrolment(path)


def test_a_file_with_arrays_of_other_shapes_is_refused(enrolled: Enrolment, tmp_path: Path) -> None:
    path = tmp_path / "table.set.npz"
    parts = {field.name: np.asarray(getattr(enrolled, field.name)) for field in fields(Enrolment)}
    np.savez(path, version=np.array(1), **(parts | {"kinds": parts["kinds"][:5]}))
    with pytest.raises(EnrolmentFileError, match="spectra must be of shape"):
        load_enrolment(path)


@pytest.mark.parametrize("half_turned", [False, True])
def test_empty_points_are_known_again_and_pieces_are_not(enrolled: Enrolment, half_turned: bool) -> None:
    image, grid = picture(LATER_FEN)
    board = rectify(image, grid)
    if half_turned:
        board = type(board)(board.image[::-1, ::-1].copy(), board.px_per_cell, board.margin, board.height)
    said = seen_again(enrolled.empties, board, half_turned)
    pieces = np.frombuffer(parse_fen(LATER_FEN).board, dtype=np.uint8)
    known = np.array([look.any() for look in enrolled.empties])
    if half_turned:
        said = said[::-1]
    assert (said[pieces > 0] > -0.5).all()
    assert np.median(said[(pieces == 0) & known]) < -2.0


def test_a_later_position_is_read_with_the_set_known(nets: Nets, enrolled: Enrolment) -> None:
    image, grid = picture(LATER_FEN)
    reading = read_board(image, grid, nets, enrolled)
    assert format_fen(reading.position) == LATER_FEN
