"""Clock traces: the bytes of a clock with the times they came, one JSON object a line; any event can be replayed."""

import json
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from clock_bridge.errors import TraceError


@dataclass(frozen=True, slots=True)
class TraceLine:
    """Some bytes and when they came, s."""

    t: float
    data: bytes


def read_trace(path: Path) -> Generator[TraceLine, None, None]:
    """The lines of a trace, in order; lines of other kinds (no `rx`) are passed over, a half-written last line too."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise TypeError
                if "rx" in record:
                    yield TraceLine(float(record["t"]), bytes.fromhex(record["rx"]))
            except (ValueError, TypeError, KeyError) as error:
                if not line.endswith("\n"):
                    return
                raise TraceError(f"{path}, line {number}: no line of a clock trace: {line.strip()[:80]!r}") from error


def looks_like_trace(path: Path) -> bool:
    """Whether the file begins like a clock trace."""
    try:
        next(read_trace(path), None)
    except (TraceError, OSError):
        return False
    return path.is_file()


class TraceWriter:
    """Writes received bytes to a trace; every line is on its way to the disk when `write` returns."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8")

    def write(self, t: float, data: bytes) -> None:
        """Adds `data`, received at `t`."""
        self._file.write(json.dumps({"t": round(t, 4), "rx": data.hex()}) + "\n")
        self._file.flush()

    def close(self) -> None:
        """Ends the trace."""
        self._file.close()

    def __enter__(self) -> "TraceWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
