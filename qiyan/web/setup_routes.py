"""Setting a table up: what its camera sees, where the grid lies, who plays, start and stop."""

import asyncio
import time
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from calibration.corners import grid_from_corners
from calibration.errors import CalibrationError
from calibration.store import save_grid
from clock_bridge.control import parse_control
from clock_bridge.errors import ClockError
from qiyan.live_picture import PICTURE_NAME, WANTED_NAME
from qiyan.names import clean_names
from qiyan.preview import FIND_AGAIN_NAME
from qiyan.web.children import grid_file
from qiyan.web.errors import Conflict, NotFound, PageError
from qiyan.web.hall import Hall, Table
from qiyan.web.pulse import read_facts
from qiyan.web.replies import json_of, page

FRESH_S = 5.0
"""A picture older than this is not live."""
SIDES = ("bottom", "right", "top", "left")
_CORNERS = ("a0", "i0", "i9", "a9")
_LARGEST_PX = 20_000.0


def routes(hall: Hall) -> list[Route]:
    """The routes of the set-up; the gate lets only sessions come here."""

    async def setup(request: Request) -> Response:
        known = request.path_params["table"] in hall.tables
        return page("setup.html", 200 if known else 404)

    async def look(request: Request) -> Response:
        """What the page shows, once a second; asking keeps the preview running."""
        table = hall.table(request.path_params["table"])
        if table.spec.folder.is_dir():
            (table.spec.folder / WANTED_NAME).touch()
        previewed = _is_recorded_elsewhere(hall, table) or hall.children.preview(table.spec)
        return JSONResponse(_facts(hall, table, previewed))

    async def picture(request: Request) -> Response:
        path = hall.table(request.path_params["table"]).spec.folder / PICTURE_NAME
        try:
            data = await asyncio.to_thread(path.read_bytes)
        except OSError as error:
            raise NotFound("no_picture_yet") from error
        return Response(data, media_type="image/jpeg")

    async def corners(request: Request) -> Response:
        table = hall.table(request.path_params["table"])
        data = await json_of(request)
        _must_stand(hall, table)
        _set_corners(table, _corners(data.get("corners_px")))
        return JSONResponse({})

    async def red_side(request: Request) -> Response:
        table = hall.table(request.path_params["table"])
        side = (await json_of(request)).get("red_side")
        if side not in SIDES:
            raise PageError("bad_request", "red_side")
        _must_stand(hall, table)
        facts = read_facts(table.spec.folder) or {}
        if not facts.get("corners_px") or facts.get("red_side") not in SIDES:
            raise Conflict("no_board_yet")
        turns = (SIDES.index(side) - SIDES.index(facts["red_side"])) % 4
        old = [facts["corners_px"][name] for name in _CORNERS]
        # The same four places in the picture, named anew; a quarter turn of the screen is one corner on.
        turned = {name: tuple(old[(i - turns) % 4]) for i, name in enumerate(_CORNERS)}
        _set_corners(table, _corners(turned))
        return JSONResponse({})

    async def find(request: Request) -> Response:
        table = hall.table(request.path_params["table"])
        await json_of(request)
        _must_stand(hall, table)
        table.spec.folder.mkdir(parents=True, exist_ok=True)
        (table.spec.folder / FIND_AGAIN_NAME).touch()
        return JSONResponse({})

    async def names(request: Request) -> Response:
        table = hall.table(request.path_params["table"])
        given = clean_names(await json_of(request))
        if "TimeControl" in given:
            try:
                parse_control(given["TimeControl"])
            except ClockError as error:
                raise PageError("bad_control", str(error)) from error
        table.set_names(given)
        return JSONResponse({"names": table.names()})

    async def start(request: Request) -> Response:
        table = hall.table(request.path_params["table"])
        await json_of(request)
        if _is_recorded_elsewhere(hall, table):
            raise Conflict("already_recording")
        await asyncio.to_thread(hall.children.record, table.spec, table.names().get("TimeControl"))
        return JSONResponse({})

    async def stop(request: Request) -> Response:
        table = hall.table(request.path_params["table"])
        await json_of(request)
        await asyncio.to_thread(hall.children.stop, table.spec.name)
        return JSONResponse({})

    return [
        Route("/setup/{table:path}", setup),
        Route("/table/look/{table:path}", look),
        Route("/table/picture/{table:path}", picture),
        Route("/table/corners/{table:path}", corners, methods=["POST"]),
        Route("/table/red_side/{table:path}", red_side, methods=["POST"]),
        Route("/table/find/{table:path}", find, methods=["POST"]),
        Route("/table/names/{table:path}", names, methods=["POST"]),
        Route("/table/start/{table:path}", start, methods=["POST"]),
        Route("/table/stop/{table:path}", stop, methods=["POST"]),
    ]


def _facts(hall: Hall, table: Table, previewed: bool) -> dict[str, Any]:
    facts = read_facts(table.spec.folder)
    age_s = None if facts is None else time.time() - float(facts.get("unix_s", 0.0))
    clock = table.feed.state(len(table.feed.bodies))["clock"]
    return {
        "table": table.spec.name,
        "source": table.spec.source,
        "clock_source": table.spec.clock,
        "control": table.spec.control,
        "names": table.names(),
        "recording": hall.children.is_recording(table.spec.name),
        "trouble": hall.trouble(table),
        "elsewhere": _is_recorded_elsewhere(hall, table),
        "previewed": previewed,
        "live": age_s is not None and age_s < FRESH_S,
        "age_s": None if age_s is None else round(age_s, 1),
        "picture": facts,
        "clock": clock,
        "now_s": time.time(),
        "state": table.feed.state(len(table.feed.bodies))["system"],
    }


def _is_recorded_elsewhere(hall: Hall, table: Table) -> bool:
    """Whether a recorder that this server did not start shows signs of life."""
    if hall.children.is_recording(table.spec.name):
        return False
    facts = read_facts(table.spec.folder) or {}
    ended = table.feed.state(len(table.feed.bodies))["system"] in (None, "ended")
    return facts.get("by") == "recorder" and time.time() - float(facts.get("unix_s", 0.0)) < FRESH_S and not ended


def _must_stand(hall: Hall, table: Table) -> None:
    """A grid is not moved under a running recording: the eye follows the board by itself there."""
    if hall.children.is_recording(table.spec.name) or _is_recorded_elsewhere(hall, table):
        raise Conflict("stop_first")


def _set_corners(table: Table, corners_px: dict[str, tuple[float, float]]) -> None:
    facts = read_facts(table.spec.folder)
    if facts is None:
        raise Conflict("no_picture_yet")
    try:
        grid = grid_from_corners(corners_px, (int(facts["size_wh"][0]), int(facts["size_wh"][1])))
    except CalibrationError as error:
        raise PageError("bad_corners", str(error)[:200]) from error
    file = grid_file(table.spec)
    file.parent.mkdir(parents=True, exist_ok=True)
    save_grid(file, grid, table.spec.source)


def _corners(data: Any) -> dict[str, tuple[float, float]]:
    if not isinstance(data, dict) or set(data) != set(_CORNERS):
        raise PageError("bad_corners")
    found = {}
    for name, xy in data.items():
        if not isinstance(xy, list | tuple) or len(xy) != 2:
            raise PageError("bad_corners", name)
        for value in xy:
            if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _LARGEST_PX:
                raise PageError("bad_corners", name)
        found[name] = (float(xy[0]), float(xy[1]))
    return {name: found[name] for name in _CORNERS}
