"""The arbiter's whole work by keyboard alone, in real Chromium: no element is ever clicked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.event import ClockEvent, ClockEventKind
from tests.qiyan.browser import chromium, faults_in_console, find, find_all, needs_chromium, until
from tests.qiyan.web_server import NAME, PASSWORD, FedRecording, serving, spec_of

pytestmark = [needs_chromium, pytest.mark.filterwarnings("ignore::ResourceWarning")]


@pytest.fixture
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


def test_an_arbiters_work_by_keyboard_alone(browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver import ActionChains, Keys

    def press(*keys: str) -> None:
        for key in keys:
            ActionChains(browser).send_keys(key).pause(0.05).perform()

    def focus_on(css: str) -> None:
        """Tab on until there, as a person does."""
        for _ in range(60):
            if browser.execute_script("return document.activeElement.matches(arguments[0])", css):
                return
            press(Keys.TAB)
        raise AssertionError(f"cannot be reached with Tab: {css}")

    def decided() -> dict[str, Any]:
        until(browser, lambda _: fed.take_decisions())
        return [entry for entry in fed.journal.read_entries() if entry["kind"] == "decision"][-1]

    fed = FedRecording(tmp_path / "t1")
    fed.board()
    fed.play("h2e2")
    with serving(spec_of(tmp_path, "1")) as pages:
        browser.get(f"{pages.address}/first?lang=en#{pages.hall.accounts.invite()}")
        until(browser, lambda d: find(d, "h1").text == "Open an account")
        focus_on("[name=name]")
        press(NAME, Keys.TAB, PASSWORD, Keys.ENTER)
        until(browser, lambda d: find(d, "#connection").text.endswith("Connected"))
        focus_on("#sound")
        press(Keys.ENTER)
        until(browser, lambda d: find(d, "#sound").get_attribute("aria-pressed") == "true")

        # An alert: heard again and again until it is opened, then upheld.
        fed.play("a9a5")
        played = "return window.qiyanAlarm.played.filter((one) => one === 'breach').length"
        until(browser, lambda d: d.execute_script(played) >= 2, 15.0)
        press("j", Keys.ENTER)
        until(browser, lambda d: not find_all(d, ".alert.ringing"))
        press("u")
        assert decided()["ruling"] == "upheld"

        # A search among the decided ones.
        until(browser, lambda d: not find_all(d, "#alerts .alert"))
        press("/", "illegal")
        until(browser, lambda d: find_all(d, "#alerts .alert.ruled"))
        press("nothing like that")
        until(browser, lambda d: find(d, "#quiet").text == "Nothing matches.")
        press(Keys.ESCAPE)

        # A move added on the board: Red's chariot from i0 to i1. The arrows begin at e0.
        press("1")
        until(browser, lambda d: find_all(d, "#add-move"))
        press("n", *[Keys.ARROW_RIGHT] * 4, Keys.ENTER, Keys.ARROW_UP, Keys.ENTER)
        until(browser, lambda d: find(d, "#hint").text == "Ply 3 becomes R1+1 (i0i1)")
        press(Keys.ENTER)  # Confirm has the focus
        assert decided()["change"] == {"ply": 3, "iccs": "i0i1", "was": None}
        until(browser, lambda _: len(pages.client.json("/state/1")["moves"]) == 3)

        # The clock set by hand, and what was entered taken back.
        fed.tell(ClockEvent(fed.t, ClockEventKind.STOP, None, 600.0, 300.0, 0.3))
        until(browser, lambda d: "5:00" in find(d, ".clocks").text)
        focus_on("#times summary")
        press(Keys.ENTER)
        focus_on("#black-time")
        press("8:00", Keys.ENTER)
        assert decided()["change"] == {"times": {"black_s": 480.0}}
        until(browser, lambda d: "8:00" in find(d, ".clocks").text)
        focus_on("#history [data-undo]")
        press(Keys.ENTER)
        assert decided()["change"]["times"] == {"black_s": 300.0}
        until(browser, lambda d: "5:00" in find(d, ".clocks").text)
        assert faults_in_console(browser) == []
    fed.close()
