"""The grid in the table's TOML file, and the name of the file with its set, among whatever else the file says."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from calibration.corners import CORNER_CELLS
from calibration.errors import CornersError, TableFileError
from calibration.grid import Grid, undistort, widen_river
from calibration.homography import fit_homography
from calibration.whole_file import write_whole

SECTION = "grid"
SET_SECTION = "set"
SMALLEST_SIDE_PX = 16


def load_grid(path: Path) -> Grid | None:
    """The grid of a table's file; None where the file holds none."""
    table = load_table(path)
    section = table.get(SECTION)
    if section is None:
        return None
    if not isinstance(section, dict):
        raise TableFileError(f"{path}: [{SECTION}] must be a section of keys: {section!r}")
    return _grid_of(path, section)


def load_table(path: Path) -> dict[str, Any]:
    """Everything a table's file says."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TableFileError(f"{path}: not a TOML file: {error}") from error


def save_grid(path: Path, grid: Grid, source: str | None = None) -> None:
    """Write the grid, and the camera it was seen with, into a table's file; the file's other lines stay as they are."""
    text = _text_of(path)
    if source is not None:
        text = _with_key(text, "camera", "source", json.dumps(source, ensure_ascii=False))
    _write_section(path, text, SECTION, format_grid(grid))


def load_set_file(path: Path) -> Path | None:
    """The file with the looks of the table's set; None where the table's file names none."""
    section = load_table(path).get(SET_SECTION)
    if section is None:
        return None
    name = section.get("file") if isinstance(section, dict) else None
    if not isinstance(name, str) or not name:
        raise TableFileError(f"{path}: [{SET_SECTION}] must name the set's file: {section!r}")
    return path.parent / name


def save_set_file(path: Path, set_file: Path) -> None:
    """Name the file with the looks of the set, which lies beside the table's file."""
    lines = [
        f"[{SET_SECTION}]",
        "# How this table's set and its empty points look; made by qiyan calibrate on the start position.",
        f"file = {json.dumps(set_file.name, ensure_ascii=False)}",
    ]
    _write_section(path, _text_of(path), SET_SECTION, "\n".join(lines) + "\n")


def _text_of(path: Path) -> str:
    if not path.exists():
        return ""
    load_table(path)
    return path.read_text(encoding="utf-8")


def _write_section(path: Path, text: str, name: str, section: str) -> None:
    """Write the file with that section put in the place of its old one, whole or not at all."""
    text = _without_section(text, name)
    text = text.rstrip("\n") + ("\n\n" if text.strip() else "") + section
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TableFileError(f"{path}: cannot put the section [{name}] into this file: {error}") from error
    write_whole(path, text.encode("utf-8"))


def format_grid(grid: Grid) -> str:
    """The grid as a TOML section."""
    scale = grid.h_board_to_px[2, 2]
    outermost = grid.to_px(np.array(list(CORNER_CELLS.values())))
    corners = {name: f"[{x:.3f}, {y:.3f}]" for name, (x, y) in zip(CORNER_CELLS, outermost, strict=True)}
    lines = [
        f"[{SECTION}]",
        "# The four outermost points of the board in the picture, px from the centre of its top-left pixel.",
        *(f"{name} = {value}" for name, value in corners.items()),
        f"size = [{grid.size_wh[0]}, {grid.size_wh[1]}]",
        f"river = {grid.river:.4f}       # width of the river, in cells",
        f"k1 = {grid.k1:.5f}          # radial lens distortion, radii in half diagonals",
        f"face_height = {grid.face_height:.4f} # of the pieces over the board, in cells",
        "up = [" + ", ".join(f"{float(v):.8g}" for v in grid.up_px / scale) + "]",
        f"residual_px = {grid.residual_px:.3f}",
        f"confidence = {grid.confidence:.4f}",
    ]
    return "\n".join(lines) + "\n"


def _grid_of(path: Path, section: Mapping[str, Any]) -> Grid:
    width, height = _numbers(path, section, "size", 2)
    if width < SMALLEST_SIDE_PX or height < SMALLEST_SIDE_PX:
        raise TableFileError(f"{path}: [{SECTION}] size must be the picture's width and height: {section['size']!r}")
    size_wh = (int(width), int(height))
    river = _number(path, section, "river", 1.0, (0.2, 3.0))
    k1 = _number(path, section, "k1", 0.0, (-0.3, 0.3))
    px = np.array([_numbers(path, section, name, 2) for name in CORNER_CELLS])
    cells = widen_river(np.array(list(CORNER_CELLS.values())), river)
    h = fit_homography(cells, undistort(px, k1, size_wh))
    if not np.isfinite(h).all() or abs(np.linalg.det(h)) < 1e-9:
        raise CornersError(f"{path}: [{SECTION}] a0, i0, i9 and a9 do not make a board: {px.tolist()}")
    return Grid(
        h_board_to_px=h,
        size_wh=size_wh,
        up_px=np.array(_numbers(path, section, "up", 3)) if "up" in section else np.zeros(3),
        face_height=_number(path, section, "face_height", 0.0, (0.0, 3.0)),
        river=river,
        k1=k1,
        residual_px=_number(path, section, "residual_px", 0.0, (0.0, 1e6)),
        confidence=_number(path, section, "confidence", 1.0, (0.0, 1.0)),
    )


def _number(path: Path, section: Mapping[str, Any], key: str, default: float, span: tuple[float, float]) -> float:
    value = section.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not span[0] <= value <= span[1]:
        raise TableFileError(f"{path}: [{SECTION}] {key} must be a number from {span[0]:g} to {span[1]:g}: {value!r}")
    return float(value)


def _numbers(path: Path, section: Mapping[str, Any], key: str, count: int) -> list[float]:
    value = section.get(key)
    if (
        not isinstance(value, list)
        or len(value) != count
        or any(isinstance(v, bool) or not isinstance(v, int | float) or not np.isfinite(v) for v in value)
    ):
        raise TableFileError(f"{path}: [{SECTION}] {key} must be a list of {count} numbers: {value!r}")
    return [float(v) for v in value]


def _header(line: str) -> str | None:
    """The name of the section that a line opens."""
    bare = line.split("#", 1)[0].strip()
    return bare[1:-1].strip() if bare.startswith("[") and bare.endswith("]") and not bare.startswith("[[") else None


def _without_section(text: str, name: str) -> str:
    kept, dropping = [], False
    for line in text.splitlines():
        if line.lstrip().startswith("["):
            dropping = _header(line) == name
        if not dropping:
            kept.append(line)
    return "\n".join(kept) + ("\n" if kept else "")


def _with_key(text: str, section: str, key: str, value: str) -> str:
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if _header(line) == section), None)
    if start is None:
        lines += ([""] if lines else []) + [f"[{section}]", f"{key} = {value}"]
        return "\n".join(lines) + "\n"
    end = next((i for i in range(start + 1, len(lines)) if lines[i].lstrip().startswith("[")), len(lines))
    for i in range(start + 1, end):
        if lines[i].split("=", 1)[0].strip() == key:
            lines[i] = f"{key} = {value}"
            break
    else:
        lines.insert(start + 1, f"{key} = {value}")
    return "\n".join(lines) + "\n"
