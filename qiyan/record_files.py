"""The files of a recording that others read: events.jsonl, game.pgn and game.txt, made from the journal's entries."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

from qiyan.game_file import EVENTS_NAME, GameSoFar, event_line, write_atomically
from qiyan.game_text import Notation, pgn_text, sheet_text
from qiyan.recorder import Eye
from vision.frame import Frame


class RecordFiles:
    """Writes the files anew from the journal at the start, then keeps them up to date."""

    def __init__(
        self, folder: Path, entries: Iterable[dict[str, Any]], headers: dict[str, str], notation: Notation
    ) -> None:
        """`entries`: what the journal holds already."""
        self._folder = folder
        self._notation = notation
        self._game = GameSoFar(headers=headers)
        lines = []
        for entry in entries:
            self._game.apply(entry)
            lines.append(event_line(entry))
        write_atomically(folder / EVENTS_NAME, "".join(lines))
        self._events: TextIO = (folder / EVENTS_NAME).open("a", encoding="utf-8")
        self._write_game()

    def on_entries(self, entries: Sequence[dict[str, Any]]) -> None:
        """Append the lines; write the game where it changed."""
        changed = False
        for entry in entries:
            self._events.write(event_line(entry))
            changed |= self._game.apply(entry)
        self._events.flush()
        if changed:
            self._write_game()

    def on_frame(self, frame: Frame, eye: Eye) -> None:
        """Files do not follow frames."""

    def close(self) -> None:
        """Close events.jsonl."""
        self._events.close()

    def _write_game(self) -> None:
        write_atomically(self._folder / "game.pgn", pgn_text(self._game, self._notation))
        write_atomically(self._folder / "game.txt", sheet_text(self._game))
