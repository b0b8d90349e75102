"""`qiyan calibrate`."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.store import load_grid
from qiyan.commands.calibrate import command
from qiyan.enrolling import enrolled_set
from qiyan.recording import RecordOptions
from qiyan.simulator.looks import named_look
from qiyan.simulator.script import Script, Wait
from qiyan.simulator.table import Table
from tests.accuracy.corners import corner_error_cells
from tests.calibration.drawn_board import camera_grid, draw
from vision.errors import EnrolmentFileError

DISCS = (0, 4, 8, 19, 25, 27, 31, 35, 54, 58, 62, 64, 70, 81, 85, 89)


def test_the_grid_is_written_and_drawn(tmp_path: Path) -> None:
    truth = camera_grid(70, 5, 50)
    picture, table = tmp_path / "board.png", tmp_path / "table.toml"
    cv2.imwrite(str(picture), draw(truth, discs=DISCS))
    args = ["--source", str(picture), "--table", str(table), "--red-side", "bottom", "--json"]
    done = CliRunner().invoke(command, args)
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    assert told["red_side"] == "bottom"
    grid = load_grid(table)
    assert grid is not None
    assert corner_error_cells(grid, truth.corners_px()) < 0.03
    assert abs(grid.to_px(np.array([[0.0, 0.0]])) - truth.to_px(np.array([[0.0, 0.0]]))).max() < 3.0
    assert cv2.imread(told["picture"]).shape == (720, 1280, 3)


def test_corners_by_hand_need_no_board(tmp_path: Path) -> None:
    picture, table = tmp_path / "grey.png", tmp_path / "table.toml"
    cv2.imwrite(str(picture), np.full((480, 640, 3), 120, dtype=np.uint8))
    corners = "a0=100,400 i0=500,410 i9=450,60 a9=140,50"
    done = CliRunner().invoke(command, ["--source", str(picture), "--table", str(table), "--corners", corners])
    assert done.exit_code == 0, done.output
    grid = load_grid(table)
    assert grid is not None
    assert np.allclose(grid.to_px(np.array([[8.0, 9.0]])), [[450, 60]], atol=0.1)


def test_no_board_ends_with_advice(tmp_path: Path) -> None:
    picture, table = tmp_path / "grey.png", tmp_path / "table.toml"
    cv2.imwrite(str(picture), np.full((480, 640, 3), 120, dtype=np.uint8))
    done = CliRunner().invoke(command, ["--source", str(picture), "--table", str(table)])
    assert done.exit_code == 3
    assert "--corners" in done.output
    assert not table.exists()


def test_bad_input_is_told_plainly(tmp_path: Path) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"no picture")
    for args in (
        ["--source", str(broken)],
        ["--source", "nowhere.mp4"],
        ["--source", str(broken), "--corners", "a0=1"],
    ):
        done = CliRunner().invoke(command, [*args, "--table", str(tmp_path / "t.toml")])
        assert done.exit_code == 2
        assert "Traceback" not in done.output


def test_the_start_position_enrols_the_set(tmp_path: Path) -> None:
    simulated = Table(named_look("club"), Script((Wait(1.0),)))
    picture, table = tmp_path / "start.png", tmp_path / "table1.toml"
    cv2.imwrite(str(picture), simulated.frame(0.0))
    done = CliRunner().invoke(command, ["--source", str(picture), "--table", str(table), "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    assert told["set"] == str(tmp_path / "table1.set.npz")
    assert told["face_height_cells"] > 0.1
    enrolled = enrolled_set(table)
    assert enrolled is not None
    assert len(enrolled.kinds) == 32
    assert RecordOptions.of(tmp_path / "out", {"table": table}).source == str(picture)


def test_a_set_whose_file_is_gone_is_told(tmp_path: Path) -> None:
    table = tmp_path / "table1.toml"
    table.write_text('[set]\nfile = "gone.set.npz"\n', encoding="utf-8")
    with pytest.raises(EnrolmentFileError, match="gone"):
        enrolled_set(table)
