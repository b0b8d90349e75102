"""Following the board when camera or board move: how the window's content has shifted since it was anchored."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64, Grid, undistort
from calibration.homography import fit_homography
from vision.change import Mask
from vision.frame import Image
from vision.rectify import px_to_cells
from vision.window import CELL_PX, CENTRES_PX, MARGIN_CELLS

F32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class FollowConfig:
    """When the board is thought to have moved, and by how much it must have."""

    suspect_share: float = 0.22
    """Share of the visible points that look otherwise than remembered, from which a shift is looked for."""
    least_bare: int = 30
    """Points that hands leave bare, from which on these alone are asked."""
    least_cells: float = 0.02
    """Shifts below this are not corrected."""
    tell_cells: float = 0.10
    """Shifts from this on are told, and output pauses; smaller ones are corrected silently."""
    still_s: float = 0.35
    """Told as realigned when no shift was left for this long."""
    astray_share: float = 0.9
    """With this share of the points unlike, and no shift found, nothing seen can be trusted; hands hide less."""
    stands_alike: float = 0.4
    """Likeness of the bare points, taken together, from which the board stands where it stood: it is 0.7 and more with
    arms over it or in the dark, 0.3 and less where it moved by a third of a cell, and 0 in a black frame."""
    torn_lead: float = 0.25
    """A frame so much less alike than the last one may be torn: blitz players' arms make 0.2."""
    torn_s: float = 0.3
    """It is believed if it is still so after this long."""
    blink_s: float = 0.5
    """The board is watched on as before if it was not seen for no longer than this: hands take longer over a ply."""
    plies_s: float = 1.2
    """Two plies of blitz may have been made in this time."""
    missed_rate: float = 0.02
    """Weight of a frame in the share of those in which the board was not seen: some fifty are looked back on."""
    sure_share: float = 0.8
    """With this share of the corners agreed a small shift is one, though little looks as it did; of a torn frame's 0.56
    agree on what the good part of it seems to have moved by."""
    turned_alike: float = 0.7
    """Mean likeness of the pieces from which the board can have been turned by half; lamps throw other shadows then."""
    turned_lead: float = 0.2
    """By so much they have to be more alike turned by half than as they are."""
    least_pieces: int = 6
    """Fewer pieces in sight do not tell it."""
    lost_s: float = 2.0
    """Told as lost, and searched again, after this long."""
    least_inliers: int = 24
    """Corners that have to agree on a shift."""
    least_share: float = 0.45
    """Share of the followed corners that have to agree."""
    check_every_s: float = 3.0
    """Slow drift is looked for this often while the table is quiet."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """The window as it was when the grid was known, and corners to follow in it."""

    grey: NDArray[np.uint8]
    """(TALL, WIDE)"""
    corners_px: F32
    """(N, 1, 2) px"""


@dataclass(frozen=True, slots=True)
class Shift:
    """How the content of the window has moved."""

    h_then_to_now: F64
    """(3, 3) window px at anchoring -> window px now."""
    size_cells: float
    """Largest displacement of the five points a0, i0, i9, a9, e4, cells."""
    inlier_share: float


_CORNERS = 220
_MIN_DISTANCE_PX = 7
_FLOW = {
    "winSize": (17, 17),
    "maxLevel": 3,
    "criteria": (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 0.02),
}
_BACK_PX = 0.7
"""A corner followed forth and back has to return to within this."""
_RANSAC_PX = 0.9
_PROBES = np.array([CENTRES_PX[p] for p in (0, 8, 89, 81, 40)])


def anchor_of(window: Image, inside_board: Mask | None = None) -> Anchor:
    """Remember a window to follow it from."""
    grey = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY).astype(np.uint8)
    mask = None if inside_board is None else inside_board.astype(np.uint8)
    found = cv2.goodFeaturesToTrack(grey, _CORNERS, 0.02, _MIN_DISTANCE_PX, mask=mask)
    corners = np.zeros((0, 1, 2), dtype=np.float32) if found is None else found.astype(np.float32)
    return Anchor(grey, corners)


def find_shift(anchor: Anchor, window: Image, config: FollowConfig) -> Shift | None:
    """How the board has moved since anchoring; None where too few corners agree."""
    if len(anchor.corners_px) < config.least_inliers:
        return None
    grey = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY)
    there, ok, _ = cv2.calcOpticalFlowPyrLK(anchor.grey, grey, anchor.corners_px, None, **_FLOW)  # type: ignore[call-overload]
    back, ok2, _ = cv2.calcOpticalFlowPyrLK(grey, anchor.grey, there, None, **_FLOW)  # type: ignore[call-overload]
    loop = np.linalg.norm((back - anchor.corners_px).reshape(-1, 2), axis=1)
    good = (ok.ravel() > 0) & (ok2.ravel() > 0) & (loop < _BACK_PX)
    if np.count_nonzero(good) < config.least_inliers:
        return None
    from_px, to_px = anchor.corners_px[good].reshape(-1, 2), there[good].reshape(-1, 2)
    h, mask = cv2.findHomography(from_px, to_px, cv2.RANSAC, _RANSAC_PX)
    if h is None:
        return None
    inliers = int(mask.sum())
    share = inliers / len(anchor.corners_px)
    if inliers < config.least_inliers or share < config.least_share:
        return None
    moved = cv2.perspectiveTransform(_PROBES[None], h)[0] - _PROBES
    return Shift(h.astype(np.float64), float(np.linalg.norm(moved, axis=1).max()) / CELL_PX, share)


def shifted(grid: Grid, shift: Shift) -> Grid:
    """The grid that follows a shift of the window made with it."""
    now_px = cv2.perspectiveTransform(CENTRES_PX[None], shift.h_then_to_now)[0]
    before, after = (
        undistort(grid.to_px(_cells(at), grid.face_height), grid.k1, grid.size_wh) for at in (CENTRES_PX, now_px)
    )
    motion = fit_homography(before, after)
    return replace(grid, h_board_to_px=motion @ grid.h_board_to_px, up_px=motion @ grid.up_px)


def _cells(window_px: F64) -> F64:
    return px_to_cells(window_px, CELL_PX, MARGIN_CELLS)
