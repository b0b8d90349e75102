"""Table events survive the way through the journal."""

import json

import pytest

from qiyan.codec import event_from_json, event_to_json
from rules.event import (
    BoardDiffers,
    BoardFound,
    ClockEvent,
    ClockEventKind,
    Decision,
    MoveSeen,
    PieceBetween,
    PieceTouched,
    PliesWithdrawn,
    RecordDoubt,
    TableEvent,
    TouchStrength,
    ViewChanged,
    ViewState,
    WithdrawnWhy,
)
from rules.move import Move
from rules.piece import BLACK, RED, Piece
from rules.point import Point
from rules.position import Position

MOVE = Move(Point(25), Point(22))
EVENTS: list[TableEvent] = [
    BoardFound(0.5, {"a0": (1.0, 2.0)}, "left", Position(bytes(90), RED), 0.3, 0.99),
    MoveSeen(3.0, MOVE, 1.0, None, 0.9, Piece(3)),
    PliesWithdrawn(4.0, 2, WithdrawnWhy.TAKEN_BACK),
    PieceTouched(5.0, Point(3), TouchStrength.LIFTED, 4.5, BLACK, 0.2, 0.8),
    PieceBetween(6.0, Piece(9), None, (1.5, 2.5), (Point(1), Point(2))),
    BoardDiffers(7.0, ((Point(1), Piece(2), None), (Point(3), Piece(0), Piece(15))), 0.7),
    RecordDoubt(8.0, 4, (MOVE, MOVE), 0.6),
    ViewChanged(9.0, ViewState.CAMERA_MOVED),
    ViewChanged(9.5, ViewState.BLOCKED, (Point(87), Point(88))),
    ClockEvent(10.0, ClockEventKind.PRESS, RED, 60.0, None, 0.5),
    Decision(11.0, 5, "corrected", "Li", {"ply": 3, "iccs": "h2e2"}),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_comes_back_as_it_was(event: TableEvent) -> None:
    assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event
