"""200 overlays on one server, one that never reads, one that comes back every second: `python -m tests.soak.pages`.

Prints how long an entry takes from the journal to the pages, the server's memory and processor time, and what a
recorder beside it (the whole recorder, over a film) takes for a frame with and without the readers. Spells with and
without readers take turns, each over the same pictures, so that what else the machine does falls on both alike.
"""

import argparse
import json
import os
import queue
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from qiyan.journal import FILE_NAME
from qiyan.web.beside import pages_beside
from tests.soak.pages_recorder import FRAMES_PER_S, PICTURES, PRESSES_PER_S

READERS = 200
SPELL_S = (2 * PICTURES - 2) / FRAMES_PER_S
"""Once forwards and backwards through the film."""
CHANGING_S = 1.5
"""While readers come or go: connecting 200 of them is not what is measured."""

Spell = tuple[float, float]
"""From when to when, Unix time."""


def _server(folder: Path) -> tuple[float, float]:
    """Memory, MB, and processor time, s, of the server of `folder`, found by its command line."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = entry.read_text()
            if str(folder) in command and "serve" in command:
                status = (entry.parent / "status").read_text()
                fields = (entry.parent / "stat").read_text().rsplit(")", 1)[1].split()
                ticks = int(fields[11]) + int(fields[12])
                return int(status.split("VmRSS:")[1].split()[0]) / 1024, ticks / os.sysconf("SC_CLK_TCK")
        except OSError:
            continue
    return 0.0, 0.0


def _read(port: int, readers: int) -> dict[str, Any]:
    """A spell with readers, who are a process of their own."""
    command = [sys.executable, "-m", "tests.soak.pages_readers", str(port), str(SPELL_S + CHANGING_S), str(readers)]
    found: dict[str, Any] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return found


def main() -> None:
    """Run it and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--spells", type=int, default=4, help=f"With readers, and as many without; {SPELL_S:.0f} s each."
    )
    parser.add_argument("--readers", type=int, default=READERS)
    parser.add_argument(
        "--video", type=Path, default=Path(__file__).parents[3] / "shared/data/video/overhead/video.mp4"
    )
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    alone: list[Spell] = []
    loaded: list[Spell] = []
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as base:
        folder = Path(base) / "t"
        command = [sys.executable, "-m", "tests.soak.pages_recorder", str(folder), str(options.video)]
        recorder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        while not (folder / FILE_NAME).exists():
            time.sleep(0.1)
        told: queue.Queue[str] = queue.Queue()
        with pages_beside(folder, told.put):
            port = int(told.get(timeout=60).rsplit(":", 1)[1].split("/")[0])
            time.sleep(3 * CHANGING_S)
            before_mb, _ = _server(folder)
            loaded_cpu_s = 0.0
            for _ in range(options.spells):
                began = time.time()
                time.sleep(SPELL_S)
                alone.append((began, time.time()))
                _, cpu_s = _server(folder)
                began = time.time()
                found.append(_read(port, options.readers))
                loaded.append((began + CHANGING_S, time.time()))
                loaded_cpu_s += _server(folder)[1] - cpu_s
                time.sleep(CHANGING_S)
            after_mb, _ = _server(folder)
        told_by_recorder = json.loads(recorder.communicate()[0])
    _tell_pages(found, {int(seq): at_s for seq, at_s in told_by_recorder["durable_s"].items()}, options.readers)
    seconds = options.spells * (SPELL_S + CHANGING_S)
    readers_cpu_s = sum(one["cpu_s"] for one in found)
    print(f"server's memory: {before_mb:.0f} MB before, {after_mb:.0f} MB after")
    print(f"server: {100 * loaded_cpu_s / seconds:.0f} % of a core at {PRESSES_PER_S:.0f} entries/s; ", end="")
    print(f"the readers themselves: {100 * readers_cpu_s / seconds:.0f} %")
    _tell_frames(told_by_recorder["took"], alone, loaded)
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def _tell_pages(found: list[dict[str, Any]], durable_s: dict[int, float], readers: int) -> None:
    arrived = [one for spell in found for one in spell["arrived"]]
    # What stood before a reader came is sent with the state; an entry of the time before is a late one all the same.
    latencies = sorted(at_s - durable_s[seq] for seq, at_s in arrived if seq in durable_s)
    got = [count for spell in found for count in spell["got"]]
    print(f"readers: {readers}, entries each a spell: {min(got)} to {max(got)}")
    returning = sum(spell["came_back_got"] for spell in found)
    print(f"one that came back {sum(spell['came_back'] for spell in found)} times: {returning} entries")
    p99 = latencies[int(0.99 * len(latencies))]
    p50, most = statistics.median(latencies), latencies[-1]
    print(f"durable to page: p50 {1000 * p50:.0f} ms, p99 {1000 * p99:.0f} ms, most {1000 * most:.0f} ms")


def _tell_frames(took: list[tuple[float, int, float, float]], alone: list[Spell], loaded: list[Spell]) -> None:
    """Medians over all frames, and picture by picture."""
    for name, index in (("wall", 2), ("processor", 3)):
        by_picture = [
            {p: [one[index] for one in took if one[1] == p and _within(one[0], spells)] for p in range(PICTURES)}
            for spells in (alone, loaded)
        ]
        alone_ms, loaded_ms = ([1000 * s for times in some.values() for s in times] for some in by_picture)
        pairs = [
            statistics.median(by_picture[1][p]) / statistics.median(by_picture[0][p])
            for p in range(PICTURES)
            if by_picture[0][p] and by_picture[1][p]
        ]
        print(f"recorder's frame, {name} time:", end="")
        for word, middle in (("median", statistics.median), ("mean", statistics.fmean)):
            a, b = middle(alone_ms), middle(loaded_ms)
            print(f" {word} {a:.1f} ms alone, {b:.1f} ms with readers ({100 * (b / a - 1):+.0f} %);", end="")
        print(f" picture by picture {100 * (statistics.median(pairs) - 1):+.0f} %")


def _within(at_s: float, spells: list[Spell]) -> bool:
    return any(begin <= at_s < end for begin, end in spells)


if __name__ == "__main__":
    main()
