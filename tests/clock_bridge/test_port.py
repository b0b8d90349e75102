"""Ports with real pseudo terminals: unplugging, replugging, silence, garbage, a second program, a clean end."""

import os
import pty
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clock_bridge.control import parse_control
from clock_bridge.detect import Candidate, detect
from clock_bridge.errors import ClockBusy, ClockNotFound
from clock_bridge.feed import LiveFeed, open_clock
from clock_bridge.happening import Happening, What
from clock_bridge.pty_clock import PtyClock
from clock_bridge.reader import ReaderConfig
from clock_bridge.reading import Display
from clock_bridge.software_clock import SoftwareClock

QUICK = ReaderConfig(poll_after_s=0.3, dead_after_s=0.9, reopen_first_s=0.1, reopen_longest_s=0.3)
"""The patience of these tests, so that they are short."""


class Follower:
    """Polls a feed as the recorder does, and keeps what happened."""

    def __init__(self, feed: LiveFeed) -> None:
        self.feed = feed
        self.told: list[Happening] = []
        self._begin_s = time.monotonic()

    def until(self, *what: str, limit_s: float = 6.0) -> None:
        """Polls until the last things told are `what`."""
        end_s = time.monotonic() + limit_s
        while time.monotonic() < end_s:
            self.told += self.feed.happenings(time.monotonic() - self._begin_s)
            if self.names[-len(what) :] == list(what):
                return
            time.sleep(0.02)
        pytest.fail(f"expected the last events to be {what}: {self.names}")

    def heard(self, limit_s: float = 6.0) -> None:
        """Polls until the first reading is there."""
        end_s = time.monotonic() + limit_s
        while time.monotonic() < end_s and self.feed.times(0.0)[0] is None:
            self.for_s(0.05)

    def for_s(self, seconds: float) -> None:
        end_s = time.monotonic() + seconds
        while time.monotonic() < end_s:
            self.told += self.feed.happenings(time.monotonic() - self._begin_s)
            time.sleep(0.02)

    @property
    def names(self) -> list[str]:
        return [each.what.value for each in self.told if not each.what.value.startswith("warn")]


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def new_clock(control: str = "10m+5s") -> PtyClock:
    return PtyClock(SoftwareClock(parse_control(control)), looks_every_s=0.1, speaks_every_s=0.25)


def start(clock: SoftwareClock, t: float) -> None:
    clock.start(t)


@pytest.mark.parametrize("same_name", [True, False])
def test_unplugged_and_plugged_in_again(tmp_path: Path, same_name: bool) -> None:
    link = tmp_path / "clock"
    first = new_clock()
    link.symlink_to(first.device)
    follower = Follower(open_clock(str(link), reader=QUICK))
    follower.heard()
    first.act(start)
    follower.until("start")
    first.close()
    follower.until("link_lost")
    blocker = None if same_name else pty.openpty()  # takes the number that became free
    second = new_clock()
    assert (second.device == first.device) == same_name
    second.act(start)
    link.unlink()
    link.symlink_to(second.device)
    follower.until("link_back", "resync")
    second.press(Display.LEFT)
    follower.until("press", "run")
    assert follower.names == ["start", "link_lost", "link_back", "resync", "press", "run"]
    follower.feed.close()
    second.close()
    for end in blocker or ():
        os.close(end)


def test_a_port_that_another_program_holds_is_refused() -> None:
    clock = new_clock()
    program = "import serial, sys; p = serial.Serial(sys.argv[1], exclusive=True); print('open', flush=True); input()"
    other = subprocess.Popen(
        [sys.executable, "-c", program, clock.device], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "open\n"
    with pytest.raises(ClockBusy, match="another program"):
        open_clock(clock.device)
    other.communicate("\n")
    open_clock(clock.device).close()
    clock.close()


def test_a_second_program_cannot_take_the_port_from_us() -> None:
    clock = new_clock()
    feed = open_clock(clock.device)
    program = "import serial, sys; serial.Serial(sys.argv[1], exclusive=True)"
    other = subprocess.run([sys.executable, "-c", program, clock.device], capture_output=True, text=True, check=False)
    assert "exclusively lock" in other.stderr
    feed.close()
    clock.close()


def test_a_port_that_is_not_there_is_named() -> None:
    with pytest.raises(ClockNotFound, match="/dev/nothing-here"):
        open_clock("/dev/nothing-here")
    with pytest.raises(ClockNotFound):
        open_clock("gopher://clock")


def test_a_device_that_sends_nothing_is_reported_once() -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    follower = Follower(open_clock(os.ttyname(slave), reader=QUICK))
    follower.for_s(1.4)
    assert follower.names == ["link_lost"]
    follower.feed.close()
    os.close(master)
    os.close(slave)


def test_garbage_is_no_clock_and_hurts_none() -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    follower = Follower(open_clock(os.ttyname(slave), reader=QUICK))
    for seconds_left in (9, 8, 7):
        os.write(master, bytes.fromhex(f"8d000a200500200{seconds_left}0009"))
        follower.for_s(0.3)
    rng_bytes = bytes((value * 89 + 41) % 256 for value in range(512))
    for _ in range(12):
        os.write(master, rng_bytes)
        follower.for_s(0.1)
    assert follower.names[:1] == ["link_lost"]
    assert not {"press", "flag", "adjust"} & set(follower.names)
    follower.feed.close()
    os.close(master)
    os.close(slave)


def test_a_paused_clock_is_asked_and_lives() -> None:
    clock = new_clock()
    follower = Follower(open_clock(clock.device, reader=QUICK))
    follower.heard()
    clock.act(start)
    follower.until("start")
    clock.act(lambda each, t: each.pause(t))
    follower.until("pause")
    clock._nice = True  # from now on it speaks only on change: without asking, a pause and a dead cable look alike
    follower.for_s(1.3)
    clock.act(start)
    follower.until("start", "pause", "resume")
    follower.feed.close()
    clock.close()


def test_listening_only_sends_nothing() -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    follower = Follower(
        open_clock(os.ttyname(slave), reader=ReaderConfig(ask=False, poll_after_s=0.2, dead_after_s=0.5))
    )
    follower.for_s(1.0)
    with pytest.raises(BlockingIOError):
        os.read(master, 10)
    follower.feed.close()
    os.close(master)
    os.close(slave)


def test_the_reader_rests_while_nothing_comes() -> None:
    clock = new_clock()
    feed = open_clock(clock.device)
    before_s = time.process_time()
    time.sleep(1.2)
    assert (time.process_time() - before_s) / 1.2 < 0.02
    feed.close()
    clock.close()


def test_closing_twice_and_from_another_thread_is_safe() -> None:
    clock = new_clock()
    feed = open_clock(clock.device)
    closers = [threading.Thread(target=feed.close) for _ in range(3)]
    for each in closers:
        each.start()
    for each in closers:
        each.join(2.0)
        assert not each.is_alive()
    feed.close()
    clock.close()


def test_a_game_over_a_cable_carries_both_times_at_every_press(tmp_path: Path) -> None:
    clock, trace = new_clock(), tmp_path / "clock.jsonl"
    follower = Follower(open_clock(clock.device, record=trace))
    follower.heard()
    clock.act(start)
    follower.until("start")
    shown: list[tuple[int, int]] = []

    def press(each: SoftwareClock, t: float) -> None:
        each.press(each.turn, t)
        shown.append((each.shown_s(Display.LEFT, t), each.shown_s(Display.RIGHT, t)))

    for _ in range(4):
        clock.act(press)
        follower.for_s(0.5)
    follower.feed.close()
    clock.close()
    for red in ("left", "right"):
        told = open_clock(str(trace), red=red).happenings(1e9)
        if red == "left":
            assert [(each.what, each.side, each.times_s) for each in told] == [
                (each.what, each.side, each.times_s) for each in follower.told
            ]
        presses = [each for each in told if each.what is What.PRESS]
        assert [each.side for each in presses] == [(ply + (red == "right")) % 2 for ply in range(4)]
        for press_told, (left_s, right_s) in zip(presses, shown, strict=True):
            red_s, black_s = press_told.times_s if red == "left" else press_told.times_s[::-1]
            # Between the press and the board's look at the clock the opponent's time may have ticked once.
            assert (red_s, black_s) in ((left_s, right_s), (left_s - 1, right_s), (left_s, right_s - 1))


def test_a_clock_behind_a_network_serial_server() -> None:
    import socket

    server = socket.create_server(("127.0.0.1", 0))
    port = server.getsockname()[1]

    def serve() -> None:
        peer, _ = server.accept()
        with peer:
            for left in ("0500", "0459", "0458"):
                peer.sendall(bytes.fromhex(f"8d000a200500 20{left} 09"))
                time.sleep(0.3)

    thread = threading.Thread(target=serve)
    thread.start()
    follower = Follower(open_clock(f"socket://127.0.0.1:{port}", reader=QUICK))
    follower.until("link_lost")
    assert follower.feed.times(0.0)[0] == 298
    follower.feed.close()
    thread.join()
    server.close()


@pytest.mark.parametrize("kind", ["dgt", "text"])
def test_the_port_with_a_clock_is_found_among_others(kind: str) -> None:
    silent_master, silent = pty.openpty()
    tty.setraw(silent)
    ends: list[Callable[[], None]] = [lambda: os.close(silent_master), lambda: os.close(silent)]
    if kind == "dgt":
        clock = new_clock()
        device = clock.device
        ends.append(clock.close)
    else:
        device = text_clock(ends)
    among = [Candidate(os.ttyname(silent), 0x1A86, 0x7523), Candidate(device, 0x0403, 0x6001)]
    among.sort(key=lambda each: each.rank)
    assert detect(among, ["dgt", "text"]) == (device, kind)
    if kind == "dgt":
        with pytest.raises(ClockNotFound, match=os.ttyname(silent)):
            detect(among[1:], ["dgt"])
    for end in ends:
        end()


def text_clock(ends: list[Callable[[], None]]) -> str:
    master, slave = pty.openpty()
    tty.setraw(slave)
    stop = threading.Event()

    def talk() -> None:
        seconds = 59
        while not stop.wait(0.3):
            os.write(master, f"white 4:{seconds} black 5:00\r\n".encode())
            seconds -= 1

    thread = threading.Thread(target=talk)
    thread.start()

    def end() -> None:
        stop.set()
        thread.join()
        os.close(master)
        os.close(slave)

    ends.append(end)
    return os.ttyname(slave)
