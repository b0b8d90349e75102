"""`qiyan demo`: the main job with nothing plugged in."""

from pathlib import Path

import click

from qiyan import log
from qiyan.commands.failure import telling_failures


@click.command("demo")
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the recording; default: demo-table/TIME.")
@click.option("--plies", type=click.IntRange(1), default=24, show_default=True, help="How much of the game is played.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed, another table.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Of the pages; default: any free one.")
@click.option("-v", "--verbose", count=True, help="Log changes of state; twice: everything.")
@telling_failures
def command(out: Path | None, plies: int, seed: int, port: int, verbose: int) -> None:
    """Play a real opening at a simulated table and record it live through a network camera and a clock on a cable.

    At the ninth ply Red touches one piece and plays another, for the arbiter's console to tell.
    The pages (overlay, arbiter's console, set-up) are served meanwhile; where, is printed.
    """
    log.set_up(verbose)
    from qiyan.demo import run_demo

    raise SystemExit(run_demo(out, plies, seed, port))
