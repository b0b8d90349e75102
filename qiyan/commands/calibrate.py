"""`qiyan calibrate`: find the board, write its grid into the table's file, and draw it for a person to check.

On the start position the set is enrolled as well: how its pieces and the empty points look, and how high its faces are.
"""

import json
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from qiyan.commands.failure import NO_BOARD, telling_failures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.grid import Grid
    from vision.frame import Image
    from vision.source import FrameSource

FIRST_FRAMES = 8
"""Views that are tried, a second apart, until one shows the board surely."""
BETWEEN_VIEWS_S = 1.0
LONGEST_WAIT_S = 15.0
"""A camera that shows nothing for this long is given up."""
SURE = 0.9
LEAST_CONFIDENCE = 0.5
ADVICE = """no board found in {source}
What helps: the whole board with all four corners in the picture, seen from above or at 40 degrees or more; no hands
over it; even light, without glare on the lines; at least 35 px from line to line. Or give the four outermost points of
the grid yourself, as Red sees them: --corners "a0=x,y i0=x,y i9=x,y a9=x,y" (a0: Red's left corner)."""


@click.command()
@click.option(
    "--source", required=True, help="A picture, or what `qiyan record` takes: camera, address, video, folder."
)
@click.option(
    "--table",
    type=click.Path(path_type=Path),
    default=Path("table.toml"),
    show_default=True,
    help="The table's file; written anew or added to.",
)
@click.option("--corners", help='The outermost points by hand: "a0=x,y i0=x,y i9=x,y a9=x,y", px.')
@click.option(
    "--red-side",
    type=click.Choice(["bottom", "top", "left", "right"]),
    help="Side of the picture where Red sits; needed only where the pieces do not tell.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@telling_failures
def command(source: str, table: Path, corners: str | None, red_side: str | None, as_json: bool) -> None:
    """Find the board and write grid, camera and set into the table's file."""
    import cv2

    from calibration.corners import parse_corners
    from calibration.drawing import draw_grid
    from calibration.store import save_grid
    from qiyan.enrolling import at_the_start, enrol_set

    given = None if corners is None else parse_corners(corners)
    drawing = table.with_suffix(".png")
    _check_files(source, table, drawing)
    found = _look(source, given)
    if found is None:
        click.echo(f"qiyan: {ADVICE.format(source=source)}", err=True)
        if as_json:
            click.echo(json.dumps({"source": source, "error": "no board found"}, ensure_ascii=False))
        sys.exit(NO_BOARD)
    image, grid = found
    if corners is None:
        grid = _right_way_round(image, grid, red_side)
    start = at_the_start(image, grid)
    grid = start or grid
    save_grid(table, grid, source)
    set_file = None if start is None else enrol_set(image, start, table)
    ok, data = cv2.imencode(".png", draw_grid(image, grid))
    if ok:
        drawing.write_bytes(data.tobytes())
    _tell(source, table, drawing, grid, set_file, as_json)


def _check_files(source: str, table: Path, drawing: Path) -> None:
    """ConfigError where the table's file cannot be written, or where something of the person's would be overwritten."""
    from qiyan.errors import ConfigError

    if table.is_dir():
        raise ConfigError(f"--table must name a file, such as {table / 'table.toml'}; this is a folder: {table}")
    if not table.parent.is_dir():
        raise ConfigError(f"there is no folder {table.parent} for the table's file; make it first: {table}")
    if drawing == table:
        raise ConfigError(f"the table's file must not end in .png, as the picture of the grid does: {table}")
    of_source = Path(source)
    is_source = of_source.is_file() and drawing.exists() and drawing.samefile(of_source)
    if is_source or (source and of_source.is_dir() and drawing.parent.samefile(of_source)):
        what = "would be written over the source" if is_source else "would lie among the pictures of the source"
        raise ConfigError(
            f"the picture of the grid, {drawing}, {what}: give the table's file another name or folder: {table}"
        )


def _right_way_round(image: "Image", grid: "Grid", red_side: str | None) -> "Grid":
    """Red's end where it was told or can be read; ConfigError where neither is."""
    from qiyan.errors import ConfigError
    from qiyan.red_end import read_red_end, told_red_end

    if red_side is not None:
        told = told_red_end(grid, red_side)
        if told is None:
            raise ConfigError(
                f"the board was found, but neither end of it lies at this side of the picture: {red_side}"
            )
        return told
    turned = read_red_end(image, grid)
    if turned is None:
        raise ConfigError(
            "the board was found, but not which end is Red's: set up the start position, or say where Red sits with "
            "--red-side bottom, top, left or right"
        )
    return turned


def _look(source: str, corners: dict[str, tuple[float, float]] | None) -> "tuple[Image, Grid] | None":
    """The first view that shows the board surely, or the best of them."""
    from calibration.corners import grid_from_corners
    from calibration.find_board import find_board, fit_to_lines

    best: tuple[Image, Grid] | None = None
    for image in _views(source):
        size_wh = (image.shape[1], image.shape[0])
        if corners is not None:
            return image, fit_to_lines(image, grid_from_corners(corners, size_wh))
        grid = find_board(image)
        if grid is not None and (best is None or grid.confidence > best[1].confidence):
            best = image, grid
        if best is not None and best[1].confidence >= SURE:
            break
    return best if best is not None and best[1].confidence >= LEAST_CONFIDENCE else None


def _views(source: str) -> "Iterator[Image]":
    from vision.source import PICTURE_SUFFIXES, open_source

    path = Path(source)
    if path.is_file() and path.suffix.lower() in PICTURE_SUFFIXES:
        yield _picture(path)
        return
    yield from _frames(open_source(source))


def _picture(path: Path) -> "Image":
    from vision.errors import SourceError
    from vision.picture_folder import read_picture

    image = read_picture(path)
    if image is None:
        raise SourceError(f"not a picture that can be read (damaged, or in an unknown format): {path}")
    return image


def _frames(opened: "FrameSource", longest_wait_s: float = LONGEST_WAIT_S) -> "Iterator[Image]":
    from vision.errors import SourceError
    from vision.frame import Frame
    from vision.source import SourceLost

    seen = 0
    due = 0.0
    why = "it does not answer"
    # A camera that was never there tells no time: the wait for it is ended from outside.
    wait = threading.Timer(longest_wait_s, opened.close)
    wait.daemon = True
    if opened.live:
        wait.start()
    try:
        for item in opened.items():
            if isinstance(item, Frame) and item.t >= due:
                wait.cancel()
                yield item.image
                seen, due = seen + 1, item.t + BETWEEN_VIEWS_S
            if isinstance(item, SourceLost):
                why = item.why
            if seen == FIRST_FRAMES:
                return
    finally:
        wait.cancel()
        opened.close()
    if opened.live and not seen:
        raise SourceError(
            f"the camera shows no picture ({why}): {opened.name}. Check the cable, its number or address, and that no "
            "other program uses it"
        )


def _tell(source: str, table: Path, drawing: Path, grid: "Grid", set_file: Path | None, as_json: bool) -> None:
    corners = {name: [round(x, 2), round(y, 2)] for name, (x, y) in grid.corners_px().items()}
    if as_json:
        facts = {
            "source": source,
            "table": str(table),
            "picture": str(drawing),
            "corners_px": corners,
            "red_side": grid.red_side(),
            "confidence": round(grid.confidence, 4),
            "residual_px": round(grid.residual_px, 3),
            "cell_px": round(grid.cell_px(), 2),
            "river_cells": round(grid.river, 3),
            "face_height_cells": round(grid.face_height, 3),
            "set": None if set_file is None else str(set_file),
        }
        click.echo(json.dumps(facts, ensure_ascii=False))
        return
    if grid.residual_px > 0.0:
        click.echo(f"Board found: cells of {grid.cell_px():.0f} px, lines met within {grid.residual_px:.1f} px.")
    else:
        click.echo(f"Corners taken as given (no lines were found just there): cells of {grid.cell_px():.0f} px.")
    click.echo(f"Red sits at the {grid.red_side()} of the picture.")
    click.echo(f"Grid written to {table}; look at {drawing} to check it.")
    if set_file is None:
        click.echo("The set was not enrolled: for that the start position has to stand on the board.")
    else:
        click.echo(f"The set is enrolled: its pieces and the empty points are kept in {set_file}.")
