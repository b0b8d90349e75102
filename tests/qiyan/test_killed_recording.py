"""A recording that is killed loses nothing and goes on to the same record."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from qiyan.journal import read_entries, verify
from tests.shared_data import DATA, needs_data
from tests.short_film import cut_film

VIDEO = DATA / "video" / "touch_own_lift"
SHOWN_S = 15.0
"""As much of the video as holds five plies: it is worked through a dozen times."""
KILLS = 10
TRIES = 40
"""A recording may end before it is killed, when the machine is less busy than it was; then it is run again."""
LIMIT_S = 240.0


def _command(film: Path, out: Path) -> list[str]:
    return [
        sys.executable, "-m", "qiyan.cli", "record",
        "--source", str(film), "--clock", str(VIDEO / "clock.jsonl"), "--out", str(out),
    ]  # fmt: skip


def _told(out: Path) -> list[dict[str, object]]:
    """The entries but for the recorder's own news and the numbers that these shift."""
    return [
        {key: value for key, value in entry.items() if key not in ("seq", "evidence")}
        for entry in read_entries(out)
        if entry["kind"] != "system"
    ]


@needs_data
def test_killed_ten_times_the_record_is_that_of_an_uninterrupted_recording(tmp_path: Path) -> None:
    film = cut_film(VIDEO / "video.mp4", SHOWN_S, tmp_path / "cut.mp4")
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    began = time.monotonic()
    subprocess.run(_command(film, whole), check=True, capture_output=True, timeout=LIMIT_S)
    took_s = time.monotonic() - began
    chance = random.Random(7)
    kills = 0
    for _ in range(TRIES):
        process = subprocess.Popen(_command(film, broken), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(chance.uniform(0.2, 0.9) * took_s)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
        if (broken / "journal.sqlite3").exists():
            assert verify(broken) is None
            _lines_are_whole(broken)
        if kills == KILLS:
            break
    assert kills == KILLS
    subprocess.run(_command(film, broken), check=True, capture_output=True, timeout=LIMIT_S)
    assert verify(broken) is None
    assert _told(broken) == _told(whole)
    for name in ("game.pgn", "game.txt"):
        assert (broken / name).read_text(encoding="utf-8") == (whole / name).read_text(encoding="utf-8")


def _lines_are_whole(out: Path) -> None:
    """Every line of events.jsonl that ends is JSON; the numbers rise without gaps."""
    path = out / "events.jsonl"
    if path.exists():
        lines = [line for line in path.read_text(encoding="utf-8").split("\n")[:-1] if line]
        assert [json.loads(line)["seq"] for line in lines] == list(range(1, len(lines) + 1))
