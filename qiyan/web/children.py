"""The processes that the server starts: one recorder a table, and a preview for setting one up."""

import asyncio
import contextlib
import logging
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from qiyan.web.errors import Conflict
from qiyan.web.tables import TableSpec

logger = logging.getLogger(__name__)

PREVIEW_UNWATCHED_S = 20.0
"""A preview that no page asks for any more ends after this."""
FIRST_RESTART_S = 1.0
LONGEST_RESTART_S = 30.0
STEADY_S = 60.0
"""A recorder that ran for this long is restarted at once when it falls."""
RECORDER_LOG = "recorder.log"
PREVIEW_LOG = "preview.log"
LONGEST_TROUBLE = 300
_ASK_AGAIN_S = 5.0
"""After this the signal is taken for lost, as Python loses it while it cleans up, and another is sent."""
_STOP_S = 15.0


@dataclass(slots=True)
class _Child:
    command: list[str]
    log: Path
    """What it says on standard error."""
    process: subprocess.Popen[bytes]
    started: float
    wait_s: float = FIRST_RESTART_S
    due: float | None = None
    """When it is started again."""
    asked: float = field(default_factory=time.monotonic)


class Children:
    """Starts and ends processes; all methods are called from the server's thread."""

    def __init__(self) -> None:
        self._recorders: dict[str, _Child] = {}
        self._previews: dict[str, _Child] = {}
        self._failed: dict[str, str] = {}
        """By table: what its recorder said last, when it fell; until it is steady again."""
        self._ending: set[asyncio.Task[None]] = set()

    def is_recording(self, table: str) -> bool:
        """Whether a recorder of this server runs, or is about to be started again."""
        return table in self._recorders

    def trouble(self, table: str) -> str | None:
        """Why the table's recorder falls again and again; None where it does not."""
        return self._failed.get(table)

    def record(self, spec: TableSpec, control: str | None) -> None:
        """Start recording a table. Conflict where it has no camera or is recorded already."""
        if spec.source is None:
            raise Conflict("no_camera_set")
        if self.is_recording(spec.name):
            raise Conflict("already_recording")
        self._end(self._previews, spec.name)
        spec.folder.mkdir(parents=True, exist_ok=True)
        self._failed.pop(spec.name, None)
        self._recorders[spec.name] = _child(record_command(spec, control), spec.folder / RECORDER_LOG)

    def stop(self, table: str) -> None:
        """End a table's recorder, as Ctrl-C does."""
        if not self.is_recording(table):
            raise Conflict("not_recording")
        self._failed.pop(table, None)
        self._end(self._recorders, table)

    def preview(self, spec: TableSpec) -> bool:
        """Show a table's camera for a while; False where there is nothing to show."""
        if spec.source is None or self.is_recording(spec.name):
            return False
        child = self._previews.get(spec.name)
        if child is None or child.process.poll() is not None:
            if child is not None and time.monotonic() - child.started < FIRST_RESTART_S * 3:
                return True
            spec.folder.mkdir(parents=True, exist_ok=True)
            command = [sys.executable, "-m", "qiyan.preview", spec.source, str(spec.folder), str(grid_file(spec))]
            if spec.clock is not None:
                command += [spec.clock, spec.clock_protocol or "", spec.clock_red or ""]
            self._previews[spec.name] = _child(command, spec.folder / PREVIEW_LOG)
        else:
            child.asked = time.monotonic()
        return True

    async def watch(self) -> None:
        """Start fallen recorders again, end unwatched previews; until cancelled."""
        while True:
            self._look(time.monotonic())
            await asyncio.sleep(0.5)

    def _look(self, now: float) -> None:
        for name, child in list(self._previews.items()):
            if now - child.asked > PREVIEW_UNWATCHED_S:
                del self._previews[name]
                # In a thread: a camera may take seconds to be let go, and the pages go on meanwhile.
                task = asyncio.ensure_future(asyncio.to_thread(_finish, child))
                self._ending.add(task)
                task.add_done_callback(self._ending.discard)
        for name, child in list(self._recorders.items()):
            status = child.process.poll()
            if status is None:
                if now - child.started > STEADY_S:
                    self._failed.pop(name, None)
            elif status == 0:
                del self._recorders[name]
                self._failed.pop(name, None)
            elif child.due is None:
                steady = now - child.started > STEADY_S
                child.wait_s = FIRST_RESTART_S if steady else min(LONGEST_RESTART_S, child.wait_s * 2)
                child.due = now + child.wait_s
                why = self._failed[name] = _last_line(child.log) or f"status {status}"
                logger.error("the recorder of table %s ended (%s); again in %.0f s", name, why, child.wait_s)
            elif now >= child.due:
                child.process, child.started, child.due = _start(child.command, child.log), now, None

    def stop_all(self) -> None:
        """End every process."""
        for children in (self._previews, self._recorders):
            for child in children.values():
                if child.process.poll() is None:
                    child.process.send_signal(signal.SIGINT)
        for children in (self._previews, self._recorders):
            for name in list(children):
                self._end(children, name)

    @staticmethod
    def _end(children: dict[str, _Child], name: str) -> None:
        child = children.pop(name, None)
        if child is not None:
            _finish(child)


def record_command(spec: TableSpec, control: str | None) -> list[str]:
    """The command line that records a table."""
    assert spec.source is not None
    command = [sys.executable, "-m", "qiyan.cli", "record", "--source", spec.source, "--out", str(spec.folder)]
    options = {
        "--clock": spec.clock,
        "--clock-protocol": spec.clock_protocol,
        "--clock-red": spec.clock_red,
        "--rules": spec.edition,
        "--control": control or spec.control,
    }
    for option, value in options.items():
        if value is not None:
            command += [option, value]
    file = grid_file(spec)
    if file.exists():
        command += ["--table", str(file)]
    return command


def grid_file(spec: TableSpec) -> Path:
    """Where the table's grid is kept."""
    return spec.file if spec.file is not None else spec.folder / "table.toml"


def _child(command: list[str], log: Path) -> _Child:
    return _Child(command, log, _start(command, log), time.monotonic())


def _start(command: list[str], log: Path) -> subprocess.Popen[bytes]:
    # A session of its own: Ctrl-C in the terminal reaches the server only, which then ends its children in order.
    with log.open("wb") as errors:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True
        )


def _finish(child: _Child) -> None:
    """End a process as Ctrl-C does; by force where that takes too long."""
    if child.process.poll() is not None:
        return
    for number, patience_s in ((signal.SIGINT, _ASK_AGAIN_S), (signal.SIGTERM, _STOP_S)):
        child.process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.process.wait(patience_s)
            return
    child.process.kill()
    child.process.wait()


def _last_line(log: Path) -> str:
    """What a process said last."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return ""
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return last.removeprefix("qiyan: ")[:LONGEST_TROUBLE]
