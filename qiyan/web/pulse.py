"""How alive a recorder is, told by the age of what it last wrote."""

import json
import time
from pathlib import Path
from typing import Any

from qiyan.live_picture import FACTS_NAME
from qiyan.web.feed import Feed

SILENT_AFTER_S = 10.0
"""A recorder that wrote nothing for this long is told to be silent."""


def read_facts(folder: Path) -> dict[str, Any] | None:
    """What the recorder last said of its picture; None where it never did."""
    try:
        facts = json.loads((folder / FACTS_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return facts if isinstance(facts, dict) else None


def pulse(feed: Feed, delay_s: float = 0.0) -> dict[str, Any]:
    """`state` (none, live, silent, ended) and, where silent, `age_s`: as it was `delay_s` ago."""
    count = feed.public_count(delay_s)
    if count == 0:
        return {"state": "none"}
    if feed.state(count)["system"] == "ended":
        return {"state": "ended"}
    heard = [feed.last_written_s() or 0.0]
    try:
        heard.append((feed.folder / FACTS_NAME).stat().st_mtime)
    except OSError:
        # A recorder that shows no picture says nothing while nothing happens.
        return {"state": "live"}
    age_s = time.time() - delay_s - max(heard)
    return {"state": "silent", "age_s": round(age_s)} if age_s > SILENT_AFTER_S else {"state": "live"}
