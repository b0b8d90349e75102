"""Long checks of the clock bridge, with real processes on pseudo terminals; not run with the tests.

    python -m tests.soak.clock [--full] [--only WORD]

Without --full the waits are shortened (pause 30 s, garbage 10 s, 2 simulated hours, 20 damaged runs a recording).
--only runs the checks with that word in their name.
Prints one line a check with what was measured; exit status 1 if any fails.
"""

import argparse
import json
import multiprocessing
import os
import pty
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tracemalloc
import tty
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from clock_bridge.control import parse_control
from clock_bridge.protocol.dgt import DgtParser
from clock_bridge.pty_clock import PtyClock
from clock_bridge.reading import Display
from clock_bridge.software_clock import SoftwareClock
from clock_bridge.watch import ClockWatch, WatchConfig
from tests.clock_bridge.damage import LINES, play_damaged
from tests.clock_bridge.material import RECORDINGS
from tests.shared_data import DATA

CPU_LIMIT = 0.02
DAMAGE = 0.01
"""Share of bytes dropped, doubled or with a bit flipped."""
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Scale:
    """How long the waits are."""

    pause_s: float
    garbage_s: float
    simulated_h: float
    damaged_runs: int
    plies: int


SHORT = Scale(30, 10, 2, 20, 20)
FULL = Scale(300, 10, 24, 200, 80)


class Follower:
    """`qiyan clock SRC --json` as a process of its own."""

    def __init__(self, src: str, *options: str) -> None:
        command = [sys.executable, "-m", "qiyan.cli", "clock", src, "--json", *options]
        # A shell that runs this in the background has Ctrl-C ignored, and a child would inherit that.
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        self.events: list[dict[str, object]] = []
        self.readings = 0
        self._thread = threading.Thread(target=self._collect, daemon=True)
        self._thread.start()

    def _collect(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            record = json.loads(line)
            if "event" in record:
                self.events.append(record)
            else:
                self.readings += 1

    @property
    def names(self) -> list[str]:
        return [str(each["event"]) for each in self.events]

    def wait_for(self, *names: str, limit_s: float = 30.0) -> bool:
        end_s = time.monotonic() + limit_s
        while time.monotonic() < end_s:
            if self.names[-len(names) :] == list(names):
                return True
            time.sleep(0.05)
        return False

    def wait_reading(self) -> None:
        end_s = time.monotonic() + 20
        while self.readings == 0 and time.monotonic() < end_s:
            time.sleep(0.05)

    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_S

    def rss_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def threads(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/task").iterdir()))

    def stop(self) -> tuple[int, float]:
        """Ctrl-C; returns (exit status, seconds it took)."""
        begin_s = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(10)
        self._thread.join(5)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return self.process.returncode, time.monotonic() - begin_s


def start(clock: SoftwareClock, t: float) -> None:
    clock.start(t)


def new_clock() -> PtyClock:
    return PtyClock(SoftwareClock(parse_control("60m+30s")))


def replug(same_name: bool) -> tuple[bool, str]:
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder) / "clock"
        first = new_clock()
        link.symlink_to(first.device)
        follower = Follower(str(link))
        follower.wait_reading()
        first.act(start)
        follower.wait_for("start")
        first.close()
        lost = follower.wait_for("start", "lost")
        blocker = None if same_name else pty.openpty()
        second = new_clock()
        second.act(start)
        link.unlink()
        link.symlink_to(second.device)
        back = follower.wait_for("start", "lost", "restored")
        second.press(Display.LEFT)
        pressed = follower.wait_for("start", "lost", "restored", "press")
        same = first.device == second.device
        status, stop_s = follower.stop()
        second.close()
        for end in blocker or ():
            os.close(end)
    right = lost and back and pressed and same == same_name and status == 0
    return right, f"{first.device} -> {second.device}, events {follower.names}, stopped in {stop_s:.2f} s"


def speak_and_hang(pipe: Connection) -> None:
    """A device that stops in the middle of a message, and waits to be killed."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    pipe.send(os.ttyname(slave))
    pipe.recv()
    clock = SoftwareClock(parse_control("60m+30s"))
    clock.start(0)
    for t in range(4):
        os.write(master, clock.message(t * 0.5))
        time.sleep(0.5)
    os.write(master, clock.message(2.0)[:6])
    pipe.send("hangs")
    time.sleep(600)


def killed_in_mid_message() -> tuple[bool, str]:
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    device = multiprocessing.get_context("spawn").Process(target=speak_and_hang, args=(theirs,))
    device.start()
    with tempfile.TemporaryDirectory() as folder:
        link, trace = Path(folder) / "clock", Path(folder) / "clock.jsonl"
        link.symlink_to(ours.recv())
        follower = Follower(str(link), "--trace", str(trace))
        ours.send("speak")
        ours.recv()
        time.sleep(0.3)
        device.kill()
        device.join()
        lost = follower.wait_for("lost")
        second = new_clock()
        second.act(start)
        link.unlink()
        link.symlink_to(second.device)
        back = follower.wait_for("lost", "restored")
        second.press(Display.LEFT)
        pressed = follower.wait_for("lost", "restored", "press")
        readings = follower.readings
        status, _ = follower.stop()
        second.close()
        heard = b"".join(bytes.fromhex(json.loads(line)["rx"]) for line in trace.read_text().splitlines())
    kept = heard.count(b"\x8d\x00\x0a") >= readings + 1
    return lost and back and pressed and kept and status == 0, f"events {follower.names}, half a message kept: {kept}"


def second_program() -> tuple[bool, str]:
    clock = new_clock()
    follower = Follower(clock.device)
    follower.wait_reading()
    other = subprocess.run(
        [sys.executable, "-m", "qiyan.cli", "clock", clock.device], capture_output=True, text=True, check=False
    )
    readings = follower.readings
    time.sleep(2.5)
    right = other.returncode == 2 and "another program" in other.stderr and follower.readings > readings
    follower.stop()
    clock.close()
    return right, other.stderr.strip()


def silent_device() -> tuple[bool, str]:
    master, slave = pty.openpty()
    tty.setraw(slave)
    follower = Follower(os.ttyname(slave))
    lost = follower.wait_for("lost")
    begin_s, cpu_s = time.monotonic(), follower.cpu_s()
    time.sleep(10)
    share = (follower.cpu_s() - cpu_s) / (time.monotonic() - begin_s)
    names = follower.names
    follower.stop()
    os.close(master)
    os.close(slave)
    return lost and names == ["lost"] and share < CPU_LIMIT, f"events {names}, {share:.2%} CPU"


def garbage(seconds: float) -> tuple[bool, str]:
    master, slave = pty.openpty()
    tty.setraw(slave)
    follower, rng = Follower(os.ttyname(slave)), random.Random(1)
    clock = SoftwareClock(parse_control("60m+30s"))
    time.sleep(2)
    clock.start(0)
    for t in range(4):
        os.write(master, clock.message(t * 0.5))
        time.sleep(0.5)
    begin_s, cpu_s = time.monotonic(), follower.cpu_s()
    while time.monotonic() < begin_s + seconds:
        os.write(master, rng.randbytes(96))
        time.sleep(0.1)
    share = (follower.cpu_s() - cpu_s) / (time.monotonic() - begin_s)
    for t in range(4):
        os.write(master, clock.message(seconds + 2 + t * 0.5))
        time.sleep(0.5)
    back = follower.wait_for("lost", "restored")
    names = follower.names
    follower.stop()
    os.close(master)
    os.close(slave)
    return back and names == ["lost", "restored"], f"events {names}, {share:.2%} CPU under 960 bytes/s"


def long_pause(seconds: float) -> tuple[bool, str]:
    clock = new_clock()
    follower = Follower(clock.device)
    follower.wait_reading()
    clock.act(start)
    follower.wait_for("start")
    clock.act(lambda each, t: each.pause(t))
    follower.wait_for("start", "stop")
    begin_s, cpu_s, rss_mb = time.monotonic(), follower.cpu_s(), follower.rss_mb()
    time.sleep(seconds)
    share = (follower.cpu_s() - cpu_s) / (time.monotonic() - begin_s)
    grown_mb, threads = follower.rss_mb() - rss_mb, follower.threads()
    clock.act(start)
    follower.wait_for("start", "stop", "start")
    names = follower.names
    status, _ = follower.stop()
    clock.close()
    right = names == ["start", "stop", "start"] and share < CPU_LIMIT and status == 0
    return right, f"{seconds:.0f} s, events {names}, {share:.2%} CPU, {threads} threads, grown {grown_mb:.1f} MB"


def game(plies: int) -> tuple[bool, str]:
    clock, rng = new_clock(), random.Random(3)
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "clock.jsonl"
        follower = Follower(clock.device, "--trace", str(trace))
        follower.wait_reading()
        clock.act(start)
        shown: list[tuple[int, int]] = []

        def press(each: SoftwareClock, t: float) -> None:
            each.press(each.turn, t)
            shown.append((each.shown_s(Display.LEFT, t), each.shown_s(Display.RIGHT, t)))

        for _ in range(plies):
            time.sleep(rng.uniform(0.6, 2.0))
            clock.act(press)
        time.sleep(1.5)
        follower.stop()
        clock.close()
        right, own_s, others_s = _same_times(follower.events, shown, swapped=False)
        command = [sys.executable, "-m", "qiyan.cli", "clock", str(trace), "--json", "--clock-red", "right"]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        events = [record for record in map(json.loads, out.splitlines()) if "event" in record]
        swapped_right, *_ = _same_times(events, shown, swapped=True)
    return (
        right and swapped_right,
        f"{plies} plies, presser's time off by {own_s} s at most, opponent's by {others_s} s, swapped: {swapped_right}",
    )


def _same_times(events: list[dict[str, object]], shown: list[tuple[int, int]], swapped: bool) -> tuple[bool, int, int]:
    """(right, worst of the pressers' times, worst of the opponents'), s: the opponent's time may have fallen already
    when the board looks at the clock."""
    presses = [each for each in events if each["event"] == "press"]
    sides = ("black", "red") if swapped else ("red", "black")
    own_s = others_s = 0
    for ply, (press, (left_s, right_s)) in enumerate(zip(presses, shown, strict=False)):
        if press["side"] != sides[ply % 2]:
            return False, own_s, others_s
        told = (press["black_s"], press["red_s"]) if swapped else (press["red_s"], press["black_s"])
        off_s = [abs(int(time_s) - true_s) for time_s, true_s in zip(told, (left_s, right_s), strict=True)]  # type: ignore[call-overload]
        own_s, others_s = max(own_s, off_s[ply % 2]), max(others_s, off_s[1 - ply % 2])
    return len(presses) == len(shown) and own_s == 0 and others_s <= 1, own_s, others_s


def simulated_hours(hours: float) -> tuple[bool, str]:
    clock, parser, watch = SoftwareClock(parse_control("9h+30s")), DgtParser(), ClockWatch(WatchConfig())
    tracemalloc.start()
    clock.start(0)
    steps, begin_s, told = int(hours * 3600 / 0.4), time.monotonic(), 0
    warm_kb = 0.0
    for step in range(steps):
        t = step * 0.4
        if step % 75 == 74:
            clock.press(clock.turn, t)
        for part in (clock.message(t)[:4], clock.message(t)[4:]):
            for signal_ in parser.feed(part, t):
                told += len(watch.feed(signal_))
        told += len(watch.pass_time(t))
        if step == steps // 10:
            warm_kb = tracemalloc.get_traced_memory()[0] / 1024
    grown_kb = tracemalloc.get_traced_memory()[0] / 1024 - warm_kb
    tracemalloc.stop()
    return (
        grown_kb < 64,
        f"{hours:g} h in {time.monotonic() - begin_s:.0f} s, {told} happenings, grown {grown_kb:.1f} kB",
    )


def random_bytes() -> tuple[bool, str]:
    rng, parser, watch = random.Random(7), DgtParser(), ClockWatch(WatchConfig())
    told: Counter[str] = Counter()
    for chunk in range(20_000):
        for signal_ in parser.feed(rng.randbytes(50), chunk * 0.05):
            told.update(each.what.value for each in watch.feed(signal_))
    good = bytes.fromhex("8d000a20050020050009")
    found = [each.raw for each in parser.feed(good, 1000.0)] == [good]
    wrong = {"press", "flag", "adjust", "start", "pause"} & set(told)
    return found and not wrong, f"1000000 bytes, {parser.dropped_bytes} dropped, told {dict(told)}"


def damaged(runs: int, rate: float, protocol: str = "dgt") -> tuple[bool, str]:
    total, longest_wrong, longest_behind = Counter[str](), 0, 0
    extra, missing = Counter[str](), Counter[str]()
    for name in RECORDINGS:
        for seed in range(runs):
            outcome = play_damaged(name, 1000 + seed, rate, protocol)
            longest_wrong = max(longest_wrong, outcome.longest_wrong)
            longest_behind = max(longest_behind, outcome.longest_behind)
            for count in ("messages", "wrong", "wrong_unsure", "unsure"):
                total[count] += getattr(outcome, count)
            extra += outcome.extra
            missing += outcome.missing
    extra.pop("warn_implausible", None)
    text = (
        f"{2 * runs} games, {total['messages']} messages, wrong times called sound {total['wrong']}, readings in a row "
        f"{longest_wrong}, believed but called unsure {total['wrong_unsure']}; undamaged messages in a row until right "
        f"again {longest_behind + 1}; true times called unsure {total['unsure']}"
    )
    # Two lines that begin a recording and lack the same digit can be told from the truth by nothing: told, not judged.
    right = protocol != "dgt" or (longest_wrong <= 1 and (longest_behind <= 1 or rate > DAMAGE))
    return right, f"{text}; happenings extra {dict(extra)}, missing {dict(missing)}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--full", action="store_true")
    arguments.add_argument("--only", default="")
    options = arguments.parse_args()
    scale = FULL if options.full else SHORT
    checks: dict[str, Callable[[], tuple[bool, str]]] = {
        "random bytes": random_bytes,
        "simulated hours": lambda: simulated_hours(scale.simulated_h),
        "replugged, same name": lambda: replug(True),
        "replugged, other name": lambda: replug(False),
        "killed in mid message": killed_in_mid_message,
        "second program": second_program,
        "silent device": silent_device,
        "garbage": lambda: garbage(scale.garbage_s),
        "game over a pty": lambda: game(scale.plies),
        "paused": lambda: long_pause(scale.pause_s),
    }
    if DATA.is_dir():
        for rate in (DAMAGE / 3, DAMAGE, DAMAGE * 3):
            for protocol in ("dgt", *LINES):
                as_asked = (rate, protocol) == (DAMAGE, "dgt")
                runs = scale.damaged_runs if as_asked else scale.damaged_runs // 5
                checks[f"{rate:.1%} damaged, {protocol}"] = partial(damaged, runs, rate, protocol)
    failed = 0
    for name, check in checks.items():
        if options.only not in name:
            continue
        right, measured = check()
        failed += not right
        sys.stdout.write(f"{'ok  ' if right else 'FAIL'} {name}: {measured}\n")
        sys.stdout.flush()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
