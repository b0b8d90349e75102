"""`qiyan touch --start FEN POINT...`: what has to be played after touching pieces (clauses 5.1 to 5.5)."""

import json

import click

from qiyan.commands.failure import telling_failures
from rules.fen import START_FEN, parse_fen
from rules.point import parse_point
from rules.profile import DEFAULT_EDITION, find_profile
from rules.touch_move import obligations


@click.command()
@click.option("--start", default=START_FEN, help="Position, as FEN.")
@click.option("--rules", "edition", default=DEFAULT_EDITION, help="Edition of the rules; see `qiyan rules`.")
@click.option("--json", "as_json", is_flag=True, help="Always JSON; taken for likeness with the other commands.")
@click.argument("points", nargs=-1, required=True)
@telling_failures
def command(start: str, edition: str, as_json: bool, points: tuple[str, ...]) -> None:
    """Print the moves to which touching the pieces on POINT..., in that order, obliges the side to move."""
    due = obligations(parse_fen(start), [parse_point(name) for name in points], find_profile(edition))
    click.echo(json.dumps({"obliged": [str(move) for move in due.moves], "clause": due.clause}))
