"""A simulated game with its clock on a pty, recorded by the real command; not run with the tests.

    python -m tests.soak.clock_game [--plies N] [--seed N]

The table (an MJPEG camera on the loopback address, a DGT clock on a pseudo terminal) is one process, `qiyan record`
another, in real time; once with the clock's left side as Red's, once with the right. Every move's clock is compared
with the simulator's own. Prints one line a recording; exit status 1 where a time is off by more than a second.
"""

import argparse
import json
import multiprocessing
import re
import signal
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from qiyan.simulator import live
from qiyan.simulator.clock import GameClock
from qiyan.simulator.games import OPENING, play_script
from qiyan.simulator.looks import looks
from qiyan.simulator.table import Table
from rules.piece import RED, SIDE_NAMES

LIMIT_S = 600.0
READY_S = 120.0
"""How long the table may take to be set up on a busy machine."""
STEP_S = 0.1
ALLOWED_S = 1.0
"""A display shows whole seconds, and the recorder counts on from the last one it heard."""


def record(out: Path, played: list[str], seed: int, red: str) -> tuple[list[dict[str, Any]], str]:
    """(events, text of game.pgn) of one recording."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    table = context.Process(target=live.run, args=(looks(seed), play_script(played, seed), theirs), daemon=True)
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


def shown_s(clock: GameClock, t: float) -> tuple[float, float]:
    """(left, right) of the simulator's clock, whose left side is its Red's."""
    state = clock.at(t)
    return state.red_s, state.black_s


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
        # The display shows the second that is begun.
        worst = max(worst, abs(press[f"{name}_s"] - true_s) if not 0 <= press[f"{name}_s"] - true_s < 1 else 0.0)
    return worst


def worst_of_pgn(pgn: str, clock: GameClock) -> tuple[int, float]:
    """(moves with a clock comment, by how much the worst is off the mover's time after its press, s)."""
    told = [int(h) * 3600 + int(m) * 60 + float(s) for h, m, s in re.findall(r"%clk (\d+):(\d+):([\d.]+)", pgn)]
    worst = 0.0
    for value, (t, side) in zip(told, clock.presses, strict=False):
        worst = max(worst, abs(value - shown_s(clock, t + 1e-3)[side]))
    return len(told), worst


def check(played: list[str], seed: int, red: str) -> bool:
    """One recording, compared; prints what was measured."""
    clock = Table(looks(seed), play_script(played, seed)).clock
    assert clock.first == RED
    swapped = red == "right"
    with tempfile.TemporaryDirectory() as folder:
        events, pgn = record(Path(folder) / "game", played, seed, red)
    moves = [each["iccs"] for each in events if each["kind"] == "move"]
    of_moves, of_presses = worst_of_moves(events, clock, swapped), worst_of_presses(events, clock, swapped)
    right = moves == played and max(of_moves, of_presses) <= ALLOWED_S
    comments = ""
    if not swapped:
        count, of_pgn = worst_of_pgn(pgn, clock)
        right = right and count == len(played) and of_pgn <= ALLOWED_S
        comments = f", {count} %clk off by {of_pgn:.2f} s at most"
    sys.stdout.write(
        f"{'ok  ' if right else 'FAIL'} --clock-red {red}: {len(moves)} moves of {len(played)}, their times off by "
        f"{of_moves:.2f} s at most, the presses' by {of_presses:.2f} s{comments}\n"
    )
    sys.stdout.flush()
    return right


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--plies", type=int, default=12)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    played = OPENING[: options.plies]
    results = [check(played, options.seed, red) for red in ("left", "right")]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
