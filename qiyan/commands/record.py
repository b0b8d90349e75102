"""`qiyan record`: a camera or a video to a game."""

from pathlib import Path

import click

from qiyan import log
from qiyan.commands.failure import telling_failures


@click.command("record")
@click.option("--source", help="Camera index, device, rtsp:// or http:// address, video, or folder.")
@click.option("--out", "out", required=True, type=click.Path(path_type=Path), help="Folder of the recording.")
@click.option("--clock", help="Serial port, pyserial address, clock trace file, or auto to look for one.")
@click.option("--clock-protocol", default=None, help="dgt (default), text, ..., auto; see docs/clocks.md.")
@click.option("--clock-pattern", default=None, help="Line pattern with named groups, for the protocol text.")
@click.option("--clock-unit", type=click.Choice(["clock", "s", "ms"]), default=None, help="Of that pattern's times.")
@click.option("--clock-red", type=click.Choice(["left", "right"]), default=None, help="Red's side of the clock.")
@click.option("--table", type=click.Path(path_type=Path), help="The table's TOML file; other options win over it.")
@click.option("--rules", "edition", default=None, help="Rules edition, see `qiyan rules`.")
@click.option("--start", help="Start position as FEN, where it is not to be read from the board.")
@click.option("--control", help="Time control such as 60m+30s, 15m, 10m+5s.")
@click.option("--corners", help='Where the board is, as "a0=x,y i0=x,y i9=x,y a9=x,y" in px.')
@click.option("--notation", type=click.Choice(["iccs", "wxf", "chinese"]), default=None, help="Moves of game.pgn.")
@click.option("--fps", type=click.FloatRange(0.01, 1000.0), help="Of picture folders; default 1.")
@click.option("-v", "--verbose", count=True, help="Log changes of state; twice: everything.")
@telling_failures
def command(out: Path, verbose: int, **options: object) -> None:
    """Record the game on the board that the source shows into the folder OUT.

    Killed at any time, it loses at most the frame in hand; called again with the same OUT, it goes on.
    """
    log.set_up(verbose)
    # Loaded here, so that `--help` and wrong options answer at once.
    from qiyan.recording import RecordOptions, record

    raise SystemExit(record(RecordOptions.of(out, options)))
