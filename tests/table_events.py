"""Short ways to say what happened at a table, and the fold over it with every record checked by the schema."""

import functools
import json
from collections.abc import Iterable

import jsonschema

from rules.arbiter import Table, judge, new_table
from rules.event import (
    BoardFound,
    ClockEvent,
    ClockEventKind,
    MoveSeen,
    PieceTouched,
    TableEvent,
    TouchStrength,
)  # fmt: skip
from rules.fen import START_FEN, parse_fen
from rules.iccs import parse_iccs
from rules.incident import Record
from rules.piece import Side
from rules.point import parse_point
from rules.profile import RuleProfile, find_profile
from tests.shared_data import SHARED

CORNERS = {"a0": (0.0, 90.0), "i0": (80.0, 90.0), "i9": (80.0, 0.0), "a9": (0.0, 0.0)}
_SCHEMA = SHARED / "events.schema.json"


def found(fen: str = START_FEN, t: float = 0.5) -> BoardFound:
    """The board is found with that position."""
    return BoardFound(t, CORNERS, "bottom", parse_fen(fen), 0.4, 0.99)


def seen(iccs: str, t: float, confidence: float = 0.99) -> MoveSeen:
    """A move known at `t`, lifted 0.8 s and placed 0.2 s before."""
    return MoveSeen(t, parse_iccs(iccs), t - 0.8, t - 0.2, confidence)


def touched(
    name: str, t: float, side: Side | None, strength: TouchStrength = TouchStrength.LIFTED, probability: float = 0.97
) -> PieceTouched:
    """A piece touched from `t` on, known half a second later."""
    return PieceTouched(t + 0.5, parse_point(name), strength, t, side, 0.2, probability)


def clock(
    kind: ClockEventKind, t: float, side: Side | None = None, red_s: float = 600.0, black_s: float = 600.0
) -> ClockEvent:
    """The clock did something, known to half a second."""
    return ClockEvent(t, kind, side, red_s, black_s, 0.5)


def press(side: Side, t: float, red_s: float = 600.0, black_s: float = 600.0) -> ClockEvent:
    """A press by `side`."""
    return clock(ClockEventKind.PRESS, t, side, red_s, black_s)


def fold(events: Iterable[TableEvent], edition: str | RuleProfile = "2020") -> tuple[Table, list[Record]]:
    """Judge the events in order; every record has to be a line that the interface allows."""
    profile = find_profile(edition) if isinstance(edition, str) else edition
    table, records = new_table(profile), []
    for event in events:
        table, said = judge(table, event)
        records += said
    check(records)
    return table, records


@functools.cache
def _validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(_SCHEMA.read_text(encoding="utf-8")))


def check(records: Iterable[Record]) -> None:
    """Validate records as lines of events.jsonl, where the schema is at hand."""
    if not _SCHEMA.is_file():
        return
    validator = _validator()
    for seq, record in enumerate(records, 1):
        line = json.loads(json.dumps({"seq": seq, **record.to_json()}, ensure_ascii=False))
        errors = [error.message for error in validator.iter_errors(line)]
        assert not errors, (errors, line)


def of_kind(records: Iterable[Record], kind: str) -> list[dict[str, object]]:
    """The records of one kind as JSON objects."""
    return [record.to_json() for record in records if record.to_json()["kind"] == kind]


def incidents(records: Iterable[Record]) -> list[tuple[object, ...]]:
    """(incident, severity, side, points, clause) of every incident."""
    return [
        (i["incident"], i["severity"], i["side"], tuple(i["points"]), i["clause"])  # type: ignore[arg-type]
        for i in of_kind(records, "incident")
    ]
