"""`qiyan perft FEN DEPTH`: the leaf count of the tree of legal moves."""

import json

import click

from rules.errors import FenError
from rules.fen import parse_fen
from rules.perft import divide, perft


@click.command()
@click.argument("fen")
@click.argument("depth", type=click.IntRange(min=0))
@click.option("--divide", "by_move", is_flag=True, help="The count by first move, then the sum.")
@click.option("--json", "as_json", is_flag=True, help="With --divide: one JSON object.")
def command(fen: str, depth: int, by_move: bool, as_json: bool) -> None:
    """Print how many sequences of DEPTH legal plies follow FEN."""
    try:
        position = parse_fen(fen)
    except FenError as error:
        raise click.UsageError(str(error)) from error
    if not by_move:
        click.echo(perft(position, depth))
        return
    counts = divide(position, depth)
    total = sum(counts.values())
    if as_json:
        click.echo(json.dumps({"moves": counts, "total": total}))
        return
    for iccs, count in counts.items():
        click.echo(f"{iccs} {count}")
    click.echo(total)
