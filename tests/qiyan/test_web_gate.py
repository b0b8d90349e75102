"""Nobody without a session reaches anything of the arbiter's, by any route."""

import json
import time
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from starlette.routing import Route

from qiyan.web import console_routes, login_routes, public_routes, setup_routes
from qiyan.web.accounts import Accounts
from qiyan.web.errors import PageError, TooFast
from qiyan.web.gate import host_name
from qiyan.web.hall import Hall
from qiyan.web.throttle import FREE_TRIES, Throttle
from tests.qiyan.web_server import NAME, PASSWORD, FedRecording, Pages, serving, spec_of

SECRET = b"clip-of-the-incident"


@pytest.fixture
def pages(tmp_path: Path):
    fed = FedRecording(tmp_path / "t1")
    fed.board()
    (fed.folder / "evidence").mkdir()
    (fed.folder / "evidence" / "000004-illegal_move.webm").write_bytes(SECRET)
    (fed.folder / "live.jpg").write_bytes(SECRET)
    fed.play("a0a5", evidence=("evidence/000004-illegal_move.webm",))
    with serving(spec_of(tmp_path, "1")) as served:
        yield served
    fed.close()


def _all_routes(hall: Hall) -> list[Route]:
    modules = (public_routes, login_routes, console_routes, setup_routes)
    return [route for module in modules for route in module.routes(hall)]


def _filled(route: Route) -> str:
    values = {"{table:path}": "1", "{name}": "000004-illegal_move.webm", "{seq:int}": "5", "{path:path}": "overlay.js"}
    path = route.path
    for name, value in values.items():
        path = path.replace(name, value)
    return path


def test_without_a_session_no_route_shows_anything_private(pages: Pages) -> None:
    public = {route.path for route in public_routes.routes(pages.hall)} | {"/login", "/first"}
    walked = 0
    for route in _all_routes(pages.hall):
        path = _filled(route)
        if path.startswith("/feed"):
            continue
        for method in route.methods or ():
            status, _, body = pages.client.ask(method, path, {} if method == "POST" else None)
            assert (SECRET not in body and b"touch" not in body[:2000].lower()) or route.path.startswith("/static")
            if route.path not in public:
                assert status == 401, (method, path, status)
                walked += 1
    assert walked >= 20
    for path in (
        "/arbiter/evidence/1/000004-illegal_move.webm",
        "/arbiter/../arbiter/feed",
        "//arbiter/feed",
        "/ARBITER",
    ):
        status, body = pages.client.get(path)
        assert status in (401, 404) and SECRET not in body, path


def test_pages_of_the_arbiter_lead_to_the_login(pages: Pages) -> None:
    status, headers, _ = pages.client.ask("GET", "/arbiter", headers={"accept": "text/html"})
    assert (status, headers["location"]) == (303, "/login?next=/arbiter")
    odd = quote("/setup/三号 & 台?#")
    status, headers, _ = pages.client.ask("GET", odd, headers={"accept": "text/html"})
    assert (status, parse_qs(urlsplit(headers["location"]).query)) == (303, {"next": [odd]})


def test_with_a_session_clip_and_console_are_reached(pages: Pages) -> None:
    pages.client.open_account(pages.hall)
    assert pages.client.get("/arbiter/evidence/1/000004-illegal_move.webm") == (200, SECRET)
    assert pages.client.get("/arbiter")[0] == 200
    kinds = [kind for kind, _ in pages.client.events("/arbiter/feed", "ping")]
    assert kinds == ["about", "state", "ping"]


@pytest.mark.parametrize(
    "name",
    ["..%2Fjournal.sqlite3", "%2e%2e%2fjournal.sqlite3", "journal.sqlite3", ".hidden.webm", "a\\b.webm", "x.html"],
)
def test_nothing_but_evidence_is_served_as_evidence(pages: Pages, name: str) -> None:
    pages.client.open_account(pages.hall)
    assert pages.client.get(f"/arbiter/evidence/1/{name}")[0] in (404, 400)


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(pages: Pages) -> None:
    body = {"token": pages.hall.accounts.invite(), "name": NAME, "password": PASSWORD}
    _, headers, _ = pages.client.ask("POST", "/first", body)
    cookie = headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie
    files = [path.read_text() for path in (pages.hall.spec.state).glob("*.json")]
    value = headers["set-cookie"].split("=")[1].split(";")[0]
    assert all(value not in text and PASSWORD not in text for text in files)
    assert all(
        path.stat().st_mode & 0o077 == 0
        for path in pages.hall.spec.state.glob("[as]*s.json")
        if "settings" not in path.name
    )


def test_a_post_without_its_token_or_from_elsewhere_is_refused(pages: Pages) -> None:
    pages.client.open_account(pages.hall)
    decision = {"of": None, "ruling": "corrected", "change": {"result": "1-0"}}
    token, pages.client.csrf = pages.client.csrf, None
    assert pages.client.post("/arbiter/decide/1", decision) == (403, {"error": "no_csrf_token"})
    pages.client.csrf = "wrong"
    assert pages.client.post("/arbiter/decide/1", decision)[0] == 403
    pages.client.csrf = token
    status, _, _ = pages.client.ask("POST", "/arbiter/decide/1", decision, {"origin": "http://evil.example"})
    assert status == 403
    status, _, _ = pages.client.ask("POST", "/arbiter/decide/1", decision, {"content-type": "text/plain"})
    assert status == 400
    assert pages.client.post("/arbiter/decide/1", decision)[0] == 200


def test_another_host_name_is_refused_on_loopback(pages: Pages) -> None:
    status, _, _ = pages.client.ask("GET", "/state/", headers={"host": "evil.example"})
    assert status == 403
    assert host_name("[::1]:80") == "::1"


def test_bodies_are_bounded(pages: Pages) -> None:
    status, _, _ = pages.client.ask("POST", "/login", {"name": "x" * 200_000, "password": "y"})
    assert status == 413


def test_headers_forbid_what_pages_do_not_need(pages: Pages) -> None:
    for path in ("/", "/overlay/1", "/state/1", "/static/overlay.js", "/nowhere"):
        _, headers, _ = pages.client.ask("GET", path)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"


def test_wrong_logins_are_slowed_and_the_right_one_waits_too(pages: Pages) -> None:
    pages.client.open_account(pages.hall)
    wrong = {"name": NAME, "password": "wrong password"}
    answers = [pages.client.post("/login", wrong)[0] for _ in range(FREE_TRIES)]
    assert answers == [401] * FREE_TRIES
    status, headers, _ = pages.client.ask("POST", "/login", {"name": NAME, "password": PASSWORD})
    assert status == 429 and int(headers["retry-after"]) >= 1
    time.sleep(2.1)
    assert pages.client.post("/login", {"name": NAME, "password": PASSWORD})[0] == 200


def test_waits_double_and_are_forgotten() -> None:
    now = [0.0]
    throttle = Throttle(lambda: now[0])
    for _ in range(FREE_TRIES + 2):
        throttle.failed("a")
    with pytest.raises(TooFast) as caught:
        throttle.check("a")
    assert caught.value.retry_s == pytest.approx(8.0)
    throttle.check("b")
    now[0] = 4000.0
    throttle.check("a")


def test_a_token_opens_one_account_once(tmp_path: Path) -> None:
    accounts = Accounts(tmp_path)
    token = accounts.invite()
    with pytest.raises(PageError):
        accounts.open(token, NAME, "short")
    accounts.open(token, NAME, PASSWORD)
    with pytest.raises(PageError):
        accounts.open(token, "another", PASSWORD)
    again = Accounts(tmp_path)
    assert again.check(NAME, PASSWORD) and not again.check(NAME, PASSWORD + "x") and not again.check("", PASSWORD)


def test_logging_out_ends_the_session_and_a_restart_does_not(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, "1")
    with serving(spec) as pages:
        pages.client.open_account(pages.hall)
        client = pages.client
    with serving(spec) as pages:
        client.port = pages.port
        assert client.json("/arbiter/session")["name"] == NAME
        assert client.post("/arbiter/logout", {})[0] == 200
        assert client.get("/arbiter/session")[0] == 401


def test_logging_out_ends_the_console_everywhere(pages: Pages) -> None:
    import http.client

    pages.client.open_account(pages.hall)
    connection = http.client.HTTPConnection("127.0.0.1", pages.port, timeout=5)
    connection.request("GET", "/arbiter/feed", headers={"cookie": pages.client.cookie or ""})
    stream = connection.getresponse()
    assert stream.readline()
    assert pages.client.post("/arbiter/logout", {})[0] == 200
    stream.read()  # to its end
    connection.close()


def test_messages_are_the_same_in_both_languages() -> None:
    from importlib import resources

    folder = resources.files("qiyan.web") / "static" / "messages"
    zh, en = (json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in ("zh", "en"))
    assert zh.keys() == en.keys()
    assert all(value.strip() for value in (*zh.values(), *en.values()))


def test_everything_that_the_judge_says_has_words() -> None:
    import re
    from importlib import resources

    from qiyan.picture_check import Fault
    from rules.incident import IncidentKind, Severity, Termination

    say = json.loads((resources.files("qiyan.web") / "static" / "messages" / "en.json").read_text(encoding="utf-8"))
    kinds = {"incident": IncidentKind, "severity": Severity, "termination": Termination, "warning": Fault}
    wanted = {f"{name}_{member.value}" for name, enum in kinds.items() for member in enum}
    for module in (resources.files("rules") / "judging").iterdir():
        if module.name.endswith(".py"):
            clauses = re.findall(r'"(\d+(?:\.\d+){1,2})"', module.read_text(encoding="utf-8"))
            wanted |= {f"clause_{clause}" for clause in clauses}
    assert wanted - say.keys() == set()
