"""The grid in the table's file."""

from pathlib import Path

import numpy as np
import pytest

from calibration.corners import grid_from_corners
from calibration.errors import CalibrationError, CornersError, TableFileError
from calibration.store import load_grid, load_set_file, load_table, save_grid, save_set_file
from tests.calibration.drawn_board import camera_grid


def test_the_grid_survives_the_file(tmp_path: Path) -> None:
    grid = camera_grid(52, 100, 45, river=0.9, k1=0.02)
    path = tmp_path / "table.toml"
    save_grid(path, grid, "0")
    back = load_grid(path)
    assert back is not None
    cells = np.random.default_rng(0).uniform(0, 9, (40, 2))
    for height in (0.0, 0.4):
        assert np.abs(back.to_px(cells, height) - grid.to_px(cells, height)).max() < 0.05
    assert load_table(path)["camera"]["source"] == "0"


def test_other_lines_of_the_file_stay(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(
        '# table 4\n[names]\nred = "胡荣华"\n\n[grid]\na0 = [1, 2]\n\n[clock]\nport = "/dev/ttyUSB0"\n', "utf-8"
    )
    save_grid(path, camera_grid(80, 0, 50), "rtsp://x/1")
    save_grid(path, camera_grid(80, 0, 40), "rtsp://x/2")
    text = path.read_text("utf-8")
    assert "# table 4" in text
    assert text.count("[grid]") == 1
    table = load_table(path)
    assert table["names"]["red"] == "胡荣华"
    assert table["clock"]["port"] == "/dev/ttyUSB0"
    assert table["camera"]["source"] == "rtsp://x/2"


def test_a_file_without_a_grid_gives_none(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[clock]\n", "utf-8")
    assert load_grid(path) is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[grid", "not a TOML file"),
        ("grid = 3", "must be a section"),
        ("[grid]\nsize = [1280, 720]", "a0"),
        ('[grid]\nsize = "big"', "size"),
        ("[grid]\nsize = [1280, 720]\nriver = -1", "river"),
        ("[grid]\nsize = [1280, 720]\na0 = [0, 0]\ni0 = [0, 0]\ni9 = [0, 0]\na9 = [0, 0]", "a0"),
    ],
)
def test_errors_name_the_file_and_the_key(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(CalibrationError, match=named) as caught:
        load_grid(path)
    assert str(path) in str(caught.value)
    assert isinstance(caught.value, TableFileError | CornersError)


@pytest.mark.parametrize(
    "corners",
    [
        {"a0": (0.0, 0.0)},
        {"a0": (0.0, 0.0), "i0": (100.0, 0.0), "a9": (100.0, 100.0), "i9": (0.0, 100.0)},
        {"a0": (0.0, 0.0), "i0": (0.0, 0.0), "a9": (0.0, 0.0), "i9": (0.0, 0.0)},
    ],
)
def test_corners_that_make_no_board_are_refused(corners: dict[str, tuple[float, float]]) -> None:
    with pytest.raises(CornersError):
        grid_from_corners(corners, (640, 480))


def test_the_file_of_the_set_is_named_beside_everything_else(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[game]\nred = "x"\n', encoding="utf-8")
    assert load_set_file(path) is None
    save_grid(path, camera_grid(80, 0, 50), "0")
    for _ in range(2):
        save_set_file(path, tmp_path / "table.set.npz")
    assert load_set_file(path) == tmp_path / "table.set.npz"
    assert load_table(path)["game"] == {"red": "x"}
    assert load_grid(path) is not None


@pytest.mark.parametrize("section", ["[set]\n", "[set]\nfile = 3\n", 'set = "x"\n'])
def test_a_set_section_that_names_no_file_is_told(tmp_path: Path, section: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(section, encoding="utf-8")
    with pytest.raises(TableFileError, match="set"):
        load_set_file(path)
