"""Clock traces: the bytes of a clock with the times they came, one JSON object a line; any event can be replayed."""

import json
import logging
import math
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TraceLine:
    """Some bytes and when they came, s."""

    t: float
    data: bytes


def read_trace(path: Path) -> Generator[TraceLine, None, None]:
    """The lines of a trace, in order; what is no such line (half written when the power failed) is passed over."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, text in enumerate(lines, 1):
            if not text.strip():
                continue
            line = _read_line(text)
            if line is None:
                logger.warning("%s, line %d: no line of a clock trace: %.80r", path, number, text)
            else:
                yield line


def looks_like_trace(path: Path) -> bool:
    """Whether the file begins like a clock trace; an empty one does. Raises OSError where it cannot be read."""
    try:
        with path.open(encoding="utf-8", errors="strict") as lines:
            first = next((text for text in lines if text.strip()), None)
    except UnicodeDecodeError:
        return False
    return first is None or _read_line(first) is not None


def _read_line(text: str) -> TraceLine | None:
    try:
        record = json.loads(text)
        t, data = float(record["t"]), bytes.fromhex(record["rx"])
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
        return None
    return TraceLine(t, data) if math.isfinite(t) else None


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
