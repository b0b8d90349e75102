"""What a part of the judge wants reported, before it has a number and a text."""

from dataclasses import dataclass, field

from rules.incident import IncidentKind, Json, Severity, Termination
from rules.piece import Piece, Side
from rules.point import Point


@dataclass(slots=True)
class Report:
    """An incident in the making."""

    kind: IncidentKind
    severity: Severity
    side: Side | None
    points: tuple[Point, ...]
    clause: str | None
    t_happened: float
    remedy: Json | None = None
    """What the clause prescribes; its `action` has a text in rules.messages."""
    pieces: tuple[Piece, ...] | None = None
    """None: what the official position has on `points`."""
    foul: bool = False
    """Whether it is one of the fouls of 8.1 where it is a breach."""
    loses: tuple[Termination, str] | None = None
    """How it loses by itself where it is a breach, and by which clause."""
    updates: int | None = None
    """`seq` of the incident that this one replaces."""
    ply: int | None = None
    """None: the number of plies that stand."""
    facts: Json = field(default_factory=dict)
    """What the message says beyond the fields above."""
