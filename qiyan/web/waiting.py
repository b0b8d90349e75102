"""The decisions that lie in a recording's inbox: made on the console, and not in the journal yet."""

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qiyan import inbox

SETTLED_AFTER_S = 1.0
"""A folder that changed less than this ago is read again: two changes may bear the same time."""


@dataclass(slots=True)
class WaitingDecisions:
    """They are read again when the folder changes; a look costs some microseconds."""

    folder: Path
    """The recording's."""
    _found: list[tuple[str, dict[str, Any]]] = field(init=False, default_factory=list)
    _seen: tuple[int, int] | None = field(init=False, default=None)

    def look(self) -> list[tuple[str, dict[str, Any]]]:
        """The decisions by file name, oldest first. Read-only."""
        try:
            status = (self.folder / inbox.FOLDER).stat()
        except OSError:
            return []
        seen = (status.st_mtime_ns, status.st_ino)
        if seen != self._seen:
            self._found = inbox.left(self.folder)
            self._seen = seen if abs(time.time() - status.st_mtime) > SETTLED_AFTER_S else None
        return self._found
