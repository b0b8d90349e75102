"""What an arbiter asks for and the judge cannot do: nothing is changed, and it is told why."""

from rules.errors import RulesError
from rules.incident import IncidentKind, Json, Severity
from rules.judging.report import Report
from rules.judging.sitting import Sitting


class Refused(RulesError):
    """A change that cannot be carried out; `problem` has a text in rules.messages."""

    def __init__(self, problem: str, **facts: object) -> None:
        super().__init__(f"{problem}: {facts}")
        self.problem = problem
        self.facts = facts


def report_refused(sitting: Sitting, change: Json, decision: int, error: RulesError) -> None:
    """Say that the change of the decision with the number `decision` was not carried out."""
    problem, facts = (error.problem, error.facts) if isinstance(error, Refused) else ("unreadable", {})
    remedy: Json = {"action": "check_record", "decision": decision, "change": change, "problem": problem}
    report = Report(IncidentKind.RECORD_DOUBT, Severity.DOUBT, None, (), None, sitting.t, remedy)
    report.facts = facts
    sitting.report(report)
