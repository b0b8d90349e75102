"""The public pages' data: whole state, entries by seq, PGN, and nothing younger than the delay."""

import json
import sqlite3
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from qiyan.journal import FILE_NAME
from rules.event import ClockEventKind, PliesWithdrawn, ViewChanged, ViewState, WithdrawnWhy
from rules.pgn import parse_pgn
from rules.point import Point
from tests.qiyan.web_server import Client, FedRecording, serving, spec_of

OPENING = ("h2e2", "h9g7", "h0g2", "i9h9")
ODD_NAMES = ("a b", "三号台", "5%2F?#", "<script>alert(1)</script>", "..%", "'\"&")


@pytest.fixture
def recording(tmp_path: Path):
    fed = FedRecording(tmp_path / "t1")
    fed.board()
    fed.play(*OPENING)
    yield fed
    fed.close()


def _age(folder: Path, first_seq: int, last_seq: int, age_s: float) -> None:
    """Make entries as old as if they had been written so long ago."""
    with sqlite3.connect(folder / FILE_NAME) as db:
        db.execute(
            "UPDATE written SET unix_s = ? WHERE seq BETWEEN ? AND ?", (time.time() - age_s, first_seq, last_seq)
        )
    db.close()


def test_state_and_pgn_are_the_recordings(recording: FedRecording, tmp_path: Path) -> None:
    with serving(spec_of(tmp_path, "1")) as pages:
        state = pages.client.json("/state/1")
        assert [move["iccs"] for move in state["moves"]] == list(OPENING)
        assert state["moves"][0]["names"] == {
            "iccs": "h2e2", "wxf": "C2=5", "chinese": "炮二平五", "chinese-short": "炮25"
        }  # fmt: skip
        _, pgn = pages.client.get("/pgn/1.pgn")
        assert [str(move) for move in parse_pgn(pgn).moves()] == list(OPENING)
        assert "炮二平五" in pages.client.get("/pgn/1.pgn?notation=chinese")[1].decode()


@pytest.mark.parametrize(
    ("views", "points"),
    [
        ([ViewChanged(90.0, ViewState.BLOCKED, (Point(87), Point(88)))], ["g9", "h9"]),
        ([ViewChanged(90.0, ViewState.BLOCKED, (Point(87),)), ViewChanged(91.0, ViewState.CLEAR)], []),
    ],
)
def test_a_page_knows_which_points_lie_outside_the_picture(
    recording: FedRecording, tmp_path: Path, views: list[ViewChanged], points: list[str]
) -> None:
    for view in views:
        recording.tell(view)
    with serving(spec_of(tmp_path, "1")) as pages:
        assert pages.client.json("/state/1")["view_points"] == points


def test_stream_begins_with_the_state_and_goes_on_by_seq(recording: FedRecording, tmp_path: Path) -> None:
    with serving(spec_of(tmp_path, "1")) as pages:
        kinds = [kind for kind, _ in pages.client.events("/feed/1", "ping")]
        assert kinds == ["about", "state", "ping"]
        state = pages.client.json("/state/1")
        resumed = pages.client.events("/feed/1", "ping", last_id=state["seq"] - 2)
        assert [data["seq"] for kind, data in resumed if kind == "entry"] == [state["seq"] - 1, state["seq"]]
        assert "state" not in [kind for kind, _ in resumed]
        begun_anew = pages.client.events("/feed/1", "ping", last_id=9999)
        assert "state" in [kind for kind, _ in begun_anew]


def test_many_tables_come_in_one_stream_each_with_its_delay(recording: FedRecording, tmp_path: Path) -> None:
    other = FedRecording(tmp_path / "t2")
    other.board()
    with serving(spec_of(tmp_path, "1", "五:台")) as pages:
        asked = ("0:1", "0:五:台", "30:1", "0:nobody")
        address = "/feed/?" + "&".join(f"follow={quote(one)}" for one in asked)
        found: dict[str, dict[str, Any]] = {one: {} for one in asked}
        now = ""
        for kind, data in pages.client.events(address, "ping", count=3):
            now = data if kind == "of" else now
            found[now][kind] = data
        assert len(found["0:1"]["state"]["moves"]) == len(OPENING)
        assert found["30:1"]["state"]["moves"] == [] and found["30:1"]["state"]["fen"] is None
        assert found["0:五:台"]["about"]["table"] == "五:台"
        assert list(found["0:nobody"]) == ["of", "missing"]
    other.close()


def test_asking_for_a_streams_headers_leaves_the_connection_free(recording: FedRecording, tmp_path: Path) -> None:
    """The browser sends its next request over the same connection: it hung there for as long as the server lived."""
    import http.client

    with serving(spec_of(tmp_path, "1")) as pages:
        pages.client.open_account(pages.hall)
        connection = http.client.HTTPConnection("127.0.0.1", pages.port, timeout=5)
        for path in ("/feed/1", "/feed/?follow=0:1", "/arbiter/feed", "/static/pages.css"):
            connection.request("HEAD", path, headers={"cookie": pages.client.cookie or ""})
            answer = connection.getresponse()
            assert (answer.status, answer.read()) == (200, b"")
        connection.close()


def test_withdrawn_moves_disappear_everywhere(recording: FedRecording, tmp_path: Path) -> None:
    with serving(spec_of(tmp_path, "1")) as pages:
        before = pages.client.json("/state/1")
        recording.tell(PliesWithdrawn(30.0, 3, WithdrawnWhy.TAKEN_BACK))
        entries = pages.client.events("/feed/1", "entry", last_id=before["seq"])
        assert entries[-1][1]["kind"] == "move_withdrawn"
        state = pages.client.json("/state/1")
        assert [move["iccs"] for move in state["moves"]] == list(OPENING[:2])
        assert state["fen"] == before["moves"][1]["fen"]
        assert b"h0g2" not in pages.client.get("/pgn/1.pgn")[1]


def test_nothing_younger_than_the_delay_is_told_across_a_restart(recording: FedRecording, tmp_path: Path) -> None:
    old_seq = recording.journal.last_seq
    recording.clock(ClockEventKind.PRESS, 1, 7777.25, 8888.25)
    recording.play("b2b6")
    recording.journal.append(
        None,
        [{"t": 60.0, "kind": "result", "result": "1-0", "termination": "decision", "clause": None, "status": "final"}],
    )
    _age(recording.folder, 1, old_seq, 16 * 60.0)
    spec = spec_of(tmp_path, "1")
    for restart in range(2):
        with serving(spec) as pages:
            if restart == 0:
                pages.hall.set_delay(15 * 60.0)
            assert pages.hall.settings.delay_s == 15 * 60.0
            seen = ""
            for path in (
                "/",
                "/overlay/1",
                "/state/",
                "/state/1",
                "/pgn/1.pgn",
                "/pgn/1.pgn?delay=0",
                "/state/1?delay=0",
            ):
                status, headers, body = pages.client.ask("GET", path)
                assert status == 200
                seen += json.dumps(headers) + body.decode()
            seen += json.dumps(pages.client.events("/feed/1", "ping"))
            seen += json.dumps(pages.client.events("/feed/1?delay=0", "ping", last_id=old_seq))
            for young in ("b2b6", "7777.25", "8888.25", '"1-0"', "decision"):
                assert young not in seen
            assert "i9h9" in seen
            asked_more = pages.client.json("/state/1?delay=20")
            assert asked_more["moves"] == [] and asked_more["fen"] is None


def test_a_delay_that_is_raised_takes_back_what_was_shown(recording: FedRecording, tmp_path: Path) -> None:
    with serving(spec_of(tmp_path, "1")) as pages:
        assert pages.client.json("/state/1")["moves"]
        pages.hall.set_delay(60.0)
        assert pages.client.json("/state/1")["moves"] == []
        pages.hall.set_delay(0.0)
        assert pages.client.json("/state/1")["moves"]


def test_entries_come_out_of_the_delay_by_themselves(recording: FedRecording, tmp_path: Path) -> None:
    with serving(spec_of(tmp_path, "1")) as pages:
        pages.hall.set_delay(3.0)
        recording.play("b2b6")
        last = recording.journal.last_seq
        _age(recording.folder, 1, last - 1, 10.0)
    with serving(spec_of(tmp_path, "1")) as pages:
        began = time.time()
        shown = pages.client.events("/feed/1", "entry")
        assert shown[-1][1]["iccs"] == "b2b6"
        assert time.time() - began < 5.0


def test_private_entries_stay_inside(recording: FedRecording, tmp_path: Path) -> None:
    recording.play("a0a5")  # a chariot through its own soldier
    assert any(entry["kind"] == "incident" for entry in recording.journal.read_entries())
    with serving(spec_of(tmp_path, "1")) as pages:
        seen = json.dumps(pages.client.events("/feed/1", "ping")) + json.dumps(pages.client.json("/state/1"))
        for private in ("incident", "remedy", "proposed", "secret-camera-address", "evidence"):
            assert private not in seen


@pytest.mark.parametrize("name", ODD_NAMES)
def test_table_names_with_odd_characters_break_nothing(name: str, tmp_path: Path) -> None:
    fed = FedRecording(tmp_path / "t1")
    fed.board()
    fed.play("h2e2")
    fed.close()
    with serving(spec_of(tmp_path, name)) as pages:
        assert pages.client.json(f"/state/{quote(name, safe='')}")["table"] == name
        assert pages.client.get(f"/overlay/{quote(name, safe='')}")[0] == 200
        assert b"h2e2" in pages.client.get(f"/pgn/{quote(name, safe='')}.pgn")[1]
        assert name.encode() not in pages.client.get(f"/overlay/{quote(name, safe='')}")[1] or name == "a b"


def test_unknown_tables_and_odd_addresses_are_answered_in_words(tmp_path: Path) -> None:
    with serving(spec_of(tmp_path, "1")) as pages:
        assert pages.client.json("/state/1")["moves"] == []  # nothing recorded yet
        for path in (
            "/state/2",
            "/feed/2",
            "/pgn/2.pgn",
            "/static/../app.py",
            "/static/%2e%2e/app.py",
            "/static/a/b/c",
        ):
            status, body = pages.client.get(path)
            assert status == 404, path
            assert "error" in json.loads(body), path
        status, body = pages.client.get("/overlay/2")
        assert status == 404 and b"overlay.js" in body  # the page itself says what is wrong


def test_another_recording_in_the_same_folder_replaces_the_first(recording: FedRecording, tmp_path: Path) -> None:
    with serving(spec_of(tmp_path, "1")) as pages:
        first = pages.client.json("/state/1")
        assert first["moves"]
        recording.close()
        for file in recording.folder.glob("*.sqlite3*"):
            file.unlink()
        fed = FedRecording(recording.folder)
        fed.journal.set_meta("began_at", "2026-01-01T14:00:00.000+08:00")
        fed.board()
        fed.play("b0c2")
        deadline = time.time() + 5
        while time.time() < deadline:
            state = pages.client.json("/state/1")
            if [move["iccs"] for move in state["moves"]] == ["b0c2"]:
                break
            time.sleep(0.1)
        assert [move["iccs"] for move in state["moves"]] == ["b0c2"]
        fed.close()


def test_a_reader_does_not_wait_for_one_that_never_reads(recording: FedRecording, tmp_path: Path) -> None:
    """A small twin of tests/soak/pages.py."""
    import socket

    with serving(spec_of(tmp_path, "1")) as pages:
        deaf = socket.create_connection(("127.0.0.1", pages.port))
        deaf.sendall(b"GET /feed/1 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        last = pages.client.json("/state/1")["seq"]
        for number in range(100):
            recording.clock(ClockEventKind.PRESS, number % 2, 100.0 + number, 100.0)
        reader = Client(pages.port)
        got = reader.events("/feed/1", "entry", last_id=last, count=100)
        assert got[-1][1]["seq"] == last + 100
        deaf.close()
