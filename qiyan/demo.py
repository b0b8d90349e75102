"""The demo: a simulated table in one process, the recorder in this one, checked against each other at the end."""

import contextlib
import multiprocessing
import sys
import threading
from datetime import datetime
from multiprocessing.connection import Connection
from pathlib import Path

from rich.console import Console

from qiyan.game_so_far import fold
from qiyan.journal import read_entries
from qiyan.recording import RecordOptions, record_from
from qiyan.simulator import live
from qiyan.simulator.games import OPENING, play_script
from qiyan.simulator.looks import looks
from qiyan.web.beside import pages_beside
from vision.source import FrameSource, SourceConfig, open_source

PACE = "natural"
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
        status = _play(console, folder, OPENING[:plies], seed)
        if sys.stdin.isatty():
            console.input("The pages stay until you press Enter. ")
    console.print(f"The pages are closed; `qiyan serve {folder}` shows them again.", highlight=False, soft_wrap=True)
    return status


def _play(console: Console, folder: Path, played: list[str], seed: int) -> int:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    table = context.Process(
        target=live.run, args=(looks(seed), play_script(played, seed, PACE), theirs), name="table", daemon=True
    )
    table.start()
    try:
        if not ours.poll(_START_S):
            console.print("qiyan: the simulated table did not start")
            return 1
        address, port = ours.recv()
        console.print(f"Simulated table: camera {address}, DGT clock {port}", highlight=False)
        source = open_source(address, SourceConfig())
        threading.Thread(target=_close_at_the_end, args=(ours, source), name="end of play", daemon=True).start()
        status = record_from(source, RecordOptions(folder, address, clock=port))
    finally:
        table.kill()
        table.join()
    if status != 0:
        return status
    recorded = [move["iccs"] for move in fold(read_entries(folder)).moves]
    console.print((folder / "game.txt").read_text(encoding="utf-8"), highlight=False)
    right = sum(a == b for a, b in zip(played, recorded, strict=False))
    console.print(f"{right} of {len(played)} plies recorded right, {len(recorded)} in the record.", highlight=False)
    return 0 if recorded == played else 1


def _tell(console: Console, line: str) -> None:
    console.print(line, highlight=False, markup=False, soft_wrap=True)


def _close_at_the_end(pipe: Connection, source: FrameSource) -> None:
    """End the recording when all was played, or when the table's process is gone."""
    with contextlib.suppress(EOFError, OSError):
        pipe.recv()
    source.close()
