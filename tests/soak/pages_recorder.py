"""The recorder of tests.soak.pages: `python -m tests.soak.pages_recorder FOLDER VIDEO`, until its input ends.

The whole recorder (eye, judge, journal, files, evidence, live picture) over the same pictures again and again, in real
time, with a clock that is pressed several times a second. Prints what each frame took and when each entry was durable.
"""

import json
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2

from calibration.corners import grid_from_corners, parse_corners
from qiyan.evidence import Evidence
from qiyan.eye import PipelineEye
from qiyan.journal import Journal
from qiyan.live_picture import LivePicture
from qiyan.record_files import RecordFiles
from qiyan.recorder import Eye, Recorder
from rules.event import ClockEvent, ClockEventKind
from rules.fen import START_FEN, parse_fen
from rules.profile import DEFAULT_EDITION, find_profile
from vision import pipeline
from vision.frame import Frame

FRAMES_PER_S = 10.0
PICTURES = 60
PRESSES_PER_S = 5.0


class Loop:
    """A live source: a film forwards and backwards, so that the table never jumps."""

    name = "loop"
    live = True
    frame_count = None

    def __init__(self, video: Path) -> None:
        source = cv2.VideoCapture(str(video))
        self.images = [source.read()[1] for _ in range(PICTURES)]
        self.took: list[tuple[float, int, float, float]] = []
        """Unix time, number of the picture, wall and processor seconds of every frame."""
        self._stop = threading.Event()

    def items(self) -> Iterator[Frame]:
        """Frames at their times, while each one's cost is noted."""
        began = time.monotonic()
        number = 0
        while not self._stop.wait(max(0.0, began + number / FRAMES_PER_S - time.monotonic())):
            picture = number % (2 * PICTURES - 2)
            picture = min(picture, 2 * PICTURES - 2 - picture)
            wall, processor = time.perf_counter(), time.process_time()
            yield Frame(number, number / FRAMES_PER_S, self.images[picture])
            self.took.append((time.time(), picture, time.perf_counter() - wall, time.process_time() - processor))
            number += 1

    def close(self) -> None:
        """End the frames."""
        self._stop.set()


class PressedClock:
    """Clock presses, faster than any game has them."""

    def __init__(self) -> None:
        self._pressed = 0

    def poll(self, now_s: float) -> list[ClockEvent]:
        """The presses up to now."""
        events = []
        while self._pressed < now_s * PRESSES_PER_S:
            t = self._pressed / PRESSES_PER_S
            events.append(ClockEvent(t, ClockEventKind.PRESS, self._pressed % 2, 600.0, 600.0, 0.1))  # type: ignore[arg-type]
            self._pressed += 1
        return events

    def close(self) -> None:
        """Nothing is held."""


class Durable:
    """Notes when each entry was on the disk."""

    def __init__(self) -> None:
        self.at_s: dict[int, float] = {}

    def on_entries(self, entries: Sequence[dict[str, Any]]) -> None:
        """Called as soon as they are."""
        self.at_s.update({entry["seq"]: time.time() for entry in entries})

    def on_frame(self, frame: Frame, eye: Eye) -> None:
        """Frames are noted by their source."""

    def close(self) -> None:
        """Nothing is held."""


def main(folder: Path, video: Path) -> None:
    """Record until standard input ends, then print the figures."""
    cv2.setNumThreads(1)
    truth = json.loads((video.parent / "truth.json").read_text())
    corners = " ".join(f"{name}={x},{y}" for name, (x, y) in truth["scene"]["corners_px"].items())
    source, durable, journal = Loop(video), Durable(), Journal(folder)
    start = parse_fen(START_FEN)
    grid = grid_from_corners(parse_corners(corners), source.images[0].shape[1::-1])
    eye = PipelineEye(pipeline.Setup(grid=grid, start=start))
    files = RecordFiles(folder, (), {})
    listeners = (durable, files, LivePicture(folder))
    profile = find_profile(DEFAULT_EDITION)
    evidence = Evidence(folder, journal)
    recorder = Recorder(source, eye, PressedClock(), journal, folder, profile, start, {}, listeners, evidence)
    threading.Thread(target=lambda: (sys.stdin.read(), source.close()), daemon=True).start()
    recorder.run()
    journal.close()
    sys.stdout.write(json.dumps({"took": source.took, "durable_s": durable.at_s}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
