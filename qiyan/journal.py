"""The durable journal of one recording: SQLite, one writer, every entry chained to the one before by its hash.

It holds what came in (events of eye, clock and arbiter) and what came out of it (the entries of events.jsonl).
Everything else in the folder can be made from it again.
"""

import contextlib
import hashlib
import json
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from qiyan.errors import JournalError
from qiyan.evidence_fate import GONE_TABLE, Fate, fate_of

FILE_NAME = "journal.sqlite3"
_FORMAT = 1
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE input (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE entry (seq INTEGER PRIMARY KEY, input INTEGER, body TEXT NOT NULL, hash TEXT NOT NULL);
CREATE INDEX entry_input ON entry (input);
CREATE TABLE file (path TEXT PRIMARY KEY, sha256 TEXT NOT NULL) WITHOUT ROWID;
"""
# Wall-clock times are no part of the record (a file worked through again has others): they stand beside it, for the
# pages' public delay. Created apart, for journals that were begun without it.
_WRITTEN = "CREATE TABLE IF NOT EXISTS written (seq INTEGER PRIMARY KEY, unix_s REAL NOT NULL)"
_TAKEN = "taken_from_inbox"
_GENESIS = "0" * 64
"""What the first entry is chained to."""


JournalledInput = tuple[int, dict[str, Any]]
"""The number of the first entry that followed from it, and the event."""


class Journal:
    """The one writer of a recording's journal."""

    def __init__(self, folder: Path) -> None:
        """Open or create the journal in `folder`. JournalError where another process writes it or it is damaged."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(f"not a folder that can be written to ({error.strerror}): {folder}") from error
        self.path = folder / FILE_NAME
        existed = self.path.exists() and self.path.stat().st_size > 0
        self._lock = _lock_folder(folder)
        self._db = sqlite3.connect(self.path, isolation_level=None, timeout=1.0)
        try:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            if not existed or not self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'entry'").fetchone():
                self._db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
                self.set_meta("format", str(_FORMAT))
            self._db.execute(_WRITTEN)
            self._db.execute(GONE_TABLE)
        except sqlite3.DatabaseError as error:
            self.close()
            if "full" in str(error):
                raise  # told by the command: more room is all it needs
            raise JournalError(f"the journal cannot be used ({error}): {self.path}") from error
        self._check_whole()
        found = self.meta("format")
        if found != str(_FORMAT):
            self.close()
            raise JournalError(f"the journal has format {found}, this program writes {_FORMAT}: {self.path}")
        last = self._db.execute("SELECT seq, hash FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
        self.last_seq: int = last[0] if last else 0
        self._last_hash: str = last[1] if last else _GENESIS
        self.inputs = int(self._db.execute("SELECT coalesce(max(id), 0) FROM input").fetchone()[0])

    def _check_whole(self) -> None:
        """JournalError where an entry was damaged: what followed on it would be worth nothing."""
        try:
            wrong = _first_wrong_entry(self._db)
            for table in ("meta", "input", "file"):
                self._db.execute(f"SELECT count(*) FROM {table} NOT INDEXED").fetchone()
        except sqlite3.DatabaseError as error:
            wrong = str(error)
        if wrong is not None:
            self.close()
            raise JournalError(
                f"the journal is damaged ({wrong}): {self.path}. It was left as it is; record into another folder"
            )

    def meta(self, key: str) -> str | None:
        """A fact about the recording, such as its source; None where it was never set."""
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def set_meta(self, key: str, value: str) -> None:
        """Set a fact about the recording."""
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def append(
        self, source: dict[str, Any] | None, bodies: Sequence[dict[str, Any]], taken: str | None = None
    ) -> list[dict[str, Any]]:
        """Write one event that came in (None: the shell's own) and the entries it led to, in one transaction.

        bodies : they lack `seq`; what is returned has it. When this returns, all of it is on the disk
        taken  : the name of the inbox's file that the event came from, see `took_last`
        """
        entries = []
        seq, chain = self.last_seq, self._last_hash
        self._db.execute("BEGIN IMMEDIATE")
        try:
            source_id = None
            if source is not None:
                source_id = self.inputs + 1
                self._db.execute("INSERT INTO input VALUES (?, ?)", (source_id, _canonical(source)))
            for body in bodies:
                seq += 1
                entry = {"seq": seq, **body}
                text = _canonical(entry)
                chain = entry_hash(chain, text)
                self._db.execute("INSERT INTO entry VALUES (?, ?, ?, ?)", (seq, source_id, text, chain))
                self._db.execute("INSERT OR REPLACE INTO written VALUES (?, ?)", (seq, time.time()))
                entries.append(entry)
            if taken is not None:
                self.set_meta(_TAKEN, taken)
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # SQLite itself has taken it back where the disk is full
                self._db.execute("ROLLBACK")
            raise
        self.last_seq, self._last_hash = seq, chain
        if source is not None:
            self.inputs += 1
        return entries

    def took_last(self, name: str) -> bool:
        """Whether the last event from the inbox was this file, which a process that ended then did not remove."""
        return self.meta(_TAKEN) == name

    def read_inputs(self) -> list[JournalledInput]:
        """Everything that came in, in order, each with the number of the first entry it led to (or would have)."""
        query = "SELECT i.body, (SELECT min(e.seq) FROM entry e WHERE e.input >= i.id) FROM input i ORDER BY i.id"
        rows = self._db.execute(query).fetchall()
        return [(self.last_seq + 1 if seq is None else seq, json.loads(body)) for body, seq in rows]

    def read_entries(self) -> Iterator[dict[str, Any]]:
        """Everything that went out, in order."""
        for (body,) in self._db.execute("SELECT body FROM entry ORDER BY seq"):
            yield json.loads(body)

    def add_file(self, path: str, sha256: str) -> None:
        """Note the hash of an evidence file; `path` is relative to the recording's folder."""
        self._db.execute("INSERT OR REPLACE INTO file VALUES (?, ?)", (path, sha256))

    def drop_file(self, path: str) -> None:
        """Forget the hash of an evidence file that is removed to save space."""
        self._db.execute("INSERT OR REPLACE INTO gone VALUES (?, ?)", (path, Fate.REMOVED.value))
        self._db.execute("DELETE FROM file WHERE path = ?", (path,))

    def lose_file(self, path: str) -> None:
        """Note that an evidence file that was announced will not come."""
        self._db.execute("INSERT OR REPLACE INTO gone VALUES (?, ?)", (path, Fate.LOST.value))

    def fate_of(self, path: str) -> Fate:
        """What became of an evidence file that was announced."""
        return fate_of(self._db, path)

    def close(self) -> None:
        """Let go of the file. It holds everything then and can be copied alone, though pages may still read in it."""
        with contextlib.suppress(sqlite3.Error):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self._db.close()
        self._lock.close()


def _lock_folder(folder: Path) -> Any:
    """Hold `folder` for one recorder; the lock goes with the process, however it ends."""
    import fcntl

    try:
        handle = (folder / ".lock").open("w")
    except OSError as error:
        raise JournalError(f"not a folder that can be written to ({error.strerror}): {folder}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        handle.close()
        raise JournalError(f"another qiyan is recording into this folder: {folder}") from error
    return handle


def open_for_reading(folder: Path) -> sqlite3.Connection:
    """The journal of a running or finished recording, read only. JournalError where there is none."""
    path = folder / FILE_NAME
    if not path.is_file():
        raise JournalError(f"no recording here (there is no {FILE_NAME}): {folder}")
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5.0)
        db.execute("SELECT 1 FROM entry LIMIT 1").fetchone()
    except sqlite3.DatabaseError as error:
        raise JournalError(f"the journal cannot be read ({error}): {path}") from error
    return db


def taken_last(db: sqlite3.Connection) -> str | None:
    """The name of the inbox's file that came last into the journal; None before the first."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (_TAKEN,)).fetchone()
    return None if row is None else str(row[0])


def read_entries(folder: Path, after: int = 0) -> list[dict[str, Any]]:
    """The entries of a recording after `seq` = `after`. JournalError where there is no journal."""
    with contextlib.closing(open_for_reading(folder)) as db:
        try:
            rows = db.execute("SELECT body FROM entry WHERE seq > ? ORDER BY seq", (after,)).fetchall()
            return [json.loads(body) for (body,) in rows]
        except (sqlite3.DatabaseError, ValueError) as error:
            raise JournalError(
                f"the journal is damaged, `qiyan verify` names the place ({error}): {folder / FILE_NAME}"
            ) from error


def entry_hash(previous: str, text: str) -> str:
    """Hash of an entry, over the hash before it and its canonical text."""
    return hashlib.sha256(f"{previous}\n{text}".encode()).hexdigest()


def _canonical(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def verify(folder: Path) -> str | None:
    """Check gaps, hashes and evidence files; what is wrong with the first bad entry, None where all is well."""
    with contextlib.closing(open_for_reading(folder)) as db:
        try:
            wrong = _first_wrong_entry(db)
            if wrong is not None:
                return wrong
            damage = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if damage != "ok":
                return f"the database is damaged: {damage}"
            for path, sha256 in db.execute("SELECT path, sha256 FROM file ORDER BY path"):
                file = folder / path
                if not file.is_file():
                    return f"evidence file is missing: {path}"
                if hashlib.sha256(file.read_bytes()).hexdigest() != sha256:
                    return f"evidence file was changed: {path}"
        except sqlite3.DatabaseError as error:
            return f"the database is damaged: {error}"
    return None


def _first_wrong_entry(db: sqlite3.Connection) -> str | None:
    """What is wrong with the first entry that does not follow from the one before it."""
    chain, expected = _GENESIS, 1
    for seq, text, stored in db.execute("SELECT seq, body, hash FROM entry ORDER BY seq"):
        if seq != expected:
            return f"entry {expected} is missing"
        chain = entry_hash(chain, str(text))
        if chain != stored:
            return f"entry {seq} was changed: its hash does not follow from the entry before it"
        expected += 1
    return None


def absent_evidence(folder: Path) -> list[tuple[int, str, Fate]]:
    """(number of the incident, file, why) of the evidence that incidents name and that the journal has no hash of."""
    named = [(e["seq"], path) for e in read_entries(folder) if e["kind"] == "incident" for path in e["evidence"]]
    with contextlib.closing(open_for_reading(folder)) as db:
        fates = [(seq, path, fate_of(db, path)) for seq, path in named]
    return [each for each in fates if each[2] is not Fate.WRITTEN]
