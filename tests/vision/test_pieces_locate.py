import cv2
import numpy as np
import pytest

from vision.pieces.locate import edges_of, locate_disc, weakest_third

PX = 48.0


def board_with(centre=None, ring=False):
    """A cell's surroundings with crossing lines and perhaps a disc, drawn eight times as fine and shrunk."""
    fine = np.full((960, 960, 3), (150, 190, 210), np.uint8)
    cv2.line(fine, (480, 0), (480, 959), (40, 50, 60), 12)
    cv2.line(fine, (0, 480), (959, 480), (40, 50, 60), 12)
    if centre is not None:
        at = tuple(round(8 * (v + 0.5)) for v in centre)
        cv2.circle(fine, at, round(8 * 0.42 * PX), (220, 235, 240), -1, cv2.LINE_AA)
        if ring:
            cv2.circle(fine, at, round(8 * 0.33 * PX), (30, 30, 190), 16, cv2.LINE_AA)
        cv2.putText(fine, "R", (at[0] - 60, at[1] + 60), cv2.FONT_HERSHEY_SIMPLEX, 5, (30, 30, 190), 14)
    return np.asarray(cv2.resize(fine, (120, 120), interpolation=cv2.INTER_AREA), dtype=np.uint8)


@pytest.mark.parametrize("ring", [False, True])
@pytest.mark.parametrize("centre", [(60.0, 60.0), (63.25, 56.5), (57.5, 62.25)])
def test_the_centre_is_found_to_a_fiftieth_of_a_cell(centre, ring):
    edges = edges_of(board_with(centre, ring), PX)
    disc = locate_disc(edges, (60.0, 60.0), 0.42 * PX, 0.15 * PX, 0.34 * PX if ring else None)
    assert np.hypot(disc.x_px - centre[0], disc.y_px - centre[1]) < 0.02 * PX
    assert disc.score > 0.6


def test_crossing_lines_are_no_rim():
    radii = np.array([0.42 * PX])
    around = np.array([[60.0 + x, 60.0 + y] for x in (-3, 0, 3) for y in (-3, 0, 3)])
    empty = weakest_third(edges_of(board_with(), PX), around, radii).max()
    piece = weakest_third(edges_of(board_with((60.0, 60.0)), PX), around, radii).max()
    assert empty < 0.35 < 0.65 < piece
