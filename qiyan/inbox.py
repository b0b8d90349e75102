"""Decisions on their way from the arbiter's console to the recorder, as files that survive either one's end.

The recorder is the journal's only writer. The console, another process, leaves each decision as a file here; the
recorder journals it and only then removes the file.
"""

import json
import logging
import uuid
from pathlib import Path
from typing import Any

from qiyan.atomic_file import write_atomically

logger = logging.getLogger(__name__)

FOLDER = "inbox"


def leave(folder: Path, decision: dict[str, Any]) -> None:
    """Hand a decision (the fields of rules.event.Decision but `t`) to the recording in `folder`."""
    inbox = folder / FOLDER
    inbox.mkdir(exist_ok=True)
    number = max((int(p.stem.partition("-")[0]) for p in inbox.glob("*.json")), default=0) + 1
    write_atomically(inbox / f"{number:08d}-{uuid.uuid4().hex}.json", json.dumps(decision, ensure_ascii=False))


def waiting(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    """The decisions not yet journalled, oldest first; a file that is no decision is put aside."""
    inbox = folder / FOLDER
    if not inbox.is_dir():
        return []
    found = []
    for path in sorted(inbox.glob("*.json")):
        try:
            decision = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(decision, dict) or not isinstance(decision.get("ruling"), str):
                raise ValueError("no ruling")
        except (ValueError, OSError) as error:
            logger.error("put aside a decision that cannot be read (%s): %s", error, path)
            path.rename(path.with_suffix(".bad"))
            continue
        found.append((path, decision))
    return found
