"""Moves: what a seen move is by the rules of movement."""

from dataclasses import replace

from rules.event import MoveSeen, RecordDoubt
from rules.fen import format_fen
from rules.incident import (
    ClockShown,
    IncidentKind,
    Json,
    MoveRecord,
    Severity,
    Termination,
)
from rules.judging import early_press, long_game, touching
from rules.judging.board import learn_whose_turn
from rules.judging.report import Report
from rules.judging.shown import chinese_or_none, shown_move
from rules.judging.sitting import Sitting
from rules.judging.table import OpenBetween, Ply, Table, Turn
from rules.legality import Status, in_check, is_legal, is_pseudo_legal, status
from rules.move import Move
from rules.piece import BLACK, EMPTY, KING, RED, kind_of, other, side_of

SURE = 0.95
"""A move seen with at least this probability can be a breach; below it the arbiter has to look."""
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
    sitting.report(
        Report(
            IncidentKind.RECORD_DOUBT,
            Severity.DOUBT,
            None,
            event.candidates,
            None,
            event.t,
            {
                "action": "check_record",
                "ply": sitting.table.ply,
                "recorded": str(legal[0]),
                "alternatives": [str(move) for move in candidates if move != legal[0]],
                "probability": HALF_SURE,
            },
            pieces=(event.piece,),
        )
    )


def put_ply(
    sitting: Sitting, event: MoveSeen, done_at: float, press_counts: bool = True, clock: ClockShown | None = None
) -> None:
    """Record the move and say everything the rules make of it.

    clock : what the clock showed, where the move was made long ago; else what it shows now.
    """
    before = sitting.position
    turn = sitting.table.turn
    ply = _make_ply(sitting.table, event, done_at)
    if clock is not None:
        ply = replace(ply, clock=clock)
    pending_touch = touching.judge_touch(sitting, ply) if ply.side == before.side else None
    sitting.change(line=(*sitting.table.line, ply), differences=())
    if ply.done_at > sitting.table.disturbed_at:
        sitting.change(disturbed_points=())
    sitting.say(_record(sitting.table, ply))
    sitting.change(turn=_next_turn(sitting.table, ply))
    if pending_touch is not None:
        sitting.report(pending_touch)
    if not ply.legal:
        _report_illegal(sitting, ply, turn)
    elif event.seen_piece is not None and event.seen_piece != ply.piece:
        _report_other_piece(sitting, ply, event)
    if press_counts:
        early_press.judge_press(sitting, ply, turn)
    early_press.judge_missing_press(sitting)
    _conclude(sitting, ply)


def _make_ply(table: Table, event: MoveSeen, done_at: float) -> Ply:
    before = table.position
    assert before is not None
    piece = before.piece_at(event.move.from_point)
    side = side_of(piece)
    as_mover = before if side == before.side else replace(before, side=side)
    after = as_mover.play(event.move)
    return Ply(
        move=event.move,
        side=side,
        piece=piece,
        captured=before.piece_at(event.move.to_point),
        legal=side == before.side and is_legal(before, event.move),
        check=in_check(after, other(side)),
        before=before,
        after=after,
        t=event.t,
        t_lifted=event.t_lifted,
        t_placed=event.t_placed,
        done_at=done_at,
        confidence=event.confidence,
        clock=_clock_shown(table, done_at, event.t),
        turn=table.turn,
    )


def _clock_shown(table: Table, done_at: float, known_at: float) -> ClockShown | None:
    """What the clock showed when a move was made, counted on from its last reading."""
    clock = table.clock
    if clock.t is None:
        return None
    then = max(done_at, clock.t)
    red_s, black_s = clock.remaining_s(RED, then), clock.remaining_s(BLACK, then)
    return ClockShown(_tenths(red_s), _tenths(black_s), max(0.0, known_at - clock.t))


def _tenths(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)


def _record(table: Table, ply: Ply) -> MoveRecord:
    return MoveRecord(
        t=ply.t,
        ply=table.ply,
        side=ply.side,
        move=ply.move,
        chinese=chinese_or_none(ply.before, ply.move),
        captured=ply.captured,
        fen=format_fen(ply.after),
        t_lifted=ply.t_lifted,
        t_placed=ply.t_placed,
        confidence=ply.confidence,
        legal=ply.legal,
        clock=ply.clock,
    )


def _next_turn(table: Table, ply: Ply) -> Turn:
    """The turn after `ply`: a press of the next side may be known before its move is."""
    pressed, next_pressed = table.clock.presses[ply.side], table.clock.presses[other(ply.side)]
    since = ply.done_at if pressed is None else max(ply.done_at, pressed)
    if next_pressed is not None and next_pressed > since and table.clock.running == ply.side:
        return Turn(early_press=next_pressed, early_press_uncertainty_s=table.clock.uncertainty_s)
    return Turn()


def _report_illegal(sitting: Sitting, ply: Ply, turn: Turn) -> None:
    severity = Severity.BREACH if ply.confidence >= SURE else Severity.DOUBT
    points = (ply.move.from_point, ply.move.to_point)
    facts: Json = {"played": shown_move(ply)}
    if ply.side != ply.before.side:
        # A press of the side that should have moved says that its move went unseen.
        if turn.early_press is not None or ply.confidence < SURE:
            severity = Severity.DOUBT
        remedy: Json = {"action": "resume_turn", "ply": sitting.table.ply}
        report = Report(IncidentKind.OUT_OF_TURN, severity, ply.side, points, "5.8", ply.done_at, remedy)
    elif is_pseudo_legal(ply.before, ply.move):
        remedy = {"action": "loss", "ply": sitting.table.ply}
        report = Report(IncidentKind.SUICIDE, severity, ply.side, points, "3.4", ply.done_at, remedy)
    else:
        clause = "4.1.8" if sitting.table.profile.released_illegal_is_final else "5.8.3"
        remedy = {
            "action": "resume_before",
            "ply": sitting.table.ply,
            "within_rounds": sitting.table.profile.correction_rounds,
            "loses_at": sitting.table.profile.illegal_moves_to_lose,
        }
        report = Report(IncidentKind.ILLEGAL_MOVE, severity, ply.side, points, clause, ply.done_at, remedy)
    report.pieces = (ply.piece,)
    report.facts = facts
    seq = sitting.report(report)
    if report.kind is IncidentKind.SUICIDE and severity is Severity.BREACH:
        sitting.propose(other(ply.side), Termination.SUICIDE, "4.1.3", seq)


def _report_other_piece(sitting: Sitting, ply: Ply, event: MoveSeen) -> None:
    """The eye reads another piece on the point than the one carried there."""
    assert event.seen_piece is not None
    severity = Severity.NOTICE if ply.confidence >= SURE else Severity.DOUBT
    sitting.report(
        Report(
            IncidentKind.RECORD_DOUBT,
            severity,
            None,
            (ply.move.to_point,),
            None,
            event.t,
            {"action": "check_record", "ply": sitting.table.ply, "probability": round(ply.confidence, 4)},
            pieces=(event.seen_piece,),
        )
    )


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


def on_record_doubt(sitting: Sitting, event: RecordDoubt) -> None:
    """The eye is not sure of a ply."""
    if not 1 <= event.ply <= sitting.table.ply or sitting.table.cleared:
        return
    ply = sitting.table.line[event.ply - 1]
    points = {point: None for move in (ply.move, *event.alternatives) for point in (move.from_point, move.to_point)}
    sitting.report(
        Report(
            IncidentKind.RECORD_DOUBT,
            Severity.DOUBT,
            None,
            tuple(points),
            None,
            event.t,
            {
                "action": "check_record",
                "ply": event.ply,
                "recorded": str(ply.move),
                "alternatives": [str(move) for move in event.alternatives],
                "probability": round(event.probability, 4),
            },
            pieces=(ply.piece,),
            ply=event.ply,
        )
    )
