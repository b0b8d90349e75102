"""200 overlays on one server, one that never reads, one that comes back every second: `python -m tests.soak.pages`.

Prints how long an entry takes from the journal to the pages, the server's memory, and what a recorder beside it costs
a frame with and without the readers.
"""

import argparse
import asyncio
import json
import os
import queue
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from qiyan.journal import Journal
from qiyan.web.beside import pages_beside

READERS = 200
ENTRIES_PER_S = 5.0
FRAME = """
import sys, time, cv2, numpy as np
from qiyan.eye import PipelineEye
from vision import pipeline
from vision.frame import Frame
from calibration.corners import grid_from_corners, parse_corners
from rules.fen import parse_fen, START_FEN
cv2.setNumThreads(1)
video, corners = sys.argv[1:3]
images = []
source = cv2.VideoCapture(video)
while len(images) < 120:
    good, image = source.read()
    if not good:
        break
    images.append(image)
size = images[0].shape[1::-1]
start = parse_fen(START_FEN)
eye = PipelineEye(pipeline.Setup(grid=grid_from_corners(parse_corners(corners), size), start=start))
number = 0
while True:
    image = images[number % len(images)]
    wall, cpu = time.perf_counter(), time.process_time()
    eye.step(Frame(number, number / 10.0, image), start, ())
    print(time.perf_counter() - wall, time.process_time() - cpu, flush=True)
    number += 1
    time.sleep(0.05)
"""
"""A recorder's work on every frame, at most 20 a second, each with its wall and processor time."""


async def _read(port: int, until_s: float, arrived: list[tuple[int, float]], comes_back: bool) -> int:
    """One overlay; how many entries it got."""
    got = 0
    last: str | None = None
    while time.time() < until_s:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        head = f"GET /feed/t HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n" + (f"last-event-id: {last}\r\n" if last else "")
        writer.write(f"{head}\r\n".encode())
        leave_s = time.time() + 1.0 if comes_back else until_s
        while time.time() < leave_s:
            try:
                line = await asyncio.wait_for(reader.readline(), max(0.01, leave_s - time.time()))
            except TimeoutError:
                break
            if not line:
                break
            if line.startswith(b"id: "):
                last = line[4:].strip().decode()
            elif line.startswith(b'data: {"seq"') and b'"at_s"' in line and b'"moves"' not in line:
                data = json.loads(line[6:])
                got += 1
                arrived.append((data["seq"], time.time()))
        writer.close()
    return got


async def readers(port: int, seconds: float) -> dict[str, Any]:
    until_s = time.time() + seconds
    deaf = socket.create_connection(("127.0.0.1", port))
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.sendall(f"GET /feed/t HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n".encode())
    arrived: list[tuple[int, float]] = []
    others: list[tuple[int, float]] = []
    await asyncio.sleep(0.5)
    tasks = [_read(port, until_s, arrived, False) for _ in range(READERS - 2)]
    got = await asyncio.gather(*tasks, _read(port, until_s, others, True))
    deaf.close()
    return {"arrived": arrived, "got": got[:-1], "came_back_got": got[-1]}


def _write(folder: Path, stop: threading.Event, durable_s: dict[int, float]) -> None:
    """Clock presses, as a fast game has them, into a journal."""
    journal = Journal(folder)
    journal.append(None, [{"t": 0.0, "kind": "system", "event": "started"}])
    number = 0
    while not stop.wait(1.0 / ENTRIES_PER_S):
        side = ("red", "black")[number % 2]
        body = {"t": number / ENTRIES_PER_S, "kind": "clock", "event": "press", "side": side}
        (entry,) = journal.append(None, [{**body, "red_s": 600.0, "black_s": 600.0, "uncertainty_s": 0.3}])
        durable_s[entry["seq"]] = time.time()
        number += 1
    journal.close()


def _server(folder: Path) -> tuple[float, float]:
    """Memory, MB, and processor time, s, of the server of `folder`, found by its command line."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(folder) in entry.read_text() and "serve" in entry.read_text():
                status = (entry.parent / "status").read_text()
                fields = (entry.parent / "stat").read_text().rsplit(")", 1)[1].split()
                ticks = int(fields[11]) + int(fields[12])
                return int(status.split("VmRSS:")[1].split()[0]) / 1024, ticks / os.sysconf("SC_CLK_TCK")
        except OSError:
            continue
    return 0.0, 0.0


def _frames(video: Path | None) -> tuple[subprocess.Popen[str], list[tuple[float, float, float]]] | None:
    if video is None or not video.exists():
        return None
    truth = json.loads((video.parent / "truth.json").read_text())
    corners = " ".join(f"{name}={x},{y}" for name, (x, y) in truth["scene"]["corners_px"].items())
    process = subprocess.Popen([sys.executable, "-c", FRAME, str(video), corners], stdout=subprocess.PIPE, text=True)
    lines: list[tuple[float, float, float]] = []

    def collect() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            wall, cpu = map(float, line.split())
            lines.append((time.time(), wall, cpu))

    threading.Thread(target=collect, daemon=True).start()
    return process, lines


def main() -> None:
    """Run it and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument(
        "--video", type=Path, default=Path(__file__).parents[3] / "shared/data/video/overhead/video.mp4"
    )
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    with tempfile.TemporaryDirectory() as base:
        folder = Path(base) / "t"
        stop = threading.Event()
        durable_s: dict[int, float] = {}
        writer = threading.Thread(target=_write, args=(folder, stop, durable_s))
        writer.start()
        time.sleep(0.5)
        frames = _frames(options.video)
        told: queue.Queue[str] = queue.Queue()
        with pages_beside(folder, told.put):
            port = int(told.get(timeout=60).rsplit(":", 1)[1].split("/")[0])
            alone_s = time.time()
            time.sleep(options.seconds / 2 if frames else 1.0)
            before_mb, before_cpu_s = _server(folder)
            loaded_s = time.time()
            # The readers in a process of their own: their work is not the server's.
            command = [sys.executable, "-m", "tests.soak.pages_readers", str(port), str(options.seconds)]
            found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout)
            after_mb, after_cpu_s = _server(folder)
        stop.set()
        writer.join()
        if frames:
            frames[0].kill()
            _tell_frames(frames[1], alone_s, loaded_s)
    latencies = sorted(at_s - durable_s[seq] for seq, at_s in found["arrived"] if seq in durable_s)
    print(f"readers: {READERS}, entries each: {min(found['got'])} to {max(found['got'])}")
    print(f"one that came back every second: {found['came_back_got']} entries")
    p99 = latencies[int(0.99 * len(latencies))]
    p50, most = statistics.median(latencies), latencies[-1]
    print(f"durable to page: p50 {1000 * p50:.0f} ms, p99 {1000 * p99:.0f} ms, most {1000 * most:.0f} ms")
    print(f"server's memory: {before_mb:.0f} MB before, {after_mb:.0f} MB after")
    share = (after_cpu_s - before_cpu_s) / options.seconds
    print(f"server's processor time: {100 * share:.0f} % of a core at {ENTRIES_PER_S:.0f} entries/s")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def _tell_frames(lines: list[tuple[float, float, float]], alone_s: float, loaded_s: float) -> None:
    for name, index in (("wall", 1), ("processor", 2)):
        alone = [line[index] for line in lines if alone_s + 2 < line[0] < loaded_s]
        loaded = [line[index] for line in lines if line[0] > loaded_s + 2]
        if alone and loaded:
            a, b = 1000 * statistics.median(alone), 1000 * statistics.median(loaded)
            grown = 100 * (b / a - 1)
            print(f"recorder's frame, {name} time, median: {a:.1f} ms alone, {b:.1f} ms with readers ({grown:+.0f} %)")


if __name__ == "__main__":
    main()
