"""The simulated camera: a pinhole with mild lens distortion, looking down on the board.

The world is measured in cells: x from a0 towards file i, y towards rank 9, z up from the surface of the board.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]
F32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the camera stands and how its lens draws."""

    size_wh: tuple[int, int]
    """Size of the picture, px."""
    focal_px: float
    """Focal length, px."""
    centre: tuple[float, float, float]
    """Where it stands, cells."""
    rotation: tuple[float, ...]
    """The nine entries of the matrix world -> camera (x right, y down, z ahead), row by row."""
    k1: float = 0.0
    """Radial distortion about the picture's middle, in half diagonals: distorted = r (1 + k1 r^2 + k2 r^4)."""
    k2: float = 0.0

    def matrix(self) -> F64:
        """(3, 3) world -> camera."""
        return np.array(self.rotation, dtype=np.float64).reshape(3, 3)

    def project(self, xyz: F64) -> tuple[F64, F64]:
        """(N, 3) cells -> (N, 2) px in the picture as taken, and (N,) depths ahead of the camera in cells."""
        seen = (np.asarray(xyz, dtype=np.float64).reshape(-1, 3) - np.array(self.centre)) @ self.matrix().T
        depth = np.maximum(seen[:, 2], 1e-3)
        r = seen[:, :2] / depth[:, None] * (self.focal_px / self.half_diagonal_px)
        return self._middle() + self.half_diagonal_px * r * self._stretch(r), seen[:, 2]

    def to_px(self, xyz: F64) -> F64:
        """(N, 3) cells -> (N, 2) px in the picture as taken."""
        return self.project(xyz)[0]

    def plane_maps(self, z: float) -> tuple[F32, F32]:
        """For every pixel the x and y, in cells, of what it sees on the plane `z` cells above the board."""
        ray = _rays(self)
        # Rays at or above the horizon meet the plane nowhere: send them far away.
        reach = (z - self.centre[2]) / np.minimum(ray[..., 2], -1e-3)
        x = self.centre[0] + reach * ray[..., 0]
        y = self.centre[1] + reach * ray[..., 1]
        return x.astype(np.float32), y.astype(np.float32)

    def rays(self) -> F32:
        """(h, w, 3) the direction, in world axes, in which every pixel looks."""
        w, h = self.size_wh
        u, v = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
        middle = self._middle().astype(np.float32)
        seen = np.stack([u - middle[0], v - middle[1]], axis=-1) / np.float32(self.half_diagonal_px)
        r = seen.copy()
        if self.k1 or self.k2:
            for _ in range(8):
                square = np.sum(r * r, axis=-1, keepdims=True)
                r = seen / (1.0 + self.k1 * square + self.k2 * square * square)
        r *= np.float32(self.half_diagonal_px / self.focal_px)
        to_world = self.matrix().T.astype(np.float32)
        return np.asarray(r @ to_world[:, :2].T + to_world[:, 2], dtype=np.float32)

    def turned(self, yaw_deg: float, pitch_deg: float, roll_deg: float) -> "Camera":
        """The same camera bumped: turned about its own axes where it stands."""
        yaw, pitch, roll = np.deg2rad([yaw_deg, pitch_deg, roll_deg])
        about_y = np.array([[np.cos(yaw), 0, -np.sin(yaw)], [0, 1, 0], [np.sin(yaw), 0, np.cos(yaw)]])
        about_x = np.array([[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]])
        about_z = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
        return replace(self, rotation=tuple((about_z @ about_x @ about_y @ self.matrix()).ravel()))

    def cell_px(self, xyz: F64) -> F64:
        """(N,) px that one cell across the line of sight takes at (N, 3) positions."""
        depth = (np.asarray(xyz).reshape(-1, 3) - np.array(self.centre)) @ self.matrix()[2]
        return np.asarray(self.focal_px / np.maximum(depth, 1e-3))

    @property
    def half_diagonal_px(self) -> float:
        """Half the diagonal of the picture, px."""
        return float(np.hypot(*self.size_wh) / 2.0)

    def _middle(self) -> F64:
        return np.array([(self.size_wh[0] - 1) / 2.0, (self.size_wh[1] - 1) / 2.0])

    def _stretch(self, r: F64) -> F64:
        # Far outside the picture the polynomial would fold space back into it.
        square = np.minimum(np.sum(r * r, axis=1, keepdims=True), 2.0)
        return np.asarray(1.0 + self.k1 * square + self.k2 * square * square)


@lru_cache(maxsize=1)
def _rays(camera: Camera) -> F32:
    """Kept: a look asks for several planes of one camera."""
    return camera.rays()


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Where somebody put the camera."""

    elevation_deg: float = 75.0
    """Height over the horizon: 90 looks straight down."""
    turn_deg: float = 0.0
    """Where it stands round the board: 0 behind Red (Red at the bottom of the picture), 90 with Red at the left."""
    field_deg: float = 55.0
    """Horizontal field of view."""
    fill: float = 0.86
    """How much of the picture's tighter side the board takes."""
    shift: tuple[float, float] = (0.0, 0.0)
    """Where the board's middle lies, in shares of half the picture's width and height."""
    roll_deg: float = 0.0
    k1: float = 0.0
    k2: float = 0.0


def make_camera(view: Viewpoint, size_wh: tuple[int, int], board_xy: F64) -> Camera:
    """Stand the camera so far off that the board's corners, (N, 2) cells, fill the picture as asked."""
    w, h = size_wh
    focal_px = w / 2.0 / np.tan(np.deg2rad(view.field_deg) / 2.0)
    e, a, roll = np.deg2rad([view.elevation_deg, view.turn_deg, view.roll_deg])
    outward = np.array([np.sin(a) * np.cos(e), -np.cos(a) * np.cos(e), np.sin(e)])
    right = np.array([np.cos(a), np.sin(a), 0.0])
    down = np.cross(-outward, right)
    level = np.stack([right, down, -outward])
    spin = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    middle = np.append(board_xy.mean(axis=0), 0.0)
    corners = np.column_stack([board_xy, np.zeros(len(board_xy))])
    distance = 20.0
    aim = np.zeros(2)
    half_wh = np.array([w / 2.0, h / 2.0])
    camera = Camera(size_wh, focal_px, (0.0, 0.0, 0.0), tuple((spin @ level).ravel()), view.k1, view.k2)
    for _ in range(60):
        aside = camera.matrix().T @ np.array([aim[0], aim[1], 0.0])
        camera = replace(camera, centre=tuple(middle + outward * distance + aside))
        px = camera.to_px(corners)
        low, high = px.min(axis=0), px.max(axis=0)
        off_px = (low + high) / 2.0 - half_wh * (1.0 + np.array(view.shift))
        aim = aim + 0.8 * off_px * distance / focal_px
        distance *= 1.0 + 0.6 * (float(np.max((high - low) / 2.0 / half_wh)) / view.fill - 1.0)
    return camera
