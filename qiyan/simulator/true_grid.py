"""The grid as it truly lies in the simulated picture, in the project's own terms."""

import numpy as np

from calibration.grid import Grid
from qiyan.simulator.camera import Camera
from qiyan.simulator.look import Look


def true_grid(look: Look, camera: Camera) -> Grid:
    """Exact but for the lens's k2, which a Grid does not know: below 0.2 px."""
    w, h = camera.size_wh
    k = np.array([[camera.focal_px, 0.0, (w - 1) / 2.0], [0.0, camera.focal_px, (h - 1) / 2.0], [0.0, 0.0, 1.0]])
    world = np.column_stack([camera.matrix(), -camera.matrix() @ np.array(camera.centre)])
    full = k @ world
    scale = full[2, 3]
    return Grid(
        h_board_to_px=full[:, [0, 1, 3]] / scale,
        size_wh=(w, h),
        up_px=full[:, 2] / scale,
        face_height=look.pieces.height,
        river=look.board.river,
        k1=camera.k1,
    )
