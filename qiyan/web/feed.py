"""One recording followed: its journal read as it grows, each entry with the time at which it was written."""

import asyncio
import bisect
import contextlib
import hashlib
import json
import logging
import sqlite3
import time
from pathlib import Path
from typing import Any

from qiyan.errors import JournalError
from qiyan.evidence_fate import Fate, fate_of
from qiyan.journal import FILE_NAME, open_for_reading, taken_last
from qiyan.web.public_game import PublicGame, fold
from qiyan.web.stream import message

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 0.05
"""How often a journal is looked at; a look at one that has not grown costs some microseconds."""
_KEPT_STATES = 8


class Feed:
    """Follows the recording in a folder, whether it runs, is finished, or has not begun."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.recording = ""
        """Changes when another recording takes this one's place."""
        self.entries: list[dict[str, Any]] = []
        """Everything; for the arbiter only."""
        self.bodies: list[dict[str, Any]] = []
        """The public entries."""
        self.messages: list[bytes] = []
        """The same as they are sent, made once for all readers."""
        self.settings: dict[str, Any] = {}
        """What the recorder was started with, when it was started last; for the arbiter only."""
        self.trouble: str | None = None
        """Why the journal cannot be read; None where it can, or where there is none yet."""
        self.generation = 0
        """Grows when what was sent before no longer holds."""
        self._written_s: list[float] = []
        self._all_written_s: list[float] = []
        self._game = PublicGame()
        self._db: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._version = -1
        self._changed = asyncio.Event()
        self._states: dict[int, dict[str, Any]] = {}

    async def follow(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            if self.look():
                self.wake()
            await asyncio.sleep(LOOK_EVERY_S)

    def wake(self) -> None:
        """Let everybody who waits look at what there is."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def changed(self, timeout_s: float) -> None:
        """Return when something changed, or after `timeout_s`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, timeout_s)):
                await self._changed.wait()

    def look(self) -> bool:
        """Read what is new; whether anything is."""
        try:
            return self._look()
        except (JournalError, sqlite3.DatabaseError, OSError, ValueError) as error:
            told = str(error)
            if "no such table" in told:
                self._close()  # the recorder has just made the file and is about to fill it
                return False
            if told != self.trouble:
                logger.warning("cannot read the journal: %s", told)
            changed = told != self.trouble
            self.trouble = told
            self._close()
            return changed

    def _look(self) -> bool:
        path = self.folder / FILE_NAME
        if not path.is_file():
            gone = self._file is not None
            if gone:
                self._restart("")
            self._close()
            self._file, self.trouble = None, None
            return gone
        status = path.stat()
        file = (status.st_dev, status.st_ino)
        if self._db is None or file != self._file:
            self._close()
            self._db, self._file, self._version = open_for_reading(self.folder), file, -1
        version = self._db.execute("PRAGMA data_version").fetchone()[0]
        if version == self._version:
            return False
        found = self._read(self._db)
        self._version, self.trouble = version, None
        return found

    def _read(self, db: sqlite3.Connection) -> bool:
        recording = _recording_of(db)
        restarted = recording != self.recording
        if restarted:
            self._restart(recording)
        after = self.entries[-1]["seq"] if self.entries else 0
        stamped = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'written'").fetchone()
        if stamped:
            query = (
                "SELECT e.body, w.unix_s FROM entry e LEFT JOIN written w USING (seq) WHERE e.seq > ? ORDER BY e.seq"
            )
        else:
            query = "SELECT body, NULL FROM entry WHERE seq > ? ORDER BY seq"
        rows = db.execute(query, (after,)).fetchall()
        for text, unix_s in rows:
            self._take(json.loads(text), self._begun_s() if unix_s is None else unix_s)
        return bool(rows) or restarted

    def _take(self, entry: dict[str, Any], written_s: float) -> None:
        # A wall clock that was set back must not make an entry older than the one before it.
        written_s = max(written_s, self._all_written_s[-1]) if self._all_written_s else written_s
        self.entries.append(entry)
        self._all_written_s.append(written_s)
        if entry["kind"] == "system":
            self.settings = entry.get("settings", self.settings)
        body = self._game.take(entry)
        if body is not None:
            self.bodies.append({**body, "at_s": round(written_s, 3)})
            self.messages.append(message("entry", self.bodies[-1], body["seq"]))
            self._written_s.append(written_s)

    def _begun_s(self) -> float:
        """For journals that were begun before entries had times: when theirs was written last."""
        return (self.folder / FILE_NAME).stat().st_mtime

    def _restart(self, recording: str) -> None:
        self.recording = recording
        self.entries, self.bodies, self.messages = [], [], []
        self._written_s, self._all_written_s = [], []
        self.settings = {}
        self._game = PublicGame()
        self._states = {}
        self.generation += 1

    def _close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def public_count(self, delay_s: float) -> int:
        """How many public entries are at least `delay_s` old."""
        return bisect.bisect_right(self._written_s, time.time() - delay_s)

    def entries_older_than(self, delay_s: float) -> list[dict[str, Any]]:
        """All entries, private ones too, that are at least `delay_s` old."""
        return self.entries[: bisect.bisect_right(self._all_written_s, time.time() - delay_s)]

    def next_due_s(self, count: int, delay_s: float) -> float | None:
        """In how many seconds the public entry after the first `count` may be shown; None: there is none."""
        if count >= len(self._written_s):
            return None
        return self._written_s[count] + delay_s - time.time()

    def state(self, count: int) -> dict[str, Any]:
        """The game after the first `count` public entries. Read-only."""
        known = self._states.get(count)
        if known is None:
            known = fold(self.bodies[:count], self._written_s[:count])
            while len(self._states) >= _KEPT_STATES:
                del self._states[next(iter(self._states))]
            self._states[count] = known
        return known

    def last_written_s(self) -> float | None:
        """When the last entry was written, Unix time; None before the first."""
        return self._all_written_s[-1] if self._all_written_s else None

    def file_hashes(self) -> dict[str, str]:
        """sha256 of every evidence file that the journal knows."""
        if self._db is None:
            return {}
        return dict(self._db.execute("SELECT path, sha256 FROM file").fetchall())

    def taken_last(self) -> str | None:
        """The inbox's file that was journalled last, and may still lie there."""
        with contextlib.suppress(sqlite3.DatabaseError):  # what is wrong with it is told by the next look
            return None if self._db is None else taken_last(self._db)
        return None

    def fate_of(self, path: str) -> Fate:
        """What the journal says of an evidence file."""
        return Fate.AWAITED if self._db is None else fate_of(self._db, path)


def _recording_of(db: sqlite3.Connection) -> str:
    """A name that stays with a recording and differs from any other's."""
    began = db.execute("SELECT value FROM meta WHERE key = 'began_at'").fetchone()
    first = db.execute("SELECT hash FROM entry WHERE seq = 1").fetchone()
    return hashlib.sha256(f"{began}{first}".encode()).hexdigest()[:12]
