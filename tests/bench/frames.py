"""What a frame costs the eye, by stage, beside the time it takes to decode it; and a recording's memory."""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

import models
from models.network import load_nets
from qiyan.simulator.film import film
from qiyan.simulator.games import OPENING, play_script
from qiyan.simulator.looks import looks
from rules import arbiter
from rules.profile import DEFAULT_EDITION, find_profile
from tests.bench import hour
from tests.shared_data import DATA
from vision import observation, pipeline
from vision.frame import Frame
from vision.window import Window

FILM_PLIES = 8
VIDEOS = ("overhead", "hover", "oblique_left")
"""1280x720 at 12 frames/s and 1920x1080 at 15, where the shared material is there."""
MODELS = Path(models.__file__).parent


def rows(minutes: float) -> list[tuple[str, str]]:
    """(what, figure) lines for `make bench`; a table is recorded for so many minutes of video."""
    size_mb = sum(path.stat().st_size for path in MODELS.glob("*.onnx")) / 1e6
    out = [("models together", f"{size_mb:.2f} MB")]
    with tempfile.TemporaryDirectory() as folder:
        for name, path in _videos(Path(folder)):
            out += _costs(name, path)
            out += _recorded(name, path, Path(folder) / name)
        out += hour.rows(path, minutes)
    return out


def _videos(folder: Path) -> Iterator[tuple[str, Path]]:
    found = [(name, DATA / "video" / name / "video.mp4") for name in VIDEOS]
    found = [(name, path) for name, path in found if path.is_file()]
    if not found:
        film(looks(1), play_script(OPENING[:FILM_PLIES], 1), folder / "film")
        found = [("simulated", folder / "film" / "video.mp4")]
    yield from found


def _costs(name: str, path: Path) -> list[tuple[str, str]]:
    """The eye and the decoder in turn on one thread, by its processor time: whatever else runs slows down both."""
    cv2.setNumThreads(1)
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG, [cv2.CAP_PROP_N_THREADS, 1])
    size = f"{capture.get(cv2.CAP_PROP_FRAME_WIDTH):.0f}x{capture.get(cv2.CAP_PROP_FRAME_HEIGHT):.0f}"
    spent: dict[str, list[float]] = {}
    setup = pipeline.Setup(nets=load_nets())
    state, table = pipeline.initial_state(setup), arbiter.new_table(find_profile(DEFAULT_EDITION))
    decoding: list[float] = []
    finding: list[float] = []
    watching: list[float] = []
    with _timed(spent, Window, "apply", "rectify"), _timed(spent, observation, "find_hands", "hands"):
        while True:
            begun = time.thread_time()
            ok, image = capture.read()
            if not ok:
                break
            decoded = time.thread_time()
            frame = Frame(
                len(decoding), capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0, image.astype(np.uint8, copy=False)
            )
            searching = state.table is None
            state, events = pipeline.step(setup, state, frame, table.position)
            (finding if searching else watching).append(1000 * (time.thread_time() - decoded))
            decoding.append(1000 * (decoded - begun))
            for event in events:
                table, _ = arbiter.judge(table, event)
    decode_ms, mean = float(np.mean(decoding)), float(np.mean(watching))
    whole = float(np.mean(finding + watching))
    return [
        (f"{name}: decode, {size}", f"{decode_ms:.1f} ms"),
        (
            f"{name}: the eye, all stages",
            f"{mean:.1f} ms mean, {np.percentile(watching, 50):.1f} p50, {np.percentile(watching, 95):.1f} p95; "
            f"{mean / decode_ms:.2f} x decode ({whole / decode_ms:.2f} with the board found first)",
        ),
        (f"{name}:   finding and reading the board, once", f"{sum(finding):.0f} ms"),
        *((f"{name}:   {stage}", f"{sum(times) / len(watching):.1f} ms") for stage, times in spent.items()),
    ]


@contextmanager
def _timed(spent: dict[str, list[float]], owner: Any, name: str, stage: str) -> Iterator[None]:
    """Measure a function of the pipeline while the block runs; a stage that goes by another name is left out."""
    if not hasattr(owner, name):
        yield
        return
    plain: Callable[..., Any] = getattr(owner, name)

    def measured(*args: Any, **kwargs: Any) -> Any:
        begun = time.thread_time()
        try:
            return plain(*args, **kwargs)
        finally:
            spent.setdefault(stage, []).append(1000 * (time.thread_time() - begun))

    setattr(owner, name, measured)
    try:
        yield
    finally:
        setattr(owner, name, plain)


def _recorded(name: str, path: Path, out: Path) -> list[tuple[str, str]]:
    """A whole `qiyan record` in its own process: how much faster than it plays, and its memory."""
    capture = cv2.VideoCapture(str(path))
    length_s = capture.get(cv2.CAP_PROP_FRAME_COUNT) / capture.get(cv2.CAP_PROP_FPS)
    command = [sys.executable, "-m", "qiyan.cli", "record", "--source", str(path), "--out", str(out)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    took_s = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [
        (f"{name}: qiyan record", f"{length_s / took_s:.1f} x as fast as it plays, {length_s / cpu_s:.1f} by CPU time"),
        (f"{name}: largest resident memory", f"{after.ru_maxrss / 1024:.0f} MB"),
    ]
