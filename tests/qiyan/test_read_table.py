"""`qiyan read --table`: the table's enrolled set and its stored grid help with later pictures."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.store import load_grid
from qiyan.commands.calibrate import command as calibrate
from qiyan.commands.read import command as read
from qiyan.simulator.looks import named_look
from qiyan.simulator.script import Script, Wait
from qiyan.simulator.table import Table
from rules.fen import START_FEN
from vision.frame import Image

LATER = "r1bakab1r/9/1cn2cn2/p3p1p1p/2p6/6P2/P1P1P3P/1CN1C1N2/9/R1BAKAB1R"


def _picture(fen: str) -> Image:
    return Table(named_look("club"), Script((Wait(1.0),), fen)).frame(0.0)


def _read(table: Path, image: Image, *more: str) -> tuple[dict[str, Any], int, str]:
    path = table.with_name("photo.png")
    cv2.imwrite(str(path), np.asarray(image))
    done = CliRunner().invoke(read, ["--json", "--table", str(table), *more, str(path)])
    lines = done.stdout.splitlines()
    return json.loads(lines[0]) if lines else {}, done.exit_code, done.stderr


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("calibrated")
    cv2.imwrite(str(folder / "start.png"), np.asarray(_picture(START_FEN)))
    done = CliRunner().invoke(calibrate, ["--source", str(folder / "start.png"), "--table", str(folder / "t.toml")])
    assert done.exit_code == 0, done.output
    return folder / "t.toml"


def test_the_stored_grid_is_taken_where_the_board_still_lies_there(table: Path) -> None:
    told, status, _ = _read(table, _picture(f"{LATER} w - - 0 1"))
    assert status == 0
    assert told["fen"].split()[0] == LATER and told["confidence"] > 0.9
    stored = load_grid(table)
    assert stored is not None
    for name, (x, y) in stored.corners_px().items():
        assert told["corners_px"][name] == [round(x, 2), round(y, 2)]


def test_a_camera_that_was_moved_has_the_board_found_anew(table: Path) -> None:
    image = np.roll(_picture(f"{LATER} w - - 0 1"), (12, -70), axis=(0, 1))
    told, status, _ = _read(table, np.asarray(image, dtype=np.uint8))
    stored = load_grid(table)
    assert status == 0 and stored is not None
    assert told["fen"].split()[0] == LATER
    assert abs(told["corners_px"]["a0"][0] - (stored.corners_px()["a0"][0] - 70.0)) < 2.0


def test_a_picture_of_another_size_is_read(table: Path) -> None:
    half = cv2.resize(_picture(f"{LATER} w - - 0 1"), None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
    told, status, _ = _read(table, np.asarray(half, dtype=np.uint8))
    assert status == 0
    assert told["fen"].split()[0] == LATER


def test_a_picture_without_a_board_is_not_read_on_the_stored_grid(table: Path) -> None:
    noise = np.random.default_rng(3).integers(60, 190, (720, 1280, 3), dtype=np.uint8)
    told, status, _ = _read(table, noise)
    assert status == 3 and told["error"] == "no board found"


def test_a_table_without_a_set_is_told_and_its_grid_used(table: Path) -> None:
    bare = table.with_name("bare.toml")
    text = table.read_text(encoding="utf-8")
    bare.write_text(text[: text.index("[set]")], encoding="utf-8")
    told, status, error = _read(bare, _picture(START_FEN))
    assert status == 0 and told["fen"] == START_FEN
    assert "no set is enrolled" in error


def test_a_table_whose_set_is_gone_is_an_error(table: Path) -> None:
    lost = table.with_name("lost.toml")
    lost.write_text('[set]\nfile = "gone.set.npz"\n', encoding="utf-8")
    _, status, error = _read(lost, _picture(START_FEN))
    assert status == 2
    assert "gone.set.npz" in error and "qiyan calibrate" in error
