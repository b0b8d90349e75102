"""Who is logged in: a random cookie each, kept as a hash in a file, so that a restart logs nobody out."""

import hashlib
import hmac
import json
import secrets
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from qiyan.atomic_file import write_atomically

COOKIE = "qiyan_session"
FILE_NAME = "sessions.json"
LASTS_S = 12 * 3600.0
"""A day of play."""


@dataclass(frozen=True, slots=True)
class Session:
    """One browser in which somebody has logged in."""

    name: str
    csrf: str
    """What every request that changes something has to name; the cookie alone is sent by the browser unasked."""
    until: float
    """Unix time."""

    def allows(self, token: str) -> bool:
        """Whether `token` is this session's."""
        return hmac.compare_digest(token.encode(), self.csrf.encode())


class Sessions:
    """All sessions of one server."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._by_hash: dict[str, Session] = {}
        if self._path.exists():
            data = json.loads(self._path.read_text(encoding="utf-8"))
            self._by_hash = {key: Session(**value) for key, value in data.items()}

    def begin(self, name: str) -> tuple[str, Session]:
        """A new session and its cookie."""
        cookie = secrets.token_urlsafe(32)
        session = Session(name, secrets.token_urlsafe(24), time.time() + LASTS_S)
        self._by_hash[_digest(cookie)] = session
        self._save()
        return cookie, session

    def find(self, cookie: str | None) -> Session | None:
        """The session of a cookie; None where there is none any more."""
        session = self._by_hash.get(_digest(cookie)) if cookie else None
        return session if session is not None and session.until > time.time() else None

    def end(self, cookie: str | None) -> None:
        """Log out."""
        if cookie and self._by_hash.pop(_digest(cookie), None) is not None:
            self._save()

    def end_all_of(self, name: str) -> None:
        """Log somebody out everywhere, as a new password asks for."""
        self._by_hash = {key: session for key, session in self._by_hash.items() if session.name != name}
        self._save()

    def _save(self) -> None:
        now = time.time()
        self._by_hash = {key: session for key, session in self._by_hash.items() if session.until > now}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.touch(mode=0o600)
        write_atomically(self._path, json.dumps({key: asdict(value) for key, value in self._by_hash.items()}))
        self._path.chmod(0o600)


def _digest(cookie: str) -> str:
    return hashlib.sha256(cookie.encode()).hexdigest()
