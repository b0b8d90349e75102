"""The process that writes clips: how often it may die, and over what."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from qiyan import clip_writer
from qiyan.clip import Clip
from qiyan.clip_writer import ClipWriter


def _die_over_the_worst(folder: Path, clip: Clip) -> list[tuple[str, str]]:
    if clip.names[2] == "worst":
        os.kill(os.getpid(), signal.SIGKILL)
    return [(name, "0") for name in clip.names]


def _clip(name: str) -> Clip:
    return Clip(0.0, 0.0, 0.0, 0.0, (), [], 8.0, 0.0, ("before", "after", name))


def test_a_clip_over_which_the_process_dies_twice_is_given_up_and_the_others_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(clip_writer, "write_clip", _die_over_the_worst)
    writer = ClipWriter(tmp_path)
    for name in ("first", "worst", "third", "fourth"):
        writer.submit(_clip(name))
    done = [(clip.names[2], len(files)) for clip, files in writer.finished(wait=True)]
    writer.submit(_clip("fifth"))
    done += [(clip.names[2], len(files)) for clip, files in writer.finished(wait=True)]
    writer.close()
    assert done == [("first", 3), ("worst", 0), ("third", 3), ("fourth", 3), ("fifth", 3)]
    assert caplog.text.count("the process that writes evidence ended") == 2
    assert multiprocessing.active_children() == []


_RECORDER = """
import sys, time
from pathlib import Path
from qiyan import clip_writer
from tests.qiyan.test_clip_writer import _clip, _die_over_the_worst
if __name__ == "__main__":
    clip_writer.write_clip = _die_over_the_worst
    writer = clip_writer.ClipWriter(Path(sys.argv[1]))
    writer.submit(_clip("first"))
    writer.finished(wait=True)
    print(*writer._pool._processes, flush=True)
    time.sleep(60)
"""


def test_the_process_ends_by_itself_when_the_recorder_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "recorder.py"
    script.write_text(_RECORDER, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, str(script), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as recorder:
        assert recorder.stdout is not None
        worker = int(recorder.stdout.readline())
        recorder.kill()
    assert _runs(worker)
    deadline = time.monotonic() + 30.0
    while _runs(worker) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not _runs(worker)


def _runs(pid: int) -> bool:
    """Whether a process is there and not only waits to be cleared away."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
