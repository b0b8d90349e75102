"""Plies of which the eye is not sure, and what they may have been instead."""

from collections.abc import Sequence
from dataclasses import replace

from rules.event import RecordDoubt
from rules.incident import IncidentKind, Severity
from rules.judging.report import Report
from rules.judging.shown import shown_move
from rules.judging.sitting import Sitting
from rules.judging.table import Ply
from rules.legality import is_pseudo_legal
from rules.messages import name_doubted, name_other_piece
from rules.move import Move
from rules.piece import Piece
from rules.point import Point


def on_record_doubt(sitting: Sitting, event: RecordDoubt) -> None:
    """The eye is not sure of a ply."""
    if not 1 <= event.ply <= sitting.table.ply or sitting.table.cleared:
        return
    ply = sitting.table.line[event.ply - 1]
    possible = _possible(ply, event.alternatives)
    points = {point: None for move in (ply.move, *possible) for point in (move.from_point, move.to_point)}
    _report(sitting, event.ply, possible, event.probability, tuple(points), event.t)


def report_assumed(
    sitting: Sitting, alternatives: Sequence[Move], probability: float, points: tuple[Point, ...], t: float
) -> None:
    """The last ply was put on one of `points`, and nobody had named it."""
    possible = _possible(sitting.table.line[-1], alternatives)
    _report(sitting, sitting.table.ply, possible, probability, points, t)


def report_other_piece(sitting: Sitting, seen: Piece, severity: Severity) -> None:
    """The eye reads another piece on the point of the last ply than the one carried there."""
    ply = sitting.table.line[-1]
    report = Report(IncidentKind.RECORD_DOUBT, severity, None, (ply.move.to_point,), None, ply.t)
    report.remedy = {
        "action": "check_record",
        "ply": sitting.table.ply,
        "recorded": str(ply.move),
        "probability": round(ply.confidence, 4),
    }
    report.pieces = (seen,)
    report.facts = {"recorded": shown_move(ply.before, ply.move), "instead": name_other_piece(seen)}
    sitting.report(report)


def _possible(ply: Ply, alternatives: Sequence[Move]) -> list[Move]:
    """Those of `alternatives` that a piece of the mover, or of the side on move, could have made."""
    positions = [replace(ply.before, side=side) for side in {ply.side, ply.before.side}]
    return [
        move
        for move in alternatives
        if move != ply.move and any(is_pseudo_legal(position, move) for position in positions)
    ]


def _report(
    sitting: Sitting, number: int, possible: Sequence[Move], probability: float, points: tuple[Point, ...], t: float
) -> None:
    ply = sitting.table.line[number - 1]
    report = Report(IncidentKind.RECORD_DOUBT, Severity.DOUBT, None, points, None, t, ply=number)
    report.remedy = {
        "action": "check_record",
        "ply": number,
        "recorded": str(ply.move),
        "alternatives": [str(move) for move in possible],
        "probability": round(probability, 4),
    }
    report.pieces = (ply.piece,)
    instead = name_doubted([shown_move(ply.before, move) for move in possible])
    report.facts = {"recorded": shown_move(ply.before, ply.move), "instead": instead}
    sitting.report(report)
