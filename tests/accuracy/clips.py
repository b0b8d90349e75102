"""Each incident's clip and stills in a real browser: that they play there, and a sheet to look at by eye.

Every kind of incident that the simulator has a script for is recorded with its evidence, opened on the arbiter's
console in Chromium, and played. The frames of the sheets are those that the browser itself showed.
"""

import argparse
import base64
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.accuracy.happenings import play_happening, task_of
from tests.accuracy.runs import FOLDER

SHOWN_S = (-2.0, 0.0, 1.0)
"""Frames on the sheet, relative to when it happened."""
BEFORE_S, AFTER_S, RING_S = 5.0, 3.0, 20.0
"""What a clip has to span, and how far back the recorder keeps pictures."""
LENGTH_OFF_S = 0.4
"""How much shorter or longer than that it may be: pictures are kept 8 times a second."""
BLANK = 12.0
"""A frame whose grey values spread less than this shows nothing."""
PLAYED_S = 1.0
"""So far a clip has to have played by itself."""
WAIT_S = 30.0
_PLAY = """
const clip = document.getElementById("clip");
const quality = clip.getVideoPlaybackQuality();
return {error: clip.error && clip.error.message, duration: clip.duration, now: clip.currentTime, ended: clip.ended,
  ready: clip.readyState, frames: quality.totalVideoFrames, size: [clip.videoWidth, clip.videoHeight]};
"""
_FRAME = """
const [t, done] = arguments;
const clip = document.getElementById("clip");
const draw = () => {
  const canvas = document.createElement("canvas");
  canvas.width = clip.videoWidth; canvas.height = clip.videoHeight;
  canvas.getContext("2d").drawImage(clip, 0, 0);
  done(canvas.toDataURL("image/png"));
};
clip.pause();
clip.addEventListener("seeked", () => setTimeout(draw, 50), {once: true});
clip.currentTime = t;
"""
_STILL = """
const image = document.querySelector(`.stills img[data-still="${arguments[0]}"]`);
if (!image || !image.complete || !image.naturalWidth) return null;
const canvas = document.createElement("canvas");
canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
canvas.getContext("2d").drawImage(image, 0, 0);
return canvas.toDataURL("image/png");
"""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the browser showed of one incident's evidence."""

    title: str
    faults: tuple[str, ...]
    pictures: tuple[tuple[str, Any], ...]
    """(caption, picture)"""


def run(argv: Sequence[str]) -> int:
    """Record, open and play; write a sheet per incident; 0 where every clip is as it should be."""
    from rules.incident import IncidentKind
    from tests.qiyan.browser import CHROMIUM, DRIVER

    options = _options(argv)
    if CHROMIUM is None or DRIVER is None:
        print("not looked at: Chromium and its driver are not installed (Debian: apt install chromium chromium-driver)")
        return 0
    options.out.mkdir(parents=True, exist_ok=True)
    wrong, kinds = 0, set()
    with tempfile.TemporaryDirectory() as kept:
        folders = {path.name: path for path in options.recorded} or _record_all(options, Path(kept))
        for name, kind, shown in _look_at(folders, Path(kept)):
            kinds.add(kind)
            wrong += bool(shown.faults)
            print(f"{name:22} {shown.title:60} {'; '.join(shown.faults) or 'ok'}", flush=True)
            path = options.out / f"{name}-{re.sub(r'[^a-z_0-9]+', '-', shown.title.split(' at ')[0].lower())}.png"
            _write_sheet(path, shown)
    missing = {kind.value for kind in IncidentKind} - kinds
    print(f"\n{len(kinds)} kinds looked at, {wrong} clips not as they should be; sheets in {options.out}")
    every = not options.kinds and not options.recorded
    if every and missing:
        print(f"not one of {', '.join(sorted(missing))} was told")
    return 1 if wrong or not kinds or (every and missing) else 0


def _record_all(options: argparse.Namespace, folder: Path) -> dict[str, Path]:
    """Where each happening that was asked for is recorded."""
    from qiyan.simulator.happenings import DOUBTS, INCIDENTS

    names = [*INCIDENTS, *DOUBTS]
    folders = {}
    for name in options.kinds.split(",") if options.kinds else names:
        folders[name] = folder / name
        folders[name].mkdir()
        play_happening(task_of(name, names.index(name), 0, options), folders[name], evidence=True)
    return folders


def _look_at(folders: dict[str, Path], kept: Path) -> Iterator[tuple[str, str, Shown]]:
    """(recording, kind, what was shown) of every incident, on one console over all the recordings."""
    from qiyan.journal import read_entries
    from qiyan.web.tables import HallSpec, TableSpec
    from tests.qiyan.browser import chromium, log_in
    from tests.qiyan.web_server import serving

    tables = tuple(TableSpec(name, folder) for name, folder in folders.items())
    with serving(HallSpec(tables, kept / "pages")) as pages, chromium(kept / "profile") as driver:
        log_in(driver, pages)
        for name, folder in folders.items():
            entries = read_entries(folder)
            incidents = {entry["seq"]: entry for entry in entries if entry["kind"] == "incident"}
            replaced = {incident["updates"] for incident in incidents.values()}
            for seq, incident in incidents.items():
                if seq not in replaced:
                    earlier = incidents.get(incident["updates"], incident)
                    touched = (incident["remedy"] or {}).get("t_touched") or incident["t_happened"]
                    began = min(incident["t_happened"], earlier["t_happened"], touched)
                    yield name, incident["incident"], _open(driver, pages, name, incident, began, entries[-1]["t"])


def _open(driver: Any, pages: Any, table: str, incident: dict[str, Any], began: float, ended: float) -> Shown:
    """Open one incident on the console and look at its evidence.

    began : when what it is about began
    ended : when the recording ended
    """
    from selenium.common.exceptions import TimeoutException

    from tests.qiyan.browser import click, find, find_all, until

    happened = incident["t_happened"]
    title = f"{incident['incident']} {incident['severity']} {','.join(incident['points'])} at {happened:.1f} s"
    title += f", told {incident['t'] - happened:+.1f} s"
    alert = f".alert[data-table='{table}'][data-seq='{incident['seq']}']"
    driver.get(f"{pages.address}/arbiter?lang=en")
    until(driver, lambda d: find_all(d, alert), WAIT_S)
    click(driver, alert)
    until(driver, lambda d: find_all(d, "#clip"), WAIT_S)
    find(driver, "#play").click()
    try:
        until(driver, lambda d: _ready(d.execute_script(_PLAY)), WAIT_S)
    except TimeoutException:
        return Shown(title, (f"does not play: {driver.execute_script(_PLAY)}",), ())
    state = driver.execute_script(_PLAY)
    faults = [] if state["error"] is None else [f"error {state['error']}"]
    first = max(0.0, began - BEFORE_S, incident["t"] - RING_S)
    last = min(happened + AFTER_S, ended)
    if abs(state["duration"] - (last - first)) > LENGTH_OFF_S:
        faults.append(f"lasts {state['duration']:.1f} s instead of {last - first:.1f} s")
    pictures = [("before", _still(driver, "before"))]
    for shown_s in SHOWN_S:
        t = min(max(happened - first + shown_s, 0.0), state["duration"] - 0.05)
        pictures.append((f"clip {shown_s:+.0f} s", _decoded(driver.execute_async_script(_FRAME, t))))
    if incident["points"]:
        pictures.append(("at the moment", _still(driver, "moment")))
    pictures.append(("after", _still(driver, "after")))
    faults += [f"{caption} is blank" for caption, picture in pictures if picture.std() < BLANK]
    return Shown(title, tuple(faults), tuple(pictures))


def _ready(state: dict[str, Any]) -> bool:
    played = state["now"] >= PLAYED_S or state["ended"]
    return bool(played and state["frames"] > 1 and min(state["size"]) > 0)


def _still(driver: Any, name: str) -> Any:
    from tests.qiyan.browser import find, until

    driver.execute_script("document.querySelector('#stills').open = true")
    find(driver, ".stills")
    return _decoded(until(driver, lambda d: d.execute_script(_STILL, name), WAIT_S))


def _decoded(url: str) -> Any:
    import cv2
    import numpy as np

    return cv2.imdecode(np.frombuffer(base64.b64decode(url.split(",", 1)[1]), np.uint8), cv2.IMREAD_COLOR)


def _write_sheet(path: Path, shown: Shown) -> None:
    """The pictures side by side, each with its caption."""
    import cv2
    import numpy as np

    if not shown.pictures:
        return
    high = max(picture.shape[0] for _, picture in shown.pictures)
    cells = []
    for caption, picture in shown.pictures:
        cell = np.full((high + 24, picture.shape[1] + 6, 3), 255, np.uint8)
        cell[24 : 24 + picture.shape[0], : picture.shape[1]] = picture
        cv2.putText(cell, caption, (4, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
        cells.append(cell)
    sheet = np.hstack(cells)
    head = np.full((24, sheet.shape[1], 3), 255, np.uint8)
    cv2.putText(head, shown.title, (4, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (0, 0, 160), 1, cv2.LINE_AA)
    cv2.imwrite(str(path), np.vstack([head, sheet]))


def _options(argv: Sequence[str]) -> argparse.Namespace:
    from qiyan.simulator.looks import NAMES

    parser = argparse.ArgumentParser(prog="python -m tests.accuracy clips", description=__doc__)
    parser.add_argument("--kinds", default="", help="happenings with commas between; every incident's where empty")
    parser.add_argument("--looks", default=",".join(NAMES))
    parser.add_argument("--seed", type=int, default=51)
    parser.add_argument("--given", action="store_true", help="corners and start position are given, not found")
    parser.add_argument("--films", type=Path, help="keep the films in this folder")
    parser.add_argument("--recorded", type=Path, nargs="+", default=[], help="look at these recordings instead")
    parser.add_argument("--out", type=Path, default=FOLDER / "clips", help="where the sheets go")
    return parser.parse_args(argv)
