"""The shared clock recordings and vectors, read in place."""

import base64
import json
from typing import Any

import pytest

from tests.shared_data import DATA

RECORDINGS = ("dgt_3min2s_blitz", "dgt_5min5s_flagfall")


def vectors(*kinds: str) -> list[Any]:
    path = DATA / "clock" / "dgt_vectors.jsonl"
    if not path.is_file():
        return []
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [pytest.param(row, id=row["id"]) for row in rows if row["kind"] in kinds]


def recording(name: str) -> list[bytes]:
    lines = (DATA / "clock" / f"{name}.inbytes.b64").read_text().split()
    return [base64.b64decode(line) for line in lines]
