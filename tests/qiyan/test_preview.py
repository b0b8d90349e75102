"""The preview of the set-up page: it finds the board, and enrols the set on the start position."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.corners import grid_from_corners
from calibration.store import load_grid, save_grid
from qiyan.enrolling import at_the_start, enrolled_set
from qiyan.preview import Preview
from qiyan.simulator.looks import named_look
from qiyan.simulator.script import Script, Wait
from qiyan.simulator.table import Table
from qiyan.simulator.true_grid import true_grid
from rules.fen import START_FEN

CANNON_IN = START_FEN.replace("1C5C1", "1C2C4")


def _table(fen: str) -> Table:
    return Table(named_look("club"), Script((Wait(1.0),), fen))


def _preview(folder: Path, fen: str) -> Path:
    """What lies in the table's file after a preview of one picture."""
    cv2.imwrite(str(folder / "1.png"), np.asarray(_table(fen).frame(0.0)))
    table = folder / "out" / "table.toml"
    table.parent.mkdir(exist_ok=True)
    Preview(str(folder), table.parent, table).run()
    return table


def test_the_start_position_enrols_the_set(tmp_path: Path) -> None:
    table = _preview(tmp_path, START_FEN)
    grid, enrolment = load_grid(table), enrolled_set(table)
    assert grid is not None and grid.face_height > 0.1
    assert enrolment is not None and len(enrolment.kinds) == 32
    assert '"enrolled": true' in (table.parent / "live.json").read_text(encoding="utf-8")


def test_another_position_enrols_nothing(tmp_path: Path) -> None:
    table = _preview(tmp_path, CANNON_IN)
    assert load_grid(table) is not None
    assert enrolled_set(table) is None


def test_corners_by_hand_are_put_on_the_lines_and_enrol_too(tmp_path: Path) -> None:
    simulated = _table(START_FEN)
    truth = true_grid(simulated.look, simulated.camera)
    by_hand = {name: (x + 3.0, y - 3.0) for name, (x, y) in truth.corners_px().items()}
    table = tmp_path / "out" / "table.toml"
    table.parent.mkdir()
    save_grid(table, grid_from_corners(by_hand, truth.size_wh), "0")
    _preview(tmp_path, START_FEN)
    grid, enrolment = load_grid(table), enrolled_set(table)
    assert enrolment is not None and grid is not None
    assert np.abs(grid.to_px(np.array([[8.0, 9.0]])) - truth.to_px(np.array([[8.0, 9.0]]))).max() < 1.5


@pytest.mark.parametrize("fen", [CANNON_IN, START_FEN.replace("RNBAKABNR", "R1BAKABNR")])
def test_a_position_near_the_start_is_not_learnt_as_it(fen: str) -> None:
    simulated = _table(fen)
    assert at_the_start(simulated.frame(0.0), true_grid(simulated.look, simulated.camera)) is None
