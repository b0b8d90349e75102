"""Writing a file whole, or not at all."""

import os
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Replace `path` in one step; where that fails it is left as it was, and nothing half written lies beside it."""
    partial = path.with_name(path.name + ".partial")
    try:
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
