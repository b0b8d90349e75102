"""Files that are replaced in one step."""

import os
from pathlib import Path


def write_atomically(path: Path, text: str) -> None:
    """Replace `path` in one step, so that a reader or a kill never meets half a file."""
    part = path.with_name(f".{path.name}.part")
    with part.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
