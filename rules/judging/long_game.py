"""Long games: repetition, and the natural limit of rounds without a capture."""

from rules.adjudication import ALTERNATING, Ruling, Verdict, adjudicate
from rules.incident import IncidentKind, Json, Severity, Termination
from rules.judging.report import Report
from rules.judging.sitting import Sitting
from rules.judging.table import Ply, Table
from rules.ordinals import ordinal
from rules.piece import BLACK, CANNON, CHARIOT, HORSE, RED, SIDE_NAMES, SOLDIER, Side, kind_of, other
from rules.point import format_point
from rules.repetition import Line

_ATTACKING = (CHARIOT, HORSE, CANNON, SOLDIER)
"""Without any of these on the board neither side can win (4.2.2)."""


def judge_long_game(sitting: Sitting, ply: Ply) -> None:
    """After a legal ply that ends nothing."""
    _judge_repetition(sitting, ply)
    _judge_natural_limit(sitting, ply)
    if ply.captured and not any(kind_of(piece) in _ATTACKING for piece in ply.after.board):
        sitting.propose(None, Termination.NEITHER_CAN_WIN, "4.2.2")


def _judge_repetition(sitting: Sitting, ply: Ply) -> None:
    """Report a repeated position once, with its ruling; and that a side told to deviate did not."""
    table = sitting.table
    verdict = adjudicate(_present_line(table), table.profile, table.start)
    if verdict.ruling is Ruling.NONE:
        if verdict.count == 1:
            sitting.change(repetition_reported=None, deviate=None)
        return
    first_ruling = verdict.clause != ALTERNATING and table.repetition_reported == ALTERNATING
    if table.repetition_reported is None or first_ruling:
        deviate = verdict.side if verdict.ruling is Ruling.MUST_DEVIATE else None
        sitting.change(repetition_reported=verdict.clause, deviate=deviate)
        _report_repetition(sitting, verdict, ply)
    elif table.deviate is not None and verdict.count > table.profile.repetitions:
        sitting.propose(other(table.deviate), Termination.NOT_DEVIATED, "4.1.5")


def _present_line(table: Table) -> Line:
    """The plies that may lead round to the present position: legal, and nothing corrected in between."""
    first = len(table.line)
    while first > 0 and table.line[first - 1].legal:
        if first < len(table.line) and table.line[first - 1].after != table.line[first].before:
            break
        first -= 1
        if table.line[first].captured:
            break
    plies = table.line[first:]
    positions = (plies[0].before, *(ply.after for ply in plies))
    return Line(positions, tuple(ply.move for ply in plies))


def _report_repetition(sitting: Sitting, verdict: Verdict, ply: Ply) -> None:
    first_ply = sitting.table.ply - len(_present_line(sitting.table).moves)
    evidence: list[Json] = [
        {
            "ply": first_ply + e.ply,
            "label": e.label.kind.value,
            "targets": [format_point(point) for point in e.label.targets],
            "sure": e.label.sure,
            "doubt": e.label.doubt,
            "idle_as": None if e.label.idle_as is None else e.label.idle_as.value,
        }
        for e in verdict.evidence
    ]
    action = {Ruling.LOSS: "loss", Ruling.DRAW: "draw"}.get(verdict.ruling, verdict.ruling.value)
    side_name = None if verdict.side is None else SIDE_NAMES[verdict.side]
    remedy: Json = {"action": action, "ruling": verdict.ruling.value, "side": side_name, "count": verdict.count}
    by_claim = not sitting.table.profile.repetition_unasked
    what_zh, what_en = _what_stood(verdict, sitting.table.profile.alternating_rounds)
    seq = sitting.report(
        Report(
            IncidentKind.REPETITION,
            Severity.NOTICE if verdict.ruling is Ruling.DRAW else Severity.DOUBT,
            verdict.side,
            (),
            verdict.clause,
            ply.done_at,
            {**remedy, "on_claim": by_claim, "evidence": evidence},
            facts={"what_zh": what_zh, "what_en": what_en},
        )
    )
    if verdict.ruling is Ruling.LOSS and verdict.side is not None:
        sitting.propose(other(verdict.side), Termination.PERPETUAL_CHECK, "4.1.4", seq)
    elif verdict.ruling is Ruling.DRAW:
        sitting.propose(None, Termination.REPETITION, "4.2.3", seq)


def _what_stood(verdict: Verdict, rounds: int) -> tuple[str, str]:
    if verdict.clause == ALTERNATING:
        return f"连续{rounds}回合将杀捉交替", f"{rounds} rounds of check, kill and chase in turn"
    return f"同一局面第{verdict.count}次出现", f"the position stands for the {ordinal(verdict.count)} time"


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
