"""The sample videos and picture sequences through the eye: moves, times, and what else was told.

`run(argv)` plays each of shared/data/video (found by the eye itself, or with `--given` from the corners and start of
its truth) and each sequence of shared/data/real, and prints one line each. Exit status 1 where a move is wrong.
"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.corners import grid_from_corners
from calibration.grid import Grid
from rules.event import BoardFound, MoveSeen, PliesWithdrawn, TableEvent
from rules.fen import parse_fen
from rules.position import Position
from tests.shared_data import DATA
from vision import pipeline
from vision.frame import Frame

VIDEOS = ("overhead", "oblique_left", "hover", "bump", "touch_own_lift", "between", "knock_long_time")
_CORNERS_OF_LABEL = {"a0": "red_left", "i0": "red_right", "a9": "black_left", "i9": "black_right"}
_UNKNOWN_SIDE = "w"


@dataclass(frozen=True, slots=True)
class Played:
    """What the eye told of one source."""

    moves: tuple[MoveSeen, ...]
    """Those that still stand at the end."""
    others: tuple[TableEvent, ...]
    """Everything but moves and the board found."""
    found_t: float | None
    ms_per_frame: float
    """Of the eye alone, once the board is found, CPU."""
    frames: int


def run(argv: Sequence[str]) -> int:
    """Print the table; 0 where every move is right."""
    parser = argparse.ArgumentParser(prog="accuracy videos", description=__doc__)
    parser.add_argument("names", nargs="*", help="only these videos or sequences")
    parser.add_argument("--given", action="store_true", help="corners and start are given, not found")
    options = parser.parse_args(argv)
    wrong = 0
    for name in VIDEOS:
        if not options.names or name in options.names:
            wrong += not _play_video(DATA / "video" / name, options.given)
    for sequence in _sequences():
        if not options.names or sequence["name"] in options.names:
            wrong += not _play_sequence(sequence)
    return 1 if wrong else 0


def play(frames: Iterator[Frame], setup: pipeline.Setup) -> Played:
    """Step through all frames, believing every move that is told."""
    state, told, cpu_s, count, watched = pipeline.initial_state(setup), list[TableEvent](), 0.0, 0, 0
    for frame in frames:
        began = time.process_time()
        state, events = pipeline.step(setup, state, frame, state.position)
        if state.position is not None:
            cpu_s += time.process_time() - began
            watched += 1
        told.extend(events)
        count += 1
    moves: list[MoveSeen] = []
    for event in told:
        if isinstance(event, PliesWithdrawn):
            del moves[event.ply - 1 :]
        elif isinstance(event, MoveSeen):
            moves.append(event)
    found = next((event.t for event in told if isinstance(event, BoardFound)), None)
    others = tuple(event for event in told if not isinstance(event, MoveSeen | BoardFound))
    return Played(tuple(moves), others, found, 1000.0 * cpu_s / max(1, watched), count)


def video_frames(path: Path) -> Iterator[Frame]:
    """All frames of a video file."""
    capture = cv2.VideoCapture(str(path))
    fps = capture.get(cv2.CAP_PROP_FPS)
    index = 0
    while True:
        ok, image = capture.read()
        if not ok:
            return
        yield Frame(index, index / fps, image.astype(np.uint8, copy=False))
        index += 1


def _play_video(folder: Path, given: bool) -> bool:
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    scene = truth["scene"]
    setup = pipeline.Setup()
    if given:
        grid = grid_from_corners({k: (v[0], v[1]) for k, v in scene["corners_px"].items()}, tuple(scene["size"]))
        setup = pipeline.Setup(grid=grid, start=parse_fen(truth["start_fen"]))
    played = play(video_frames(folder / "video.mp4"), setup)
    want, got = [move["iccs"] for move in truth["moves"]], [str(event.move) for event in played.moves]
    line = (
        f"{folder.name:16s} {_right(want, got):>7s} found at {played.found_t} s, {played.ms_per_frame:.1f} ms a frame"
    )
    if want == got:
        pairs = list(zip(played.moves, truth["moves"], strict=True))
        late = [event.t - move["t_released"] for event, move in pairs]
        placed = [abs((event.t_placed or np.nan) - move["t_placed"]) for event, move in pairs]
        line += f"; told {np.median(late):.2f} s after release (95 %: {np.percentile(late, 95):.2f})"
        line += f"; placed to {np.nanmedian(placed):.2f} s (largest {np.nanmax(placed):.2f})"
    else:
        line += f"\n    wanted {' '.join(want)}\n    told   {' '.join(got)}"
    _say(line, played)
    return want == got


def _sequences() -> list[dict[str, Any]]:
    """Those whose camera stands still."""
    text = (DATA / "real" / "sequences.jsonl").read_text(encoding="utf-8")
    every = [json.loads(line) for line in text.splitlines()]
    return [one for one in every if not one["name"].startswith("xqr_")]


def _play_sequence(sequence: dict[str, Any]) -> bool:
    labels = _labels()
    first = labels[sequence["frames"][0]]
    setup = pipeline.Setup(grid=_grid(first), start=_start(first, sequence))
    played = play(_pictures(sequence["frames"]), setup)
    want: list[str] = []
    for move in sequence["moves"]:
        want.extend([move["ucci"]] if "ucci" in move else [text[:4] for text in move["net"]])
    got = [str(event.move) for event in played.moves]
    line = f"{sequence['name']:16s} {_right(want, got):>7s} {' '.join(got)}"
    _say(line + ("" if want == got else f"\n    wanted {' '.join(want)}"), played)
    return want == got


def _start(label: dict[str, Any], sequence: dict[str, Any]) -> Position:
    """The labelled position; the side to move is that of the first move."""
    position = parse_fen(f"{label['fen']} {_UNKNOWN_SIDE} - - 0 1")
    first = next((move for move in sequence["moves"]), None)
    if first is None or "ucci" not in first or first["piece"].isupper():
        return position
    return parse_fen(f"{label['fen']} b - - 0 1")


def _labels() -> dict[str, dict[str, Any]]:
    text = (DATA / "real" / "labels.jsonl").read_text(encoding="utf-8")
    return {label["image"]: label for label in map(json.loads, text.splitlines())}


def _grid(label: dict[str, Any]) -> Grid:
    corners = {ours: tuple(label["corners"][theirs]) for ours, theirs in _CORNERS_OF_LABEL.items()}
    return grid_from_corners(corners, tuple(label["size"]))


def _pictures(names: Sequence[str]) -> Iterator[Frame]:
    for index, name in enumerate(names):
        image = cv2.imread(str(DATA / "real" / name))
        if image is not None:
            yield Frame(index, float(index), image.astype(np.uint8, copy=False))


def _right(want: Sequence[str], got: Sequence[str]) -> str:
    same = 0
    while same < min(len(want), len(got)) and want[same] == got[same]:
        same += 1
    return f"{same}/{len(want)}" if same == len(want) == len(got) else f"{same}/{len(want)}!"


def _say(line: str, played: Played) -> None:
    print(line, flush=True)
    for event in played.others:
        print(f"    {event}")
