"""`qiyan read`: still pictures to positions."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qiyan.commands.failure import BAD_INPUT, NO_BOARD, telling_failures

if TYPE_CHECKING:
    from vision.frame import Image
    from vision.pieces.enrolment import Enrolment
    from vision.pieces.nets import PieceNets
    from vision.pieces.read import BoardReading

NO_BOARD_ADVICE = "the whole board with its four corners has to be in the picture; or give the corners with --corners"

LEAST_GRID_CONFIDENCE = 0.2
"""A grid less sure than this is no board: boards that are there have 0.9 and more."""
LEAST_STORED_CONFIDENCE = 0.5
"""A position read less surely, on a stored grid where no lines are found, is no board."""


@click.command()
@click.argument("photos", nargs=-1, required=True)
@click.option("--corners", help='The outermost points by hand: "a0=x,y i0=x,y i9=x,y a9=x,y", px.')
@click.option(
    "--table",
    type=click.Path(path_type=Path),
    help="A table's file, as of `qiyan calibrate`: its enrolled set, and its grid where the board still lies there.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@telling_failures
def command(photos: tuple[str, ...], corners: str | None, table: Path | None, as_json: bool) -> None:
    """Read the position on the board in each PHOTO."""
    from calibration.corners import parse_corners
    from calibration.errors import CornersError
    from models.network import load_nets
    from qiyan.enrolling import enrolled_set

    given = None if corners is None else parse_corners(corners)
    enrolment = None if table is None else enrolled_set(table)
    if table is not None and enrolment is None:
        click.echo(f"qiyan: {table}: no set is enrolled; qiyan calibrate does it on the start position", err=True)
    nets = load_nets()
    status = 0
    for photo in photos:
        image = _load(photo)
        if image is None:
            status = BAD_INPUT
            continue
        try:
            reading = _read(image, given, table, nets, enrolment)
        except CornersError as error:
            click.echo(f"qiyan: {photo}: {error}", err=True)
            status = BAD_INPUT
            continue
        if reading is None:
            status = status or NO_BOARD
            _tell_none(photo, as_json)
        elif as_json:
            click.echo(json.dumps(as_data(photo, reading), ensure_ascii=False))
        else:
            click.echo(as_text(photo, reading))
    sys.exit(status)


def as_data(photo: str, reading: "BoardReading") -> dict[str, Any]:
    """The line of INTERFACE.md."""
    from rules.fen import format_fen
    from rules.piece import EMPTY, letter_of
    from rules.point import format_point

    return {
        "photo": photo,
        "fen": format_fen(reading.position),
        "confidence": round(reading.confidence, 4),
        "corners_px": {name: [round(x, 2), round(y, 2)] for name, (x, y) in reading.grid.corners_px().items()},
        "red_side": reading.grid.red_side(),
        "points": [
            {
                "point": format_point(point.point),
                "piece": letter_of(point.piece),
                "p": round(point.p, 4),
                "dx": round(point.dx, 3),
                "dy": round(point.dy, 3),
            }
            for point in reading.points
            if point.piece != EMPTY
        ],
        "doubts": [
            {"point": format_point(point.point), "why": point.doubt.value} for point in reading.points if point.doubt
        ],
    }


def as_text(photo: str, reading: "BoardReading") -> str:
    """A small board, Black above, with what is not sure."""
    from rules.fen import format_fen
    from rules.piece import letter_of
    from rules.point import format_point

    lines = [f"{photo}: confidence {reading.confidence:.2f}, Red at the {reading.grid.red_side()}"]
    pieces = reading.position.board
    for rank in range(9, -1, -1):
        lines.append(f"  {rank}  " + " ".join(letter_of(piece) for piece in pieces[rank * 9 : rank * 9 + 9]))
    lines.append("     a b c d e f g h i")
    lines.append(f"  {format_fen(reading.position)}")
    if reading.doubts:
        doubts = ", ".join(f"{format_point(p.point)} {p.doubt.value}" for p in reading.doubts if p.doubt)
        lines.append(f"  not sure: {doubts}")
    return "\n".join(lines)


def _load(photo: str) -> "Image | None":
    """The picture in colour, turned upright; None where there is none, and the person is told why."""
    from vision.picture_folder import read_picture

    try:
        image = read_picture(Path(photo))
    except IsADirectoryError:
        click.echo(f"qiyan: a folder, not a picture; name its pictures, such as {Path(photo) / '*.jpg'}", err=True)
        return None
    except OSError as error:
        click.echo(f"qiyan: {error.strerror or error}: {photo}", err=True)
        return None
    if image is None:
        click.echo(f"qiyan: not a picture that can be read (damaged, or in an unknown format): {photo}", err=True)
    return image


def _read(
    image: "Image",
    given: dict[str, tuple[float, float]] | None,
    table: Path | None,
    nets: "PieceNets",
    enrolment: "Enrolment | None",
) -> "BoardReading | None":
    from calibration.corners import grid_from_corners
    from calibration.find_board import find_board
    from qiyan.stored_grid import grid_for_picture, lies_on_lines
    from vision.pieces.read import read_board

    size_wh = (image.shape[1], image.shape[0])
    if given is not None:
        return read_board(image, grid_from_corners(given, size_wh), nets, enrolment, turn_known=True)
    stored = None if table is None else grid_for_picture(table, size_wh)
    if stored is not None and lies_on_lines(image, stored):
        return read_board(image, stored, nets, enrolment, turn_known=True)
    grid = find_board(image)
    if grid is not None and grid.confidence >= LEAST_GRID_CONFIDENCE:
        return read_board(image, grid, nets, enrolment)
    if stored is None:
        return None
    # A board whose lines are too faint to be found was given by hand; it is there if it can be read.
    reading = read_board(image, stored, nets, enrolment, turn_known=True)
    return reading if reading.confidence >= LEAST_STORED_CONFIDENCE else None


def _tell_none(photo: str, as_json: bool) -> None:
    if as_json:
        found = {"photo": photo, "error": "no board found", "advice": NO_BOARD_ADVICE}
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        click.echo(f"{photo}: no board found; {NO_BOARD_ADVICE}")
