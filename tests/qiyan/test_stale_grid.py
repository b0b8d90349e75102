"""`qiyan record --table` where the camera was moved since the table was calibrated: nothing is made up."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.grid import Grid
from calibration.store import save_grid
from qiyan.commands.record import command
from qiyan.simulator.looks import named_look
from qiyan.simulator.script import Script, Wait
from qiyan.simulator.table import Table
from qiyan.simulator.true_grid import true_grid
from qiyan.stored_grid import apart_cells
from rules.fen import START_FEN
from vision.frame import Image

USUAL = START_FEN.split()[0]
LATER = "r1bakab1r/9/1cn2cn2/p3p1p1p/2p6/6P2/P1P1P3P/1CN1C1N2/9/R1BAKAB1R"
LATER_PLAYED = "r1bakab1r/9/1cn2cn2/p3p1p1p/2p6/6P2/P1P1P3P/1CN1C1N2/4A4/R1BAK1B1R"


def _picture(board: str) -> Image:
    return Table(named_look("club"), Script((Wait(1.0),), f"{board} w - - 0 1")).frame(0.0)


@pytest.fixture(scope="module")
def pictures() -> dict[str, Image]:
    return {board: _picture(board) for board in (USUAL, LATER, LATER_PLAYED)}


@pytest.fixture(scope="module")
def grid() -> Grid:
    simulated = Table(named_look("club"), Script((Wait(1.0),)))
    return true_grid(simulated.look, simulated.camera)


def _record(tmp_path: Path, images: list[Image], stored: Grid) -> tuple[int, list[dict[str, Any]], str]:
    folder, table = tmp_path / "pictures", tmp_path / "table.toml"
    folder.mkdir()
    for number, image in enumerate(images):
        cv2.imwrite(str(folder / f"{number}.png"), np.asarray(image))
    save_grid(table, stored)
    done = CliRunner().invoke(command, ["--source", str(folder), "--table", str(table), "--out", str(tmp_path / "out")])
    lines = (tmp_path / "out" / "events.jsonl").read_text(encoding="utf-8").splitlines()
    return done.exit_code, [json.loads(line) for line in lines], done.stderr


def _shifted(image: Image, grid: Grid, cells: tuple[float, float]) -> Image:
    """The picture of a camera that was pushed by so many cells."""
    by_px = tuple(round(cell * grid.cell_px()) for cell in cells)
    return np.asarray(np.roll(image, by_px, axis=(1, 0)), dtype=np.uint8)


def _kinds(events: list[dict[str, Any]]) -> list[str]:
    told = [event for event in events if event["kind"] != "system"]
    return [event.get("state") or event.get("iccs") or event["kind"] for event in told]


def test_a_stored_grid_that_holds_is_kept(pictures: dict[str, Image], grid: Grid, tmp_path: Path) -> None:
    status, events, error = _record(tmp_path, [pictures[LATER], pictures[LATER_PLAYED]], grid)
    assert status == 0 and "moved" not in error
    assert _kinds(events) == ["board_found", "f0e1"]
    assert events[1]["corners_px"]["a0"] == pytest.approx(grid.corners_px()["a0"], abs=0.1)


@pytest.mark.parametrize("cells", [(0.5, 0.3), (1.0, 0.0), (0.0, -0.8), (-2.6, 0.0)])
@pytest.mark.parametrize("board", [USUAL, LATER])
def test_a_board_that_lies_elsewhere_is_found_there(
    board: str, cells: tuple[float, float], pictures: dict[str, Image], grid: Grid, tmp_path: Path
) -> None:
    status, events, error = _record(tmp_path, [_shifted(pictures[board], grid, cells)] * 2, grid)
    assert status == 0
    assert "qiyan calibrate" in error
    assert _kinds(events) == ["camera_moved", "board_found", "realigned"]
    found = events[2]
    assert found["fen"].split()[0] == board
    wanted = np.array(grid.corners_px()["a0"]) + np.array(cells) * grid.cell_px()
    assert np.abs(np.array(found["corners_px"]["a0"]) - wanted).max() < 3.0


def test_moves_are_told_on_the_board_as_found_anew(pictures: dict[str, Image], grid: Grid, tmp_path: Path) -> None:
    images = [_shifted(pictures[board], grid, (0.9, 0.4)) for board in (LATER, LATER_PLAYED)]
    status, events, _ = _record(tmp_path, images, grid)
    assert status == 0
    assert _kinds(events) == ["camera_moved", "board_found", "realigned", "f0e1"]


def test_a_camera_set_to_another_size_is_followed(pictures: dict[str, Image], grid: Grid, tmp_path: Path) -> None:
    small = np.asarray(cv2.resize(pictures[LATER], (960, 540), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    status, events, _ = _record(tmp_path, [small] * 2, grid)
    assert status == 0
    assert _kinds(events) == ["board_found"]
    assert events[1]["fen"].split()[0] == LATER


def test_where_no_board_is_seen_nothing_is_made_up_and_calibrating_is_advised(grid: Grid, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    blotches = cv2.resize(rng.integers(0, 255, (18, 32, 3), dtype=np.uint8), (1280, 720))
    status, events, error = _record(tmp_path, [np.asarray(blotches, dtype=np.uint8)] * 5, grid)
    assert status == 3
    assert _kinds(events) == []
    assert "qiyan calibrate" in error and "table.toml" in error


def test_how_far_boards_lie_apart_does_not_depend_on_reds_end(grid: Grid) -> None:
    from calibration.turn import half_turn

    assert apart_cells(grid, half_turn(grid)) == pytest.approx(0.0, abs=1e-6)
