"""The process that writes clips: how often it may die, and over what."""

import multiprocessing
import os
import signal
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
