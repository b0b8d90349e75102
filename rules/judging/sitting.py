"""One sitting of the judge: the table as it becomes and the records as they are said, for one event."""

from dataclasses import dataclass, field, replace
from typing import Any

from rules.incident import Incident, Record, ResultRecord, Termination
from rules.judging.counting import BY_COUNT, Loss, loss_by, losses
from rules.judging.report import Report
from rules.judging.table import Entry, Table
from rules.messages import describe
from rules.piece import EMPTY, Side
from rules.position import Position

WIN_OF = ("1-0", "0-1")
DRAW = "1/2-1/2"


@dataclass(slots=True)
class Sitting:
    """Mutable, but it lives and dies within one call of the judge."""

    table: Table
    t: float
    records: list[Record] = field(default_factory=list)

    def change(self, **fields: Any) -> None:
        """Put other values into the table."""
        self.table = replace(self.table, **fields)

    def change_turn(self, **fields: Any) -> None:
        """Put other values into what is known of this turn."""
        self.change(turn=replace(self.table.turn, **fields))

    @property
    def position(self) -> Position:
        """The official position, where there is one."""
        position = self.table.position
        assert position is not None
        return position

    def say(self, record: Record) -> int:
        """Append a record; the `seq` it gets."""
        seq = self.table.next_seq
        self.records.append(record)
        self.change(next_seq=seq + 1)
        return seq

    def report(self, report: Report) -> int:
        """Say an incident, and remember it; its `seq`."""
        position = self.table.position
        pieces = report.pieces
        if pieces is None:
            found = [] if position is None else [position.piece_at(point) for point in report.points]
            pieces = tuple(piece for piece in found if piece != EMPTY)
        ply = self.table.ply if report.ply is None else report.ply
        text = describe(replace(report, ply=ply), pieces, self.table.profile)
        seq = self.say(
            Incident(
                t=self.t,
                incident=report.kind,
                severity=report.severity,
                side=report.side,
                points=report.points,
                pieces=pieces,
                clause=report.clause,
                remedy=report.remedy,
                text_zh=text.zh,
                text_en=text.en,
                ply=ply,
                t_happened=report.t_happened,
                profile=self.table.profile.name,
                updates=report.updates,
            )
        )
        entries = tuple(
            replace(entry, dismissed=True, replaced=True) if entry.seq == report.updates else entry
            for entry in self.table.entries
        )
        entry = Entry(
            seq, report.kind, report.severity, report.side, report.points, ply, report.foul, loses=report.loses
        )
        about = seq if report.updates is not None and report.updates == self.table.proposed_about else None
        self.change(entries=(*entries, entry), proposed_about=about or self.table.proposed_about)
        self.count(entry)
        return seq

    def propose(
        self, winner: Side | None, termination: Termination, clause: str | None, about: int | None = None
    ) -> None:
        """Propose that `winner` has won, or a draw where None, unless the same was proposed last.

        about : `seq` of the incident on which it rests; dismissed with it.
        """
        result = DRAW if winner is None else WIN_OF[winner]
        last = self.table.proposed
        same = last is not None and (last.result, last.termination) == (result, termination)
        if same and about in (None, self.table.proposed_about):
            return
        record = ResultRecord(self.t, result, termination, clause, final=False)
        self.change(proposed=record, proposed_about=about)
        self.say(record)

    def withdraw_result(self, termination: Termination = Termination.WITHDRAWN, clause: str | None = None) -> None:
        """Whatever result was said no longer stands."""
        self.change(result=None, proposed=None, proposed_about=None)
        self.say(ResultRecord(self.t, "*", termination, clause, final=False))

    def finish(self, result: str, termination: Termination, clause: str | None) -> None:
        """The game is over."""
        record = ResultRecord(self.t, result, termination, clause, final=True)
        self.change(result=record)
        self.say(record)

    def count(self, entry: Entry) -> None:
        """Propose the loss that `entry` makes, by itself or with those before it."""
        loss = loss_by(self.table, entry)
        if loss is not None:
            self._propose_loss(loss)

    def recount(self) -> None:
        """Some incidents no longer count: withdraw the proposal that rested on them, or rest it on what is left."""
        standing, about = self.table.proposed, self.table.proposed_about
        if standing is None or about is None or self.table.result is not None:
            return
        left = losses(self.table)
        if standing.termination in BY_COUNT:
            same = [x for x in left if (WIN_OF[x.winner], x.termination) == (standing.result, standing.termination)]
            if same:
                self.change(proposed_about=same[-1].about)
                return
        else:
            entry = self.table.entry(about)
            if entry is not None and not entry.dismissed:
                return
        self.withdraw_result()
        if left:
            self._propose_loss(left[-1])

    def _propose_loss(self, loss: Loss) -> None:
        self.propose(loss.winner, loss.termination, loss.clause, loss.about)
