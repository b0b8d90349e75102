"""A film recorded from the set-up page while the overlay follows it, in real Chromium: from the picture to the PGN."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from qiyan.web.tables import HallSpec, TableSpec
from rules.pgn import parse_pgn
from tests.qiyan.browser import chromium, faults_in_console, find, log_in, moves_shown, needs_chromium, plies, until
from tests.qiyan.web_server import serving
from tests.shared_data import DATA, needs_data
from tests.short_film import cut_film

pytestmark = [needs_chromium, needs_data, pytest.mark.filterwarnings("ignore::ResourceWarning")]
VIDEO = DATA / "video" / "touch_own_lift"
SHOWN_S = 15.0
RECORDED_WITHIN_S = 90.0
"""The film takes some seconds; the machine may be busy."""


@pytest.fixture
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


def test_from_the_set_up_page_to_the_pgn(browser: Any, tmp_path: Path) -> None:
    film = cut_film(VIDEO / "video.mp4", SHOWN_S, tmp_path / "cut.mp4")
    table = TableSpec("1", tmp_path / "t1", source=str(film), clock=str(VIDEO / "clock.jsonl"))
    with serving(HallSpec((table,), tmp_path / "pages")) as pages:
        log_in(browser, pages)
        console = browser.current_window_handle
        browser.switch_to.new_window("tab")
        overlay = browser.current_window_handle
        browser.get(f"{pages.address}/overlay/1?lang=en&notation=iccs")
        until(browser, lambda d: "Waiting" in find(d, "#notice").text)
        browser.switch_to.window(console)
        browser.get(f"{pages.address}/setup/1?lang=en")
        until(browser, lambda d: find(d, "#picture").is_displayed(), RECORDED_WITHIN_S)
        find(browser, "#start").click()
        browser.switch_to.window(overlay)
        until(browser, lambda d: plies(d) >= 1, RECORDED_WITHIN_S)
        pages.hall.tables["1"].set_names({"Red": "赵鑫鑫"})  # in the middle of the game
        until(browser, lambda d: "赵鑫鑫" in find(d, "#bottom-player").text)
        until(browser, lambda _: pages.client.json("/state/1")["system"] == "ended", RECORDED_WITHIN_S)
        state = pages.client.json("/state/1")
        game = parse_pgn((table.folder / "game.pgn").read_bytes())
        played = [str(move) for move in game.moves()]
        assert len(played) == len(state["moves"]) >= 4
        until(browser, lambda d: moves_shown(d) == played)
        assert find(browser, "svg.board").get_attribute("data-placement") == state["fen"].split()[0]
        assert game.headers["Red"] == "赵鑫鑫"
        assert faults_in_console(browser) == []
