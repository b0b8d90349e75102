"""What people give by mistake: a message that names it and says what to do, and nothing of theirs is lost."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.store import save_grid
from qiyan.commands.calibrate import _frames
from qiyan.commands.calibrate import command as calibrate
from qiyan.commands.read import command as read
from qiyan.commands.record import command as record
from qiyan.errors import ConfigError, JournalError
from qiyan.journal import Journal, verify
from qiyan.simulator.looks import named_look
from qiyan.simulator.script import Script, Wait
from qiyan.simulator.table import Table
from qiyan.stored_grid import table_grid
from tests.calibration.drawn_board import camera_grid, draw
from vision.errors import SourceError
from vision.source import SourceItem, SourceLost


def _board(path: Path) -> bytes:
    cv2.imwrite(str(path), draw(camera_grid(70, 5, 50), discs=(0, 8, 81, 89)))
    return path.read_bytes()


def _calibrated(source: Path, table: Path) -> tuple[int, str]:
    done = CliRunner().invoke(calibrate, ["--source", str(source), "--table", str(table), "--red-side", "bottom"])
    return done.exit_code, done.output


def test_calibrate_does_not_draw_over_its_own_source(tmp_path: Path) -> None:
    photo = tmp_path / "table1.png"
    before = _board(photo)
    status, told = _calibrated(photo, tmp_path / "table1.toml")
    assert status == 2 and "written over the source" in told
    assert photo.read_bytes() == before
    assert not (tmp_path / "table1.toml").exists()


def test_calibrate_puts_no_picture_among_those_of_its_source(tmp_path: Path) -> None:
    _board(tmp_path / "1.png")
    status, told = _calibrated(tmp_path, tmp_path / "table.toml")
    assert status == 2 and "table.png" in told
    assert [path.name for path in tmp_path.iterdir()] == ["1.png"]


@pytest.mark.parametrize(("name", "advice"), [("t.png", "must not end in"), ("no/t.toml", "make it first"), (".", "")])
def test_a_table_that_cannot_be_written_is_refused_before_anything_is_done(
    name: str, advice: str, tmp_path: Path
) -> None:
    photo = tmp_path / "photos" / "1.png"
    photo.parent.mkdir()
    _board(photo)
    status, told = _calibrated(photo, tmp_path / name)
    assert status == 2 and advice in told and "partial" not in told
    assert [path.name for path in tmp_path.iterdir()] == ["photos"]


def test_a_picture_too_large_to_decode_is_no_picture(tmp_path: Path) -> None:
    photo = tmp_path / "huge.png"
    ok, data = cv2.imencode(".png", np.zeros((4, 4, 3), dtype=np.uint8))
    assert ok
    head = b"IHDR" + (100000).to_bytes(4, "big") * 2 + b"\x08\x02\x00\x00\x00"
    rest = data.tobytes()
    photo.write_bytes(rest[:12] + head + _crc(head) + rest[33:])
    status, told = _calibrated(photo, tmp_path / "table.toml")
    assert status == 2 and f"not a picture that can be read (damaged, or in an unknown format): {photo}" in told


def _crc(chunk: bytes) -> bytes:
    import zlib

    return zlib.crc32(chunk).to_bytes(4, "big")


class _AbsentCamera:
    """Tells that it is lost, and goes on trying until it is closed, as vision.camera does."""

    name = "7"
    live = True
    frame_count: int | None = None

    def __init__(self) -> None:
        self.closed = threading.Event()

    def items(self) -> Iterator[SourceItem]:
        yield SourceLost(0.0, "cannot be opened")
        assert self.closed.wait(20.0)

    def close(self) -> None:
        self.closed.set()


def test_a_camera_that_is_not_there_is_given_up() -> None:
    with pytest.raises(SourceError, match=r"cannot be opened\): 7"):
        list(_frames(_AbsentCamera(), longest_wait_s=0.1))


@pytest.mark.parametrize("what", ["missing.toml", "."])
@pytest.mark.parametrize("by", ["read", "record"])
def test_a_table_that_is_not_there_is_told_with_what_makes_it(by: str, what: str, tmp_path: Path) -> None:
    table = str(tmp_path / what)
    args = ["x.jpg"] if by == "read" else ["--out", str(tmp_path / "out")]
    done = CliRunner().invoke(read if by == "read" else record, [*args, "--table", table])
    assert done.exit_code == 2
    assert ("qiyan calibrate" if what == "missing.toml" else "a folder, not a table's file") in done.output


def test_a_folder_given_to_read_is_told_how_its_pictures_are_named(tmp_path: Path) -> None:
    done = CliRunner().invoke(read, [str(tmp_path)])
    assert done.exit_code == 2
    assert f"{tmp_path}/*.jpg" in done.output


def _swapped(text: str) -> str:
    for old, new in (("a0", "x0"), ("i0", "a0"), ("x0", "i0"), ("a9", "x9"), ("i9", "a9"), ("x9", "i9")):
        text = text.replace(f"\n{old} =", f"\n{new} =")
    return text


def _line(key: str, value: str) -> Callable[[str], str]:
    return lambda text: "\n".join(f"{key} = {value}" if one.startswith(f"{key} =") else one for one in text.split("\n"))


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (_swapped, "mirrored"),
        (_line("a0", "[9.0, 3.0e300]"), "do not make a board"),
        (_line("a0", "[42925.5, 647.0]"), "a0"),
        (_line("up", "[1e300, 1e300, 0]"), "up"),
    ],
)
def test_a_stored_grid_edited_by_hand_into_no_board_is_refused(
    edit: Callable[[str], str], told: str, tmp_path: Path
) -> None:
    table = tmp_path / "table.toml"
    save_grid(table, camera_grid(70, 5, 50))
    assert table_grid(table) is not None
    table.write_text(edit(table.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(ConfigError, match=rf"table\.toml: \[grid\].*{told}.*qiyan calibrate"):
        table_grid(table)


class _FullDisk:
    """A connection of SQLite that finds no room, and takes the transaction back by itself, as SQLite does."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    @property
    def in_transaction(self) -> bool:
        return self._db.in_transaction

    def execute(self, query: str, *values: Any) -> sqlite3.Cursor:
        if query == "COMMIT":
            self._db.execute("ROLLBACK")
            raise sqlite3.OperationalError("database or disk is full")
        return self._db.execute(query, *values)


def test_a_full_disk_is_told_as_such_and_the_journal_stays_whole(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append(None, [{"t": 0.0, "kind": "system", "event": "started"}])
    db = journal._db
    journal._db = _FullDisk(db)  # type: ignore[assignment]
    with pytest.raises(sqlite3.OperationalError, match="disk is full"):
        journal.append(None, [{"t": 1.0, "kind": "system", "event": "ended"}])
    journal._db = db
    journal.append(None, [{"t": 1.0, "kind": "system", "event": "ended"}])
    journal.close()
    assert verify(tmp_path) is None


def test_a_folder_that_cannot_be_locked_is_told_as_one_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / ".lock").mkdir()
    with pytest.raises(JournalError, match="not a folder that can be written to"):
        Journal(tmp_path)


def test_a_much_smaller_picture_in_between_is_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    image = Table(named_look("club"), Script((Wait(1.0),))).frame(0.0)
    for number, size in enumerate((None, (64, 36), (1, 1), None)):
        cv2.imwrite(str(folder / f"{number}.png"), image if size is None else cv2.resize(image, size))
    done = CliRunner().invoke(record, ["--source", str(folder), "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert "4 frames" in done.output
    assert "passed over pictures of 64 x 36 px" in done.output


def test_a_video_that_was_cut_off_is_told(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.avi", tmp_path / "cut.avi"
    writer = cv2.VideoWriter(str(whole), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (320, 240))
    rng = np.random.default_rng(1)
    for _ in range(40):
        writer.write(rng.integers(0, 255, (240, 320, 3), dtype=np.uint8))
    writer.release()
    data = whole.read_bytes()
    cut.write_bytes(data[: len(data) // 2])
    told = {
        path.stem: CliRunner().invoke(record, ["--source", str(path), "--out", str(tmp_path / path.stem)]).output
        for path in (whole, cut)
    }
    assert "cut.avi is damaged or was cut off" in told["cut"] and "of 40 pictures" in told["cut"]
    assert "cut off" not in told["whole"]
