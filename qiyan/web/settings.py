"""What was set on the pages and has to outlive the server: the public delay."""

import json
from pathlib import Path

from qiyan.atomic_file import write_atomically

FILE_NAME = "settings.json"
LONGEST_DELAY_S = 3600.0


class Settings:
    """Kept in a file beside the accounts."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._delay_s: float | None = None
        if self._path.exists():
            # A file that cannot be read must stop the server: guessing "no delay" could show what must stay hidden.
            self._delay_s = float(json.loads(self._path.read_text(encoding="utf-8"))["delay_s"])

    @property
    def delay_s(self) -> float:
        """How old everything public has to be."""
        return self._delay_s or 0.0

    @property
    def delay_known(self) -> bool:
        """Whether a delay was ever set."""
        return self._delay_s is not None

    def set_delay(self, delay_s: float) -> None:
        """Set the delay; ValueError where it is not from 0 to 60 min."""
        if not 0.0 <= delay_s <= LONGEST_DELAY_S:
            raise ValueError(f"a delay is from 0 to 60 minutes: {delay_s / 60:g}")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self._path, json.dumps({"delay_s": delay_s}) + "\n")
        self._delay_s = delay_s
