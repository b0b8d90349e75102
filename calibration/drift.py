"""Following the grid from frame to frame: slow drift, bumps of the camera, a board that was pushed."""

from dataclasses import dataclass, replace
from enum import Enum, auto

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.find_board import find_board
from calibration.grid import Grid, undistort
from calibration.homography import apply, fit_homography
from calibration.turn import half_turn

F64 = NDArray[np.float64]
Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

CORNERS = np.array([[0.0, 0.0], [8.0, 0.0], [8.0, 9.0], [0.0, 9.0]])
BORDER_CELLS = 0.45
"""How far beyond the outermost points the board surely reaches."""


@dataclass(frozen=True, slots=True)
class DriftConfig:
    """What counts as drift and what as a bump."""

    track_cell_px: float = 28.0
    """Size of a cell in the shrunk picture that is tracked, px; more is finer and slower."""
    landmarks: int = 160
    """Spots that are tracked."""
    window_px: int = 15
    """Side of the patch that is compared round each spot, px of the shrunk picture."""
    steady_cells: float = 0.012
    """Moves of the corners up to this are measuring noise, and change nothing."""
    moved_cells: float = 0.12
    """Moves of a corner over this are a bump, not a drift."""
    inlier_cells: float = 0.05
    """A spot within this of the common motion takes part in it."""
    least_share: float = 0.5
    """With less of the visible spots in one motion, there is no saying where the board is."""
    least_landmarks: int = 16
    """Fewer spots than this tell nothing."""


class DriftState(Enum):
    """What became of the grid."""

    STEADY = auto()
    """It is where it was."""
    DRIFTED = auto()
    """It moved by a little, and was put right."""
    MOVED = auto()
    """It moved by much (camera or board was bumped), and was put right."""
    UNKNOWN = auto()
    """It cannot be told: too much is covered, dark, or changed."""


@dataclass(frozen=True, slots=True)
class DriftReport:
    """How the grid moved, and how sure that is."""

    state: DriftState
    shift_cells: float
    """Largest move of a corner against the grid given, cells; 0 where it is not known."""
    residual_cells: float
    """Root mean square distance of the spots from the common motion, cells."""
    share: float
    """Share of the visible spots that take part in the common motion: near 1 is sure."""
    landmarks: int
    """Spots that were visible."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A still frame in which the grid was known, with the spots to recognise."""

    grid: Grid
    config: DriftConfig
    scale: float
    """Size of the shrunk picture over that of the picture."""
    even: Image
    """(h, w) the shrunk grey picture with light and contrast evened out."""
    spots_px: NDArray[np.float32]
    """(N, 2) the spots in the shrunk picture."""


def new_reference(
    image_bgr: Image, grid: Grid, still_mask: Mask | None = None, config: DriftConfig | None = None
) -> Reference:
    """Remember a still frame.

    Remember another one whenever the view was clear and the grid steady for some seconds: pieces that were moved since
    are spots lost.

    still_mask : (h, w) at any size, True where the picture is at rest and nothing foreign covers the board
    """
    config = config or DriftConfig()
    scale = min(1.0, config.track_cell_px / grid.cell_px())
    even = _even(image_bgr, scale)
    edge = BORDER_CELLS
    outline = grid.to_px(np.array([[-edge, -edge], [8 + edge, -edge], [8 + edge, 9 + edge], [-edge, 9 + edge]]))
    board = np.zeros(even.shape, dtype=np.uint8)
    cv2.fillConvexPoly(board, np.rint((outline + 0.5) * scale - 0.5).astype(np.int32), 255)
    if still_mask is not None:
        board[~_resized(still_mask, even.shape)] = 0
    spacing = 0.45 * grid.cell_px() * scale
    spots = cv2.goodFeaturesToTrack(even, config.landmarks, 0.02, spacing, mask=board, blockSize=5)
    found = np.zeros((0, 2), dtype=np.float32) if spots is None else spots.reshape(-1, 2)
    return Reference(grid, config, scale, even, np.asarray(found, dtype=np.float32))


def follow(
    reference: Reference, grid: Grid, image_bgr: Image, still_mask: Mask | None = None
) -> tuple[Grid, DriftReport]:
    """Where the grid is now.

    grid       : where it was last, a half step from the truth at most; returned unchanged unless it moved
    still_mask : as for `new_reference`
    """
    config = reference.config
    even = _even(image_bgr, reference.scale)
    before = reference.spots_px
    expected = _carried(before, reference, grid)
    visible = _inside(expected, even.shape)
    if still_mask is not None:
        visible &= _at(_resized(still_mask, even.shape), expected)
    before, expected = before[visible], expected[visible]
    if len(before) < config.least_landmarks:
        return grid, DriftReport(DriftState.UNKNOWN, 0.0, 0.0, 0.0, len(before))
    after, tracked = _track(reference.even, even, before, expected, config.window_px)
    motion, inliers, residual = _common_motion(reference, before, after, tracked)
    share = float(inliers.sum() / len(before))
    if motion is None or share < config.least_share or inliers.sum() < config.least_landmarks:
        return grid, DriftReport(DriftState.UNKNOWN, 0.0, residual, share, len(before))
    now = _moved(reference.grid, motion)
    shift = float(np.hypot(*(now.to_px(CORNERS) - grid.to_px(CORNERS)).T).max() / grid.cell_px())
    if shift <= config.steady_cells:
        return grid, DriftReport(DriftState.STEADY, shift, residual, share, len(before))
    state = DriftState.MOVED if shift > config.moved_cells else DriftState.DRIFTED
    return now, DriftReport(state, shift, residual, share, len(before))


def find_again(image_bgr: Image, grid: Grid) -> Grid | None:
    """Look for the board anew after it was lost; which end is Red's is taken from where it was last."""
    found = find_board(image_bgr)
    if found is None:
        return None
    old = grid.to_px(CORNERS)
    old = old - old.mean(axis=0)
    candidates = (found, half_turn(found))
    turned = [float(np.sum((c.to_px(CORNERS) - c.to_px(CORNERS).mean(axis=0)) * old)) for c in candidates]
    best = candidates[int(np.argmax(turned))]
    return replace(best, face_height=grid.face_height)


def _even(image_bgr: Image, scale: float) -> Image:
    """Shrunk grey picture, the same under any light."""
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    if scale < 1.0:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    fine = grey.astype(np.float32)
    detail = fine - cv2.blur(fine, (25, 25))
    contrast = np.sqrt(cv2.blur(detail * detail, (49, 49))) + 2.0
    return np.clip(128.0 + 45.0 * detail / contrast, 0, 255).astype(np.uint8)


def _carried(spots: NDArray[np.float32], reference: Reference, grid: Grid) -> NDArray[np.float32]:
    """Where the spots must be now if the grid is right."""
    cells = reference.grid.to_cells((spots.astype(np.float64) + 0.5) / reference.scale - 0.5)
    return ((grid.to_px(cells) + 0.5) * reference.scale - 0.5).astype(np.float32)


def _track(
    old: Image, new: Image, before: NDArray[np.float32], expected: NDArray[np.float32], window_px: int
) -> tuple[NDArray[np.float32], Mask]:
    """Find the spots again; those that do not lead back to where they came from are not found."""
    size = (window_px, window_px)
    start = expected.reshape(-1, 1, 2).copy()
    after, ok, _ = cv2.calcOpticalFlowPyrLK(
        old, new, before.reshape(-1, 1, 2), start, winSize=size, maxLevel=3, flags=cv2.OPTFLOW_USE_INITIAL_FLOW
    )
    home = before.reshape(-1, 1, 2).copy()
    back, ok_back, _ = cv2.calcOpticalFlowPyrLK(
        new, old, after, home, winSize=size, maxLevel=1, flags=cv2.OPTFLOW_USE_INITIAL_FLOW
    )
    gap = np.hypot(*(back.reshape(-1, 2) - before).T)
    found = (ok.ravel() > 0) & (ok_back.ravel() > 0) & (gap < 0.5)
    return np.asarray(after.reshape(-1, 2), dtype=np.float32), np.asarray(found, dtype=np.bool_)


def _common_motion(
    reference: Reference, before: NDArray[np.float32], after: NDArray[np.float32], tracked: Mask
) -> tuple[F64 | None, Mask, float]:
    """The homography (straightened px of the whole picture) that most spots follow, who they are, and their residual
    in cells."""
    grid, config = reference.grid, reference.config
    inliers = np.zeros(len(before), dtype=np.bool_)
    if tracked.sum() < config.least_landmarks:
        return None, inliers, 0.0
    source, target = (
        undistort((p[tracked].astype(np.float64) + 0.5) / reference.scale - 0.5, grid.k1, grid.size_wh)
        for p in (before, after)
    )
    cell = grid.cell_px()
    first, _ = cv2.findHomography(source, target, cv2.RANSAC, config.inlier_cells * cell, maxIters=500)
    if first is None:
        return None, inliers, 0.0
    motion: F64 = np.asarray(first, dtype=np.float64)
    for _ in range(3):
        off = np.hypot(*(apply(motion, source) - target).T) / cell
        near = off < config.inlier_cells
        if near.sum() < config.least_landmarks:
            return None, inliers, 0.0
        spread = max(1.5 * float(np.median(off[near])), 0.004)
        motion = fit_homography(source[near], target[near], 1.0 / (1.0 + (off[near] / spread) ** 2))
    off = np.hypot(*(apply(motion, source) - target).T) / cell
    near = off < config.inlier_cells
    inliers[np.flatnonzero(tracked)[near]] = True
    return motion, inliers, float(np.sqrt(np.mean(off[near] ** 2))) if near.any() else 0.0


def _moved(grid: Grid, motion: F64) -> Grid:
    h = motion @ grid.h_board_to_px
    return replace(grid, h_board_to_px=h / h[2, 2], up_px=motion @ grid.up_px / h[2, 2])


def _resized(mask: Mask, shape: tuple[int, ...]) -> Mask:
    if mask.shape == shape:
        return mask
    out = cv2.resize(mask.astype(np.uint8), (shape[1], shape[0]), interpolation=cv2.INTER_NEAREST)
    return np.asarray(out > 0)


def _inside(px: NDArray[np.float32], shape: tuple[int, ...]) -> Mask:
    return np.asarray((px[:, 0] >= 1) & (px[:, 1] >= 1) & (px[:, 0] < shape[1] - 2) & (px[:, 1] < shape[0] - 2))


def _at(mask: Mask, px: NDArray[np.float32]) -> Mask:
    at = np.rint(px).astype(np.intp)
    x, y = np.clip(at[:, 0], 0, mask.shape[1] - 1), np.clip(at[:, 1], 0, mask.shape[0] - 1)
    return np.asarray(mask[y, x])
