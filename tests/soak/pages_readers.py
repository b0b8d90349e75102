"""The readers of tests.soak.pages: `python -m tests.soak.pages_readers PORT SECONDS READERS`, figures as JSON.

They stand for other machines, so they do as little as they can while they read: take what came, note when, and look
into it only at the end.
"""

import json
import os
import re
import selectors
import socket
import sys
import time
from dataclasses import dataclass, field

_ENTRY = re.compile(rb"id: (\d+)\nevent: entry\n")
_LAST_ID = re.compile(rb"id: (\d+)\n")
COMES_BACK_EVERY_S = 1.0


@dataclass
class Reader:
    """One overlay."""

    connection: socket.socket
    came: list[tuple[float, bytes]] = field(default_factory=list)
    """When something came, and what."""

    def entries(self) -> list[tuple[int, float]]:
        """(seq, when it had come) of every entry."""
        found = []
        left = b""
        for at_s, data in self.came:
            text = left + data
            end = 0
            for match in _ENTRY.finditer(text):
                found.append((int(match[1]), at_s))
                end = match.end()
            left = text[end:][-64:]
        return found


def connect(port: int, last_id: bytes | None = None, receive_buffer_bytes: int | None = None) -> socket.socket:
    """Ask for the feed of table `t`."""
    connection = socket.socket()
    if receive_buffer_bytes is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer_bytes)
    connection.connect(("127.0.0.1", port))
    resume = b"" if last_id is None else b"last-event-id: " + last_id + b"\r\n"
    connection.sendall(b"GET /feed/t HTTP/1.1\r\nhost: 127.0.0.1\r\n" + resume + b"\r\n")
    return connection


def run(port: int, seconds: float, readers: int) -> dict[str, object]:
    """Read; all but two steadily, one not at all, one coming back every second."""
    os.nice(10)  # other machines' processors are not the recorder's
    until_s = time.time() + seconds
    deaf = connect(port, receive_buffer_bytes=4096)
    steady = [Reader(connect(port)) for _ in range(readers - 2)]
    returning = Reader(connect(port))
    came_back, left_s = 0, time.time()
    select = selectors.DefaultSelector()
    for reader in (*steady, returning):
        select.register(reader.connection, selectors.EVENT_READ, reader)
    began_cpu_s = time.process_time()
    while (now := time.time()) < until_s:
        for key, _ in select.select(0.1):
            data = key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
            key.data.came.append((time.time(), data))
            if not data:
                select.unregister(key.fileobj)
        if now - left_s > COMES_BACK_EVERY_S:
            left_s, came_back = now, came_back + 1
            select.unregister(returning.connection)
            returning.connection.close()
            ids = _LAST_ID.findall(b"".join(data for _, data in returning.came[-20:]))
            returning.connection = connect(port, ids[-1] if ids else None)
            select.register(returning.connection, selectors.EVENT_READ, returning)
    cpu_s = time.process_time() - began_cpu_s
    deaf.close()
    entries = [reader.entries() for reader in steady]
    return {
        "arrived": [one for reader in entries for one in reader],
        "got": [len(reader) for reader in entries],
        "came_back": came_back,
        "came_back_got": len({seq for seq, _ in returning.entries()}),
        "cpu_s": cpu_s,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(run(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]))))
