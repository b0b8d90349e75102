"""The judge: a pure fold over what eye, clock and arbiter report, that owns the official position."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rules.event import (
    BetweenResolved,
    BoardCleared,
    BoardDiffers,
    BoardFound,
    ClockEvent,
    Decision,
    MoveSeen,
    PieceBetween,
    PiecesDisturbed,
    PiecesRestored,
    PieceTouched,
    PliesWithdrawn,
    RecordDoubt,
    TableEvent,
    ViewChanged,
)  # fmt: skip
from rules.incident import Record, ViewRecord
from rules.judging import board, clock, decisions, disorder, doubts, early_press, moves, touching, withdrawal
from rules.judging.sitting import Sitting
from rules.judging.table import NOT_SEEING, Table
from rules.position import Position
from rules.profile import RuleProfile

__all__ = ["Table", "judge", "new_table", "wake_at"]


def new_table(profile: RuleProfile, start: Position | None = None) -> Table:
    """A table before its game; with `start` the position is known before the board is found."""
    return Table(profile=profile, start=start, start_given=start is not None)


def judge(table: Table, event: TableEvent, seq: int | None = None) -> tuple[Table, list[Record]]:
    """The table after `event`, and what is to be recorded, in order.

    seq : the number that the journal gives to the first of these records, by which a decision will name it. Without
          it the judge counts by itself, from 2 on: the first entry of a journal is the recorder's own.

    A bare TableEvent only says that time has passed; see `wake_at`.
    """
    sitting = Sitting(table if seq is None else replace(table, next_seq=seq), event.t)
    handle = _HANDLERS.get(type(event))
    if not isinstance(event, MoveSeen):
        # A move may be the one that a touched piece or a press was waiting for: it is judged with them.
        _look_at_the_time(sitting)
    if handle is not None:
        handle(sitting, event)
    return sitting.table, sitting.records


def wake_at(table: Table) -> float | None:
    """When the judge wants to hear of the time again, by a bare TableEvent; None: not before the next event."""
    if table.position is None or table.result is not None or table.cleared:
        return None
    due = (
        touching.next_report_at(table),
        early_press.next_early_press_at(table),
        early_press.next_missing_press_at(table),
    )
    return min((t for t in due if t is not None), default=None)


def _look_at_the_time(sitting: Sitting) -> None:
    """What has become due by waiting."""
    table = sitting.table
    if table.position is None or table.result is not None or table.cleared:
        return
    touching.report_due_touches(sitting)
    early_press.report_due_press(sitting)
    early_press.report_due_missing_press(sitting)


def _on_view_changed(sitting: Sitting, event: ViewChanged) -> None:
    if event.points:
        # All other points are watched as ever.
        sitting.say(ViewRecord(event.t, event.state, event.points))
        return
    if sitting.table.view in NOT_SEEING and event.state not in NOT_SEEING:
        sitting.change(seen_again_at=event.t)
    sitting.change(view=event.state)
    sitting.say(ViewRecord(event.t, event.state))


_HANDLERS: dict[type[TableEvent], Callable[[Sitting, Any], None]] = {
    BoardFound: board.on_board_found,
    MoveSeen: moves.on_move_seen,
    PliesWithdrawn: withdrawal.on_plies_withdrawn,
    RecordDoubt: doubts.on_record_doubt,
    PieceTouched: touching.on_piece_touched,
    PieceBetween: disorder.on_piece_between,
    BetweenResolved: disorder.on_between_resolved,
    PiecesDisturbed: disorder.on_pieces_disturbed,
    PiecesRestored: disorder.on_pieces_restored,
    BoardDiffers: disorder.on_board_differs,
    BoardCleared: disorder.on_board_cleared,
    ViewChanged: _on_view_changed,
    ClockEvent: clock.on_clock_event,
    Decision: decisions.on_decision,
}
