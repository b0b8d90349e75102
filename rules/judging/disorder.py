"""Pieces out of order: between points (5.10, 29.2), pushed off their points (5.9), or not as on record (5.8.2)."""

from dataclasses import replace

from rules.disorder_texts import When, tell_disturbance, tell_origin, tell_press, tell_time_left
from rules.event import (
    BetweenResolved,
    BoardCleared,
    BoardDiffers,
    ClockEvent,
    MoveSeen,
    PieceBetween,
    PiecesDisturbed,
    PiecesRestored,
)
from rules.incident import IncidentKind, Json, ResultRecord, Severity, Termination
from rules.judging import early_press, moves
from rules.judging.report import Report
from rules.judging.sitting import Sitting
from rules.judging.table import ClockState, OpenBetween, OpenDisturbance
from rules.legality import is_legal
from rules.messages import Text, name_piece
from rules.move import Move
from rules.piece import EMPTY, SIDE_NAMES, Piece, Side, letter_of, other, side_of
from rules.point import Point, format_point

READ_OF_TWO = 0.97
"""Confidence of a move whose piece lay between points and then was put on one."""
SURE_DIFFERENCE = 0.5
"""A difference with less probability than this is only a notice."""


def on_piece_between(sitting: Sitting, event: PieceBetween) -> None:
    """A released piece lies between points: the press, or quick play, makes it an incident."""
    table = sitting.table
    if table.position is None or table.result is not None or table.cleared:
        return
    known = table.between
    same = known is not None and known.event.from_point == event.from_point and known.event.piece == event.piece
    if same and known is not None and known.seq is not None:
        sitting.change(between=replace(known, event=event))
        return
    sitting.change(between=OpenBetween(event, None))
    pressed_at = early_press.press_after(table, event)
    if pressed_at is not None:
        sitting.change_turn(early_press=None)
        _report_between(sitting, pressed_at, pressed=True)
    elif table.profile.between_points_is_foul or not table.clock.heard:
        _report_between(sitting, event.t, pressed=False)


def pressed_between(sitting: Sitting, side: Side, press: ClockEvent) -> bool:
    """A press while a piece of the presser lies between points; True where that is what the press means."""
    between = sitting.table.between
    if between is None or side_of(between.event.piece) != side:
        return False
    _report_between(sitting, press.t, pressed=True)
    return True


def _report_between(sitting: Sitting, t_happened: float, pressed: bool) -> None:
    between = sitting.table.between
    assert between is not None
    event, profile = between.event, sitting.table.profile
    foul = profile.between_points_is_foul
    sure = pressed or foul
    remedy: Json = {
        "action": "opponent_names_point" if pressed or not foul else "straighten",
        "candidates": [_candidate(sitting, event, point) for point in event.candidates],
        "foul": foul,
    }
    seq = sitting.report(
        Report(
            IncidentKind.BETWEEN_POINTS,
            Severity.BREACH if sure else Severity.DOUBT,
            side_of(event.piece),
            event.candidates,
            "29.2" if foul else "5.10",
            t_happened,
            remedy,
            pieces=(event.piece,),
            foul=foul,
            updates=between.seq,
            facts={
                "piece": name_piece(event.piece),
                "origin": tell_origin(event.from_point, side_of(event.piece)),
                "pressed": tell_press(pressed if pressed or sitting.table.clock.heard else None),
            },
        )
    )
    sitting.change(between=replace(between, seq=seq, told_as=(*between.told_as, seq)))


def _candidate(sitting: Sitting, event: PieceBetween, point: Point) -> Json:
    move = None if event.from_point is None else Move(event.from_point, point)
    legal = move is not None and is_legal(sitting.position, move)
    return {"point": format_point(point), "move": None if move is None else str(move), "legal": legal}


def on_between_resolved(sitting: Sitting, event: BetweenResolved) -> None:
    """The piece stands on a point."""
    between = sitting.table.between
    if between is None or sitting.table.result is not None:
        return
    sitting.change(between=None)
    if event.point is not None:
        play_between(sitting, between, event.point)


def play_between(sitting: Sitting, between: OpenBetween, point: Point) -> None:
    """The piece that lay between points counts as moved to `point`."""
    start = between.event.from_point
    if start is None or start == point or sitting.position.piece_at(start) == EMPTY:
        return
    seen = MoveSeen(sitting.t, Move(start, point), between.event.t_lifted, sitting.t, READ_OF_TWO)
    # Released when it lay there: the press that followed did not come before the move.
    moves.put_ply(sitting, seen, early_press.released_at(sitting.table, between.event), press_counts=False)


def on_pieces_disturbed(sitting: Sitting, event: PiecesDisturbed) -> None:
    """Several pieces left their points."""
    table = sitting.table
    if table.position is None or table.result is not None or table.cleared:
        return
    if len(event.points) < 2 and not event.off_board:
        return
    known = table.disturbed
    if known is not None and set(event.points) <= set(known.event.points):
        return
    sitting.change_turn(touches=())
    sitting.change(disturbed_points=event.points, disturbed_at=event.t)
    _report_disturbed(sitting, event, None if known is None else known.seq, None)


def pressed_while_disturbed(sitting: Sitting, side: Side, press: ClockEvent) -> None:
    """Who disturbed pieces presses before they stand again: now it is the opponent's time."""
    known = sitting.table.disturbed
    if known is None or known.event.hand_side != side:
        return
    entry = sitting.table.entry(known.seq)
    if entry is not None and entry.severity is Severity.NOTICE:
        _report_disturbed(sitting, known.event, known.seq, press)


def _report_disturbed(sitting: Sitting, event: PiecesDisturbed, updates: int | None, press: ClockEvent | None) -> None:
    table, clock = sitting.table, sitting.table.clock
    side = event.hand_side
    whose_time = clock.running if clock.heard and clock.running is not None else sitting.position.side
    happened = event.t_start if press is None else max(event.t_start, press.t)
    off_board = [format_point(point) for point in event.off_board]
    when = None if side is None else _when(clock, side, own_time=side == whose_time, press=press)
    foul, loses = False, None
    remedy: Json
    if side is None:
        severity, remedy = Severity.DOUBT, {"action": "restore", "off_board": off_board}
    elif side == whose_time:
        severity, remedy = Severity.NOTICE, {"action": "restore", "off_board": off_board}
    else:
        severity, remedy = _penalty(sitting, side, max(happened, clock.t or happened))
        remedy = {**remedy, "restore": True, "off_board": off_board}
        foul = table.profile.disturbance_is_foul
        remedy["foul"] = foul
        loses = (Termination.DISTURBED_PIECES, "5.9") if remedy["action"] == "loss" else None
    remedy["when"] = None if when is None else when.value
    seq = sitting.report(
        Report(
            IncidentKind.DISTURBED_PIECES,
            severity,
            side,
            event.points,
            "5.9",
            happened,
            remedy,
            foul=foul,
            loses=loses,
            updates=updates,
            facts={
                "how": tell_disturbance(when, event.off_board),
                "grounds": Text("", "") if side is None else tell_time_left(remedy, side),
            },
        )
    )
    sitting.change(disturbed=OpenDisturbance(event, seq))


def _when(clock: ClockState, side: Side, own_time: bool, press: ClockEvent | None) -> When:
    """When `side` disturbed pieces; press: the one before which it had not put them right."""
    if own_time:
        return When.OWN_TIME
    if press is not None:
        return When.NOT_PUT_RIGHT
    pressed = clock.heard and clock.running == other(side) and clock.presses[side] is not None
    return When.AFTER_PRESS if pressed else When.OPPONENTS_TIME


def _penalty(sitting: Sitting, side: Side, t: float) -> tuple[Severity, Json]:
    """What disturbing pieces in the opponent's time costs, by the profile and the opponent's clock."""
    profile, clock = sitting.table.profile, sitting.table.clock
    limit, added = profile.disturbance_limit_s, profile.disturbance_compensation_s
    if limit is None or added is None:
        return Severity.DOUBT, {"action": "restore"}
    opponent = other(side)
    left = clock.remaining_s(opponent, t)
    remedy: Json = {
        "action": "add_time",
        "side": SIDE_NAMES[opponent],
        "seconds": int(added),
        "opponent_s": None if left is None else round(left, 1),
        "limit_s": int(limit),
    }
    if left is None or not clock.heard:
        return Severity.DOUBT, {**remedy, "if_opponent_has_less": "loss"}
    # Between two readings the time gone is known only within the clock's uncertainty; in doubt the milder.
    shown = left + clock.uncertainty_s
    if shown >= limit:
        unsure = left - clock.uncertainty_s < limit and clock.uncertainty_s > 0 and left != limit
        return (Severity.DOUBT, {**remedy, "if_opponent_has_less": "loss"}) if unsure else (Severity.BREACH, remedy)
    return Severity.BREACH, {**remedy, "action": "loss", "side": SIDE_NAMES[side], "seconds": 0}


def on_pieces_restored(sitting: Sitting, event: PiecesRestored) -> None:
    """The disturbed pieces stand again."""
    if sitting.table.disturbed is not None:
        sitting.change(disturbed=None)


def on_board_differs(sitting: Sitting, event: BoardDiffers) -> None:
    """The board shows something that no move explains."""
    table = sitting.table
    if table.position is None or table.result is not None or table.cleared or not event.differences:
        return
    if set(event.differences) <= set(table.differences):
        return
    sitting.change(differences=event.differences)
    profile = table.profile
    rounds_back = profile.correction_rounds
    points = tuple(point for point, _, _ in event.differences)
    sitting.report(
        Report(
            IncidentKind.BOARD_DIFFERS,
            Severity.DOUBT if event.probability >= SURE_DIFFERENCE else Severity.NOTICE,
            None,
            points,
            "5.8.2",
            event.t if event.t_start is None else event.t_start,
            {
                "action": "restore_record",
                "differences": [
                    {"point": format_point(p), "record": _letter(on_record), "seen": _letter(seen)}
                    for p, on_record, seen in event.differences
                ],
                "within_rounds": rounds_back,
                "earliest_ply": max(0, table.ply - 2 * rounds_back),
                "probability": round(event.probability, 3),
            },
            pieces=tuple(piece for _, piece, _ in event.differences if piece != EMPTY),
        )
    )


def _letter(piece: Piece | None) -> str | None:
    return None if piece is None else "" if piece == EMPTY else letter_of(piece)


def on_board_cleared(sitting: Sitting, event: BoardCleared) -> None:
    """The pieces were swept: there will be no more moves of this game."""
    table = sitting.table
    if table.position is None or table.result is not None or table.cleared:
        return
    sitting.change(cleared=True, between=None, disturbed=None)
    if table.proposed is None:
        sitting.say(ResultRecord(event.t, "*", Termination.BOARD_CLEARED, None, final=False))
