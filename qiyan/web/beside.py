"""The pages beside a recording: a process of their own, so that a hundred readers cost the recorder no frame."""

import contextlib
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

_END_S = 10.0


@contextlib.contextmanager
def pages_beside(folder: Path, tell: Callable[[str], None], port: int = 0) -> Iterator[threading.Event]:
    """Serve the recording in `folder` as long as the block runs; the event is set once they are served.

    tell : gets each line that says where the pages are, from another thread, as soon as they are served
    port : 0 for any that is free
    """
    command = [sys.executable, "-m", "qiyan.cli", "serve", str(folder), "--port", str(port)]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, encoding="utf-8", start_new_session=True
    )
    lines = process.stdout
    assert lines is not None

    served = threading.Event()

    def pass_on() -> None:
        for line in lines:
            if line.strip():
                tell(line.rstrip("\n"))
            else:
                served.set()
        served.set()  # or they could not be; why stands on the terminal

    reading = threading.Thread(target=pass_on, name="pages", daemon=True)
    reading.start()
    try:
        yield served
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_END_S)
        process.kill()
        process.wait()
        reading.join(_END_S)
        lines.close()
