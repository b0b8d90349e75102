"""The journal: what is written stays, what is changed shows."""

import contextlib
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from qiyan.errors import JournalError
from qiyan.journal import FILE_NAME, Journal, open_for_reading, read_entries, verify


def _write(folder: Path, count: int = 3) -> None:
    journal = Journal(folder)
    for number in range(count):
        journal.append({"type": "X", "n": number}, [{"t": float(number), "kind": "view", "state": "clear"}])
    journal.close()


def test_entries_are_numbered_from_one_without_gaps(tmp_path: Path) -> None:
    _write(tmp_path)
    assert [entry["seq"] for entry in read_entries(tmp_path)] == [1, 2, 3]
    assert verify(tmp_path) is None


def test_a_finished_journal_can_be_copied_alone_though_pages_still_read_in_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with contextlib.closing(open_for_reading(tmp_path)):
        journal.append({"type": "X"}, [{"t": 0.0, "kind": "view", "state": "clear"}])
        journal.close()
        copy = tmp_path / "copy"
        copy.mkdir()
        shutil.copy(tmp_path / FILE_NAME, copy)
        assert [entry["seq"] for entry in read_entries(copy)] == [1]


def test_a_reopened_journal_goes_on_where_it_stopped(tmp_path: Path) -> None:
    _write(tmp_path, 2)
    _write(tmp_path, 1)
    assert [entry["seq"] for entry in read_entries(tmp_path)] == [1, 2, 3]
    assert verify(tmp_path) is None


def test_a_changed_entry_is_named(tmp_path: Path) -> None:
    _write(tmp_path)
    with sqlite3.connect(tmp_path / FILE_NAME) as db:
        body = json.loads(db.execute("SELECT body FROM entry WHERE seq = 2").fetchone()[0])
        db.execute("UPDATE entry SET body = ? WHERE seq = 2", (json.dumps({**body, "state": "lost"}),))
    db.close()
    assert "entry 2" in (verify(tmp_path) or "")


def test_a_removed_entry_is_named(tmp_path: Path) -> None:
    _write(tmp_path)
    with sqlite3.connect(tmp_path / FILE_NAME) as db:
        db.execute("DELETE FROM entry WHERE seq = 2")
    db.close()
    assert "entry 2" in (verify(tmp_path) or "")


def test_a_missing_or_changed_evidence_file_is_named(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.add_file("evidence/1.jpg", "0" * 64)
    journal.close()
    assert "missing: evidence/1.jpg" in (verify(tmp_path) or "")
    (tmp_path / "evidence").mkdir()
    (tmp_path / "evidence/1.jpg").write_bytes(b"other")
    assert "changed: evidence/1.jpg" in (verify(tmp_path) or "")


def test_a_folder_is_recorded_into_by_one_process_only(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with pytest.raises(JournalError, match="another qiyan"):
        Journal(tmp_path)
    journal.close()


def test_a_file_that_is_no_journal_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"not a database, " * 100)
    with pytest.raises(JournalError, match=FILE_NAME):
        Journal(tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes().startswith(b"not a database")


def test_no_recording_is_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no recording here"):
        read_entries(tmp_path)
