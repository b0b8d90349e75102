"""The reference set of repeated positions, and the table of verdicts on which other rule books differ from ours.

`python -m tests.repetition_cases` writes the table into docs/repetition.md; a test compares it.
"""

import json
from dataclasses import dataclass

from rules.adjudication import Ruling, Verdict, adjudicate
from rules.fen import parse_fen
from rules.iccs import parse_iccs
from rules.labels import LabelKind
from rules.piece import BLACK, RED, SIDE_NAMES, Side
from rules.profile import find_profile
from rules.repetition import Line, make_line
from tests.shared_data import DATA, ROOT

CASES = DATA / "rules" / "repetition.jsonl"
DOCUMENT = ROOT / "docs" / "repetition.md"
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"


@dataclass(frozen=True, slots=True)
class Case:
    """One line of the reference set."""

    number: int
    """Its line, from 1."""
    rule_set: str
    line: Line
    verdict: str
    """red_loses, black_loses or draw, by that rule set."""
    consequence: str | None
    confidence: str


def read_cases() -> list[Case]:
    """Every case of the set."""
    cases = []
    for number, text in enumerate(CASES.read_text(encoding="utf-8").splitlines(), 1):
        data = json.loads(text)
        line = make_line(parse_fen(data["fen"]), [parse_iccs(move) for move in data["moves"]])
        cases.append(Case(number, data["rule_set"], line, data["verdict"], data.get("consequence"), data["confidence"]))
    return cases


def rule(case: Case) -> Verdict:
    """Our ruling by the 2020 edition."""
    return adjudicate(case.line, find_profile("2020"))


def outcome(verdict: Verdict) -> str:
    """A ruling in the words of the set: who loses if nothing changes."""
    if verdict.side is not None and verdict.ruling in (Ruling.LOSS, Ruling.MUST_DEVIATE):
        return f"{SIDE_NAMES[verdict.side]}_loses"
    return verdict.ruling.value


def differing_rows() -> list[str]:
    """The table: every case of another rule book whose outcome is not ours."""
    rows = [
        "| line | theirs | verdict | ours | clause | Red's moves | Black's moves |",
        "|---|---|---|---|---|---|---|",
    ]
    for case in read_cases():
        if case.rule_set == "CXA":
            continue
        verdict = rule(case)
        if outcome(verdict) == case.verdict:
            continue
        ours = verdict.ruling.value + (f" ({SIDE_NAMES[verdict.side]})" if verdict.side is not None else "")
        clauses = ", ".join(dict.fromkeys([*_clauses(case, verdict), verdict.clause or "23.1"]))
        disputed = " (disputed)" if case.confidence == "disputed" else ""
        red, black = (_moves(case, verdict, side) for side in (RED, BLACK))
        rows.append(
            f"| {case.number} | {case.rule_set}{disputed} | {case.verdict} | {ours} | {clauses} | {red} | {black} |"
        )
    return rows


def _moves(case: Case, verdict: Verdict, side: Side) -> str:
    """What a side's moves of the round are, each kind once; a question mark where a judge has to say."""
    kinds = [
        e.label.kind.value + ("" if e.label.sure else "?")
        for e in verdict.evidence
        if case.line.positions[e.ply - 1].side == side
    ]
    return ", ".join(dict.fromkeys(kinds)) or "-"


_CLAUSE_OF = {LabelKind.CHECK: "24.9", LabelKind.KILL: "24.10", LabelKind.CHASE: "24.11"}


def _clauses(case: Case, verdict: Verdict) -> list[str]:
    """The clauses that make the side's moves what they are, where it is a side's."""
    if verdict.side is None:
        return []
    own = [e.label.kind for e in verdict.evidence if case.line.positions[e.ply - 1].side == verdict.side]
    kinds = list(dict.fromkeys(own))
    return ["24.13"] if len(kinds) > 1 else [_CLAUSE_OF[kind] for kind in kinds if kind in _CLAUSE_OF]


def update() -> None:
    """Write the table into the document."""
    text = DOCUMENT.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    DOCUMENT.write_text(before + "\n".join([BEGIN, *differing_rows(), END]) + after, encoding="utf-8")


if __name__ == "__main__":
    update()
