"""The pages on a free port of the loopback address, and a recording fed by hand, for tests."""

import asyncio
import contextlib
import http.client
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn

from qiyan import codec, inbox
from qiyan.journal import Journal
from qiyan.web.app import build
from qiyan.web.hall import Hall
from qiyan.web.server import PagesServer
from qiyan.web.tables import HallSpec, TableSpec
from rules import arbiter
from rules.event import BoardFound, ClockEvent, ClockEventKind, Decision, MoveSeen, TableEvent
from rules.fen import START_FEN, parse_fen
from rules.iccs import parse_iccs
from rules.profile import DEFAULT_EDITION, find_profile

NAME, PASSWORD = "裁判长 Wang", "correct horse"
CORNERS = {"a0": (100.0, 500.0), "i0": (500.0, 500.0), "i9": (500.0, 50.0), "a9": (100.0, 50.0)}


class FedRecording:
    """What the recorder does with events, without camera or clock."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = Journal(folder)
        self.table = arbiter.new_table(find_profile(DEFAULT_EDITION))
        self.t = 0.0
        if self.journal.last_seq:
            for seq, data in self.journal.read_inputs():
                self.table, _ = arbiter.judge(self.table, codec.event_from_json(data), seq)
        else:
            self.journal.set_meta("began_at", "2026-01-01T10:00:00.000+08:00")
            self.system("started", settings={"source": "secret-camera-address"})

    def system(self, event: str, **more: Any) -> None:
        self.journal.append(None, [{"t": self.t, "kind": "system", "event": event, **more}])

    def tell(self, event: TableEvent, evidence: tuple[str, ...] = ()) -> list[dict[str, Any]]:
        seq = self.journal.last_seq + 1
        self.table, records = arbiter.judge(self.table, event, seq)
        bodies = [record.to_json() for record in records]
        for body in bodies:
            if body["kind"] == "incident":
                body["evidence"] = list(evidence)
        return self.journal.append(codec.event_to_json(event), bodies)

    def board(self) -> None:
        self.tell(BoardFound(self.t, CORNERS, "bottom", parse_fen(START_FEN), 0.5, 1.0))

    def play(self, *moves: str, evidence: tuple[str, ...] = ()) -> list[dict[str, Any]]:
        entries = []
        for move in moves:
            self.t += 5.0
            entries += self.tell(MoveSeen(self.t, parse_iccs(move), self.t - 1, self.t, 1.0), evidence)
        return entries

    def clock(self, kind: ClockEventKind, side: int | None, red_s: float, black_s: float) -> None:
        self.tell(ClockEvent(self.t, kind, side, red_s, black_s, 0.5))  # type: ignore[arg-type]

    def tell_result(self, result: str) -> None:
        body = {"result": result, "termination": "decision", "clause": None, "status": "final"}
        self.journal.append(None, [{"t": self.t, "kind": "result", **body}])

    def take_decisions(self) -> int:
        """Judge what the console left, as the recorder does between frames."""
        waiting = inbox.waiting(self.folder)
        for path, data in waiting:
            self.tell(Decision(self.t, data.get("of"), data["ruling"], str(data.get("by", "")), data.get("change")))
            path.unlink()
        return len(waiting)

    def close(self) -> None:
        self.journal.close()


class Client:
    """A browser's way of asking, with its cookie."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie: str | None = None
        self.csrf: str | None = None

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        sent = {} if self.cookie is None else {"cookie": self.cookie}
        if method == "POST":
            sent["content-type"] = "application/json"
            if self.csrf is not None:
                sent["x-csrf-token"] = self.csrf
        data = None if body is None else json.dumps(body).encode()
        connection.request(method, path, data, {**sent, **(headers or {})})
        with contextlib.closing(connection):
            answer = connection.getresponse()
            if answer.getheader("content-type", "").startswith("text/event-stream"):
                return answer.status, dict(answer.getheaders()), answer.read1(65536)
            return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()

    def get(self, path: str, **headers: str) -> tuple[int, bytes]:
        status, _, body = self.ask("GET", path, headers=headers)
        return status, body

    def json(self, path: str) -> Any:
        status, body = self.get(path)
        assert status == 200, (status, body)
        return json.loads(body)

    def post(self, path: str, body: Any) -> tuple[int, Any]:
        status, headers, answer = self.ask("POST", path, body)
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].split(";")[0]
        return status, json.loads(answer)

    def open_account(self, hall: Hall, name: str = NAME, password: str = PASSWORD) -> None:
        status, _ = self.post("/first", {"token": hall.accounts.invite(), "name": name, "password": password})
        assert status == 200
        self.csrf = self.json("/arbiter/session")["csrf"]

    def events(self, path: str, until: str, last_id: int | None = None, count: int = 1) -> list[tuple[str, Any]]:
        """The messages of a stream up to the `count`-th of the kind `until`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        headers = {} if last_id is None else {"last-event-id": str(last_id)}
        if self.cookie is not None:
            headers["cookie"] = self.cookie
        connection.request("GET", path, headers=headers)
        found: list[tuple[str, Any]] = []
        with contextlib.closing(connection):
            answer = connection.getresponse()
            kind = ""
            while count:
                line = answer.readline().decode().rstrip("\n")
                if line.startswith("event: "):
                    kind = line[7:]
                elif line.startswith("data: "):
                    found.append((kind, json.loads(line[6:])))
                    count -= kind == until
        return found


class Pages:
    """A server in a thread."""

    def __init__(self, spec: HallSpec, port: int = 0) -> None:
        self.hall = Hall.of(spec)
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("127.0.0.1", port))
        self.port = self._socket.getsockname()[1]
        config = uvicorn.Config(
            build(self.hall), log_level="warning", access_log=False, lifespan="on", timeout_graceful_shutdown=1
        )
        self._server = PagesServer(config, self.hall)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        while not self._server.started:
            self._thread.join(0.01)
            assert self._thread.is_alive()
        self.client = Client(self.port)

    def _run(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._socket]))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(15)
        self._socket.close()
        assert not self._thread.is_alive()


def spec_of(folder: Path, *names: str, **more: Any) -> HallSpec:
    """Tables of these names, each with its folder."""
    tables = tuple(TableSpec(name, folder / f"t{number}") for number, name in enumerate(names, 1))
    return HallSpec(tables, folder / "pages", **more)


@contextlib.contextmanager
def serving(spec: HallSpec, port: int = 0) -> Iterator[Pages]:
    pages = Pages(spec, port)
    try:
        yield pages
    finally:
        pages.close()
