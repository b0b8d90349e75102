"""Plies that are withdrawn: taken back at the table, or never played."""

from dataclasses import replace

from rules.event import PliesWithdrawn, WithdrawnWhy
from rules.incident import IncidentKind, MoveWithdrawn, Severity, Termination
from rules.judging.report import Report
from rules.judging.shown import shown_move
from rules.judging.sitting import Sitting
from rules.judging.table import Ply, Table, Turn
from rules.piece import EMPTY, side_of
from rules.point import Point

SURE = 0.95
"""A taken-back move seen with at least this probability can be a breach."""
MATE_CORRECTION_S = 3.0
"""So long after a mate the eye may still say that it was not played; later the players are analysing."""
_ORDERED_BACK = (
    IncidentKind.ILLEGAL_MOVE,
    IncidentKind.SUICIDE,
    IncidentKind.OUT_OF_TURN,
    IncidentKind.TOUCH_MOVE,
    IncidentKind.REPETITION,
)
"""After these a move is put back because the rules or the arbiter say so."""
_RESTS_ON_POSITION = frozenset(
    {
        Termination.CHECKMATE,
        Termination.STALEMATE,
        Termination.PERPETUAL_CHECK,
        Termination.NOT_DEVIATED,
        Termination.REPETITION,
        Termination.NATURAL_LIMIT,
        Termination.NEITHER_CAN_WIN,
    }
)


def on_plies_withdrawn(sitting: Sitting, event: PliesWithdrawn) -> None:
    """The last plies did not happen, or were taken back."""
    table = sitting.table
    if not 1 <= event.ply <= table.ply or table.cleared:
        return
    if table.result is not None:
        in_time = event.t - table.result.t <= MATE_CORRECTION_S
        if event.why is not WithdrawnWhy.CORRECTED or not in_time:
            return
    withdraw(sitting, event.ply, event.why, event.t if event.t_placed is None else event.t_placed)


def withdraw(sitting: Sitting, ply_number: int, why: WithdrawnWhy, t_happened: float) -> None:
    """Take the plies from `ply_number` on, which were undone at `t_happened`, out of the record."""
    table = sitting.table
    gone = table.line[ply_number - 1 :]
    first = gone[0]
    about = [e for e in table.entries if e.ply >= ply_number and not e.dismissed and e.kind in _ORDERED_BACK]
    sitting.say(MoveWithdrawn(sitting.t, ply_number, why))
    if why is WithdrawnWhy.CORRECTED:
        # What the record only seemed to show never happened; what was touched before it did, and time ran out.
        gone_too = [e.seq for e in table.entries if e.ply >= ply_number and e.kind is not IncidentKind.FLAG_FALL]
        entries = tuple(replace(e, dismissed=True) if e.seq in gone_too else e for e in table.entries)
        sitting.change(entries=entries, turn=first.turn)
    else:
        sitting.change(turn=Turn(bound=_bound_after(gone)))
    sitting.change(
        line=table.line[: ply_number - 1], repetition_reported=None, deviate=None, limit_reported=False, differences=()
    )
    _withdraw_result(sitting, table, why)
    if why is WithdrawnWhy.TAKEN_BACK and not about and gone[-1].legal:
        _report_take_back(sitting, gone[-1], ply_number, t_happened)


def _bound_after(gone: tuple[Ply, ...]) -> tuple[Point, ...]:
    """5.8.3: the piece of an illegal move that was put back counts as touched."""
    first = gone[0]
    if first.legal or first.side != first.before.side:
        return ()
    points = (first.move.from_point,)
    taken = first.captured != EMPTY and side_of(first.captured) != first.side
    return (*points, first.move.to_point) if taken else points


def _withdraw_result(sitting: Sitting, table: Table, why: WithdrawnWhy) -> None:
    """A result that rested on the plies now gone no longer stands; a breach stays one when it is put back."""
    last = table.result or table.proposed
    taken_general = last is not None and last.termination is Termination.SUICIDE and table.proposed_about is None
    corrected = why is WithdrawnWhy.CORRECTED
    if last is not None and (last.termination in _RESTS_ON_POSITION or (corrected and taken_general)):
        sitting.withdraw_result()
    elif corrected:
        sitting.recount()


def _report_take_back(sitting: Sitting, ply: Ply, ply_number: int, t_happened: float) -> None:
    doubted = any(e.kind is IncidentKind.RECORD_DOUBT and e.ply == ply_number for e in sitting.table.entries)
    pressed = sitting.table.clock.presses[ply.side]
    # After the press a move is seldom taken back: more often the eye had not seen it right.
    completed = pressed is not None and pressed > ply.done_at
    severity = Severity.BREACH if ply.confidence >= SURE and not doubted and not completed else Severity.DOUBT
    points = (ply.move.from_point, ply.move.to_point)
    sitting.report(
        Report(
            IncidentKind.TAKE_BACK,
            severity,
            ply.side,
            points,
            "5.7",
            t_happened,
            {"action": "restore_move", "ply": ply_number, "move": str(ply.move)},
            pieces=(ply.piece,),
            ply=ply_number,
            facts={"played": shown_move(ply.before, ply.move)},
        )
    )
