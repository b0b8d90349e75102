"""Touched pieces: straightening, and touch-move once another piece is played."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from rules.event import PieceTouched, TouchStrength
from rules.incident import IncidentKind, Severity
from rules.judging.board import turn_is_unknown
from rules.judging.report import Report
from rules.judging.shown import chinese_or_none, shown_move
from rules.judging.sitting import Sitting
from rules.judging.table import Ply, Table, Turn
from rules.piece import EMPTY, Side, other, side_of
from rules.point import Point, format_point
from rules.position import Position
from rules.touch_move import Obligation, obligations

LIKELY = 0.5
"""A touch with less probability than this is not remembered."""
SURE = 0.9
"""A lift with at least this probability can make a breach."""
REPORT_AFTER_S = 1.0
"""A touched piece may still be played at once: its touching is reported after this long."""
SAME_LIFT_S = 0.5
"""A touch of the moved piece that began this close to its lifting is that lifting."""
CAPTURE_S = 3.0
"""A touch of the captured piece within this time before the move was lifted is part of the capture."""
ORDER_OPEN_S = 1.0
"""Which of two pieces touched within this time was touched first is not known for sure: an arm may hide both."""
MOST_ORDERS_OF = 5
"""The orders of so many touches are looked through, the first of them; among more it is open which came first."""


def on_piece_touched(sitting: Sitting, event: PieceTouched) -> None:
    """A hand touched a piece."""
    table = sitting.table
    position = table.position
    if position is None or table.result is not None or table.cleared or not _matters(table, event, position):
        return
    others = event.hand_side == other(position.side) and not turn_is_unknown(table)
    if others or _before_this_turn(table, event):
        if not _touched_before_the_last_move(sitting, event):
            _touched_in_opponents_time(sitting, event, position)
        return
    sitting.change_turn(touches=(*table.turn.touches, event))


def _matters(table: Table, event: PieceTouched, position: Position) -> bool:
    """Whether the touch says anything: strong enough, of a piece, and no part of putting pieces right."""
    if event.strength is TouchStrength.DWELT_ON or event.probability < LIKELY:
        return False
    if position.piece_at(event.point) == EMPTY or table.disturbed is not None:
        return False
    if event.point in table.disturbed_points or _while_stopped(table, event):
        return False
    if table.line and event.point == table.line[-1].move.to_point and event.strength is TouchStrength.SHIFTED:
        # Either player straightens the piece that has just been put down.
        return False
    return table.between is None or table.between.event.from_point != event.point


def _while_stopped(table: Table, event: PieceTouched) -> bool:
    """Whether the clock stood still: then pieces are put right, with the arbiter at the table."""
    clock = table.clock
    return clock.stopped or (clock.resumed_at is not None and event.t_start < clock.resumed_at)


def _before_this_turn(table: Table, event: PieceTouched) -> bool:
    """Whether the touch began before the turn did, that is in the opponent's time or with the last move."""
    return bool(table.line) and event.t_start < table.line[-1].done_at


def _touched_before_the_last_move(sitting: Sitting, event: PieceTouched) -> bool:
    """Whether the touch, known only after a move, makes one of touch-move of it: an arm lay over the piece till then.

    Whether it was touched before the move or after it was not seen: that is for the arbiter.
    """
    line = sitting.table.line
    if not line or event.strength is not TouchStrength.LIFTED:
        return False
    ply = line[-1]
    if event.hand_side != ply.side or judge_touch(sitting, ply, ply.turn) is not None:
        return False
    report = judge_touch(sitting, ply, replace(ply.turn, touches=(*ply.turn.touches, event)))
    if report is not None:
        sitting.report(replace(report, severity=Severity.DOUBT))
    return report is not None


def _touched_in_opponents_time(sitting: Sitting, event: PieceTouched, position: Position) -> None:
    """Straightening belongs into the own time; the piece just moved may be put right."""
    table = sitting.table
    just_moved = table.line[-1].move.to_point if table.line else None
    if event.point == just_moved or event.hand_side is None or event.point in table.turn.reported:
        return
    if event.hand_side == position.side:
        # Begun with the opponent's hand still there: whose time it was cannot be told.
        return
    _report_adjust(sitting, [event])


def report_due_touches(sitting: Sitting) -> None:
    """Report the touches that no move followed for a while, those of one side together."""
    turn = sitting.table.turn
    due = [touch for touch in turn.touches if sitting.t >= touch.t + REPORT_AFTER_S]
    new = {touch.point: touch for touch in reversed(due) if touch.point not in turn.reported}
    by_side: dict[Side, list[PieceTouched]] = {}
    for touch in reversed(new.values()):
        by_side.setdefault(_who(sitting, touch), []).append(touch)
    for touches in by_side.values():
        _report_adjust(sitting, touches)


def _who(sitting: Sitting, touch: PieceTouched) -> Side:
    """A touch whose hand was not seen to come from a side is the turn's player's as far as anyone can tell."""
    return sitting.position.side if touch.hand_side is None else touch.hand_side


def next_report_at(table: Table) -> float | None:
    """When the next touch becomes due to be reported."""
    due = [touch.t + REPORT_AFTER_S for touch in table.turn.touches if touch.point not in table.turn.reported]
    return min(due, default=None)


def _report_adjust(sitting: Sitting, touches: Sequence[PieceTouched]) -> None:
    """One notice for all that one side straightened or touched."""
    first = touches[0]
    side = _who(sitting, first)
    own_time = side == sitting.position.side or turn_is_unknown(sitting.table)
    points = tuple(touch.point for touch in touches)
    seq = sitting.report(
        Report(
            IncidentKind.UNANNOUNCED_ADJUST,
            Severity.NOTICE,
            side,
            points,
            "5.6",
            first.t_start,
            {
                "action": "move_touched" if own_time else "warn",
                "strength": [touch.strength.value for touch in touches],
                "size_cells": [round(touch.size_cells, 3) for touch in touches],
                "own_time": own_time,
                "probability": round(max(touch.probability for touch in touches), 3),
            },
        )
    )
    turn = sitting.table.turn
    sitting.change_turn(reported=(*turn.reported, *points), reported_seqs=(*turn.reported_seqs, *(seq for _ in points)))


def judge_touch(sitting: Sitting, ply: Ply, turn: Turn) -> Report | None:
    """The touch-move incident that `ply` makes, played by the side on move; None where it fulfils what was due.

    turn : what was known of the turn that it ends
    """
    if not turn.touches and not turn.bound:
        return None
    lifted_at = ply.done_at if ply.t_lifted is None else ply.t_lifted
    touches = sorted(
        (touch for touch in turn.touches if touch.t_start <= lifted_at and not _is_this_lift(touch, ply, lifted_at)),
        key=lambda touch: (touch.t_start, side_of(ply.before.piece_at(touch.point)) == ply.side),
    )
    points = _once((*turn.bound, *(touch.point for touch in touches)))
    due = obligations(ply.before, points, sitting.table.profile)
    if due.allows(ply.move):
        return None
    # Taking a piece touches it: that touch must not turn what was due into something stricter.
    apart = [touch for touch in touches if not _is_capture(touch, ply, lifted_at)]
    points = _once((*turn.bound, *(touch.point for touch in apart)))
    due = obligations(ply.before, points, sitting.table.profile)
    if due.allows(ply.move):
        return None
    # Nor is a touch of the captured piece, unless it was with the lifting, known to have come after the others.
    own = [touch for touch in touches if touch in apart or touch.t_start < lifted_at - SAME_LIFT_S]
    played = {ply.move.from_point, ply.move.to_point}
    open_order = len(own) > MOST_ORDERS_OF and any(touch.point in played for touch in own)
    open_order = open_order or any(
        obligations(ply.before, _once((*turn.bound, *order)), sitting.table.profile).allows(ply.move)
        for some in (apart, own)
        for order in _possible_orders(some)
    )
    return _touch_move(turn, ply, due, points, apart, open_order)


def _possible_orders(touches: Sequence[PieceTouched]) -> Iterator[tuple[Point, ...]]:
    """The points of touches in every order they may have had, for their times err; `touches` by time."""
    rest = tuple(touch.point for touch in touches[MOST_ORDERS_OF:])
    for order in permutations(touches[:MOST_ORDERS_OF]):
        pairs = ((one, later) for number, one in enumerate(order) for later in order[number + 1 :])
        if all(one.t_start <= later.t_start + ORDER_OPEN_S for one, later in pairs):
            yield (*(touch.point for touch in order), *rest)


def _is_this_lift(touch: PieceTouched, ply: Ply, lifted_at: float) -> bool:
    return touch.point == ply.move.from_point and touch.t_start >= lifted_at - SAME_LIFT_S


def _is_capture(touch: PieceTouched, ply: Ply, lifted_at: float) -> bool:
    return touch.point == ply.move.to_point and touch.t_start >= lifted_at - CAPTURE_S


def _once(points: Sequence[Point]) -> tuple[Point, ...]:
    return tuple(dict.fromkeys(points))


def _touch_move(
    turn: Turn, ply: Ply, due: Obligation, points: Sequence[Point], touches: Sequence[PieceTouched], open_order: bool
) -> Report:
    # The pieces that bind are those the obliged moves begin with or take.
    froms, ends = {move.from_point for move in due.moves}, {move.to_point for move in due.moves}
    binding = tuple(p for p in points if (p in froms and len(froms) == 1) or (p in ends and ply.before.piece_at(p)))
    binding = tuple(p for p in binding if p in froms or side_of(ply.before.piece_at(p)) != ply.side) or tuple(points)
    seen = [touch for touch in touches if touch.point in binding]
    sure = (ply.confidence >= SURE and not open_order) and (
        any(point in turn.bound for point in binding)
        or any(t.strength is TouchStrength.LIFTED and t.probability >= SURE and t.hand_side == ply.side for t in seen)
    )
    probability = max((touch.probability for touch in seen), default=1.0)
    earlier = [seq for point, seq in zip(turn.reported, turn.reported_seqs, strict=True) if point in binding]
    return Report(
        IncidentKind.TOUCH_MOVE,
        Severity.BREACH if sure else Severity.DOUBT,
        ply.side,
        binding,
        due.clause,
        ply.done_at,
        {
            "action": "play_obliged",
            "moves": [str(move) for move in due.moves],
            "played": str(ply.move),
            "touched": [format_point(point) for point in points],
            "t_touched": round(min(touch.t_start for touch in seen), 3) if seen else None,
            "probability": round(probability / 2 if open_order else probability, 3),
        },
        pieces=tuple(ply.before.piece_at(point) for point in binding),
        updates=earlier[-1] if earlier else None,
        facts={
            "played": shown_move(ply.before, ply.move),
            "moves_zh": [chinese_or_none(ply.before, move) or str(move) for move in due.moves],
        },
    )
