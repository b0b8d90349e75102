"""The same board seen from the other side."""

from dataclasses import replace

import numpy as np

from calibration.grid import Grid


def half_turn(grid: Grid) -> Grid:
    """The grid with Red's end and Black's exchanged."""
    turn = np.array([[-1.0, 0.0, 8.0], [0.0, -1.0, 8.0 + grid.river], [0.0, 0.0, 1.0]])
    h = grid.h_board_to_px @ turn
    return replace(grid, h_board_to_px=h / h[2, 2], up_px=grid.up_px / h[2, 2])
