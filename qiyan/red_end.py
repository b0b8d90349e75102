"""Which end of a found board is Red's: read from the pieces, or told by the arbiter."""

from calibration.grid import Grid
from calibration.turn import half_turn
from vision.frame import Image

LEAST_CONFIDENCE = 0.5
"""A read position below this does not settle which end is Red's."""
SIDES = ("bottom", "top", "left", "right")


def read_red_end(image_bgr: Image, grid: Grid) -> Grid | None:
    """The grid the right way round, with the height of the faces, from the pieces on it; None where they do not tell.

    The usual start position tells it best; any other is read piece by piece.
    """
    from models.network import load_nets
    from rules.fen import START_FEN, parse_fen
    from vision.known_start import KnownStartConfig, find_known_start
    from vision.pieces.read import read_board

    known = find_known_start(image_bgr, grid, parse_fen(START_FEN).board, turn_known=False)
    if known.holds(KnownStartConfig()):
        return known.window.grid
    reading = read_board(image_bgr, grid, load_nets())
    return reading.grid if reading.confidence >= LEAST_CONFIDENCE else None


def told_red_end(grid: Grid, side: str) -> Grid | None:
    """The grid turned so that Red sits at `side` of the picture; None where neither end lies there."""
    for way in (grid, half_turn(grid)):
        if way.red_side() == side:
            return way
    return None
