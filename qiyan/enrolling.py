"""The set of a table, learnt from the start position and kept beside the table's file."""

from pathlib import Path
from typing import TYPE_CHECKING

from calibration.store import load_set_file, save_set_file

if TYPE_CHECKING:
    from calibration.grid import Grid
    from vision.frame import Image
    from vision.pieces.enrolment import Enrolment

_EVERY_POINT = 1.0
"""Agreement with the start position that needs no reading of the pieces."""


def at_the_start(image_bgr: "Image", grid: "Grid") -> "Grid | None":
    """The grid with the height of the faces, where the usual start position stands on it; else None."""
    from models.network import load_nets
    from rules.fen import START_FEN, parse_fen
    from vision.known_start import KnownStartConfig, find_known_start
    from vision.pieces.read import read_board

    start = parse_fen(START_FEN)
    known = find_known_start(image_bgr, grid, start.board, turn_known=True)
    if not known.holds(KnownStartConfig()):
        return None
    if known.looks.agreement < _EVERY_POINT:
        # A first ply that was played already, or a piece given as a handicap, would be learnt as what it is not.
        reading = read_board(image_bgr, known.window.grid, load_nets(), turn_known=True)
        if reading.position.board != start.board:
            return None
    return known.window.grid


def enrol_set(image_bgr: "Image", grid: "Grid", table: Path) -> Path:
    """Learn the set from the start position on the grid; the file it was written to, which the table's file names."""
    from models.network import load_nets
    from rules.fen import START_FEN, parse_fen
    from vision.pieces.enrol import enrol
    from vision.pieces.enrolment_file import save_enrolment

    set_file = table.with_suffix(".set.npz")
    save_enrolment(set_file, enrol(image_bgr, grid, parse_fen(START_FEN), load_nets()))
    save_set_file(table, set_file)
    return set_file


def enrolled_set(table: Path) -> "Enrolment | None":
    """What is known of the table's set; None where it was never enrolled."""
    from qiyan.table_file import check_is_there
    from vision.pieces.enrolment_file import load_enrolment

    check_is_there(table)
    set_file = load_set_file(table)
    return None if set_file is None else load_enrolment(set_file)
