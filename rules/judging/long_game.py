"""Long games: repetition, and the natural limit of rounds without a capture."""

from rules.incident import IncidentKind, Severity, Termination
from rules.judging.report import Report
from rules.judging.sitting import Sitting
from rules.judging.table import Ply, Table
from rules.piece import BLACK, RED, SIDE_NAMES, Side


def judge_long_game(sitting: Sitting, ply: Ply) -> None:
    """After a legal ply that ends nothing."""
    _judge_natural_limit(sitting, ply)


def audited_rounds(table: Table, claimant: Side) -> int:
    """Rounds without a capture as the audit of 22.2 counts them for who claims: his checks only up to a number."""
    position = table.position
    assert position is not None
    plies = position.plies_without_capture
    recent = table.line[max(0, len(table.line) - plies) :]
    checks = sum(ply.check and ply.side == claimant for ply in recent)
    return plies // 2 - max(0, checks - table.profile.natural_limit_checks)


def _judge_natural_limit(sitting: Sitting, ply: Ply) -> None:
    table = sitting.table
    if ply.captured:
        sitting.change(limit_reported=False)
        return
    limit = table.profile.natural_limit_rounds
    if table.limit_reported or ply.after.plies_without_capture < 2 * limit:
        return
    audited = {side: audited_rounds(table, side) for side in (RED, BLACK)}
    claimants = [SIDE_NAMES[side] for side in (RED, BLACK) if audited[side] >= limit]
    if not claimants:
        return
    sitting.change(limit_reported=True)
    unasked = table.profile.natural_limit_unasked
    seq = sitting.report(
        Report(
            IncidentKind.NATURAL_LIMIT,
            Severity.NOTICE,
            None,
            (),
            "29.1" if unasked else "4.2.4",
            ply.done_at,
            {
                "action": "draw" if unasked else "claim",
                "rounds": ply.after.plies_without_capture // 2,
                "limit": limit,
                "audited": {SIDE_NAMES[side]: rounds for side, rounds in audited.items()},
                "may_claim": claimants,
            },
        )
    )
    sitting.propose(None, Termination.NATURAL_LIMIT, "4.2.4", seq)
