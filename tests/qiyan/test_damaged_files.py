"""Files that are damaged or cannot be written: a message that names them and says what to do, and nothing left over."""

import sqlite3
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.store import save_grid
from models.preprocess import ANGLES, RADII
from qiyan.commands.record import command
from qiyan.journal import FILE_NAME, Journal
from tests.calibration.drawn_board import camera_grid
from vision.errors import EnrolmentFileError
from vision.pieces.enrolment import EMPTY_PX, Enrolment
from vision.pieces.enrolment_file import load_enrolment, save_enrolment
from vision.pieces.likeness import SHIFTS_RADII


def _enrolment(faces: int = 2) -> Enrolment:
    rng = np.random.default_rng(1)
    shape = (faces, len(SHIFTS_RADII), RADII, ANGLES // 2 + 1)
    return Enrolment(
        (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(np.complex64),
        np.arange(1, faces + 1),
        np.zeros(faces, dtype=np.int64),
        0.4,
        0.3,
        rng.integers(0, 255, (90, EMPTY_PX, EMPTY_PX), dtype=np.uint8),
    )


def test_a_failed_write_leaves_nothing_half_written(tmp_path: Path) -> None:
    in_the_way = tmp_path / "table.set.npz"
    (in_the_way / "kept").mkdir(parents=True)
    with pytest.raises(OSError):
        save_enrolment(in_the_way, _enrolment())
    assert [path.name for path in tmp_path.iterdir()] == ["table.set.npz"]


def test_a_table_file_that_cannot_be_replaced_leaves_nothing_half_written(tmp_path: Path) -> None:
    table = tmp_path / ("t" * 250)  # with .partial the name is too long for the disk
    with pytest.raises(OSError):
        save_grid(table, camera_grid(80, 0, 50), "0")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 broken", b"\x93NUMPY\x01\x00"])
def test_a_damaged_set_is_told_in_our_own_words(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "table.set.npz"
    path.write_bytes(content)
    with pytest.raises(EnrolmentFileError, match=r"table\.set\.npz.*qiyan calibrate") as told:
        load_enrolment(path)
    assert "pickle" not in str(told.value)


def test_any_damage_of_a_set_is_told_or_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "table.set.npz"
    save_enrolment(path, _enrolment(1))
    whole = path.read_bytes()
    rng = np.random.default_rng(7)
    places = {*range(200), *range(len(whole) - 400, len(whole)), *rng.integers(0, len(whole), 100).tolist()}
    for place in places:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ int(rng.integers(1, 256))]) + whole[place + 1 :])
        try:
            load_enrolment(path)
        except EnrolmentFileError as error:
            assert str(path) in str(error) and "pickle" not in str(error)


@pytest.mark.parametrize("table", ["input", "meta", "file"])
def test_a_partly_damaged_journal_is_named(table: str, tmp_path: Path) -> None:
    folder, out = tmp_path / "pictures", tmp_path / "out"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), np.full((240, 320, 3), 90, np.uint8))
    journal = Journal(out)
    journal.set_meta("source", str(folder))
    journal.append({"type": "X"}, [{"t": 0.0, "kind": "view", "state": "clear"}])
    journal.close()
    path = out / FILE_NAME
    with sqlite3.connect(path) as db:
        page = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
        size = db.execute("PRAGMA page_size").fetchone()[0]
    db.close()
    content = bytearray(path.read_bytes())
    content[(page - 1) * size : page * size] = b"\xff" * size
    path.write_bytes(content)
    done = CliRunner().invoke(command, ["--source", str(folder), "--out", str(out)])
    assert done.exit_code == 2
    assert str(path) in done.output and "Traceback" not in done.output
