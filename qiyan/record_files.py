"""The files of a recording that others read: events.jsonl, game.pgn and game.txt, made from the journal's entries."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

from qiyan.atomic_file import write_atomically
from qiyan.game_so_far import GameSoFar
from qiyan.names import FollowedNames
from qiyan.recorder import Eye
from rules.game import Game
from rules.pgn import format_pgn
from rules.record_sheet import format_sheet
from vision.frame import Frame

EVENTS_NAME = "events.jsonl"
PGN_NAME = "game.pgn"
SHEET_NAME = "game.txt"


class RecordFiles:
    """Writes the files anew from the journal at the start, then keeps them up to date."""

    def __init__(
        self, folder: Path, entries: Iterable[dict[str, Any]], headers: dict[str, str], notation: str = "iccs"
    ) -> None:
        """`entries`: what the journal holds already; `headers`: tags given; `notation`: that of game.pgn."""
        self._folder = folder
        self._notation = notation
        self._headers = headers
        self._names = FollowedNames(folder)
        self.game = GameSoFar()
        lines = []
        for entry in entries:
            self.game.apply(entry)
            lines.append(event_line(entry))
        write_atomically(folder / EVENTS_NAME, "".join(lines))
        self._events: TextIO = (folder / EVENTS_NAME).open("a", encoding="utf-8")
        self._names.look()
        self._write_game()

    def on_entries(self, entries: Sequence[dict[str, Any]]) -> None:
        """Append the lines; write the game where it changed."""
        changed = False
        for entry in entries:
            self._events.write(event_line(entry))
            changed |= self.game.apply(entry)
        self._events.flush()
        if self._names.look() or changed:
            self._write_game()

    def on_frame(self, frame: Frame, eye: Eye) -> None:
        """Write the game where the pages gave it other names."""
        if self._names.look():
            self._write_game()

    def close(self) -> None:
        """Close events.jsonl."""
        if self._names.look():
            self._write_game()
        self._events.close()

    def _write_game(self) -> None:
        self.game.headers = {**self._headers, **self._names.names}
        write_game(self._folder, self.game.game(), self._notation)


def write_game(folder: Path, game: Game, notation: str) -> None:
    """Write game.pgn, its moves in `notation`, and the record sheet."""
    write_atomically(folder / PGN_NAME, format_pgn(game, notation))
    write_atomically(folder / SHEET_NAME, format_sheet(game))


def event_line(entry: dict[str, Any]) -> str:
    """One line of events.jsonl."""
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n"
