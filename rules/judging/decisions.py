"""The arbiter's word: incidents upheld or dismissed, the record corrected, the game ended.

What a decision changes, as its `change` says:
{"result": "1-0"}            the game is over; "*" opens it again; with "clause" where one is named
{"fen": ...}                 the official position is another one; later plies go on from it
{"ply": 3, "iccs": "h2e2"}   ply 3 was this move; the later ones are played again after it
{"ply": 3}                   ply 3 and all after it did not happen
with "was": "h0g2"           only where ply 3 still is that one; null: only where there is none yet
{"times": {"red_s": 900}}    the official times, of one side or both, until the clock says others
{"undo": 12}                 with `noted`: the ruling that decision 12 gave is taken back
{"point": "e4"}              where the piece that lies between points counts as standing (5.10)
{"draw_offer": "red"}        Red offers a draw; the record says whether it may
{"limit_claim": "red"}       Red claims the natural limit; it is audited (22.2)
"""

from dataclasses import replace

from rules.errors import NotationError, RulesError
from rules.event import Decision, MoveSeen, WithdrawnWhy
from rules.fen import parse_fen
from rules.iccs import parse_iccs
from rules.incident import DecisionRecord, IncidentKind, Json, Severity, Termination
from rules.judging import claims, clock, disorder, moves, withdrawal
from rules.judging.refused import Refused, report_refused
from rules.judging.report import Report
from rules.judging.sitting import DRAW, WIN_OF, Sitting
from rules.judging.table import Entry, Ply
from rules.move import Move
from rules.piece import EMPTY
from rules.point import format_point, parse_point
from rules.position import Position
from rules.reason_texts import list_reasons
from rules.validity import reasons

RESULTS = (*WIN_OF, DRAW, "*")
RULINGS = ("upheld", "dismissed", "noted", "corrected")


def on_decision(sitting: Sitting, event: Decision) -> None:
    """An arbiter decided; what cannot be carried out is recorded all the same."""
    offering = claims.read_side((event.change or {}).get("draw_offer"))
    finding = None if offering is None else claims.judge_offer(sitting.table, offering)
    ruling = event.ruling if event.ruling in RULINGS else "noted"
    seq = sitting.say(DecisionRecord(event.t, event.of, ruling, event.by or "arbiter", event.change, finding))
    entry = None if event.of is None else sitting.table.entry(event.of)
    if entry is not None:
        _rule_on(sitting, entry, event.ruling, undone="undo" in (event.change or {}))
    if event.change is not None:
        _carry_out(sitting, event.change, seq, event.of)


def _rule_on(sitting: Sitting, entry: Entry, ruling: str, undone: bool) -> None:
    """Uphold or dismiss an incident: it counts, or no longer counts. An undone ruling leaves it as it was seen."""
    if ruling not in ("upheld", "dismissed") and not undone:
        return
    ruled = replace(entry, upheld=ruling == "upheld", dismissed=ruling == "dismissed")
    sitting.change(entries=tuple(ruled if e.seq == entry.seq else e for e in sitting.table.entries))
    sitting.recount()
    if ruled.counts:
        if sitting.table.result is None:
            sitting.count(ruled)
        return
    between = sitting.table.between
    if ruling == "dismissed" and between is not None and between.seq == entry.seq:
        sitting.change(between=None)


def _carry_out(sitting: Sitting, change: dict[str, object], decision: int, of: int | None) -> None:
    """What the arbiter changes, by the keys of `change`; a value that cannot be read or meant changes nothing.

    decision : `seq` of the decision
    of : `seq` of the incident that it answers
    """
    try:
        if "fen" in change:
            _set_position(sitting, parse_fen(str(change["fen"])), decision)
        if "ply" in change:
            _set_ply(sitting, change)
        if "point" in change:
            _name_point(sitting, str(change["point"]), of)
        if "times" in change:
            clock.set_times(sitting, change["times"])
        _look_for_words(change)
    except RulesError as error:
        report_refused(sitting, change, decision, error)
        return
    offering, claiming = claims.read_side(change.get("draw_offer")), claims.read_side(change.get("limit_claim"))
    if offering is not None:
        claims.enter_offer(sitting, offering)
    if claiming is not None:
        claims.judge_limit_claim(sitting, claiming)
    if change.get("result") in RESULTS:
        _set_result(sitting, str(change["result"]), change)


def _look_for_words(change: dict[str, object]) -> None:
    """A result or a side in a claim has to be one that there is."""
    if "result" in change and change["result"] not in RESULTS:
        raise NotationError(f"expected one of {', '.join(RESULTS)}: {change['result']!r}")
    for claim in ("draw_offer", "limit_claim"):
        if claim in change and claims.read_side(change[claim]) is None:
            raise NotationError(f"expected a side: {change[claim]!r}")


def _set_position(sitting: Sitting, position: Position, decision: int) -> None:
    """Put another position in place of the official one; the plies before stand.

    Any position may be set, as an arbiter may have to; that it could not stand in a game is told.
    """
    line = sitting.table.line
    if line:
        sitting.change(line=(*line[:-1], replace(line[-1], after=position)))
    else:
        sitting.change(start=position)
    sitting.change(differences=(), between=None, disturbed=None)
    wrong = reasons(position)
    if not wrong:
        return
    remedy: Json = {
        "action": "check_record",
        "set_by": decision,
        "problem": "impossible_position",
        "reasons": [str(reason) for reason in wrong],
    }
    points = tuple(dict.fromkeys(point for reason in wrong for point in reason.points))
    report = Report(IncidentKind.RECORD_DOUBT, Severity.DOUBT, None, points, None, sitting.t, remedy)
    told = list_reasons(wrong)
    report.facts = {"reasons_zh": told.zh, "reasons_en": told.en}
    sitting.report(report)


def _set_ply(sitting: Sitting, change: dict[str, object]) -> None:
    """Another move in place of a ply (none: that ply and all after it are taken out), and the later ones again."""
    number, iccs = change["ply"], change.get("iccs")
    move = None if iccs is None else parse_iccs(str(iccs))
    if isinstance(number, bool) or not isinstance(number, int):
        raise NotationError(f"expected the number of a ply: {number!r}")
    if sitting.table.position is None or not 1 <= number <= sitting.table.ply + (move is not None):
        raise Refused("no_such_ply", number=number)
    _look_for(sitting, number, change)
    if move is not None:
        _look_at(sitting, number, move)
    decided = sitting.table.result
    if decided is not None and decided.termination is Termination.DECISION:
        # The record of a game that the arbiter ended is put right, and it stays ended.
        sitting.change(result=None)
        _replace_from(sitting, number, move)
        sitting.change(result=decided)
    else:
        _replace_from(sitting, number, move)


def _look_for(sitting: Sitting, number: int, change: dict[str, object]) -> None:
    """The eye goes on recording while the arbiter looks: the ply has to be the one that was looked at."""
    if "was" not in change:
        return
    now = str(sitting.table.line[number - 1].move) if number <= sitting.table.ply else None
    if now != change["was"]:
        raise Refused("record_changed", number=number)


def _look_at(sitting: Sitting, number: int, move: Move) -> None:
    """A move may break the rules, but there has to be a piece that makes it."""
    line = sitting.table.line
    before = line[number - 1].before if number <= len(line) else sitting.position
    if before.piece_at(move.from_point) == EMPTY:
        raise Refused("no_piece_there", point=format_point(move.from_point), number=number)


def _replace_from(sitting: Sitting, number: int, move: Move | None) -> None:
    later = sitting.table.line[number:]
    old = sitting.table.line[number - 1] if number <= sitting.table.ply else None
    if old is not None:
        withdrawal.withdraw(sitting, number, WithdrawnWhy.CORRECTED, sitting.t)
    if move is None or not _replay(sitting, move, old):
        return
    for at, ply in enumerate(later):
        if not _replay(sitting, ply.move, ply):
            _report_lost(sitting, later[at:])
            return


def _report_lost(sitting: Sitting, lost: tuple[Ply, ...]) -> None:
    """Plies that cannot be played again after the corrected one leave the record."""
    remedy: Json = {"action": "check_record", "problem": "plies_lost", "moves": [str(ply.move) for ply in lost]}
    report = Report(IncidentKind.RECORD_DOUBT, Severity.DOUBT, None, (), None, sitting.t, remedy)
    report.facts = {"number": sitting.table.ply + 1}
    sitting.report(report)


def _replay(sitting: Sitting, move: Move, old: Ply | None) -> bool:
    """Play a ply that the arbiter put into the record; False where no piece stands on its point."""
    position = sitting.position
    if position.piece_at(move.from_point) == EMPTY or sitting.table.result is not None:
        return False
    t_lifted, t_placed = (None, None) if old is None else (old.t_lifted, old.t_placed)
    done_at = sitting.t if old is None else old.done_at
    # An arbiter's word is certain; what was touched before it has been ruled on with it.
    sitting.change_turn(touches=(), bound=())
    seen = MoveSeen(sitting.t, move, t_lifted, t_placed, 1.0)
    moves.put_ply(sitting, seen, done_at, press_counts=False, replaced=old)
    return True


def _name_point(sitting: Sitting, name: str, of: int | None) -> None:
    """The point where the piece that lies between points counts as standing: one of those it lies between.

    of : the incident that is answered; of an earlier one, nothing is to be named any more.
    """
    point = parse_point(name)
    between = sitting.table.between
    if between is None or of not in (None, *between.told_as) or sitting.table.result is not None:
        raise Refused("nothing_between", point=name)
    told = None if between.seq is None else sitting.table.entry(between.seq)
    # The eye may read it anew since it was told; the arbiter names one of the points that were shown.
    choice = between.event.candidates if told is None else told.points
    if point not in choice:
        raise Refused("not_between", point=name, choice=", ".join(map(format_point, choice)))
    sitting.change(between=None)
    disorder.play_between(sitting, between, point)


def _set_result(sitting: Sitting, result: str, change: dict[str, object]) -> None:
    """The arbiter ends the game, or with * opens it again."""
    clause = change.get("clause")
    named = clause if isinstance(clause, str) else None
    if result != "*":
        sitting.finish(result, Termination.DECISION, named)
        return
    sitting.change(cleared=False)
    sitting.withdraw_result(Termination.DECISION, named)
