"""Claims that the arbiter hears and enters: offers of a draw (4.3, 22.1), the natural limit (22.2)."""

from rules.incident import IncidentKind, Json, Severity, Termination
from rules.judging.long_game import audited_rounds
from rules.judging.report import Report
from rules.judging.sitting import Sitting
from rules.judging.table import Table
from rules.piece import SIDE_NAMES, Side, other


def read_side(name: object) -> Side | None:
    """A side by its name; None where it is none."""
    return Side(SIDE_NAMES.index(name)) if isinstance(name, str) and name in SIDE_NAMES else None


def judge_offer(table: Table, side: Side) -> Json:
    """Whether `side` may offer a draw now, and by which clause not."""
    position, profile = table.position, table.profile
    if position is None:
        return {"allowed": False, "clause": None}
    window = profile.no_draw_offer_rounds
    if window is not None and position.round_number <= window:
        return {"allowed": False, "clause": "4.3"}
    own_time = table.clock.running if table.clock.heard else position.side
    if own_time is not None and own_time != side:
        return {"allowed": False, "clause": "22.1"}
    if table.offers[side] + 1 - table.offers[other(side)] > profile.draw_offer_surplus:
        return {"allowed": False, "clause": "22.1"}
    return {"allowed": True, "clause": "4.2.1"}


def enter_offer(sitting: Sitting, side: Side) -> None:
    """Count an offer of a draw; it cannot be withdrawn, and playing on refuses it."""
    red, black = sitting.table.offers
    sitting.change(offers=(red, black + 1) if side else (red + 1, black))


def judge_limit_claim(sitting: Sitting, side: Side) -> None:
    """Audit a claim of the natural limit: a draw where it is true, a foul and lost time where it is not."""
    table = sitting.table
    if table.position is None:
        return
    profile = table.profile
    rounds = audited_rounds(table, side)
    remedy: Json = {"rounds": rounds, "limit": profile.natural_limit_rounds, "claimant": SIDE_NAMES[side]}
    if rounds >= profile.natural_limit_rounds:
        report = Report(IncidentKind.NATURAL_LIMIT, Severity.NOTICE, None, (), "22.2", sitting.t)
        report.remedy = {"action": "draw", **remedy}
        seq = sitting.report(report)
        sitting.propose(None, Termination.NATURAL_LIMIT, "4.2.4", seq)
        return
    taken_s = int(profile.false_claim_penalty_s)
    false = Report(IncidentKind.NATURAL_LIMIT, Severity.BREACH, side, (), "22.2", sitting.t, foul=True)
    false.remedy = {"action": "false_claim", "seconds": -taken_s, "taken_s": taken_s, **remedy}
    sitting.report(false)
