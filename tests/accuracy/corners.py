"""How far the found board's corners lie from the labelled ones, in cells, by source.

Run by itself: python -m tests.accuracy corners
"""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.corners import grid_from_corners
from calibration.find_board import find_board
from calibration.grid import Grid
from tests.shared_data import DATA

CORNER_OF_LABEL = {"red_left": "a0", "red_right": "i0", "black_right": "i9", "black_left": "a9"}
NOT_FOUND = 99.0
"""Corner error, in cells, where no board was found."""
BARS_CELLS = (0.1, 0.15)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A picture and where its board's corners are."""

    name: str
    source: str
    path: Path
    corners: dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class CornerResult:
    """What became of one picture."""

    name: str
    source: str
    error_cells: float
    """Largest error of the four corners, up to a half turn of the board."""
    confidence: float
    cpu_s: float


def photographs(data: Path) -> Iterator[Labelled]:
    """The real pictures labelled with high confidence."""
    for line in (data / "real" / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        if label["confidence"] != "high":
            continue
        corners = {CORNER_OF_LABEL[k]: (float(x), float(y)) for k, (x, y) in label["corners"].items()}
        source, _, name = label["image"].partition("/")
        yield Labelled(name, source, data / "real" / label["image"], corners)


def videos(data: Path) -> Iterator[Labelled]:
    """The sample videos, whose first frames are measured."""
    for folder in sorted(p for p in (data / "video").iterdir() if p.is_dir()):
        scene = json.loads((folder / "truth.json").read_text(encoding="utf-8"))["scene"]
        corners = {name: (float(x), float(y)) for name, (x, y) in scene["corners_px"].items()}
        yield Labelled(folder.name, "video", folder / "video.mp4", corners)


def first_picture(path: Path) -> np.ndarray:
    """The picture of a file, or the first frame of a video."""
    if path.suffix == ".mp4":
        capture = cv2.VideoCapture(str(path))
        ok, image = capture.read()
        capture.release()
        return image if ok else np.zeros((8, 8, 3), dtype=np.uint8)
    return cv2.imread(str(path))


def corner_error_cells(found: Grid, true_corners: dict[str, tuple[float, float]]) -> float:
    """The largest corner error in cells, up to a half turn."""
    truth = grid_from_corners(true_corners, found.size_wh)
    want = np.array([true_corners[n] for n in ("a0", "i0", "i9", "a9")])
    have = np.array([found.corners_px()[n] for n in ("a0", "i0", "i9", "a9")])
    worst = [float(np.hypot(*(np.roll(have, turn, axis=0) - want).T).max()) for turn in (0, 2)]
    return min(worst) / truth.cell_px()


def measure(items: Iterator[Labelled]) -> list[CornerResult]:
    """Look for the board in each picture."""
    results = []
    for item in items:
        image = first_picture(item.path)
        start = time.process_time()
        grid = find_board(image)
        spent = time.process_time() - start
        error = NOT_FOUND if grid is None else corner_error_cells(grid, item.corners)
        results.append(CornerResult(item.name, item.source, error, grid.confidence if grid else 0.0, spent))
    return results


def false_boards(data: Path) -> list[tuple[str, str, float]]:
    """Name, kind and confidence of what is found in the pictures that show no whole, playable board."""
    out = []
    for line in (data / "real" / "negatives.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        grid = find_board(cv2.imread(str(data / "real" / entry["image"])))
        out.append((entry["image"].partition("/")[2], entry["kind"], grid.confidence if grid else 0.0))
    return out


def report(data: Path) -> str:
    """The tables of docs/accuracy.md, in Markdown."""
    results = measure(videos(data)) + measure(photographs(data))
    lines = [
        "| source | pictures | within 0.1 cell | within 0.15 cell | median, cells | worst, cells | CPU s a picture |",
        "|---|---|---|---|---|---|---|",
    ]
    for source in [*dict.fromkeys(r.source for r in results), "all"]:
        some = [r for r in results if source in (r.source, "all")]
        errors = np.array([r.error_cells for r in some])
        shares = " | ".join(f"{100.0 * np.mean(errors <= bar):.1f} %" for bar in BARS_CELLS)
        spent = np.mean([r.cpu_s for r in some])
        lines.append(
            f"| {source} | {len(some)} | {shares} | {np.median(errors):.3f} | {errors.max():.2f} | {spent:.2f} |"
        )
    missed = [r for r in results if r.error_cells > BARS_CELLS[-1]]
    lines += ["", "Missed: " + (", ".join(f"{r.name} ({r.error_cells:.2f})" for r in missed) or "none") + "."]
    lines += ["", "| picture without a whole board | kind | confidence |", "|---|---|---|"]
    lines += [f"| {name} | {kind} | {confidence:.2f} |" for name, kind, confidence in false_boards(data)]
    return "\n".join(lines)


def run(argv: Sequence[str]) -> int:
    """Print the tables; no options."""
    if argv:
        print(f"corners takes no options: {' '.join(argv)}", file=sys.stderr)
        return 2
    if not DATA.is_dir():
        print(f"the shared test material is not at {DATA}")
        return 0
    print(report(DATA))
    return 0
