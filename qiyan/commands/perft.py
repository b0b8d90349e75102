"""`qiyan perft FEN DEPTH`: the leaf count of the tree of legal moves."""

import json

import click

from qiyan.commands.failure import telling_failures
from rules.fen import parse_fen
from rules.perft import divide, perft

DEEPEST = 100
"""Plies; what lies deeper than some ten nobody lives to see counted, and a few hundred exhaust Python's stack."""


@click.command()
@click.argument("fen")
@click.argument("depth", type=click.IntRange(min=0, max=DEEPEST))
@click.option("--divide", "by_move", is_flag=True, help="The count by first move, then the sum.")
@click.option("--json", "as_json", is_flag=True, help="With --divide: one JSON object.")
@telling_failures
def command(fen: str, depth: int, by_move: bool, as_json: bool) -> None:
    """Print how many sequences of DEPTH legal plies follow FEN."""
    position = parse_fen(fen)
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
