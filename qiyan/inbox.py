"""Decisions on their way from the arbiter's console to the recorder, as files that survive either one's end.

The recorder is the journal's only writer. The console, another process, leaves each decision as a file here; the
recorder journals it and only then removes the file.
"""

import json
import logging
import re
import uuid
from pathlib import Path
from typing import Any

from qiyan.atomic_file import write_atomically
from qiyan.decision import check_decision
from qiyan.errors import DecisionError

logger = logging.getLogger(__name__)

FOLDER = "inbox"
_NUMBERED = re.compile(r"(\d+)-.*\.json", re.ASCII)
"""The name of a decision that was left here; what else somebody puts beside them counts for nothing."""


def leave(folder: Path, decision: dict[str, Any]) -> None:
    """Hand a decision (the fields of rules.event.Decision but `t`) to the recording in `folder`."""
    inbox = folder / FOLDER
    inbox.mkdir(exist_ok=True)
    numbered = [_NUMBERED.fullmatch(path.name) for path in inbox.glob("*.json")]
    number = max((int(name[1]) for name in numbered if name is not None), default=0) + 1
    write_atomically(inbox / f"{number:08d}-{uuid.uuid4().hex}.json", json.dumps(decision, ensure_ascii=False))


def left(folder: Path) -> list[tuple[str, dict[str, Any]]]:
    """The same as `waiting`, by file name, for one who only looks: what is no decision is passed over and stays."""
    found = []
    for path in sorted((folder / FOLDER).glob("*.json")):
        try:
            found.append((path.name, check_decision(json.loads(path.read_text(encoding="utf-8")))))
        except (ValueError, OSError, RecursionError, DecisionError):
            continue  # the recorder says what is wrong with it, when it takes them
    return found


def waiting(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    """The decisions not yet journalled, oldest first, every field checked; what is no decision is put aside."""
    inbox = folder / FOLDER
    if not inbox.is_dir():
        return []
    found = []
    for path in sorted(inbox.glob("*.json")):
        try:
            found.append((path, check_decision(json.loads(path.read_text(encoding="utf-8")))))
        except FileNotFoundError:
            continue  # taken back by whoever left it
        except (ValueError, OSError, RecursionError, DecisionError) as error:
            aside = path.with_suffix(".bad")
            logger.error("not a decision that can be meant (%s); put aside as %s", error, aside)
            path.rename(aside)
    return found
