"""The set of a table, learnt from the start position and kept beside the table's file."""

from pathlib import Path
from typing import TYPE_CHECKING

from calibration.store import load_set_file, save_set_file

if TYPE_CHECKING:
    from calibration.grid import Grid
    from vision.frame import Image
    from vision.pieces.enrolment import Enrolment


def at_the_start(image_bgr: "Image", grid: "Grid") -> "Grid | None":
    """The grid with the height of the faces, where the usual start position stands on it; else None."""
    from rules.fen import START_FEN, parse_fen
    from vision.known_start import KnownStartConfig, find_known_start

    known = find_known_start(image_bgr, grid, parse_fen(START_FEN).board, turn_known=True)
    return known.window.grid if known.holds(KnownStartConfig()) else None


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
    from vision.pieces.enrolment_file import load_enrolment

    set_file = load_set_file(table)
    return None if set_file is None else load_enrolment(set_file)
