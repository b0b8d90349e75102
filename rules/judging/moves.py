"""Moves: a seen move enters the record, with all that the rules make of it."""

from dataclasses import replace

from rules.event import MoveSeen
from rules.incident import IncidentKind, Severity, Termination
from rules.judging import doubts, early_press, long_game, touching
from rules.judging.board import learn_whose_turn
from rules.judging.illegal import SURE, report_illegal
from rules.judging.new_ply import make_ply, move_record, next_turn
from rules.judging.report import Report
from rules.judging.sitting import Sitting
from rules.judging.table import OpenBetween, Ply
from rules.legality import Status, is_legal, status
from rules.move import Move
from rules.piece import EMPTY, KING, kind_of, side_of

HALF_SURE = 0.5
"""Probability of a point that nobody has named."""


def on_move_seen(sitting: Sitting, event: MoveSeen) -> None:
    """A piece was put from one point on another."""
    learn_whose_turn(sitting, event)
    table = sitting.table
    if table.result is not None or table.cleared or table.position is None:
        return
    if event.move.from_point == event.move.to_point:
        return
    if table.position.piece_at(event.move.from_point) == EMPTY:
        if table.line and table.line[-1].move == event.move:
            return
        points = (event.move.from_point, event.move.to_point)
        sitting.report(
            Report(
                IncidentKind.BOARD_DIFFERS,
                Severity.DOUBT,
                None,
                points,
                "5.8.2",
                event.t,
                {"action": "restore_record", "seen": str(event.move)},
            )
        )
        return
    was_between = table.between
    if was_between is not None:
        sitting.change(between=None)
        if side_of(table.position.piece_at(event.move.from_point)) != side_of(was_between.event.piece):
            _assume_point(sitting, was_between)
    done_at = event.t if event.t_placed is None else event.t_placed
    settles_between = was_between is not None and was_between.event.from_point == event.move.from_point
    if settles_between and was_between is not None:
        done_at = min(done_at, early_press.released_at(table, was_between.event))
    put_ply(sitting, event, done_at, press_counts=not settles_between)


def _assume_point(sitting: Sitting, between: OpenBetween) -> None:
    """The opponent plays on without naming the point: the nearest one that makes a legal move is taken, in doubt."""
    event = between.event
    if event.from_point is None:
        return
    candidates = [Move(event.from_point, point) for point in event.candidates]
    legal = [move for move in candidates if is_legal(sitting.position, move)]
    if not legal:
        return
    put_ply(sitting, MoveSeen(sitting.t, legal[0], event.t_lifted, event.t, HALF_SURE), event.t, press_counts=False)
    doubts.report_assumed(sitting, candidates, HALF_SURE, event.candidates, event.t)


def put_ply(
    sitting: Sitting, event: MoveSeen, done_at: float, press_counts: bool = True, replaced: Ply | None = None
) -> None:
    """Record the move and say everything the rules make of it.

    replaced : the ply in whose place it stands, with what the clock showed then.
    """
    before = sitting.position
    turn = sitting.table.turn
    ply = make_ply(sitting.table, event, done_at)
    if replaced is not None:
        ply = replace(ply, clock=replaced.clock)
    pending_touch = touching.judge_touch(sitting, ply, turn) if ply.side == before.side else None
    sitting.change(line=(*sitting.table.line, ply), differences=())
    if ply.done_at > sitting.table.disturbed_at:
        sitting.change(disturbed_points=())
    sitting.say(move_record(sitting.table, ply))
    sitting.change(turn=next_turn(sitting.table, ply))
    if pending_touch is not None:
        sitting.report(pending_touch)
    if not ply.legal:
        report_illegal(sitting, ply, turn)
    elif event.seen_piece is not None and event.seen_piece != ply.piece:
        severity = Severity.NOTICE if ply.confidence >= SURE else Severity.DOUBT
        doubts.report_other_piece(sitting, event.seen_piece, severity)
    if press_counts:
        early_press.judge_press(sitting, ply, turn)
    early_press.judge_missing_press(sitting)
    _conclude(sitting, ply)


def _conclude(sitting: Sitting, ply: Ply) -> None:
    """Mate, stalemate, a general taken; else the rules about long games."""
    if kind_of(ply.captured) == KING:
        sitting.propose(ply.side, Termination.SUICIDE, "4.1.3")
        return
    if not ply.legal:
        return
    ended = status(ply.after)
    if ended is not Status.PLAYING:
        mate = ended is Status.CHECKMATE
        termination, clause = (Termination.CHECKMATE, "4.1.1") if mate else (Termination.STALEMATE, "4.1.2")
        flag = sitting.table.flags[ply.side]
        too_late = flag is not None and ply.done_at > flag[0] + flag[1]
        if ply.confidence >= SURE and not too_late:
            sitting.finish(("1-0", "0-1")[ply.side], termination, clause)
        elif not too_late:
            sitting.propose(ply.side, termination, clause)
        return
    long_game.judge_long_game(sitting, ply)
