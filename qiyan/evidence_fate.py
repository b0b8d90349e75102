"""What became of the evidence files that the incidents of a recording name."""

import sqlite3
from enum import Enum

GONE_TABLE = "CREATE TABLE IF NOT EXISTS gone (path TEXT PRIMARY KEY, why TEXT NOT NULL) WITHOUT ROWID"
"""Beside the files that are there: those that were taken away, or will never come, with their fate."""


class Fate(Enum):
    """What became of an evidence file that was announced."""

    AWAITED = "awaited"
    """Not written so far; where the recording of a film broke off, it is cut when the recording goes on."""
    WRITTEN = "written"
    REMOVED = "removed"
    """To save space."""
    LOST = "lost"
    """Its pictures were gone before it was written, or it could not be written."""


def fate_of(db: sqlite3.Connection, path: str) -> Fate:
    """What the journal says of a file; `path` is relative to the recording's folder."""
    if db.execute("SELECT 1 FROM file WHERE path = ?", (path,)).fetchone():
        return Fate.WRITTEN
    # Older journals have no such table.
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'gone'").fetchone():
        return Fate.AWAITED
    row = db.execute("SELECT why FROM gone WHERE path = ?", (path,)).fetchone()
    return Fate.AWAITED if row is None else Fate(row[0])
