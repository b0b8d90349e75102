"""What the breaches that stand against a side amount to: the losses that they propose."""

from dataclasses import dataclass

from rules.incident import IncidentKind, Termination
from rules.judging.table import Entry, Table
from rules.piece import Side, other

BY_COUNT = frozenset(
    {
        Termination.SUICIDE,
        Termination.TIME,
        Termination.DISTURBED_PIECES,
        Termination.ILLEGAL_MOVE,
        Termination.CLOCK_BEFORE_MOVE,
        Termination.FALSE_CLAIM,
        Termination.FOULS,
    }
)
"""Losses that stand as long as enough of their incidents do."""
_FALSE_CLAIMS_TO_LOSE = 2
"""4.1.11: in one stage, that is since the last capture."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss that the rules propose."""

    winner: Side
    termination: Termination
    clause: str
    about: int
    """`seq` of the incident that completes it."""


def loss_by(table: Table, entry: Entry) -> Loss | None:
    """The loss that `entry` makes, by itself or with others like it; None where it counts for none."""
    if entry.side is None or not entry.counts:
        return None
    winner = other(entry.side)
    if entry.loses is not None:
        termination, clause = entry.loses
        return Loss(winner, termination, clause, entry.seq)
    found = _by_number(table, entry, entry.side)
    return None if found is None else Loss(winner, *found, entry.seq)


def losses(table: Table) -> list[Loss]:
    """Every loss that stands, in the order of the incidents that complete them."""
    found = [loss_by(table, entry) for entry in table.entries]
    return [loss for loss in found if loss is not None]


def count_of(table: Table, kind: IncidentKind, side: Side) -> int:
    """How many incidents of a kind stand against `side`."""
    return sum(entry.kind is kind and entry.side == side and entry.counts for entry in table.entries)


def _by_number(table: Table, entry: Entry, side: Side) -> tuple[Termination, str] | None:
    profile, of_kind = table.profile, count_of(table, entry.kind, side)
    if entry.kind is IncidentKind.ILLEGAL_MOVE and of_kind >= profile.illegal_moves_to_lose:
        return Termination.ILLEGAL_MOVE, "4.1.8"
    if entry.kind is IncidentKind.CLOCK_BEFORE_MOVE and of_kind >= profile.clock_before_move_to_lose:
        return Termination.CLOCK_BEFORE_MOVE, "4.1.9"
    if entry.kind is IncidentKind.NATURAL_LIMIT and _false_claims_in_stage(table, side) >= _FALSE_CLAIMS_TO_LOSE:
        return Termination.FALSE_CLAIM, "4.1.11"
    if entry.foul and table.fouls(side) >= profile.fouls_to_lose:
        return Termination.FOULS, "4.1.10"
    return None


def _false_claims_in_stage(table: Table, side: Side) -> int:
    """How often `side` has claimed wrongly since the last capture."""
    position = table.position
    stage_began = 0 if position is None else table.ply - position.plies_without_capture
    return sum(
        entry.kind is IncidentKind.NATURAL_LIMIT and entry.side == side and entry.counts and entry.ply >= stage_began
        for entry in table.entries
    )
