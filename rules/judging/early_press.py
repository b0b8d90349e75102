"""Presses against moves: pressed before moving, or moved and not pressed.

Press and move are both known only within some time: intervals are compared, never instants.
"""

from rules.event import PieceBetween
from rules.incident import IncidentKind, Severity
from rules.judging.report import Report
from rules.judging.sitting import Sitting
from rules.judging.table import NOT_SEEING, Ply, Table, Turn
from rules.piece import SIDE_NAMES, Side, other, side_of

FRAME_S = 0.3
"""How much later than it happened a move may be timed by the eye: some frames, and the hand before the piece."""
MOVE_WAIT_S = 8.0
"""So long after a press its move may still be unseen under hands before the missing move is reported."""
CLEAR_WAIT_S = 4.0
"""So long after the board is seen again as well: what was done unseen has to come to light first."""
FOUND_S = 2.0
"""A move known so soon after the board is seen again may have been made while it was not."""
PRESS_WAIT_S = 10.0
"""So long after a move its press may be missing before that is reported."""
UNSURE = 0.5
"""A ply no likelier than this says nothing of when it was made."""
SURE = 0.95
"""Probability of the move from which a press before it can be a breach."""


def on_early_press(sitting: Sitting, t: float, uncertainty_s: float) -> None:
    """The side to move pressed, and no move of it is known yet."""
    sitting.change_turn(early_press=t, early_press_uncertainty_s=uncertainty_s)


def judge_press(sitting: Sitting, ply: Ply, turn: Turn) -> None:
    """Whether the press that came before `ply` was known also came before it was made."""
    if turn.early_press is None or ply.side != ply.before.side:
        return
    latest = turn.early_press + turn.early_press_uncertainty_s + FRAME_S
    if ply.done_at <= latest or _may_be_older(sitting.table, turn.early_press, ply):
        return
    if ply.confidence <= UNSURE or (ply.t_before is not None and ply.t_before <= latest):
        # An arm may have lain over it all the while: then it may have been made before the press as well.
        return
    lifted_after = ply.t_lifted is not None and ply.t_lifted > latest
    sure = lifted_after and ply.t_placed is not None and ply.confidence >= SURE
    # A move only begun before the press is a doubt as well: the hand may have let go between two frames.
    _report(sitting, ply.side, Severity.BREACH if sure else Severity.DOUBT, turn, ply_number=sitting.table.ply)


def _may_be_older(table: Table, pressed_at: float, ply: Ply) -> bool:
    """Whether the move may have been made before the press, while the board was not seen."""
    again = table.seen_again_at
    return again is not None and pressed_at <= again and ply.done_at <= again + FOUND_S


def report_due_press(sitting: Sitting) -> None:
    """Report a press that no move followed for a while, as a doubt: the eye may have missed the move."""
    due = next_early_press_at(sitting.table)
    if due is None or sitting.t < due:
        return
    turn = sitting.table.turn
    seq = _report(sitting, sitting.position.side, Severity.DOUBT, turn, ply_number=sitting.table.ply)
    sitting.change_turn(early_press_seq=seq)


def next_early_press_at(table: Table) -> float | None:
    """When a press with no move becomes due to be reported."""
    turn = table.turn
    if turn.early_press is None or turn.early_press_seq is not None or table.between is not None:
        return None
    if table.view in NOT_SEEING or not table.clock.heard or table.disturbed is not None:
        return None
    due = turn.early_press + MOVE_WAIT_S
    return due if table.seen_again_at is None else max(due, table.seen_again_at + CLEAR_WAIT_S)


def _report(sitting: Sitting, side: Side, severity: Severity, turn: Turn, ply_number: int) -> int:
    assert turn.early_press is not None
    limit = sitting.table.profile.clock_before_move_to_lose
    return sitting.report(
        Report(
            IncidentKind.CLOCK_BEFORE_MOVE,
            severity,
            side,
            (),
            "4.1.9",
            turn.early_press,
            {
                "action": "warning",
                "limit": limit,
                "pressed_at": round(turn.early_press, 3),
                "uncertainty_s": turn.early_press_uncertainty_s,
            },
            foul=True,
            updates=turn.early_press_seq,
            ply=ply_number,
        )
    )


def press_after(table: Table, between: PieceBetween) -> float | None:
    """When the player, to move, pressed after letting a piece go between points; None where it did not yet."""
    side = side_of(between.piece)
    clock, position = table.clock, table.position
    pressed = clock.presses[side]
    if pressed is None or position is None or side != position.side or clock.running == side:
        return None
    since = table.line[-1].done_at if table.line else 0.0
    lifted = since if between.t_lifted is None else max(since, between.t_lifted)
    return pressed if pressed + clock.uncertainty_s > lifted else None


def released_at(table: Table, between: PieceBetween) -> float:
    """When a piece that lies between points was let go: before it was seen there, and before the press."""
    pressed = press_after(table, between)
    return between.t if pressed is None else min(between.t, pressed)


def judge_missing_press(sitting: Sitting) -> None:
    """After a new ply: whether the side that moved before it never pressed."""
    table = sitting.table
    if len(table.line) >= 2:
        _report_not_pressed(sitting, table.line[-2], table.line[-1].turn)


def report_due_missing_press(sitting: Sitting) -> None:
    """Report that the last move was not followed by a press for a while."""
    due = next_missing_press_at(sitting.table)
    if due is None or sitting.t < due:
        return
    _report_not_pressed(sitting, sitting.table.line[-1], sitting.table.turn)
    sitting.change_turn(not_pressed_reported=True)


def next_missing_press_at(table: Table) -> float | None:
    """When a missing press becomes due to be reported."""
    if not table.line or table.turn.not_pressed_reported or not _not_pressed(table, table.line[-1]):
        return None
    return table.line[-1].done_at + PRESS_WAIT_S


def _not_pressed(table: Table, ply: Ply) -> bool:
    """Whether the clock still runs for who made `ply`, and no press explains it."""
    clock = table.clock
    if not clock.heard or clock.running != ply.side or ply.side == ply.after.side or table.result is not None:
        return False
    pressed = clock.presses[ply.side]
    # Without any press so far the clock is not in use yet, or was started by somebody else.
    if clock.presses == (None, None):
        return False
    answered = clock.presses[other(ply.side)]
    if answered is not None and answered > ply.done_at:
        # The opponent has pressed since: its time was running, whoever set it so.
        return False
    return pressed is None or pressed < ply.done_at - clock.uncertainty_s - FRAME_S


def _report_not_pressed(sitting: Sitting, ply: Ply, turn: Turn) -> None:
    if turn.not_pressed_reported or not _not_pressed(sitting.table, ply):
        return
    sitting.report(
        Report(
            IncidentKind.CLOCK_NOT_PRESSED,
            Severity.NOTICE,
            ply.side,
            (),
            "21.5",
            ply.done_at,
            {"action": "press", "side": SIDE_NAMES[ply.side]},
        )
    )
