"""Who plays at a table: names and event, kept in the recording's folder under the names of PGN tags."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qiyan.atomic_file import write_atomically

FILE_NAME = "names.json"
TAGS = ("Event", "Site", "Date", "Round", "Table", "RedTeam", "Red", "BlackTeam", "Black", "TimeControl")
LONGEST = 80
"""Signs that a name may have."""


def load_names(folder: Path) -> dict[str, str]:
    """The names that were set; empty where none were."""
    try:
        data = json.loads((folder / FILE_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return clean_names(data) if isinstance(data, dict) else {}


def save_names(folder: Path, names: dict[str, str]) -> None:
    """Keep the names."""
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / FILE_NAME, json.dumps(clean_names(names), ensure_ascii=False, indent=1) + "\n")


def clean_names(data: dict[str, Any]) -> dict[str, str]:
    """The known tags that say anything, on one line and of bearable length."""
    found = {}
    for tag in TAGS:
        value = data.get(tag)
        if isinstance(value, str) and value.strip():
            found[tag] = " ".join("".join(sign for sign in value if sign.isprintable()).split())[:LONGEST]
    return found


@dataclass(slots=True)
class FollowedNames:
    """The names that the pages set, read again when they change; a look costs some microseconds."""

    folder: Path
    names: dict[str, str] = field(init=False, default_factory=dict)
    _path: Path = field(init=False)
    _seen: tuple[int, int] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Nothing is read yet."""
        self._path = self.folder / FILE_NAME

    def look(self) -> bool:
        """Whether the names are others than at the last look."""
        try:
            status = self._path.stat()
            seen = (status.st_mtime_ns, status.st_ino)
        except OSError:
            seen = None
        if seen == self._seen:
            return False
        self._seen = seen
        before, self.names = self.names, load_names(self.folder)
        return self.names != before
