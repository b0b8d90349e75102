"""Who may judge: accounts with scrypt hashes, opened by one-time tokens, kept in a file of the server's own."""

import hashlib
import hmac
import json
import secrets
import time
from pathlib import Path
from typing import Any

from qiyan.atomic_file import write_atomically
from qiyan.web.errors import PageError, Refused

FILE_NAME = "accounts.json"
SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 256
LONGEST_NAME = 40
INVITATION_S = 24 * 3600.0
_N, _R, _P = 2**15, 8, 1
"""Cost of scrypt: 32 MiB and about a tenth of a second on a small machine."""
_MAX_MEMORY = 64 * 1024 * 1024


class Accounts:
    """The accounts of one server."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._data: dict[str, Any] = {"accounts": {}, "invitations": {}}
        if self._path.exists():
            self._data.update(json.loads(self._path.read_text(encoding="utf-8")))

    @property
    def names(self) -> list[str]:
        """Everybody who has an account."""
        return sorted(self._data["accounts"])

    def invite(self) -> str:
        """A token with which one account can be opened, once, within a day."""
        token = secrets.token_urlsafe(18)
        now = time.time()
        self._data["invitations"] = {k: until for k, until in self._data["invitations"].items() if until > now}
        self._data["invitations"][_digest(token)] = now + INVITATION_S
        self._save()
        return token

    def open(self, token: str, name: str, password: str) -> None:
        """Open an account; PageError where the token, name or password will not do. An old password is replaced."""
        name = " ".join(name.split())
        until = self._data["invitations"].get(_digest(token))
        if until is None or until < time.time():
            raise Refused("bad_token")
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise PageError("bad_name")
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            raise PageError("bad_password_length")
        salt = secrets.token_bytes(16)
        del self._data["invitations"][_digest(token)]
        self._data["accounts"][name] = {
            "scrypt": [_N, _R, _P],
            "salt": salt.hex(),
            "hash": _hash(password, salt, _N, _R, _P).hex(),
        }
        self._save()

    def check(self, name: str, password: str) -> bool:
        """Whether this is the password; as slow for a name that does not exist."""
        account = self._data["accounts"].get(" ".join(name.split()))
        if account is None or len(password) > LONGEST_PASSWORD:
            _hash("", b"0" * 16, _N, _R, _P)
            return False
        found = _hash(password, bytes.fromhex(account["salt"]), *account["scrypt"])
        return hmac.compare_digest(found, bytes.fromhex(account["hash"]))

    def _save(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.touch(mode=0o600)
        write_atomically(self._path, json.dumps(self._data, ensure_ascii=False, indent=1) + "\n")
        self._path.chmod(0o600)


def _hash(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, maxmem=_MAX_MEMORY)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
