"""Real Chromium for the tests of the pages: the system's own, never a download."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.qiyan.web_server import NAME, PASSWORD, Pages

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=no-user-gesture-required",
    "--window-size=1280,900",
)
WAIT_S = 30.0
"""For a machine that is busy with other things; what has to be fast is measured by itself."""


def _found(*names: str) -> str | None:
    return next((path for path in map(shutil.which, names) if path), None)


CHROMIUM = _found("chromium", "chromium-browser", "google-chrome")
DRIVER = _found("chromedriver")

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None,
    reason="Chromium and its driver are not installed (Debian: apt install chromium chromium-driver)",
)


@contextmanager
def chromium(profile: Path) -> Iterator[Any]:
    """A browser with an empty profile."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()


def until(driver: Any, holds: Callable[[Any], Any], within_s: float = WAIT_S) -> Any:
    """What `holds` returns once it is true."""
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(driver, within_s, 0.05, (StaleElementReferenceException,)).until(holds)


def faults_in_console(driver: Any) -> list[str]:
    """What the page complained of, but for connections that the test cut."""
    told = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    return [text for text in told if "ERR_" not in text and "Failed to load resource" not in text]


def find(driver: Any, css: str) -> Any:
    """The first such element."""
    return driver.find_element("css selector", css)


def find_all(driver: Any, css: str) -> list[Any]:
    """All such elements."""
    found: list[Any] = driver.find_elements("css selector", css)
    return found


def click(driver: Any, css: str) -> None:
    """Press an element, which may be drawn anew at any moment."""

    def press(_: Any) -> bool:
        find(driver, css).click()
        return True

    until(driver, press)


def moves_shown(driver: Any) -> list[str]:
    """The moves on an overlay, all of one moment: it draws its list anew with every message."""
    shown: list[str] = driver.execute_script(
        "return [...document.querySelectorAll('.move')].map(move => move.innerText.trim())"
    )
    return shown


def plies(driver: Any) -> int:
    """How many plies the overlay shows."""
    return int(find(driver, "body").get_attribute("data-plies") or 0)


def fen(driver: Any) -> str:
    """The position that the overlay shows."""
    return str(find(driver, "body").get_attribute("data-fen"))


def log_in(driver: Any, pages: Pages) -> None:
    """Open an account by its one-time address; ends on the console."""
    driver.delete_all_cookies()
    driver.get(f"{pages.address}/first?lang=en#{pages.hall.accounts.invite()}")
    until(driver, lambda d: find(d, "h1").text == "Open an account")
    find(driver, "[name=name]").send_keys(NAME)
    find(driver, "[name=password]").send_keys(PASSWORD)
    find(driver, "form .main").click()
    until(driver, lambda d: find(d, "#connection").text.endswith("Connected"))
