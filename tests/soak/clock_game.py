"""A simulated game with its clock on a pty, recorded by the real command; not run with the tests.

    python -m tests.soak.clock_game [--plies N] [--seed N] [--red left|right]

In real time, so it wants a processor for itself: where the camera cannot be read in time, moves are missing.

The table (an MJPEG camera on the loopback address, a DGT clock on a pseudo terminal) is one process, `qiyan record`
another, in real time; once with the clock's left side as Red's, once with the right. Every move's clock is compared
with the simulator's own. Prints one line a recording; exit status 1 where a time is off by more than a second.
"""

import argparse
import json
import math
import multiprocessing
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from qiyan.simulator import live
from qiyan.simulator.clock import GameClock
from qiyan.simulator.games import OPENING, play_script
from qiyan.simulator.look import Look
from qiyan.simulator.looks import looks
from qiyan.simulator.script import Script
from qiyan.simulator.table import Table
from rules.piece import RED, SIDE_NAMES

LIMIT_S = 600.0
READY_S = 120.0
"""How long the table may take to be set up on a busy machine."""
STEP_S = 0.1
FPS, SIZE_WH, LEAD_S = 6.0, (960, 540), 12.0
"""Light enough for a busy machine, where drawing and reading go on together and the recorder needs seconds to begin."""
ALLOWED_S = 1.0
"""Between two looks at the clock the recorder counts on within the second that the display shows."""


def table_of(played: list[str], seed: int) -> tuple[Look, Script]:
    """What is simulated."""
    return replace(looks(seed), fps=FPS, size_wh=SIZE_WH), replace(play_script(played, seed), lead_s=LEAD_S)


def record(out: Path, played: list[str], seed: int, red: str) -> tuple[list[dict[str, Any]], str]:
    """(events, text of game.pgn) of one recording."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    table = context.Process(target=live.run, args=(*table_of(played, seed), theirs), daemon=True)
    table.start()
    try:
        if not ours.poll(READY_S):
            raise SystemExit("the simulated table did not start")
        address, port = ours.recv()
        command = [sys.executable, "-m", "qiyan.cli", "record", "--source", address, "--out", str(out)]
        recorder = subprocess.Popen([*command, "--clock", port, "--clock-red", red], stdout=subprocess.DEVNULL)
        if ours.poll(LIMIT_S):
            ours.recv()
        recorder.send_signal(signal.SIGINT)
        recorder.wait(60)
    finally:
        table.kill()
        table.join()
    events = [json.loads(line) for line in (out / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    return events, (out / "game.pgn").read_text(encoding="utf-8")


def shown_s(clock: GameClock, t: float) -> tuple[int, int]:
    """(left, right) on the displays of the simulator's clock, whose left side is its Red's: seconds that are begun."""
    state = clock.at(t)
    return math.ceil(state.red_s - 1e-6), math.ceil(state.black_s - 1e-6)


def lag_s(events: list[dict[str, Any]], clock: GameClock) -> float:
    """How far the recorder's time is behind the table's, from the presses."""
    heard = [each["t"] for each in events if each["kind"] == "clock" and each["event"] == "press"]
    return statistics.median(t - true for t, (true, _) in zip(heard, clock.presses, strict=False))


def worst_of_moves(events: list[dict[str, Any]], clock: GameClock, swapped: bool) -> float:
    """By how much a move's times are off all that the clock showed from the piece set down to the move told, s."""
    lag = lag_s(events, clock)
    worst = 0.0
    for move in (each for each in events if each["kind"] == "move"):
        if move["clock"] is None:
            return float("inf")
        told = (move["clock"]["red_s"], move["clock"]["black_s"])
        left_s, right_s = told[::-1] if swapped else told
        begin, end = move["t_placed"] - lag - 0.5, move["t"] - lag + 0.5
        moments = [begin + step * STEP_S for step in range(int((end - begin) / STEP_S) + 1)]
        for side, value in enumerate((left_s, right_s)):
            stood = [shown_s(clock, t)[side] for t in moments]
            worst = max(worst, min(stood) - value, value - max(stood))
    return worst


def worst_of_presses(events: list[dict[str, Any]], clock: GameClock, swapped: bool) -> float:
    """By how much the presser's time, as told with the press, is off the simulator's, s; infinite for a wrong side."""
    presses = [each for each in events if each["kind"] == "clock" and each["event"] == "press"]
    if len(presses) != len(clock.presses):
        return float("inf")
    worst = 0.0
    for press, (t, side) in zip(presses, clock.presses, strict=True):
        name = SIDE_NAMES[1 - side if swapped else side]
        if press["side"] != name:
            return float("inf")
        true_s = shown_s(clock, t + 1e-3)[side]
        worst = max(worst, abs(press[f"{name}_s"] - true_s))
    return worst


def worst_of_pgn(pgn: str, clock: GameClock) -> tuple[int, float]:
    """(moves with a clock comment, by how much the worst is off the mover's time after its press, s)."""
    told = [int(h) * 3600 + int(m) * 60 + float(s) for h, m, s in re.findall(r"%clk (\d+):(\d+):([\d.]+)", pgn)]
    worst = 0.0
    for value, (t, side) in zip(told, clock.presses, strict=False):
        worst = max(worst, abs(value - shown_s(clock, t + 1e-3)[side]))
    return len(told), worst


def check(folder: Path, played: list[str], seed: int, red: str) -> bool:
    """One recording, compared; prints what was measured."""
    clock = Table(*table_of(played, seed)).clock
    assert clock.first == RED
    swapped = red == "right"
    events, pgn = record(folder / red, played, seed, red)
    moves = [each["iccs"] for each in events if each["kind"] == "move"]
    of_moves, of_presses = worst_of_moves(events, clock, swapped), worst_of_presses(events, clock, swapped)
    right = moves == played and of_moves <= ALLOWED_S and of_presses == 0
    comments = ""
    if not swapped:
        count, of_pgn = worst_of_pgn(pgn, clock)
        right = right and count == len(played) and of_pgn == 0
        comments = f", {count} %clk off by {of_pgn:.2f} s at most"
    sys.stdout.write(
        f"{'ok  ' if right else 'FAIL'} --clock-red {red}: {len(moves)} moves of {len(played)}, their times off by "
        f"{of_moves:.2f} s at most, the presses' by {of_presses:.2f} s{comments}\n"
    )
    sys.stdout.flush()
    return right


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--plies", type=int, default=8)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--red", choices=["left", "right"], action="append", help="default: both")
    options = arguments.parse_args()
    played = OPENING[: options.plies]
    folder = Path(tempfile.mkdtemp(prefix="clock-game-"))
    results = [check(folder, played, options.seed, red) for red in options.red or ("left", "right")]
    if all(results):
        shutil.rmtree(folder)
    else:
        sys.stdout.write(f"what was recorded is kept in {folder}\n")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
