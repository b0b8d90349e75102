"""Rulings on repeated positions by the 棋例 (clauses 23.4, 23.5, 25, 26.9)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from rules.fen import START_FEN, parse_fen
from rules.labels import Label, LabelKind, label_move
from rules.material import takers
from rules.piece import BLACK, CHARIOT, RED, Side
from rules.position import Position
from rules.profile import RuleProfile
from rules.repetition import Line, alternating_window, occurrences, round_trip


class Ruling(Enum):
    """What the 棋例 say; the names are those of the interface."""

    NONE = "none"
    DRAW = "draw"
    MUST_DEVIATE = "must_deviate"
    """Told to play something else, and lost if it does not (4.1.5)."""
    LOSS = "loss"
    NEEDS_ARBITER = "needs_arbiter"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A ply of the round and what it is."""

    ply: int
    """1 is the first move of the line."""
    label: Label


@dataclass(frozen=True, slots=True)
class Verdict:
    """A ruling with what it rests on."""

    count: int
    """How often the present position has stood."""
    ruling: Ruling
    side: Side | None = None
    """Who loses or has to deviate."""
    clause: str | None = None
    evidence: tuple[Evidence, ...] = ()


class _Conduct(Enum):
    """What one side's moves of the round are together, gravest first."""

    PERPETUAL_CHECK = 0
    WITH_CHECKS = 1
    """Check and kill, or check and chase, in turn."""
    WITH_KILLS = 2
    CHASES = 3
    ALLOWED = 4


class _Chased(Enum):
    """What 26.9 compares a chase by one piece with a joint chase of."""

    CHARIOT = 0
    UNPROTECTED = 1


ALTERNATING = "23.4"
"""The clause of nine rounds of attacks in turn, which may be ruled on before a position stands three times."""
_START_BOARD = parse_fen(START_FEN).board


def adjudicate(line: Line, profile: RuleProfile, began: Position | None = None) -> Verdict:
    """The ruling on the last position of the line.

    began : where the game began, if not with the line; only a game from the usual start has first rounds (4.3).
    """
    opening = (line.positions[0] if began is None else began).board == _START_BOARD
    count = len(occurrences(line))
    plies = round_trip(line, profile.repetitions)
    if plies is not None:
        evidence = _evidence(line, plies)
        verdict = Verdict(count, Ruling.NONE, evidence=evidence)
        limit = profile.no_draw_offer_rounds
        early = opening and limit is not None and line.positions[-1].round_number <= limit
        return _decide(line, verdict, early)
    return _alternating(line, profile.alternating_rounds, count)


def _evidence(line: Line, plies: Sequence[int]) -> tuple[Evidence, ...]:
    found = []
    for ply in plies:
        previous = line.moves[ply - 1] if ply > 0 else None
        found.append(Evidence(ply + 1, label_move(line.positions[ply], line.moves[ply], previous)))
    return tuple(found)


def _decide(line: Line, verdict: Verdict, early: bool) -> Verdict:
    """Rule with every doubtful label both ways; where that makes a difference, the arbiter has to."""
    rulings = {_rule(line, labels, early) for labels in _readings(verdict.evidence)}
    if len(rulings) > 1:
        clauses = dict.fromkeys(e.label.doubt for e in verdict.evidence if e.label.doubt is not None)
        return replace(verdict, ruling=Ruling.NEEDS_ARBITER, clause=", ".join(clauses))
    [(ruling, side, clause)] = rulings
    return replace(verdict, ruling=ruling, side=side, clause=clause)


def _readings(evidence: Sequence[Evidence]) -> Iterator[list[tuple[int, Label]]]:
    """The labels as they are, and with the doubtful ones of either side or of both the other way."""
    doubtful = any(not e.label.sure for e in evidence)
    for flipped in ((), (0,), (1,), (0, 1)) if doubtful else ((),):
        yield [(e.ply, _flipped(e.label) if e.ply % 2 in flipped else e.label) for e in evidence]


def _flipped(label: Label) -> Label:
    if label.sure:
        return label
    return Label(LabelKind.KILL if label.kind is LabelKind.IDLE else LabelKind.IDLE)


def _rule(line: Line, labels: Sequence[tuple[int, Label]], early: bool) -> tuple[Ruling, Side | None, str | None]:
    conduct = {side: _conduct([label for ply, label in labels if _mover(line, ply) == side]) for side in (RED, BLACK)}
    red, black = conduct[RED], conduct[BLACK]
    if _Conduct.PERPETUAL_CHECK in (red, black) and red is not black:
        return Ruling.LOSS, RED if red is _Conduct.PERPETUAL_CHECK else BLACK, "25.1"
    allowed = [conduct[side] is _Conduct.ALLOWED for side in (RED, BLACK)]
    if all(allowed):
        return _unchanged_draw(early, "25.2")
    if any(allowed):
        return Ruling.MUST_DEVIATE, BLACK if allowed[RED] else RED, "25.3"
    if red is black:
        single = _single_against_joint(line, labels) if red is _Conduct.CHASES else None
        return _unchanged_draw(early, "26.9") if single is None else (Ruling.MUST_DEVIATE, single, "26.9")
    return Ruling.MUST_DEVIATE, RED if red.value < black.value else BLACK, "26.9"


def _single_against_joint(line: Line, labels: Sequence[tuple[int, Label]]) -> Side | None:
    """26.9: who chases a chariot (or unprotected piece) with one piece, while the other does it with two or more."""
    chased = {side: _what_is_chased(line, labels, side) for side in (RED, BLACK)}
    joint = {side: {label.joint for ply, label in labels if _mover(line, ply) == side} for side in (RED, BLACK)}
    if chased[RED] is None or chased[RED] is not chased[BLACK] or {True} not in joint.values():
        return None
    return next((side for side in (RED, BLACK) if joint[side] == {False}), None)


def _what_is_chased(line: Line, labels: Sequence[tuple[int, Label]], side: Side) -> _Chased | None:
    """What all pieces that a side chases have in common, of what 26.9 compares."""
    kinds: set[_Chased | None] = set()
    for ply, label in labels:
        if _mover(line, ply) != side:
            continue
        board = line.positions[ply].board
        for target in label.targets:
            unprotected = None if takers(board, target, side ^ 1) else _Chased.UNPROTECTED
            kinds.add(_Chased.CHARIOT if board[target] & 7 == CHARIOT else unprotected)
    return kinds.pop() if len(kinds) == 1 else None


def _mover(line: Line, ply: int) -> Side:
    return line.positions[ply - 1].side


def _conduct(labels: Sequence[Label]) -> _Conduct:
    kinds = {label.kind for label in labels}
    if not labels or LabelKind.IDLE in kinds:
        return _Conduct.ALLOWED
    if kinds == {LabelKind.CHECK}:
        return _Conduct.PERPETUAL_CHECK
    if LabelKind.CHECK in kinds:
        return _Conduct.WITH_CHECKS
    return _Conduct.WITH_KILLS if LabelKind.KILL in kinds else _Conduct.CHASES


def _unchanged_draw(early: bool, clause: str) -> tuple[Ruling, Side | None, str | None]:
    """不变作和; within the first rounds of a game Red has to deviate (4.3)."""
    return (Ruling.MUST_DEVIATE, RED, "4.3") if early else (Ruling.DRAW, None, clause)


def _alternating(line: Line, rounds: int, count: int) -> Verdict:
    """23.4: nine rounds of attacks in turn on three points or more may be ruled on; whether they are is a judge's."""
    windows = {side: alternating_window(line, rounds, side) for side in (RED, BLACK)}
    found = [(side, window) for side, window in windows.items() if window and _attacks_throughout(line, window, side)]
    if len(found) != 1:
        return Verdict(count, Ruling.NONE)
    [(side, window)] = found
    return Verdict(count, Ruling.NEEDS_ARBITER, side, ALTERNATING, _evidence(line, window))


def _attacks_throughout(line: Line, window: Sequence[int], side: Side) -> bool:
    own = [ply for ply in window if line.positions[ply].side == side]
    if len({line.moves[ply].to_point for ply in own}) < 3:
        return False
    return all(_evidence(line, (ply,))[0].label.kind is not LabelKind.IDLE for ply in own)
