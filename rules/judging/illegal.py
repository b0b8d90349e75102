"""Illegal moves: what a ply that breaks the rules is, and what follows (clauses 3.4, 4.1.3, 4.1.8, 5.8)."""

from rules.incident import IncidentKind, Json, Severity, Termination
from rules.judging.counting import count_of
from rules.judging.report import Report
from rules.judging.shown import shown_move
from rules.judging.sitting import Sitting
from rules.judging.table import Ply, Turn
from rules.legality import is_pseudo_legal

SURE = 0.95
"""A move seen with at least this probability can be a breach; below it the arbiter has to look."""
DOUBTED_PLIES = 6
"""So many plies back one in doubt makes a later one doubtful: so many the eye still corrects by itself."""


def report_illegal(sitting: Sitting, ply: Ply, turn: Turn) -> None:
    """Say what an illegal ply is: out of turn, suicide, or against the rules of movement.

    turn : what had happened since the ply before it.
    """
    sure = ply.confidence >= SURE and not _record_is_open(sitting)
    severity = Severity.BREACH if sure else Severity.DOUBT
    points = (ply.move.from_point, ply.move.to_point)
    facts: Json = {"played": shown_move(ply.before, ply.move)}
    if ply.side != ply.before.side:
        # A press of the side that should have moved says that its move went unseen.
        if turn.early_press is not None or _turn_is_open(sitting):
            severity = Severity.DOUBT
        remedy: Json = {"action": "resume_turn", "ply": sitting.table.ply}
        report = Report(IncidentKind.OUT_OF_TURN, severity, ply.side, points, "5.8", ply.done_at, remedy)
    elif is_pseudo_legal(ply.before, ply.move):
        remedy = {"action": "loss", "ply": sitting.table.ply}
        report = Report(IncidentKind.SUICIDE, severity, ply.side, points, "3.4", ply.done_at, remedy)
        report.loses = (Termination.SUICIDE, "4.1.3")
    else:
        profile = sitting.table.profile
        count = count_of(sitting.table, IncidentKind.ILLEGAL_MOVE, ply.side) + 1
        loses = count >= profile.illegal_moves_to_lose
        # 5.8.3 has the game go on: it cannot be the clause of a move that loses it.
        clause = "4.1.8" if loses or profile.released_illegal_is_final else "5.8.3"
        remedy = {
            "action": "loss" if loses else "resume_before",
            "ply": sitting.table.ply,
            "within_rounds": profile.correction_rounds,
            "count": count,
            "loses_at": profile.illegal_moves_to_lose,
        }
        report = Report(IncidentKind.ILLEGAL_MOVE, severity, ply.side, points, clause, ply.done_at, remedy)
    report.pieces = (ply.piece,)
    report.facts = facts
    sitting.report(report)


def _record_is_open(sitting: Sitting) -> bool:
    """Whether a ply shortly before is in doubt: with another in its place this one may be lawful.

    Not where the arbiter has ruled on that doubt, or has set the position since.
    """
    table = sitting.table
    ruled = {
        entry.ply
        for entry in table.entries
        if entry.kind is IncidentKind.RECORD_DOUBT and entry.points and (entry.dismissed or entry.upheld)
    }
    first = max(0, table.ply - 1 - DOUBTED_PLIES)
    for number in range(table.ply - 1, first, -1):
        earlier = table.line[number - 1]
        if earlier.after != earlier.before.play(earlier.move):
            return False
        if earlier.confidence < SURE and number not in ruled:
            return True
    return False


def _turn_is_open(sitting: Sitting) -> bool:
    """Whether the ply before was withdrawn in doubt: whose turn it was is in doubt with it."""
    table = sitting.table
    return any(
        entry.kind is IncidentKind.TAKE_BACK and entry.ply == table.ply and not entry.dismissed and not entry.counts
        for entry in table.entries
    )
