"""`qiyan notation --from F --to F`: moves from standard input in another notation."""

import sys

import click

from qiyan.commands.failure import telling_failures
from rules.errors import IllegalMove, NotationError
from rules.fen import START_FEN, parse_fen
from rules.legality import is_legal
from rules.notations import NOTATIONS


@click.command()
@click.option("--from", "source", type=click.Choice(list(NOTATIONS)), required=True, help="Notation of the input.")
@click.option("--to", "target", type=click.Choice(list(NOTATIONS)), required=True, help="Notation to print.")
@click.option("--start", default=START_FEN, metavar="FEN", help="Position before the first move.")
@telling_failures
def command(source: str, target: str, start: str) -> None:
    """Translate moves, separated by white space, and print them on one line."""
    position = parse_fen(start)
    translated = []
    for index, token in enumerate(_read_input().split(), start=1):
        try:
            move = NOTATIONS[source].parse(position, token)
        except NotationError as error:
            raise NotationError(f"move {index} cannot be read: {error}") from error
        if not is_legal(position, move):
            raise IllegalMove(f"move {index} is not legal: {token!r} ({move})")
        translated.append(NOTATIONS[target].format(position, move))
        position = position.play(move)
    click.echo(" ".join(translated))


def _read_input() -> str:
    """Standard input as UTF-8, with or without its mark, whatever the terminal's own encoding is."""
    if sys.stdin is None:
        raise NotationError("standard input is closed")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotationError(f"standard input is not UTF-8: {error}") from error
