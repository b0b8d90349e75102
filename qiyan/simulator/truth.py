"""The truth of a film, as data in the shape of the sample videos' truth.json."""

import numpy as np

from qiyan.simulator.board_style import widen
from qiyan.simulator.camera import Camera
from qiyan.simulator.stage import Stage
from rules.piece import SIDE_NAMES

CORNERS = {"a0": (0.0, 0.0), "i0": (8.0, 0.0), "i9": (8.0, 9.0), "a9": (0.0, 9.0)}
ALL_INCIDENTS = (
    "touch_move", "unannounced_adjust", "take_back", "between_points", "disturbed_pieces", "illegal_move", "suicide",
    "out_of_turn", "clock_before_move", "clock_not_pressed", "flag_fall", "repetition", "natural_limit",
    "board_differs",
)  # fmt: skip


def corners_px(stage: Stage, camera: Camera) -> dict[str, list[float]]:
    """The four outermost points of the grid, on the board, px."""
    flat = widen(np.array(list(CORNERS.values())), stage.look.board.river)
    px = camera.to_px(np.column_stack([flat, np.zeros(4)]))
    return {name: [round(float(x), 2), round(float(y), 2)] for name, (x, y) in zip(CORNERS, px, strict=True)}


def red_side(corners: dict[str, list[float]]) -> str:
    """The side of the picture where Red sits."""
    near = (np.array(corners["a0"]) + np.array(corners["i0"])) / 2
    far = (np.array(corners["a9"]) + np.array(corners["i9"])) / 2
    dx, dy = near - far
    if abs(dx) > abs(dy):
        return "right" if dx > 0 else "left"
    return "bottom" if dy > 0 else "top"


def make_truth(stage: Stage, camera: Camera, camera_after: Camera | None, length_s: float) -> dict[str, object]:
    """Moves, presses, incidents and the scene."""
    look = stage.look
    corners = corners_px(stage, camera)
    scene: dict[str, object] = {
        "look": look.name,
        "seed": look.seed,
        "size": list(look.size_wh),
        "fps": look.fps,
        "red_side": red_side(corners),
        "elev": look.view.elevation_deg,
        "disc_cells": round(2 * look.pieces.radius, 3),
        "thick_cells": round(look.pieces.height, 3),
        "corners_px": corners,
    }
    if camera_after is not None:
        scene["corners_px_after_bump"] = corners_px(stage, camera_after)
    named = {str(incident["incident"]) for incident in stage.incidents}
    return {
        "start_fen": stage.script.start_fen,
        "moves": [_rounded(move) for move in stage.moves],
        "presses": [{"t": round(t, 3), "side": SIDE_NAMES[side]} for t, side in sorted(stage.presses)],
        "incidents": [_rounded(incident) for incident in stage.incidents],
        "forbidden_incidents": [name for name in ALL_INCIDENTS if name not in named],
        "touches": [_rounded(touch) for touch in stage.touches],
        "withdrawn": [_rounded(move) for move in stage.withdrawn],
        "result": "*",
        "length_s": round(length_s, 3),
        "note": stage.script.note,
        "scene": scene,
    }


def _rounded(entry: dict[str, object]) -> dict[str, object]:
    return {key: round(value, 3) if isinstance(value, float) else value for key, value in entry.items()}
