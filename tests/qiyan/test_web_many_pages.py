"""Many pages at once in real Chromium: more tabs than connections, odd names, and nothing younger than the delay."""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from qiyan.journal import FILE_NAME
from rules.event import ClockEventKind
from tests.qiyan.browser import (
    chromium,
    click,
    faults_in_console,
    find,
    find_all,
    log_in,
    needs_chromium,
    plies,
    until,
)
from tests.qiyan.web_server import FedRecording, serving, spec_of

pytestmark = [needs_chromium, pytest.mark.filterwarnings("ignore::ResourceWarning")]
NAMES = ("1", "2", "三号 台", "5%2F?#", "<script>alert(1)</script>", "..%", "'\"&", "8:0")
"""Eight tables, most of them with odd names."""


@pytest.fixture
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[list[FedRecording]]:
    recordings = [FedRecording(tmp_path / f"t{number}") for number in range(1, len(NAMES) + 1)]
    for recording in recordings:
        recording.board()
        recording.play("h2e2")
    yield recordings
    for recording in recordings:
        recording.close()


def _in_new_tab(driver: Any, address: str) -> str:
    driver.switch_to.new_window("tab")
    driver.get(address)
    return str(driver.current_window_handle)


def test_eight_tables_in_tabs_beside_the_console(browser: Any, hall: list[FedRecording], tmp_path: Path) -> None:
    with serving(spec_of(tmp_path, *NAMES)) as pages:
        log_in(browser, pages)
        console = browser.current_window_handle
        tabs = []
        for name in NAMES:
            tabs.append(_in_new_tab(browser, f"{pages.address}/overlay/{quote(name, safe='')}?lang=en&notation=iccs"))
            until(browser, lambda d: plies(d) == 1)
        for recording in hall:
            recording.play("h9g7")
        for tab in tabs:
            browser.switch_to.window(tab)
            until(browser, lambda d: plies(d) == 2, 5.0)
        assert faults_in_console(browser) == []
        browser.switch_to.window(console)
        hall[3].play("a0a5")
        until(browser, lambda d: find_all(d, ".alert.ringing"), 5.0)
        click(browser, ".alert")
        assert NAMES[3] in find(browser, "#panel h2").text
        click(browser, "#uphold")
        until(browser, lambda _: hall[3].take_decisions())
        until(browser, lambda d: "upheld" in find(d, "#rulings").text)
        tabs.append(_in_new_tab(browser, f"{pages.address}/setup/{quote(NAMES[3], safe='')}?lang=en"))
        until(browser, lambda d: find(d, "#connection").text.endswith("Connected"), 5.0)
        assert find(browser, "#table").text == NAMES[3]
        for tab in tabs:
            browser.switch_to.window(tab)
            browser.close()
        browser.switch_to.window(console)
        assert faults_in_console(browser) == []


def test_an_overlay_of_a_browser_without_shared_workers_follows_too(
    browser: Any, hall: list[FedRecording], tmp_path: Path
) -> None:
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "delete window.SharedWorker"})
    with serving(spec_of(tmp_path, *NAMES)) as pages:
        browser.get(f"{pages.address}/overlay/1?lang=en")
        until(browser, lambda d: plies(d) == 1)
        hall[0].play("h9g7")
        until(browser, lambda d: plies(d) == 2, 5.0)
    with serving(spec_of(tmp_path, *NAMES), pages.port):
        hall[0].play("h0g2")
        until(browser, lambda d: plies(d) == 3)


def test_nothing_younger_than_15_min_is_on_the_page_across_a_restart(
    browser: Any, hall: list[FedRecording], tmp_path: Path
) -> None:
    fed = hall[0]
    old = fed.journal.last_seq
    fed.clock(ClockEventKind.PRESS, 0, 7777.0, 8888.0)
    fed.play("h9g7")
    fed.tell_result("1-0")
    with sqlite3.connect(fed.folder / FILE_NAME) as db:
        db.execute("UPDATE written SET unix_s = ? WHERE seq <= ?", (time.time() - 16 * 60, old))
    db.close()
    spec = spec_of(tmp_path, *NAMES, delay_min=15.0)
    port = 0
    for _ in range(2):
        with serving(spec, port) as pages:
            port = pages.port
            for path in ("/overlay/1?lang=en&notation=iccs&delay=0", "/?lang=en"):
                browser.get(f"{pages.address}{path}")
                until(browser, lambda d: "h2e2" in d.page_source or "ply 1" in d.page_source)
                time.sleep(0.5)
                for young in ("h9g7", "2:09:37", "2:28:08", "Red wins"):
                    assert young not in browser.page_source, (path, young)
