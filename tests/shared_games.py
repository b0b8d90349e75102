"""The real games of the shared test material, read once."""

import json
from functools import cache
from typing import Any

from tests.shared_data import DATA


@cache
def shared_games() -> list[dict[str, Any]]:
    """Every line of games.jsonl: start_fen, iccs, final_fen, and chinese where the source had it."""
    lines = (DATA / "rules" / "games.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]
