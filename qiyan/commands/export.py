"""`qiyan export`: a recording's game in a format."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from qiyan.commands.failure import telling_failures

if TYPE_CHECKING:
    from rules.game import Game


@click.command("export")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--to", "form", type=click.Choice(["pgn", "dhtmlxq", "txt", "json"]), required=True)
@click.option(
    "--notation",
    type=click.Choice(["iccs", "wxf", "chinese", "chinese-short"]),
    default=None,
    help="Of the moves; default: iccs in PGN and JSON, chinese in the record sheet.",
)
@telling_failures
def command(folder: Path, form: str, notation: str | None) -> None:
    """Print the game recorded in FOLDER."""
    from qiyan.game_so_far import fold
    from qiyan.journal import read_entries
    from qiyan.names import load_names
    from rules.dhtmlxq import format_dhtmlxq
    from rules.pgn import format_pgn
    from rules.record_sheet import format_sheet

    so_far = fold(read_entries(folder))
    so_far.headers |= load_names(folder)
    game = so_far.game()
    if form == "pgn":
        click.echo(format_pgn(game, notation or "iccs"), nl=False)
    elif form == "dhtmlxq":
        click.echo(format_dhtmlxq(game), nl=False)
    elif form == "txt":
        if notation not in (None, "chinese", "chinese-short"):
            raise click.UsageError("the record sheet is written in chinese or chinese-short")
        click.echo(format_sheet(game, short=notation == "chinese-short"), nl=False)
    else:
        click.echo(json.dumps(_as_json(game, notation or "iccs"), ensure_ascii=False))


def _as_json(game: "Game", notation: str) -> dict[str, object]:
    from rules.fen import format_fen
    from rules.pgn import write_ply

    moves = [
        {"ply": number, "move": write_ply(position, ply, notation), "clock_s": ply.clock_s}
        for number, (position, ply) in enumerate(game.walk(), 1)
    ]
    return {
        "headers": game.headers,
        "start_fen": format_fen(game.start),
        "moves": moves,
        "result": game.result.value,
        "final_fen": format_fen(game.final_position()),
    }
