"""Real photographs: how right the board, the pieces, their sides and kinds are read, by source.

Two tables: with nothing known of the set, and with the set enrolled from one picture of a known position. Pictures
labelled with high confidence count; the negatives are only read for their confidence.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.accuracy.corners import CORNER_OF_LABEL, corner_error_cells
from tests.accuracy.runs import Store, add_store_options, key_of, run_tasks
from tests.shared_data import DATA

REAL = DATA / "real"

SETS: dict[str, tuple[str, tuple[str, ...]]] = {
    # Name of the set, the picture it is enrolled from, and how the other pictures of it begin. Told apart by eye.
    "haodong": ("haodong_webcam/hd_020.jpg", ("haodong_webcam/hd_0", "haodong_webcam/hd_1", "haodong_webcam/hd_w")),
    "jf": ("jf_sliding_robot/jf_18.jpg", ("jf_sliding_robot/jf_",)),
    "ptt3199": ("ptt3199_overhead/ptt_temp.jpg", ("ptt3199_overhead/ptt_temp_",)),
    "club": (
        "xqrecognition/xqr_130204.jpg",
        (
            "xqrecognition/xqr_1258",
            "xqrecognition/xqr_1259",
            "xqrecognition/xqr_1301",
            "xqrecognition/xqr_1302",
            "xqrecognition/xqr_1303",
            "xqrecognition/xqr_130441",
            "xqrecognition/xqr_130623",
        ),
    ),
}
NOT_OF_THE_SET = ("haodong_webcam/hd_000.jpg",)
"""An earlier, smaller set on the same table."""

MODES = {
    "found": "Nothing known of the set, board found",
    "given": "Nothing known of the set, corners given",
    "enrolled": "Set enrolled from one picture, corners given",
}


@dataclass(frozen=True, slots=True)
class Task:
    """One picture to read."""

    image: str
    mode: str
    """found, given or enrolled."""
    enrolled_from: str

    @property
    def key(self) -> str:
        """What tells this reading from others."""
        return key_of(self)


def run(argv: Sequence[str] = ()) -> None:
    """Read the photographs and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.accuracy photos")
    add_store_options(parser, "photos.jsonl")
    parser.add_argument("--modes", default="found,given,enrolled", help="which of found, given, enrolled, negative")
    parser.add_argument("--only", default="", help="pictures whose name holds this")
    options = parser.parse_args(argv)
    if not REAL.is_dir():
        print(f"skipped: no photographs at {REAL}")
        return
    labels = {label["image"]: label for label in _lines("labels.jsonl")}
    tasks = [task for task in _tasks(labels.values()) if options.only in task.image]
    tasks = [task for task in tasks if task.mode in options.modes.split(",") or task.mode == "negative"]
    known = run_tasks(tasks, read_photo, _line, Store.of(options), options.jobs)
    outcomes = [known[task.key] for task in tasks]
    for mode, title in MODES.items():
        of_mode = [outcome for outcome in outcomes if outcome["mode"] == mode]
        if of_mode:
            print(f"\n### {title}\n\n{table(of_mode)}")
            print(f"\nConfidence against boards exactly right:\n\n{reliability(of_mode)}")
    negatives = [outcome for outcome in outcomes if outcome["mode"] == "negative"]
    if negatives:
        print(f"\n### Pictures that show no whole, clear board\n\n{negative_table(negatives)}")


def read_photo(task: Task) -> dict[str, Any]:
    """Read one picture; what came of it beside its label."""
    import cv2

    from calibration.corners import grid_from_corners
    from calibration.find_board import find_board
    from models.network import load_nets
    from rules.piece import letter_of
    from vision.pieces.enrol import enrol
    from vision.pieces.read import read_board

    cv2.setNumThreads(1)
    nets = load_nets()
    outcome: dict[str, Any] = {"key": task.key, "image": task.image, "mode": task.mode, "found": False}
    image = cv2.imread(str(REAL / task.image), cv2.IMREAD_COLOR)
    size_wh = (image.shape[1], image.shape[0])
    label = next((label for label in _lines("labels.jsonl") if label["image"] == task.image), None)
    corners = None if label is None else {CORNER_OF_LABEL[k]: tuple(v) for k, v in label["corners"].items()}
    given = task.mode in ("given", "enrolled")
    grid = grid_from_corners(corners, size_wh) if given and corners else find_board(image)
    if grid is None:
        return outcome
    enrolment = None
    if task.enrolled_from:
        known = next(other for other in _lines("labels.jsonl") if other["image"] == task.enrolled_from)
        first = cv2.imread(str(REAL / task.enrolled_from), cv2.IMREAD_COLOR)
        first_corners = {CORNER_OF_LABEL[k]: tuple(v) for k, v in known["corners"].items()}
        first_grid = grid_from_corners(first_corners, (first.shape[1], first.shape[0]))
        enrolment = enrol(first, first_grid, _position(known["fen"]), nets)
    reading = read_board(image, grid, nets, enrolment, turn_known=given)
    outcome |= {"found": True, "confidence": round(reading.confidence, 4), "grid_confidence": grid.confidence}
    if label is not None and corners is not None:
        outcome["corner_cells"] = round(corner_error_cells(grid, corners), 3)
        have = "".join(letter_of(piece) for piece in reading.position.board)
        outcome |= compare("".join(letter_of(piece) for piece in _position(label["fen"]).board), have)
        outcome["doubts"] = len(reading.doubts)
    return outcome


def compare(want: str, have: str) -> dict[str, Any]:
    """Two boards of 90 letters side by side."""
    pairs = list(zip(want, have, strict=True))
    both = [(a, b) for a, b in pairs if a != "." and b != "."]
    return {
        "pieces": sum(a != "." for a in want),
        "occupancy_wrong": sum((a != ".") != (b != ".") for a, b in pairs),
        "both": len(both),
        "side_wrong": sum(a.isupper() != b.isupper() for a, b in both),
        "kind_wrong": sum(a.upper() != b.upper() for a, b in both),
        "exact": want == have,
        "errors": " ".join(f"{a}>{b}" for a, b in pairs if a != b),
    }


def table(outcomes: Sequence[dict[str, Any]]) -> str:
    """Markdown: a line a source, and one for all."""
    lines = [
        "| source | pictures | found | corners < 0.15 | < 0.1 | occupied/empty | side | kind | boards exact |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    sources = sorted({outcome["image"].split("/")[0] for outcome in outcomes})
    for source in [*sources, "all"]:
        part = [o for o in outcomes if source in ("all", o["image"].split("/")[0])]
        read = [o for o in part if o["found"]]
        both = sum(o["both"] for o in read)
        cells = [
            source,
            str(len(part)),
            str(len(read)),
            _share(sum(o["corner_cells"] < 0.15 for o in read), len(part)),
            _share(sum(o["corner_cells"] < 0.1 for o in read), len(part)),
            _share(90 * len(read) - sum(o["occupancy_wrong"] for o in read), 90 * len(read)),
            _share(both - sum(o["side_wrong"] for o in read), both),
            _share(both - sum(o["kind_wrong"] for o in read), both),
            _share(sum(o["exact"] for o in read), len(part)),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def reliability(outcomes: Sequence[dict[str, Any]]) -> str:
    """Markdown: how often boards of each confidence were exactly right."""
    bounds = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0001)
    lines = ["| confidence | boards | mean confidence | exactly right |", "|---|---|---|---|"]
    for low, high in pairwise(bounds):
        part = [o for o in outcomes if o["found"] and low <= o["confidence"] < high]
        if part:
            mean = sum(o["confidence"] for o in part) / len(part)
            right = _share(sum(o["exact"] for o in part), len(part))
            lines.append(f"| {low:.1f} to {min(high, 1.0):.1f} | {len(part)} | {mean:.2f} | {right} |")
    return "\n".join(lines)


def negative_table(outcomes: Sequence[dict[str, Any]]) -> str:
    """Markdown: what was said about each negative."""
    kinds = {label["image"]: label["kind"] for label in _lines("negatives.jsonl")}
    lines = ["| picture | what it shows | said |", "|---|---|---|"]
    for outcome in outcomes:
        said = f"a position with confidence {outcome['confidence']:.2f}" if outcome["found"] else "no board found"
        lines.append(f"| {Path(outcome['image']).name} | {kinds[outcome['image']]} | {said} |")
    return "\n".join(lines)


def _tasks(labels: Iterable[dict[str, Any]]) -> list[Task]:
    sure = [label["image"] for label in labels if label["confidence"] == "high"]
    tasks = [Task(image, mode, "") for mode in ("found", "given") for image in sure]
    for first, beginnings in SETS.values():
        others = [i for i in sure if i.startswith(beginnings) and i != first and i not in NOT_OF_THE_SET]
        tasks += [Task(image, "enrolled", first) for image in others]
    return tasks + [Task(label["image"], "negative", "") for label in _lines("negatives.jsonl")]


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (REAL / name).read_text(encoding="utf-8").splitlines()]


def _position(placement: str) -> Any:
    from rules.piece import EMPTY, RED, piece_of_letter
    from rules.position import Position

    board = bytearray(90)
    for row, text in enumerate(placement.split()[0].split("/")):
        file = 0
        for sign in text:
            if sign.isdigit():
                file += int(sign)
            else:
                board[(9 - row) * 9 + file] = piece_of_letter(sign) or EMPTY
                file += 1
    return Position(bytes(board), RED)


def _line(outcome: dict[str, Any]) -> str:
    if not outcome["found"]:
        return f"{outcome['image']} {outcome['mode']}: no board"
    errors = outcome.get("errors", "")
    text = f"{outcome['image']} {outcome['mode']}: confidence {outcome['confidence']:.2f}"
    return f"{text} corners {outcome.get('corner_cells', 0):.2f} {errors[:60]}"


def _share(part: int, whole: int) -> str:
    return "-" if not whole else f"{100.0 * part / whole:.2f} %"
