"""The pages beside a recording: a process of their own, so that a hundred readers cost the recorder no frame."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def pages_beside(folder: Path, port: int = 0, *more: str) -> Iterator[list[str]]:
    """Serve the recording in `folder` as long as the block runs; the lines that say where.

    more : further options of `qiyan serve`
    """
    command = [sys.executable, "-m", "qiyan.cli", "serve", str(folder), "--port", str(port), *more]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, encoding="utf-8", start_new_session=True
    )
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        if not line.strip():
            break
        lines.append(line.rstrip("\n"))
    try:
        yield lines
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10.0)
        process.kill()
        process.stdout.close()
