"""A table's memory after an hour's video: `python -m tests.bench.hour [--minutes 60] [--video FILE]`.

One game is stretched to an hour as players stretch it: between its plies the quiet second there comes again and again.
The recorder is the real one, in its own process and as fast as it can, with the pictures kept for evidence.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from tests.shared_data import DATA
from vision.frame import Image

FRAMES_PER_S = 10.0
"""Of the stretched film; what a table is meant to be seen at."""
QUIET_FRAMES = 4
"""So many frames without motion fill the pauses, there and back."""
THERE_AND_BACK = 4
PAUSE_S = THERE_AND_BACK * 2 * QUIET_FRAMES / FRAMES_PER_S
"""Length of one such filling, and how finely the film's length can be chosen."""
QUIET_TIMES = 1.5
"""A frame is quiet that differs from the one before by at most so many times what the quieter ones do."""
ASKED_MIN = (1, 10, 30, 60)
"""When the memory is told, minutes of video."""
SAMPLE_S = 0.5


@dataclass(frozen=True, slots=True)
class Sample:
    """What the recorder and its helpers hold at some time."""

    t_min: float
    """Of the video that is worked through."""
    resident_mb: float


def rows(video: Path, minutes: float) -> list[tuple[str, str]]:
    """(what, figure) lines for `make bench`."""
    with tempfile.TemporaryDirectory() as folder:
        source = stretched(video, Path(folder), minutes)
        begun = time.perf_counter()
        samples = recorded(source, Path(folder) / "out")
        took_s = time.perf_counter() - begun
        events = Path(folder, "out", "events.jsonl").read_text(encoding="utf-8").splitlines()
    plies = sum(json.loads(line)["kind"] == "move" for line in events)
    told = [
        next(sample for sample in samples if sample.t_min >= t_min) for t_min in ASKED_MIN if t_min < samples[-1].t_min
    ]
    figures = ", ".join(f"{sample.resident_mb:.0f} MB at {sample.t_min:.0f} min" for sample in (*told, samples[-1]))
    largest = max(sample.resident_mb for sample in samples)
    return [
        (f"{video.parent.name}: a table's resident memory", figures),
        ("  largest", f"{largest:.0f} MB, {plies} plies, {samples[-1].t_min * 60 / took_s:.0f} x as fast as it plays"),
    ]


def stretched(video: Path, folder: Path, minutes: float) -> Path:
    """A list of short films, played one after the other by FFmpeg, that lasts so many minutes."""
    plays = _split(video, folder, _quiet_places(video))
    pauses = max(0.0, minutes * 60.0 - _frame_count(video) / FRAMES_PER_S) / PAUSE_S
    each = np.diff(np.round(np.linspace(0.0, pauses, plays))).astype(int).tolist()
    names = ["play0.mp4"]
    for number, times in enumerate(each):
        names += [f"pause{number}.mp4"] * times + [f"play{number + 1}.mp4"]
    listed = folder / "hour.ffconcat"
    listed.write_text("ffconcat version 1.0\n" + "".join(f"file {name}\n" for name in names), encoding="utf-8")
    return listed


def _split(video: Path, folder: Path, places: list[int]) -> int:
    """Write play0.mp4, pause0.mp4, play1.mp4 ...: the film cut at the places, and pauses there. Returns the last number
    of plays."""
    writer = None
    for number, image in enumerate(_frames(video)):
        if writer is None:
            size_wh = (image.shape[1], image.shape[0])
            writer, held, plays = _writer(folder / "play0.mp4", size_wh), list[Image](), 1
        writer.write(image)
        held = [*held[1 - QUIET_FRAMES :], image]
        if number in places:
            writer.release()
            pause = _writer(folder / f"pause{plays - 1}.mp4", size_wh)
            for again in [*held[::-1], *held] * THERE_AND_BACK:
                pause.write(again)
            pause.release()
            writer = _writer(folder / f"play{plays}.mp4", size_wh)
            plays += 1
    assert writer is not None
    writer.release()
    return plays


def _quiet_places(video: Path) -> list[int]:
    """The frames in the middle of each stretch without motion."""
    small = [cv2.resize(image, (160, 90), interpolation=cv2.INTER_AREA).astype(np.int16) for image in _frames(video)]
    moves = np.array([np.inf, *(float(np.abs(b - a).mean()) for a, b in pairwise(small))])
    quiet = moves <= QUIET_TIMES * np.percentile(moves, 20)
    ends = np.flatnonzero(np.diff([False, *quiet, False]))
    runs = [(first, end) for first, end in ends.reshape(-1, 2).tolist() if end - first >= QUIET_FRAMES]
    return [max(first + QUIET_FRAMES, (first + end) // 2) - 1 for first, end in runs]


def _frames(video: Path) -> Iterator[Image]:
    source = cv2.VideoCapture(str(video))
    while True:
        ok, image = source.read()
        if not ok:
            return
        yield image.astype(np.uint8, copy=False)


def _frame_count(video: Path) -> int:
    return int(cv2.VideoCapture(str(video)).get(cv2.CAP_PROP_FRAME_COUNT))


def _writer(path: Path, size_wh: tuple[int, int]) -> cv2.VideoWriter:
    return cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FRAMES_PER_S, size_wh)


def recorded(source: Path, out: Path) -> list[Sample]:
    """What `qiyan record` holds while it works the source through."""
    command = [sys.executable, "-m", "qiyan.cli", "record", "--source", str(source), "--out", str(out)]
    samples: list[Sample] = []
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as recorder:
        while recorder.poll() is None:
            time.sleep(SAMPLE_S)
            resident_mb = _resident_mb(recorder.pid)
            try:
                t_min = json.loads((out / "live.json").read_text(encoding="utf-8"))["t"] / 60.0
            except FileNotFoundError:
                continue
            if resident_mb > 0.0:
                samples.append(Sample(t_min, resident_mb))
    if recorder.returncode:
        raise SystemExit(f"the recorder ended with status {recorder.returncode}")
    return samples


def _resident_mb(pid: int) -> float:
    """Of a process and its children; 0 where it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    resident_kb = next((line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")), "0")
    return int(resident_kb) / 1024 + sum(_resident_mb(int(child)) for child in children)


def main() -> None:
    """Print what a table holds over the video."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--video", type=Path, default=DATA / "video" / "oblique_left" / "video.mp4")
    asked = parser.parse_args()
    for what, figure in rows(asked.video, asked.minutes):
        sys.stdout.write(f"{what:50} {figure}\n")


if __name__ == "__main__":
    main()
