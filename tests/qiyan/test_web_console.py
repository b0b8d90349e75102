"""The console's decisions: what is sent reaches the recorder, is judged, and shows on the public pages."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from qiyan import inbox
from qiyan.web.decisions import parse_decision
from qiyan.web.errors import PageError
from qiyan.web.pairings import parse_pairings
from qiyan.web.replies import static_text
from qiyan.web.tables import from_file, from_folder
from rules.event import ClockEventKind, Decision, MoveSeen, PieceBetween
from rules.iccs import parse_iccs
from rules.piece import RED, piece_of_letter
from rules.point import parse_point
from tests.qiyan.web_server import NAME, FedRecording, Pages, serving, spec_of

MOVES = ("h2e2", "h9g7", "h0g2", "i9h9")


@pytest.fixture
def fed(tmp_path: Path):
    recording = FedRecording(tmp_path / "t1")
    recording.board()
    recording.play(*MOVES)
    yield recording
    recording.close()


@pytest.fixture
def pages(fed: FedRecording, tmp_path: Path):
    with serving(spec_of(tmp_path, "1")) as served:
        served.client.open_account(served.hall)
        yield served


def _moves(pages: Pages) -> list[str]:
    return [move["iccs"] for move in pages.client.json("/state/1")["moves"]]


def _until(holds: Callable[[], bool], within_s: float = 3.0) -> None:
    deadline = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _decide(pages: Pages, fed: FedRecording, **decision: object) -> int:
    """Send a decision and let the recorder take it; its number."""
    status, answer = pages.client.post("/arbiter/decide/1", {"ruling": "corrected", **decision})
    assert status == 200, answer
    assert fed.take_decisions() == 1
    return max(entry["seq"] for entry in fed.journal.read_entries() if entry["kind"] == "decision")


def _undo(pages: Pages, fed: FedRecording, seq: int) -> None:
    _until(lambda: pages.hall.tables["1"].feed.entries[-1]["seq"] == fed.journal.last_seq)
    status, answer = pages.client.post("/arbiter/undo/1", {"seq": seq})
    assert status == 200, answer
    fed.take_decisions()


def test_an_incident_is_told_at_once_and_the_decision_on_it_is_journalled(pages: Pages, fed: FedRecording) -> None:
    entries = fed.play("a0a5")
    incident = next(entry for entry in entries if entry["kind"] == "incident")
    _until(lambda: incident in pages.hall.tables["1"].feed.entries, within_s=1.0)
    _decide(pages, fed, of=incident["seq"], ruling="dismissed", change={"note": "又看了\n录像"})
    decision = [entry for entry in fed.journal.read_entries() if entry["kind"] == "decision"][-1]
    assert (decision["of"], decision["ruling"], decision["by"]) == (incident["seq"], "dismissed", NAME)
    assert decision["change"]["note"] == "又看了 录像"


def _told_first(pages: Pages, name: str) -> list[object]:
    """What a console that comes anew is told of the table."""
    told = pages.client.events("/arbiter/feed", "ping")
    return list(next(data[name] for kind, data in told if kind == "about"))


def _waiting(pages: Pages) -> list[object]:
    """Decisions that no recorder has taken."""
    return _told_first(pages, "waiting")


def test_a_decision_is_shown_as_waiting_until_it_stands_in_the_journal(pages: Pages, fed: FedRecording) -> None:
    incident = next(entry for entry in fed.play("a0a5") if entry["kind"] == "incident")
    fed.system("ended")
    assert _waiting(pages) == []
    assert pages.client.post("/arbiter/decide/1", {"of": incident["seq"], "ruling": "upheld"})[0] == 200
    assert pages.client.post("/arbiter/decide/1", {"ruling": "noted", "change": {"note": "看过"}})[0] == 200
    upheld = {"of": incident["seq"], "ruling": "upheld", "by": NAME, "change": None}
    noted = {"of": None, "ruling": "noted", "by": NAME, "change": {"note": "看过"}}
    assert _waiting(pages) == [upheld, noted]
    assert "看过" not in pages.client.get("/state/1")[1].decode()
    fed.take_decisions()
    assert _waiting(pages) == []


def test_a_decision_that_is_journalled_does_not_wait_though_its_file_was_left(pages: Pages, fed: FedRecording) -> None:
    assert pages.client.post("/arbiter/decide/1", {"ruling": "noted", "change": {"note": "看过"}})[0] == 200
    ((path, _),) = inbox.waiting(fed.folder)
    fed.journal.append(None, [{"t": fed.t, "kind": "system", "event": "resumed"}], path.name)
    assert path.is_file() and _waiting(pages) == []


def test_a_file_that_is_no_decision_is_left_to_the_recorder(pages: Pages, fed: FedRecording) -> None:
    assert pages.client.post("/arbiter/decide/1", {"ruling": "noted", "change": {"note": "看过"}})[0] == 200
    odd = fed.folder / inbox.FOLDER / "00000000-x.json"
    odd.write_text("{", encoding="utf-8")
    assert _waiting(pages) == [{"of": None, "ruling": "noted", "by": NAME, "change": {"note": "看过"}}]
    assert odd.is_file()


def test_a_corrected_move_shows_on_the_overlay_and_can_be_undone(pages: Pages, fed: FedRecording) -> None:
    seq = _decide(pages, fed, change={"ply": 1, "iccs": "b2e2"})
    _until(lambda: _moves(pages) == ["b2e2", *MOVES[1:]])
    _undo(pages, fed, seq)
    _until(lambda: _moves(pages) == list(MOVES))


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"ply": 2, "iccs": "e4e5"}, "no_piece_there"),
        ({"ply": 99, "iccs": "h2e2"}, "no_such_ply"),
        ({"ply": 5}, "no_such_ply"),
        ({"ply": 4, "iccs": "b9c7", "was": None}, "record_changed"),
        ({"ply": 2, "was": "b9c7"}, "record_changed"),
        ({"point": "e4"}, "nothing_between"),
    ],
)
def test_a_correction_that_would_change_nothing_is_refused(
    pages: Pages, fed: FedRecording, change: dict[str, object], error: str
) -> None:
    status, answer = pages.client.post("/arbiter/decide/1", {"ruling": "corrected", "change": change})
    assert (status, answer["error"]) == (409, error)
    assert fed.take_decisions() == 0
    for language in ("zh", "en"):
        assert "{detail}" in json.loads(static_text(f"messages/{language}.json"))[error]


def test_only_a_point_of_the_open_incident_can_be_named(pages: Pages, fed: FedRecording) -> None:
    chariot, lies = piece_of_letter("R"), (parse_point("a1"), parse_point("a2"))
    assert chariot is not None
    fed.tell(PieceBetween(fed.t + 5, chariot, parse_point("a0"), (0.0, 1.5), lies, fed.t + 4))
    fed.clock(ClockEventKind.PRESS, RED, 600.0, 600.0)
    of = max(entry["seq"] for entry in fed.journal.read_entries() if entry["kind"] == "incident")
    _until(lambda: of in _told_first(pages, "between"))
    refused = {"of": of, "ruling": "corrected", "change": {"point": "i9"}}
    assert pages.client.post("/arbiter/decide/1", refused) == (409, {"error": "not_between", "detail": "a1, a2"})
    _decide(pages, fed, of=of, change={"point": "a2"})
    _until(lambda: _moves(pages) == [*MOVES, "a0a2"])
    _until(lambda: _told_first(pages, "between") == [])
    again = {"of": of, "ruling": "corrected", "change": {"point": "a1"}}
    assert pages.client.post("/arbiter/decide/1", again)[1]["error"] == "nothing_between"


def test_a_decision_that_was_not_carried_out_takes_nothing_with_it_when_undone(pages: Pages, fed: FedRecording) -> None:
    fed.tell(Decision(fed.t, None, "corrected", NAME, {"ply": 2, "iccs": "e4e5"}))
    seq = max(entry["seq"] for entry in fed.journal.read_entries() if entry["kind"] == "decision")
    fed.play("b0c2")
    _undo(pages, fed, seq)
    _until(lambda: _moves(pages) == [*MOVES, "b0c2"])
    decision = [entry for entry in fed.journal.read_entries() if entry["kind"] == "decision"][-1]
    assert decision["change"] == {"undo": seq}


def test_a_move_is_named_in_every_notation(pages: Pages) -> None:
    fen = quote(pages.client.json("/state/1")["fen"])
    names = pages.client.json(f"/arbiter/name?fen={fen}&iccs=b0c2")
    assert (names["chinese"], names["wxf"], names["iccs"]) == ("马八进七", "H8+7", "b0c2")
    for asked in ("", f"fen={fen}&iccs=z9z9", "fen=x&iccs=b0c2"):
        assert pages.client.get(f"/arbiter/name?{asked}")[0] == 400


def test_plies_taken_out_come_back_by_undo(pages: Pages, fed: FedRecording) -> None:
    seq = _decide(pages, fed, change={"ply": 3})
    _until(lambda: _moves(pages) == list(MOVES[:2]))
    _undo(pages, fed, seq)
    _until(lambda: _moves(pages) == list(MOVES))
    assert pages.client.post("/arbiter/undo/1", {"seq": seq})[0] == 409


def test_a_position_put_right_shows_and_comes_back(pages: Pages, fed: FedRecording) -> None:
    before = pages.client.json("/state/1")["fen"]
    fen = before.replace("RNBAKABNR", "RNBAKABN1").replace("RNBAKAB1R", "RNBAKAB2")
    assert fen != before
    seq = _decide(pages, fed, change={"fen": fen})
    _until(lambda: pages.client.json("/state/1")["fen"] == fen)
    _undo(pages, fed, seq)
    _until(lambda: pages.client.json("/state/1")["fen"] == before)


def test_a_result_and_its_undo(pages: Pages, fed: FedRecording) -> None:
    seq = _decide(pages, fed, change={"result": "1/2-1/2", "clause": "4.2.1"})
    _until(lambda: pages.client.json("/state/1")["result"] is not None)
    assert b"1/2-1/2" in pages.client.get("/pgn/1.pgn")[1]
    _undo(pages, fed, seq)
    _until(lambda: pages.client.json("/state/1")["result"] is None)


def test_a_ruling_that_is_undone_leaves_the_incident_as_it_was_seen(pages: Pages, fed: FedRecording) -> None:
    incident = next(entry for entry in fed.play("a0a5") if entry["kind"] == "incident")
    counted = fed.table.entry(incident["seq"]).counts
    seq = _decide(pages, fed, of=incident["seq"], ruling="dismissed")
    assert not fed.table.entry(incident["seq"]).counts
    _undo(pages, fed, seq)
    assert fed.table.entry(incident["seq"]).counts == counted is True


def test_an_offer_is_entered_and_cannot_be_taken_back(pages: Pages, fed: FedRecording) -> None:
    seq = _decide(pages, fed, ruling="noted", change={"draw_offer": "red"})
    decision = [entry for entry in fed.journal.read_entries() if entry["kind"] == "decision"][-1]
    assert decision["finding"]["clause"] == "4.3"
    assert pages.client.post("/arbiter/undo/1", {"seq": seq}) == (
        409,
        {"error": "cannot_undo_claim", "detail": ""},
    )


def test_times_are_recorded_and_shown(pages: Pages, fed: FedRecording) -> None:
    _decide(pages, fed, change={"times": {"red_s": 600, "black_s": 780}})
    _until(lambda: (pages.client.json("/state/1")["clock"] or {}).get("black_s") == 780)


@pytest.mark.parametrize(
    "decision",
    [
        {"ruling": "hanged"},
        {"ruling": "upheld", "of": 99},
        {"ruling": "upheld", "of": True},
        {"ruling": "corrected"},
        {"ruling": "corrected", "change": {"fen": "nonsense"}},
        {"ruling": "corrected", "change": {"ply": 1, "iccs": "z9z9"}},
        {"ruling": "corrected", "change": {"iccs": "h2e2"}},
        {"ruling": "corrected", "change": {"ply": -1}},
        {"ruling": "corrected", "change": {"point": "k5"}},
        {"ruling": "corrected", "change": {"result": "2-0"}},
        {"ruling": "noted", "change": {"draw_offer": "green"}},
        {"ruling": "corrected", "change": {"times": {"red_s": -5}}},
        {"ruling": "corrected", "change": {"times": {"blue_s": 5}}},
        {"ruling": "noted", "change": {"note": "x" * 501}},
        {"ruling": "noted", "change": {"shell": "rm"}},
        {"ruling": "noted", "change": []},
        [],
        None,
    ],
)
def test_decisions_that_cannot_be_meant_are_refused(decision: object) -> None:
    with pytest.raises(PageError):
        parse_decision(decision, {5})


def test_the_incident_sheet_is_one_file_with_clause_hash_and_decision(pages: Pages, fed: FedRecording) -> None:
    folder = fed.folder / "evidence"
    folder.mkdir()
    (folder / "000009-x-before.jpg").write_bytes(b"\xff\xd8picture")
    entries = fed.play("a0a5", evidence=("evidence/000009-x-before.jpg", "evidence/000009-x.webm"))
    incident = next(entry for entry in entries if entry["kind"] == "incident")
    fed.journal.add_file("evidence/000009-x.webm", "ab" * 32)
    pages.hall.tables["1"].set_names({"Red": "<b>赵</b>", "Black": "钱"})
    _decide(pages, fed, of=incident["seq"], ruling="upheld")
    _until(lambda: pages.hall.tables["1"].feed.entries[-1]["seq"] == fed.journal.last_seq)
    for language, word in (("zh", "事件单"), ("en", "Incident sheet")):
        status, body = pages.client.get(f"/arbiter/sheet/1/{incident['seq']}?lang={language}")
        text = body.decode()
        assert status == 200
        for part in (
            word,
            incident["text"][language],
            "ab" * 32,
            "data:image/jpeg;base64",
            "&lt;b&gt;赵",
            NAME,
            "<svg",
        ):
            assert part in text
        assert 'src="/' not in text and "<script" not in text
    _, headers, _ = pages.client.ask("GET", f"/arbiter/sheet/1/{incident['seq']}?save=1")
    assert headers["content-disposition"].startswith("attachment")


def test_the_sheet_tells_when_it_happened_and_when_it_was_told_where_that_was_later(
    pages: Pages, fed: FedRecording
) -> None:
    told_late = fed.tell(MoveSeen(41.26, parse_iccs("a0a5"), 38.5, 39.96, 1.0))
    late = next(entry for entry in told_late if entry["kind"] == "incident")
    body = {name: value for name, value in late.items() if name != "seq"}
    (live,) = fed.journal.append(None, [{**body, "at": "2026-01-01T10:00:41.260+08:00"}])
    (prompt,) = fed.journal.append(None, [{**body, "t": 39.97}])

    def shown(incident: dict[str, object]) -> str:
        return pages.client.get(f"/arbiter/sheet/1/{incident['seq']}?lang=en")[1].decode()

    for part in ("<th>Happened</th><td>0:00:40.0 after", "<th>Told</th><td>0:00:41.3 after"):
        assert part in shown(late)
    for part in ("<td>2026-01-01 10:00:39+08:00</td>", "<td>2026-01-01 10:00:41+08:00</td>"):
        assert part in shown(live)
    assert "Happened" in shown(prompt) and "<th>Told" not in shown(prompt)


def test_the_sheet_says_that_a_decision_waits_for_the_recorder(pages: Pages, fed: FedRecording) -> None:
    incident = next(entry for entry in fed.play("a0a5") if entry["kind"] == "incident")
    assert pages.client.post("/arbiter/decide/1", {"of": incident["seq"], "ruling": "upheld"})[0] == 200
    sheet = pages.client.get(f"/arbiter/sheet/1/{incident['seq']}?lang=en")[1].decode()
    assert f"upheld, not yet in the record · {NAME}" in sheet


def test_the_sheet_of_a_touch_tells_both_times_and_the_edition_and_marks_the_move(
    pages: Pages, fed: FedRecording
) -> None:
    (fed.folder / "evidence").mkdir()
    still = "evidence/000009-x-moment.jpg"
    (fed.folder / still).write_bytes(b"\xff\xd8picture")
    entries = fed.play("a0a5", evidence=(still,))
    incident = next(entry for entry in entries if entry["kind"] == "incident")
    body = {name: value for name, value in incident.items() if name != "seq"}
    more = {"t": 25.5, "t_happened": 25.0, "remedy": {"t_touched": 21.1}, "clause": "5.1", "rules": "2020", "ply": 4}
    (touch,) = fed.journal.append(None, [{**body, **more}])
    for language, parts in (
        ("zh", ("<th>触子时间</th><td>记录开始后 0:00:21.1", "<th>另着离手时间</th><td>记录开始后 0:00:25.0")),
        ("en", ("<th>Touched</th><td>0:00:21.1", "<th>Other move released</th><td>0:00:25.0")),
        ("zh", ("5.1 (2020): ", "触子（另着离手前 3.9 秒触及）", "<th>裁定</th><td>未裁</td>")),
        ("en", ("5.1 (2020): ", "the touch (first contact 3.9 s before", "<th>Decision</th><td>undecided</td>")),
    ):
        sheet = pages.client.get(f"/arbiter/sheet/1/{touch['seq']}?lang={language}")[1].decode()
        for part in parts:
            assert part in sheet, part
        # i9h9: from the upper right corner one file to the left.
        assert '<circle class="from" cx="350" cy="30"' in sheet and '<path class="to" d="M291.5' in sheet


def test_the_sheet_numbers_and_dates_decisions_and_says_when_none_stands(pages: Pages, fed: FedRecording) -> None:
    incident = next(entry for entry in fed.play("a0a5") if entry["kind"] == "incident")

    def decided() -> list[str]:
        sheet = pages.client.get(f"/arbiter/sheet/1/{incident['seq']}?lang=en")[1].decode()
        return [row.split("</td>")[0] for row in sheet.split("<th>Decision</th><td>")[1:]]

    assert decided() == ["undecided"]
    ruling = _decide(pages, fed, of=incident["seq"], ruling="upheld")
    assert decided() == [f"{ruling}. 0:00:25.0 after the start of the recording · upheld · {NAME}"]
    assert pages.client.post("/arbiter/undo/1", {"seq": ruling})[0] == 200
    assert fed.take_decisions() == 1
    rows = decided()
    assert "upheld (undone)" in rows[0] and rows[-1] == "undecided"


def test_a_file_that_will_not_come_is_told_apart_from_one_that_may(pages: Pages, fed: FedRecording) -> None:
    names = [f"evidence/000009-x-{number}.webm" for number in range(4)]
    entries = fed.play("a0a5", evidence=tuple(names))
    incident = next(entry for entry in entries if entry["kind"] == "incident")
    fed.journal.add_file(names[0], "ab" * 32)
    fed.journal.drop_file(names[0])
    fed.journal.lose_file(names[1])
    fed.journal.lose_file(names[2])
    fed.journal.add_file(names[2], "ab" * 32)  # made after all
    _until(lambda: incident in pages.hall.tables["1"].feed.entries)
    answers = [pages.client.get(f"/arbiter/evidence/1/{Path(name).name}") for name in names]
    assert [(status, json.loads(body)["error"]) for status, body in answers] == [
        (410, "evidence_removed"),
        (410, "evidence_lost"),
        (404, "no_such_evidence"),
        (404, "no_such_evidence"),
    ]
    sheet = pages.client.get(f"/arbiter/sheet/1/{incident['seq']}?lang=en")[1].decode()
    assert "Removed to save space." in sheet and "Lost: " in sheet and "no hash yet" in sheet


def test_the_delay_is_set_from_the_console_and_bounded(pages: Pages) -> None:
    assert pages.client.post("/arbiter/delay", {"minutes": 15}) == (200, {"delay_s": 900.0})
    assert pages.client.json("/state/1")["moves"] == []
    for minutes in (-1, 61, "5", None, True):
        assert pages.client.post("/arbiter/delay", {"minutes": minutes})[0] == 400


def test_names_are_cleaned_and_shown(pages: Pages) -> None:
    status, answer = pages.client.post(
        "/table/names/1", {"Red": " 赵\x00\n鑫鑫 ", "Black": "<img>", "Shell": "x", "TimeControl": "60m+30s"}
    )
    assert (status, answer["names"]) == (200, {"Red": "赵鑫鑫", "Black": "<img>", "TimeControl": "60m+30s"})
    assert pages.client.json("/state/1")["names"]["Red"] == "赵鑫鑫"
    assert pages.client.post("/table/names/1", {"TimeControl": "soon"})[0] == 400


def test_tables_come_from_one_file_with_names_from_a_pairing_file(tmp_path: Path) -> None:
    (tmp_path / "pairings.csv").write_bytes("台次,红方,黑方,轮次\n1,赵一,钱二,3\n二,孙三,李四,3\n".encode("gb18030"))
    (tmp_path / "hall.toml").write_text(
        '[pages]\npairings = "pairings.csv"\ndelay_min = 5\n'
        '[[table]]\nname = "1"\nout = "one"\nsource = "0"\n[[table]]\nname = "二"\n',
        encoding="utf-8",
    )
    spec = from_file(tmp_path / "hall.toml")
    assert [table.name for table in spec.tables] == ["1", "二"]
    assert spec.tables[1].names == {"Red": "孙三", "Black": "李四", "Round": "3"}
    assert spec.tables[0].folder == tmp_path / "one" and spec.delay_min == 5


def test_a_pairing_file_without_headings_is_refused() -> None:
    from qiyan.errors import ConfigError

    with pytest.raises(ConfigError):
        parse_pairings("1,赵一,钱二\n")


def test_a_folder_of_recordings_is_served_as_tables(tmp_path: Path) -> None:
    for name in ("a", "b"):
        FedRecording(tmp_path / name).close()
    assert [table.name for table in from_folder(tmp_path).tables] == ["a", "b"]
    assert [table.name for table in from_folder(tmp_path / "new").tables] == ["new"]


def test_damaged_journals_are_told_in_words(tmp_path: Path) -> None:
    folder = tmp_path / "t1"
    folder.mkdir()
    (folder / "journal.sqlite3").write_bytes(b"this is no database" * 100)
    with serving(spec_of(tmp_path, "1")) as pages:
        pages.client.open_account(pages.hall)
        about = next(data for kind, data in pages.client.events("/arbiter/feed", "ping") if kind == "about")
        assert about["trouble"]["code"] == "journal_trouble" and "journal" in about["trouble"]["detail"]
        assert json.loads(pages.client.get("/state/1")[1])["moves"] == []
