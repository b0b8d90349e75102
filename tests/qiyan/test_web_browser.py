"""The pages in real Chromium: overlay, console and set-up, in both languages."""

import json
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from qiyan.web.tables import HallSpec, TableSpec
from rules.event import ClockEvent, ClockEventKind, PieceBetween, PliesWithdrawn, WithdrawnWhy
from rules.pgn import parse_pgn
from tests.qiyan.browser import (
    chromium,
    click,
    faults_in_console,
    fen,
    find,
    find_all,
    log_in,
    moves_shown,
    needs_chromium,
    plies,
    until,
)
from tests.qiyan.web_server import NAME, FedRecording, Pages, serving, spec_of

pytestmark = [needs_chromium, pytest.mark.filterwarnings("ignore::ResourceWarning")]
MOVES = ("h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "h9h5")
SEEN_WITHIN_S = 1.0


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory):
    with chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture
def fed(tmp_path: Path):
    recording = FedRecording(tmp_path / "t1")
    recording.board()
    yield recording
    recording.close()


def test_the_overlay_follows_through_restarts_and_a_withdrawn_move(
    browser: Any, fed: FedRecording, tmp_path: Path
) -> None:
    spec = spec_of(tmp_path, "1")
    with serving(spec) as pages:
        port = pages.port
        browser.get(f"{pages.address}/overlay/1?lang=en&notation=iccs")
        until(browser, lambda d: fen(d) != "")
        fed.clock(ClockEventKind.START, 0, 600.0, 600.0)
        fed.play(*MOVES[:2])
        began = time.monotonic()
        until(browser, lambda d: plies(d) == 2)
        assert time.monotonic() - began < SEEN_WITHIN_S
        first = find(browser, "[data-side=red]").text
        until(browser, lambda d: find(d, "[data-side=red]").text != first, 5.0)  # the clock runs between readings
    fed.play(*MOVES[2:5])  # while nobody serves
    with serving(spec, port) as pages:
        until(browser, lambda d: plies(d) == 5)
        fed.tell(PliesWithdrawn(fed.t, 4, WithdrawnWhy.TAKEN_BACK))
        until(browser, lambda d: plies(d) == 3)
        assert "i9h9" not in find(browser, "#moves").text
        fed.play("b9c7")
        until(browser, lambda d: plies(d) == 4)
        shown = moves_shown(browser)
        game = parse_pgn(pages.client.get("/pgn/1.pgn")[1])
        assert shown == [str(move) for move in game.moves()]
        placement = find(browser, "svg.board").get_attribute("data-placement")
        assert placement == pages.client.json("/state/1")["fen"].split()[0]
    until(browser, lambda d: "server" in find(d, "#notice").text or "No news" in find(d, "#notice").text)
    assert faults_in_console(browser) == []


def test_the_overlay_is_transparent_outside_its_parts(browser: Any, fed: FedRecording, tmp_path: Path) -> None:
    fed.play(*MOVES)
    with serving(spec_of(tmp_path, "1")) as pages:
        browser.get(f"{pages.address}/overlay/1?size=m&parts=board,names,clocks")
        until(browser, lambda d: plies(d) == len(MOVES))
        browser.execute_cdp_cmd(
            "Emulation.setDefaultBackgroundColorOverride", {"color": {"r": 0, "g": 0, "b": 0, "a": 0}}
        )
        import base64

        png = base64.b64decode(browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"])
        browser.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", {})
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None and picture.shape[2] == 4
    height, width = picture.shape[:2]
    assert picture[height - 5, width - 5, 3] == 0 and picture[5, width - 5, 3] == 0
    assert picture[300, 250, 3] == 255  # on the board
    assert (picture[:, 700:, 3] == 0).all()


def test_parts_side_and_unknown_tables(browser: Any, fed: FedRecording, tmp_path: Path) -> None:
    fed.play(*MOVES)
    with serving(spec_of(tmp_path, "1")) as pages:
        browser.get(f"{pages.address}/overlay/1?parts=moves&lang=zh&theme=dark")
        until(browser, lambda d: plies(d) == len(MOVES))
        assert "炮二平五" in find(browser, "#moves").text
        assert not find(browser, "#board").is_displayed()
        browser.get(f"{pages.address}/overlay/1?side=black&lang=en")
        until(browser, lambda d: plies(d) == len(MOVES))
        assert "Red" in find(browser, "#top-player").text
        browser.get(f"{pages.address}/overlay/nobody?lang=en")
        until(browser, lambda d: "no such table" in find(d, "#notice").text)


def test_an_incident_is_seen_played_decided_and_the_record_corrected(
    browser: Any, fed: FedRecording, tmp_path: Path
) -> None:
    fed.play(*MOVES[:2])
    _write_clip(fed.folder, "000008-x")
    with serving(spec_of(tmp_path, "1")) as pages:
        log_in(browser, pages)
        evidence = tuple(f"evidence/000008-x{end}" for end in ("-before.jpg", "-after.jpg", ".webm", "-moment.jpg"))
        entries = fed.play("a0a5", evidence=evidence)
        began = time.monotonic()
        until(browser, lambda d: find_all(d, ".alert.ringing"))
        assert time.monotonic() - began < SEEN_WITHIN_S
        until(browser, lambda d: "breach" in d.execute_script("return window.qiyanAlarm.played"))
        assert "Breach" in find(browser, "#urgent").get_attribute("textContent")
        # The clip in two clicks.
        click(browser, ".alert")
        find(browser, "#play").click()
        until(browser, lambda d: d.execute_script("return document.getElementById('clip').currentTime") > 0.3)
        incident = next(entry for entry in entries if entry["kind"] == "incident")
        assert find(browser, "#incident-text").text == incident["text"]["en"]
        assert incident["clause"] in find(browser, "#clause").text
        assert find(browser, "#stills summary").text == "before / as it happened / after"
        assert _written(browser, "#panel .names .red") == "九八七六五四三二一"
        assert _written(browser, "#panel .names .black") == "123456789"
        assert _written(browser, "#panel .names .point") == "abcdefghi0123456789"
        find(browser, "body").send_keys("u")  # uphold, by keyboard
        until(browser, lambda _: fed.take_decisions())
        until(browser, lambda d: "upheld" in find(d, "#rulings").text)
        decision = [entry for entry in fed.journal.read_entries() if entry["kind"] == "decision"][-1]
        assert (decision["of"], decision["ruling"], decision["by"]) == (incident["seq"], "upheld", NAME)
        _correct_a_move(browser, fed, pages)
        assert faults_in_console(browser) == []
    # Nobody serves any more: it is seen and heard.
    until(browser, lambda d: "Disconnected" in find(d, "#connection").text)
    until(browser, lambda d: d.execute_script("return window.qiyanAlarm.played").pop() == "doubt")


def test_a_decision_on_an_ended_recording_waits_where_it_was_made_also_after_a_reload(
    browser: Any, fed: FedRecording, tmp_path: Path
) -> None:
    fed.play("h2e2", "a9a5")
    fed.system("ended")
    with serving(spec_of(tmp_path, "1")) as pages:
        log_in(browser, pages)
        until(browser, lambda d: find(d, "#open-count").text == "1 not looked at · 1 undecided")
        click(browser, ".alert")
        until(browser, lambda d: find(d, "#open-count").text == "1 undecided")
        assert find(browser, "#tables .undecided").text == "1 undecided"
        click(browser, "#uphold")
        until(browser, lambda d: find(d, "#open-count").text == "")
        until(browser, lambda d: "upheld" in find(d, "#rulings .waiting").text)
        assert "recorder runs again" in find(browser, "#answer").text
        browser.get(f"{pages.address}/arbiter?lang=en")
        until(browser, lambda d: "upheld, not yet in the record" in find(d, ".alert").text)
        click(browser, ".alert")
        until(browser, lambda d: "upheld" in find(d, "#rulings .waiting").text)
        assert find(browser, "#uphold").get_attribute("aria-pressed") == "mixed"
        click(browser, "#tables button")
        until(browser, lambda d: "Illegal move · ply 2 · 0:10 — upheld" in find(d, "#history .waiting").text)
        find(browser, "#ply").send_keys("2")
        find(browser, "#take-out").click()
        until(browser, lambda d: "recorder runs again" in find(d, "#answer").text)
        assert fed.take_decisions() == 2
        until(browser, lambda d: find_all(d, "#history [data-decision]") and not find_all(d, ".waiting"))
        until(browser, lambda d: find(d, "#answer").text == "")
        assert faults_in_console(browser) == []


def _written(browser: Any, css: str) -> str:
    return "".join(element.text for element in find_all(browser, css))


def _correct_a_move(browser: Any, fed: FedRecording, pages: Pages) -> None:
    """Ply 1 becomes b2e2 by pointing at the board; the overlay follows."""
    console = browser.current_window_handle
    browser.switch_to.new_window("tab")
    browser.get(f"{pages.address}/overlay/1?notation=iccs")
    overlay = browser.current_window_handle
    until(browser, lambda d: plies(d) == 3)
    browser.switch_to.window(console)
    click(browser, "#tables button")
    ply = until(browser, lambda d: find(d, "#ply"))
    ply.send_keys("1")
    find(browser, "#replace-move").click()
    assert find(browser, "#turn").text == "ply 1 · Red to move"
    for point in ("b2", "e2"):
        spot = find(browser, f'[data-touch="{point}"]')
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", spot)
        spot.click()
    until(browser, lambda d: find(d, "#hint").text == "Ply 1 becomes C8=5 (b2e2)")
    find(browser, "#confirm").click()
    until(browser, lambda _: fed.take_decisions())
    until(browser, lambda d: "C8=5" in find(d, "#history [data-decision]").text)
    assert find(browser, "#turn").text == "Black to move"
    browser.switch_to.window(overlay)
    until(browser, lambda d: moves_shown(d)[:1] == ["b2e2"])
    browser.close()
    browser.switch_to.window(console)


def test_the_console_is_worked_by_keyboard_and_by_moving_pieces(
    browser: Any, fed: FedRecording, tmp_path: Path
) -> None:
    fed.play(*MOVES[:2])
    fed.tell(PieceBetween(fed.t + 5, 5, 0, (0.0, 1.5), (9, 18), fed.t + 4))  # Red's chariot between a1 and a2
    fed.tell(ClockEvent(fed.t + 6, ClockEventKind.PRESS, 0, 600.0, 600.0, 0.3))
    between = [e for e in fed.journal.read_entries() if e["kind"] == "incident" and e["incident"] == "between_points"]
    assert between
    with serving(spec_of(tmp_path, "1")) as pages:
        log_in(browser, pages)
        until(browser, lambda d: find_all(d, ".alert"))
        from selenium.webdriver import ActionChains, Keys

        ActionChains(browser).send_keys("j").pause(0.1).send_keys(Keys.ENTER).perform()
        until(browser, lambda d: find(d, "#name-point").is_displayed())
        named = find(browser, '[data-name-point="a2"]')
        named.send_keys(Keys.ENTER)
        until(browser, lambda _: fed.take_decisions())
        until(browser, lambda _: [m["iccs"] for m in pages.client.json("/state/1")["moves"]] == [*MOVES[:2], "a0a2"])
        until(browser, lambda d: not find(d, "#name-point").is_displayed())
        click(browser, "#tables button")
        until(browser, lambda d: len(find_all(d, "[data-ply]")) == 3)
        find(browser, "#edit-position").click()
        for point in ("b2", "b4"):
            spot = find(browser, f'[data-touch="{point}"]')
            browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", spot)
            spot.click()
        find(browser, "#confirm").click()
        until(browser, lambda _: fed.take_decisions())
        until(browser, lambda _: "1C7" in pages.client.json("/state/1")["fen"])
        find(browser, "#results summary").click()
        find(browser, '[data-result="1-0"]').click()
        until(browser, lambda _: fed.take_decisions())
        until(browser, lambda _: (pages.client.json("/state/1")["result"] or {}).get("result") == "1-0")
        until(browser, lambda d: "Red wins" in find(d, "#history [data-decision]").text)  # the newest comes first
        click(browser, "#history [data-undo]")
        until(browser, lambda _: fed.take_decisions())
        until(browser, lambda _: pages.client.json("/state/1")["result"] is None)
        assert faults_in_console(browser) == []


def test_set_up_drags_a_corner_and_the_grid_follows(browser: Any, tmp_path: Path) -> None:
    _write_video(tmp_path / "table.avi")
    table = TableSpec("1", tmp_path / "t1", source=str(tmp_path / "table.avi"))
    with serving(HallSpec((table,), tmp_path / "pages")) as pages:
        log_in(browser, pages)
        browser.get(f"{pages.address}/setup/1?lang=en")
        until(browser, lambda d: find(d, "#picture").is_displayed() and _corners(d), 90.0)
        before = _corners(browser)
        corner = find(browser, '[data-corner="a0"]')
        from selenium.webdriver import ActionChains

        ActionChains(browser).drag_and_drop_by_offset(corner, -40, 25).perform()
        until(browser, lambda d: "saved" in find(d, "#said").text)
        dragged = _corners(browser)
        assert dragged["a0"][0] < before["a0"][0] - 10 and dragged["a0"][1] > before["a0"][1] + 5
        assert dragged["i9"] == before["i9"]

        def followed(_: Any) -> bool:
            corners = pages.client.json("/table/look/1")["picture"]["corners_px"]
            return corners is not None and np.abs(np.array(corners["a0"]) - dragged["a0"]).max() < 1.0

        pages.client.open_account(pages.hall, "second")
        until(browser, followed, 60.0)
        find(browser, "[name=Red]").send_keys("赵鑫鑫")
        find(browser, "#names button").click()
        until(browser, lambda _: pages.client.json("/state/1")["names"].get("Red") == "赵鑫鑫")
        assert faults_in_console(browser) == []


def test_all_pages_speak_both_languages(browser: Any, fed: FedRecording, tmp_path: Path) -> None:
    fed.play("h2e2", "a9a3")
    with serving(spec_of(tmp_path, "1")) as pages:
        log_in(browser, pages)
        for language, words in (
            ("zh", ("裁判台", "架设与校准", "各台", "红方")),
            ("en", ("Arbiter", "Set-up", "Tables", "Red")),
        ):
            for path, word in zip(("/arbiter", "/setup/1", "/", "/overlay/1"), words, strict=True):
                browser.get(f"{pages.address}{path}?lang={language}")
                until(browser, lambda d: "·" in d.title)  # set when every word is in its place
                until(browser, lambda d, word=word: word in find(d, "body").text)
                for element in find_all(browser, "[data-say]"):
                    assert element.get_attribute("textContent") not in ("", element.get_attribute("data-say"))
        assert faults_in_console(browser) == []


def test_a_clip_that_does_not_come_is_not_awaited_for_ever(browser: Any, fed: FedRecording, tmp_path: Path) -> None:
    with serving(spec_of(tmp_path, "1")) as pages:
        log_in(browser, pages)
        fed.play("a0a5", evidence=("evidence/000003-x.webm",))
        until(browser, lambda d: find_all(d, ".alert"))
        click(browser, ".alert")
        until(browser, lambda d: "being written" in find(d, "#clip-state").text)
        # Half a minute passes.
        browser.execute_script("const now = performance.now.bind(performance); performance.now = () => now() + 30000")
        until(browser, lambda d: "no clip so far" in find(d, "#clip-state").text)
        fed.journal.lose_file("evidence/000003-x.webm")
        click(browser, ".alert")
        until(browser, lambda d: "Lost" in find(d, "#clip-state").text)


def _corners(driver: Any) -> dict[str, list[float]]:
    return json.loads(find(driver, "#stage").get_attribute("data-corners") or "{}")


def _write_clip(folder: Path, stem: str) -> None:
    evidence = folder / "evidence"
    evidence.mkdir(exist_ok=True)
    writer = cv2.VideoWriter(str(evidence / f"{stem}.webm"), cv2.VideoWriter.fourcc(*"VP80"), 8.0, (160, 120))
    for number in range(24):
        writer.write(np.full((120, 160, 3), number * 10, np.uint8))
    writer.release()
    for end in ("before", "after"):
        cv2.imwrite(str(evidence / f"{stem}-{end}.jpg"), np.full((120, 160, 3), 90, np.uint8))


def _write_video(path: Path) -> None:
    """A bare board, seen from above, for a minute of preview."""
    from calibration.corners import grid_from_corners
    from calibration.drawing import draw_grid

    corners = {"a0": (200.0, 660.0), "i0": (680.0, 660.0), "i9": (680.0, 120.0), "a9": (200.0, 120.0)}
    image = np.full((720, 880, 3), (120, 170, 200), np.uint8)
    image = draw_grid(image, grid_from_corners(corners, (880, 720)))
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (880, 720))
    for _ in range(120):
        writer.write(image)
    writer.release()
