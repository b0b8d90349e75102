"""The game as the events tell it: folding moves and withdrawals, writing the record's files."""

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

EVENTS_NAME = "events.jsonl"


@dataclass(slots=True)
class GameSoFar:
    """What a consumer of events.jsonl knows after applying every event in order."""

    start_fen: str | None = None
    moves: list[dict[str, Any]] = field(default_factory=list)
    """The `move` events that stand."""
    result: str = "*"
    termination: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def apply(self, entry: dict[str, Any]) -> bool:
        """Take one event; True where the game changed by it."""
        kind = entry["kind"]
        if kind == "board_found":
            if self.moves or self.start_fen == entry["fen"]:
                return False
            self.start_fen = entry["fen"]
        elif kind == "move":
            self.moves.append(entry)
        elif kind == "move_withdrawn":
            del self.moves[entry["ply"] - 1 :]
        elif kind == "result":
            if entry["status"] != "final":
                return False
            self.result, self.termination = entry["result"], entry["termination"]
        else:
            return False
        return True


def fold(entries: Iterable[dict[str, Any]]) -> GameSoFar:
    """The game after `entries`."""
    game = GameSoFar()
    for entry in entries:
        game.apply(entry)
    return game


def write_atomically(path: Path, text: str) -> None:
    """Replace `path` in one step, so that a reader or a kill never meets half a file."""
    part = path.with_name(f".{path.name}.part")
    with part.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def event_line(entry: dict[str, Any]) -> str:
    """One line of events.jsonl."""
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n"
