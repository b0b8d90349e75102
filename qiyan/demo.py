"""The demo: a simulated table in one process, the recorder in this one, checked against each other at the end."""

import contextlib
import multiprocessing
import sys
import threading
from dataclasses import replace
from datetime import datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from rich.console import Console

from qiyan.game_so_far import fold
from qiyan.journal import read_entries
from qiyan.progress import clock_text, describe
from qiyan.recording import RecordOptions, record_from
from qiyan.simulator import live
from qiyan.simulator.games import OPENING, play_script
from qiyan.simulator.looks import looks
from qiyan.simulator.script import LiftBack, Script, Wait
from qiyan.web.beside import pages_beside
from rules.piece import RED
from vision.source import FrameSource, SourceConfig, open_source

PACE = "natural"
TOUCHED_PLY, TOUCHED = 9, "b2"
"""Before this ply Red takes up the cannon there, puts it back, and plays the chariot: what an arbiter is to be told."""
_TOUCHED_WORDS = (
    f"第{TOUCHED_PLY}着红方先拿起炮（{TOUCHED}）又放回，另走车：请看裁判台，并在棋局进行中裁定。",
    f"At ply {TOUCHED_PLY} Red takes up the cannon on {TOUCHED}, puts it back and plays the chariot: "
    "watch the arbiter's console, and rule on it while the game is played.",
)
_ENDED_WORDS = (
    "记录已结束：此后的裁定待生效。",
    "The recording has ended: a decision made from now on is not yet in the record.",
)
_HELD_S, _SHIFT_CELLS, _CONSIDERS_S = 1.0, (0.11, -0.06), 0.5
"""How long it is in the air, how far off it comes down, for it is put back in haste, and how long Red then thinks."""
_START_S = 60.0
"""How long the table may take to be set up."""


def run_demo(out: Path | None, plies: int, seed: int, web: int) -> int:
    """Play, record and serve the pages on port `web`; 0 where the record is what was played."""
    console = Console()
    folder = out or Path("demo-table") / datetime.now().strftime("%Y-%m-%d_%H-%M-%S")
    console.print(f"Recording into {folder}", highlight=False)
    with pages_beside(folder, lambda line: _tell(console, line), web) as pages:
        # Their start takes a second that the table, once it plays, would not wait for.
        pages.wait(_START_S)
        status = _play(console, folder, plies, seed)
        if sys.stdin.isatty():
            # Only a recorder writes the journal, and this one has ended.
            for line in _ENDED_WORDS:
                _tell(console, line)
            console.input("The pages stay until you press Enter. ")
    console.print(f"The pages are closed; `qiyan serve {folder}` shows them again.", highlight=False, soft_wrap=True)
    return status


def demo_script(plies: int, seed: int) -> Script:
    """So much of the opening, with a touched piece in it where it comes that far."""
    script = play_script(OPENING[:plies], seed, PACE)
    if plies < TOUCHED_PLY:
        return script
    before, after = script.actions[: TOUCHED_PLY - 1], script.actions[TOUCHED_PLY - 1 :]
    touch = (LiftBack(RED, TOUCHED, seconds=_HELD_S, shift=_SHIFT_CELLS), Wait(_CONSIDERS_S))
    return replace(script, actions=(*before, *touch, *after))


def _play(console: Console, folder: Path, plies: int, seed: int) -> int:
    played, script = OPENING[:plies], demo_script(plies, seed)
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    table = context.Process(target=live.run, args=(looks(seed), script, theirs), name="table", daemon=True)
    table.start()
    try:
        if not ours.poll(_START_S):
            console.print("qiyan: the simulated table did not start")
            return 1
        address, port = ours.recv()
        console.print(f"Simulated table: camera {address}, DGT clock {port}", highlight=False)
        if plies >= TOUCHED_PLY:
            for line in _TOUCHED_WORDS:
                _tell(console, line)
        source = open_source(address, SourceConfig())
        threading.Thread(target=_close_at_the_end, args=(ours, source), name="end of play", daemon=True).start()
        status = record_from(source, RecordOptions(folder, address, clock=port))
    finally:
        table.kill()
        table.join()
    if status != 0:
        return status
    entries = read_entries(folder)
    recorded = [move["iccs"] for move in fold(entries).moves]
    console.print((folder / "game.txt").read_text(encoding="utf-8"), highlight=False)
    right = sum(a == b for a, b in zip(played, recorded, strict=False))
    console.print(f"{right} of {len(played)} plies recorded right, {len(recorded)} in the record.", highlight=False)
    for line in _incidents_told(entries):
        _tell(console, line)
    return 0 if recorded == played else 1


def _incidents_told(entries: list[dict[str, Any]]) -> list[str]:
    """Every incident that no later one replaces, with its pictures and its clip."""
    incidents = [entry for entry in entries if entry["kind"] == "incident"]
    replaced = {incident["updates"] for incident in incidents}
    lines = [f"Incidents told: {len(incidents) - len(replaced - {None})}"]
    for incident in incidents:
        if incident["seq"] not in replaced:
            lines.append(f"{clock_text(incident['t'])}  {describe(incident)}")
            lines.append(f"{'':10}{'  '.join(incident['evidence'])}")
    return lines


def _tell(console: Console, line: str) -> None:
    console.print(line, highlight=False, markup=False, soft_wrap=True)


def _close_at_the_end(pipe: Connection, source: FrameSource) -> None:
    """End the recording when all was played, or when the table's process is gone."""
    with contextlib.suppress(EOFError, OSError):
        pipe.recv()
    source.close()
