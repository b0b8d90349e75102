"""The pictures of the pages under docs/pictures: `python -m tests.soak.pictures [--films FOLDER]`.

Films three simulated games with an incident, the demo's among them, and one that has just begun, records them with the
real command, serves them as a hall of four tables, and takes every page in both languages with real Chromium. Look at
what it makes.
"""

import argparse
import base64
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from qiyan.demo import demo_script
from qiyan.names import save_names
from qiyan.simulator.film import film
from qiyan.simulator.games import OPENING, play_script
from qiyan.simulator.happenings import happening_script
from qiyan.simulator.looks import named_look
from qiyan.web.tables import HallSpec, TableSpec
from tests.qiyan.browser import chromium, until
from tests.qiyan.web_server import PASSWORD, Pages, serving

OUT = Path(__file__).parents[2] / "docs/pictures"
DEMO = "the demo's game"
DEMO_PLIES = 11
FILMS = (
    ("1", DEMO, "school", 72.0),
    ("2", "between", "hall", 70.0),
    ("3", "disturbed_after_press", "study", 64.0),
)
PLAYERS = (
    {"Red": "王天一", "RedTeam": "杭州", "Black": "郑惟桐", "BlackTeam": "四川"},
    {"Red": "赵鑫鑫", "RedTeam": "浙江", "Black": "汪洋", "BlackTeam": "湖北"},
    {"Red": "唐丹", "RedTeam": "北京", "Black": "左文静", "BlackTeam": "江苏"},
    {"Red": "孟辰", "RedTeam": "山东", "Black": "曹岩磊", "BlackTeam": "河北"},
)
ARBITER = "李裁判 Li"
_CLIP_SHOWN = "const clip = document.getElementById('clip'); return clip.readyState >= 2 && !clip.seeking"
SPINS_S = 1.0
"""So long Chromium shows that it seeks."""
_ALL_SHOWN = "return [...document.querySelectorAll('.stills img')].every((one) => one.complete && one.naturalWidth)"
DESKTOP, TABLET = (1280, 860), (800, 1280)
WHOLE_PANEL, SHEET, SMALLER = (1280, 1620), (820, 1600), 0.75
"""An incident with its stills and its board, and the whole sheet of one; both are shown smaller than they are."""
TOUCHED_S = 5.3
"""In the clip of a touch: it begins five seconds before that."""
QUALITIES = (84, 78, 72, 66)
LARGEST_BYTES = 150_000


def main() -> None:
    """Film, record, serve, look."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--films", type=Path, help="Kept there, so that the next run need not film and record again.")
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.films or Path(scratch)
        tables = _tables(folder, options.seed)
        with serving(HallSpec(tables, Path(scratch) / "pages")) as pages, chromium(Path(scratch) / "profile") as driver:
            Camera(driver, pages).take_all()


def _tables(folder: Path, seed: int) -> tuple[TableSpec, ...]:
    tables = []
    for name, happening, look_name, elevation in FILMS:
        if not (folder / name / "video.mp4").exists():
            look = named_look(look_name, seed)
            look = replace(look, view=replace(look.view, elevation_deg=elevation), fps=min(look.fps, 10.0))
            happens = happening_script(happening, seed, before=6, after=3) if happening != DEMO else None
            film(look, happens or demo_script(DEMO_PLIES, seed), folder / name)
        if not (folder / name / "rec").exists():
            command = [sys.executable, "-m", "qiyan.cli", "record", "--source", str(folder / name / "video.mp4")]
            command += ["--clock", str(folder / name / "clock.jsonl"), "--out", str(folder / name / "rec")]
            subprocess.run([*command, "--control", "15m+5s"], check=True)
        tables.append(TableSpec(name, folder / name / "rec"))
    if not (folder / "4" / "video.mp4").exists():
        script = play_script(OPENING[:2], seed)
        look = named_look("club", seed)
        film(replace(look, view=replace(look.view, elevation_deg=55.0), fps=8.0), script, folder / "4")
    tables.append(TableSpec("4", folder / "4" / "rec", source=str(folder / "4" / "video.mp4"), control="60m+30s"))
    for table, players in zip(tables, PLAYERS, strict=True):
        save_names(table.folder, {**players, "Event": "全国象棋个人赛", "Round": "3"})
    return tuple(tables)


class Camera:
    """Takes the pages one by one."""

    def __init__(self, driver: Any, pages: Pages) -> None:
        self._driver, self._pages = driver, pages

    def take_all(self) -> None:
        """Every page in both languages."""
        for language in ("zh", "en"):
            self._size(*DESKTOP)
            self._open(f"/?lang={language}", "#tables .card")
            self._take(f"index-{language}")
            self._open(f"/overlay/1?lang={language}", ".move")
            self._size(850, 740)
            self._driver.execute_script("document.documentElement.style.background = '#567a68'")
            self._take(f"overlay-{language}")
            self._size(*DESKTOP)
            self._driver.delete_all_cookies()
            self._open(f"/login?lang={language}", "form")
            self._take(f"login-{language}")
            self._open(f"/first?lang={language}#{self._pages.hall.accounts.invite()}", "form")
            self._find("[name=name]").send_keys(f"{ARBITER} {language}")
            self._find("[name=password]").send_keys(PASSWORD)
            self._take(f"first-{language}")
            self._find("form .main").click()
            self._console(language)
            self._sheet(language)
            self._open(f"/setup/4?lang={language}", "#picture:not([hidden])")
            until(self._driver, lambda d: d.find_elements("css selector", "#pieces .good, #pieces .problem"), 90.0)
            self._take(f"setup-{language}")

    def _console(self, language: str) -> None:
        self._wait("#alerts .alert.breach, #alerts .alert.doubt")
        self._open(f"/arbiter?lang={language}", "#alerts .alert.doubt, #alerts .alert.breach")
        self._find("#sound").click()
        self._take(f"console-{language}")
        self._find('#alerts [data-table="1"].alert').click()
        self._wait("#clip")
        self._driver.execute_script(f"document.getElementById('clip').currentTime = {TOUCHED_S}")
        until(self._driver, lambda d: d.execute_script(_CLIP_SHOWN))
        self._find("#stills summary").click()
        until(self._driver, lambda d: d.execute_script(_ALL_SHOWN))
        self._size(*WHOLE_PANEL, SMALLER)
        time.sleep(SPINS_S)
        self._take(f"incident-{language}")
        self._size(*TABLET)
        self._take(f"console-tablet-{language}")
        self._size(*DESKTOP)
        self._find('#tables [data-table="1"]').click()
        self._wait("#edit-position").click()
        self._find('[data-touch="b2"]').click()
        self._take(f"correct-{language}")

    def _sheet(self, language: str) -> None:
        feed = self._pages.hall.tables["1"].feed
        seq = next(entry["seq"] for entry in reversed(feed.entries) if entry["kind"] == "incident")
        self._size(*SHEET, SMALLER)
        self._open(f"/arbiter/sheet/1/{seq}?lang={language}", "table")
        self._take(f"sheet-{language}")
        self._size(*DESKTOP)

    def _open(self, path: str, css: str) -> None:
        self._driver.get(self._pages.address + path)
        self._wait(css)

    def _wait(self, css: str) -> Any:
        return until(self._driver, lambda d: d.find_element("css selector", css), 30.0)

    def _find(self, css: str) -> Any:
        return self._driver.find_element("css selector", css)

    def _size(self, width: int, height: int, scale: float = 1.0) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
        self._driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def _take(self, name: str) -> None:
        png = base64.b64decode(self._driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"])
        image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        path = OUT / f"{name}.jpg"
        for quality in QUALITIES:
            cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, quality])
            if path.stat().st_size < LARGEST_BYTES:
                break
        sys.stdout.write(f"{path.name}: {path.stat().st_size // 1000} kB\n")


if __name__ == "__main__":
    main()
