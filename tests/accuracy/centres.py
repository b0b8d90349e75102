"""How far the centres of discs, as `qiyan read` tells them, lie from the truth, by look and by angle of the camera.

Stills of the simulated table, nobody's hand over it. The board is found as in any photograph, so that its error is in
the figures; beside it the same with the true grid. And 30 discs of six photographs whose centres were measured by hand:
in enlarged crops with a ruler, from the four outermost places of the ring or, where there is none, of the face
(good to about 0.01 cell, 0.025 in the ringless ones). Run by itself: python -m tests.accuracy centres
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tests.accuracy.runs import Store, add_store_options, key_of, run_tasks
from tests.shared_data import DATA

ELEVATIONS = (45.0, 60.0, 75.0, 90.0)
"""Degrees of the camera over the table."""
FENS = (
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1bakab2/4n4/1cn4c1/p3p3p/2p3r2/6P2/P1P1P3P/1CN3N1C/8R/2BAKABR1 w - - 0 1",
)
"""The start, where every point has a piece that is on it, and a middle game."""
BY_HAND = Path(__file__).with_name("centres_by_hand.json")
"""Photograph -> point -> x, y of the centre of the face that stands there, px."""


@dataclass(frozen=True, slots=True)
class Task:
    """One still."""

    look: str
    elevation_deg: float
    fen: str

    @property
    def key(self) -> str:
        """What tells this still from others."""
        return key_of(self)


def run(argv: Sequence[str] = ()) -> None:
    """Measure the stills and print the tables."""
    from qiyan.simulator.looks import NAMES

    parser = argparse.ArgumentParser(prog="python -m tests.accuracy centres")
    add_store_options(parser, "centres.jsonl")
    parser.add_argument("--looks", default=",".join(NAMES), help="which looks")
    parser.add_argument("--elevations", default=",".join(map(str, ELEVATIONS)), help="degrees")
    options = parser.parse_args(argv)
    elevations = [float(text) for text in options.elevations.split(",")]
    tasks = [Task(look, e, fen) for look in options.looks.split(",") for e in elevations for fen in FENS]
    known = run_tasks(tasks, measure_still, _line, Store.of(options), options.jobs)
    outcomes = [known[task.key] for task in tasks]
    print(f"\nRoot mean square error of the discs' centres, cells, board found (true grid):\n\n{table(outcomes)}")
    if (DATA / "real").is_dir():
        print(f"\nPhotographs, centres measured by hand, cells:\n\n{table_by_hand()}")


def measure_still(task: Task) -> dict[str, Any]:
    """Read one still; errors of the centres of all discs found on their points."""
    import cv2

    from calibration.find_board import find_board
    from models.network import load_nets
    from qiyan.simulator.looks import named_look
    from qiyan.simulator.script import Script, Wait
    from qiyan.simulator.table import Table
    from qiyan.simulator.true_grid import true_grid
    from vision.pieces.read import read_board

    cv2.setNumThreads(1)
    look = named_look(task.look)
    look = replace(look, view=replace(look.view, elevation_deg=task.elevation_deg), hands_rest_in_view=False)
    still = Table(look, Script((Wait(1.0),), task.fen))
    image = still.frame(0.0)
    truth = _true_offsets(still)
    outcome: dict[str, Any] = {"key": task.key, "look": task.look, "elevation": task.elevation_deg, "discs": len(truth)}
    nets = load_nets()
    for name, grid in (("found", find_board(image)), ("true", true_grid(look, still.camera))):
        reading = None if grid is None else read_board(image, grid, nets, turn_known=name == "true")
        told = {} if reading is None else {int(p.point): (p.dx, p.dy) for p in reading.points if p.piece}
        both = [point for point in told if point in truth]
        errors = np.array([np.subtract(told[point], truth[point]) for point in both]).reshape(-1, 2)
        outcome[name] = {"seen": len(both), "squares": float((errors**2).sum()), "worst": _worst(errors)}
    return outcome


def table_by_hand() -> str:
    """Markdown: a line a photograph."""
    import cv2

    from calibration.find_board import find_board
    from models.network import load_nets
    from rules.point import parse_point
    from vision.pieces.read import read_board

    lines = ["| photograph | discs | rms error | worst disc |", "|---|---|---|---|"]
    every = []
    nets = load_nets()
    for name, by_hand in json.loads(BY_HAND.read_text(encoding="utf-8")).items():
        image = cv2.imread(str(DATA / "real" / name))
        grid = find_board(image)
        assert grid is not None
        reading = read_board(image, grid, nets)
        points = [reading.points[parse_point(point)] for point in by_hand]
        cells = np.array([[p.point % 9 + p.dx, p.point // 9 + p.dy] for p in points])
        seen = reading.grid.to_px(cells, reading.grid.face_height)
        errors = (seen - np.array(list(by_hand.values()))) / grid.cell_px()
        every.append(errors)
        lines.append(f"| {name} | {len(errors)} | {_root(errors):.4f} | {_worst(errors):.3f} |")
    errors = np.concatenate(every)
    return "\n".join([*lines, f"| all | {len(errors)} | {_root(errors):.4f} | {_worst(errors):.3f} |"])


def _root(errors: Any) -> float:
    return float(np.sqrt((errors**2).mean()))


def _true_offsets(still: Any) -> dict[int, tuple[float, float]]:
    """Where the pieces lie off their points, cells."""
    from qiyan.simulator.moment import places_at

    lying, _ = places_at(still.stage, 0.0)
    places = {place.index: place.xyz for place in lying}
    offsets = {}
    for point, index in still.stage.on_point.items():
        spot = still.stage.spot(point)
        offsets[point] = (places[index][0] - spot[0], places[index][1] - spot[1])
    return offsets


def _worst(errors: Any) -> float:
    return float(np.hypot(*errors.T).max()) if len(errors) else 0.0


def table(outcomes: Sequence[dict[str, Any]]) -> str:
    """Markdown: a line a look, a column an elevation."""
    elevations = sorted({outcome["elevation"] for outcome in outcomes})
    head = " | ".join(f"{elevation:.0f} degrees" for elevation in elevations)
    lines = [f"| look | {head} | all | worst disc |", "|---|" + "---|" * (len(elevations) + 2)]
    for look in [*dict.fromkeys(outcome["look"] for outcome in outcomes), "all"]:
        some = [outcome for outcome in outcomes if look in ("all", outcome["look"])]
        cells = [_rms([o for o in some if o["elevation"] == elevation]) for elevation in elevations]
        worst = max(outcome["found"]["worst"] for outcome in some)
        lines.append(f"| {look} | {' | '.join(cells)} | {_rms(some)} | {worst:.2f} |")
    seen = sum(outcome["found"]["seen"] for outcome in outcomes)
    lines += ["", f"{seen} of {sum(outcome['discs'] for outcome in outcomes)} discs were found on their points."]
    return "\n".join(lines)


def _rms(outcomes: Sequence[dict[str, Any]]) -> str:
    """One coordinate's root mean square error, cells."""
    found, true = (
        np.sqrt(sum(o[name]["squares"] for o in outcomes) / max(1, 2 * sum(o[name]["seen"] for o in outcomes)))
        for name in ("found", "true")
    )
    return f"{found:.4f} ({true:.4f})"


def _line(outcome: dict[str, Any]) -> str:
    seen, worst = outcome["found"]["seen"], outcome["found"]["worst"]
    return f"{outcome['look']} {outcome['elevation']:.0f}: {seen} discs, {_rms([outcome])}, worst {worst:.3f}"
