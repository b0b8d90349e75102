"""How far the found board's corners lie from the labelled ones, in cells, by source."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.corners import grid_from_corners
from calibration.grid import Grid

CORNER_OF_LABEL = {"red_left": "a0", "red_right": "i0", "black_right": "i9", "black_left": "a9"}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A picture and where its board's corners are."""

    name: str
    source: str
    path: Path
    corners: dict[str, tuple[float, float]]


def photographs(data: Path) -> Iterator[Labelled]:
    """The real pictures labelled with high confidence."""
    for line in (data / "real" / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        if label["confidence"] != "high":
            continue
        corners = {CORNER_OF_LABEL[k]: (float(x), float(y)) for k, (x, y) in label["corners"].items()}
        source, _, name = label["image"].partition("/")
        yield Labelled(name, source, data / "real" / label["image"], corners)


def corner_error_cells(found: Grid, true_corners: dict[str, tuple[float, float]]) -> float:
    """The largest corner error in cells, up to a half turn."""
    truth = grid_from_corners(true_corners, found.size_wh)
    want = np.array([true_corners[n] for n in ("a0", "i0", "i9", "a9")])
    have = np.array([found.corners_px()[n] for n in ("a0", "i0", "i9", "a9")])
    worst = [float(np.hypot(*(np.roll(have, turn, axis=0) - want).T).max()) for turn in (0, 2)]
    return min(worst) / truth.cell_px()
