"""All real games through every format, and back by another library: `python -m tests.soak.exports`.

Each game is written as PGN and DhtmlXQ and read by cchess, and as PGN in every notation, record sheet and XQF and read
by us; every position of every game is written in every notation and read back. About five minutes.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import cchess
from cchess.read_txt import read_from_txt

from rules.dhtmlxq import format_dhtmlxq, parse_dhtmlxq
from rules.fen import parse_fen
from rules.game import Game, Ply
from rules.iccs import parse_iccs
from rules.notations import NOTATIONS
from rules.pgn import format_pgn, parse_pgn
from rules.record_sheet import format_sheet, parse_sheet
from rules.xqf import parse_xqf
from tests.rules.xqf_writer import write_xqf
from tests.shared_games import shared_games


def differences(game: Game, folder: Path) -> list[str]:
    """The ways of writing the game that do not come back as its moves."""
    expected = [str(move) for move in game.moves()]
    found = []
    path = folder / "game.pgn"
    path.write_text(format_pgn(game), encoding="utf-8")
    if cchess.Game.read_from(str(path)).dump_iccs_moves()[0] != expected:
        found.append("PGN read by cchess")
    fields = format_dhtmlxq(game)
    binit, movelist = (fields.split(f"[DhtmlXQ_{name}]")[1].split("[/")[0] for name in ("binit", "movelist"))
    if read_from_txt(movelist, binit).dump_iccs_moves()[0] != expected:
        found.append("DhtmlXQ read by cchess")
    ours = {
        "DhtmlXQ": parse_dhtmlxq(fields),
        "record sheet": parse_sheet(format_sheet(game)),
        "XQF": parse_xqf(write_xqf(game)),
        **{f"PGN in {notation}": parse_pgn(format_pgn(game, notation)) for notation in ("iccs", "wxf", "chinese")},
    }
    found += [name for name, again in ours.items() if again.moves() != game.moves()]
    for (position, _), move in zip(game.walk(), game.moves(), strict=True):
        for name, notation in NOTATIONS.items():
            text = notation.format(position, move)
            if notation.parse(position, text) != move:
                found.append(f"{name}: {text} for {move}")
    return found


def main() -> int:
    """Print each game that does not come back, and the count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take every n-th game only")
    every = parser.parse_args().every
    began, wrong, plies = time.monotonic(), 0, 0
    records = shared_games()[::every]
    with tempfile.TemporaryDirectory() as folder:
        for number, record in enumerate(records):
            game = Game(parse_fen(record["start_fen"]), tuple(Ply(parse_iccs(iccs)) for iccs in record["iccs"]))
            plies += len(game.plies)
            found = differences(game, Path(folder))
            wrong += bool(found)
            if found:
                print(f"game {number * every}: {'; '.join(found)}")
    print(f"{len(records)} games, {plies} plies, {wrong} with a difference, {time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
