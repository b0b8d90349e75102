"""The one loop: frames and clock in, the judge's records out, through the journal to everybody who listens."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from calibration.grid import Grid
from qiyan import codec, inbox
from qiyan.journal import Journal, JournalledInput
from qiyan.replay import Replay
from rules import arbiter
from rules.event import ClockEvent, Decision, TableEvent
from rules.position import Position
from rules.profile import RuleProfile
from vision.frame import Frame
from vision.source import FrameSource, SourceLost, SourceRestored

logger = logging.getLogger(__name__)

SINGLE_PICTURES_S = 0.6
"""Frames further apart than this are single pictures: the last of them shows a settled table, as all of them do."""
LONGEST_LOOK_S = 8.0
"""The last picture is looked at for so long at most, until what it shows is told."""


class Eye(Protocol):
    """Sees what happens on the board; see qiyan.eye."""

    @property
    def grid(self) -> Grid | None:
        """Where the board is in the last frame; None while it is not known."""

    @property
    def waits(self) -> bool:
        """Whether something was seen, or is hidden, that later frames may tell or explain better."""

    def step(self, frame: Frame, position: Position | None, heard: Sequence[TableEvent]) -> list[TableEvent]:
        """What happened up to `frame`."""


class Clock(Protocol):
    """Hears what the clock does."""

    def poll(self, now_s: float) -> list[ClockEvent]:
        """The events up to `now_s` of the source's time."""

    def close(self) -> None:
        """Let go of the port."""


class Listener(Protocol):
    """Anything that follows a recording: the files, the terminal, the pages."""

    def on_entries(self, entries: Sequence[dict[str, Any]]) -> None:
        """Entries of events.jsonl that have just become durable."""

    def on_frame(self, frame: Frame, eye: Eye) -> None:
        """A frame has been worked through."""

    def close(self) -> None:
        """The recording ends."""


class EvidenceMaker(Protocol):
    """Keeps pictures and cuts clips; see qiyan.evidence."""

    def see(self, frame: Frame, grid: Grid | None) -> None:
        """Keep a picture of the board."""

    def attach(self, entry_seq: int, incident: dict[str, Any]) -> list[str]:
        """Begin an incident's evidence; its paths, relative to the recording's folder."""

    def attach_again(self, entry_seq: int, incident: dict[str, Any]) -> None:
        """An incident told before a break is met again, with its evidence if that is lacking."""

    def rule(self, decision: dict[str, Any]) -> None:
        """An arbiter's decision; what it upholds is kept."""

    def close(self) -> None:
        """Finish every clip."""


@dataclass(slots=True)
class Recorder:
    """Records one table from one source into one journal."""

    source: FrameSource
    eye: Eye
    clock: Clock | None
    journal: Journal
    folder: Path
    profile: RuleProfile
    start: Position | None
    about: dict[str, Any]
    """Versions, model digests and settings for the `started` event."""
    listeners: Sequence[Listener] = ()
    evidence: EvidenceMaker | None = None
    frames_seen: int = 0
    _table: arbiter.Table = field(init=False)
    _replay: Replay = field(init=False, default_factory=Replay)
    """What a file that is worked through again has still to show."""
    _offset_s: float = field(init=False, default=0.0)
    _t: float = field(init=False, default=0.0)

    def run(self) -> None:
        """Work through the source to its end, or until it is closed."""
        self._table = arbiter.new_table(self.profile, self.start)
        self._begin()
        last: Frame | None = None
        gap_s = 0.0
        try:
            for item in self.source.items():
                self._t = item.t + self._offset_s
                if isinstance(item, Frame):
                    gap_s = 0.0 if last is None else item.t - last.t
                    last = item
                    self._take_frame(replace(item, t=self._t))
                elif isinstance(item, SourceLost):
                    self._own("source_lost", why=item.why)
                elif isinstance(item, SourceRestored):
                    self._own("source_restored")
                else:
                    self._hear(self._t)
                    self._wake_judge(self._t)
            if last is not None and last.index + 1 == self.source.frame_count and gap_s >= SINGLE_PICTURES_S:
                self._look_on(last, gap_s)
            self._end_replay()
            self._hear_arbiter(self._t)
            self._own("ended")
        finally:
            if self.evidence is not None:
                self.evidence.close()
            for listener in self.listeners:
                listener.close()
            if self.clock is not None:
                self.clock.close()

    def _begin(self) -> None:
        if self.journal.last_seq == 0:
            self.journal.set_meta("began_at", _now_text())
            self._own("started", **self.about)
            return
        logger.info("going on with the recording in %s: %d entries so far", self.folder, self.journal.last_seq)
        known = self.journal.read_inputs()
        if self.source.live:
            # Nothing can be seen again: the judge hears what it heard, and time goes on from the first frame.
            began = self.journal.meta("began_at")
            if began is not None:
                self._offset_s = (datetime.now().astimezone() - datetime.fromisoformat(began)).total_seconds()
            # A wall clock that was set back meanwhile does not turn the record's time back.
            self._t = self._offset_s = max([self._offset_s, *(data["t"] for _, data in known)])
            for journalled in known:
                self._judge_again(journalled)
        else:
            # A file is worked through again, and what comes out again is not written again.
            self._replay = Replay(known)
        self._own("resumed", **self.about)

    def _take_frame(self, frame: Frame) -> None:
        heard = self._hear(frame.t)
        for event in self.eye.step(frame, self._table.position, heard):
            self._judge(event)
        self._wake_judge(frame.t)
        self.frames_seen += 1
        if self.evidence is not None:
            self.evidence.see(frame, self.eye.grid)
        for listener in self.listeners:
            listener.on_frame(frame, self.eye)

    def _look_on(self, last: Frame, gap_s: float) -> None:
        """Nothing comes after the last picture: what is seen in it is told, if need be with a doubt."""
        for number in range(1, int(LONGEST_LOOK_S / gap_s) + 1):
            if not self.eye.waits:
                return
            self._t = last.t + number * gap_s
            for event in self.eye.step(replace(last, t=self._t), self._table.position, ()):
                self._judge(event)

    def _hear(self, now_s: float) -> list[TableEvent]:
        """Judge what clock and arbiter did up to now; what it was, for the eye."""
        heard: list[TableEvent] = []
        if self.clock is not None:
            heard.extend(self.clock.poll(now_s))
        for event in heard:
            self._judge(event)
        heard.extend(self._hear_arbiter(now_s))
        return heard

    def _hear_arbiter(self, now_s: float) -> list[TableEvent]:
        """Judge what the arbiter decided; what was left since the break waits until the table is as it was then."""
        heard: list[TableEvent] = [self._judge_again(known) for known in self._replay.decisions_until(now_s)]
        if self._replay:
            return heard
        for path, data in inbox.waiting(self.folder):
            if self.journal.took_last(path.name):
                path.unlink()
                continue
            decision = Decision(now_s, data.get("of"), data["ruling"], str(data.get("by", "")), data.get("change"))
            self._judge(decision, path.name)
            path.unlink()  # only now that it stands in the journal
            heard.append(decision)
        return heard

    def _wake_judge(self, now_s: float) -> None:
        """Tell the judge the time where it waits for it."""
        due = arbiter.wake_at(self._table)
        if due is not None and due <= now_s:
            self._judge(TableEvent(now_s))

    def _judge(self, event: TableEvent, inbox_name: str | None = None) -> None:
        data = codec.event_to_json(event)
        if self._replay and self._was_told(event, data):
            return
        seq = self.journal.last_seq + 1
        self._table, records = arbiter.judge(self._table, event, seq)
        if not records and type(event) is TableEvent:
            return
        bodies = [record.to_json() for record in records]
        for offset, body in enumerate(bodies):
            if body["kind"] == "incident" and self.evidence is not None:
                body["evidence"] = self.evidence.attach(seq + offset, body)
            elif body["kind"] == "decision" and self.evidence is not None:
                self.evidence.rule(body)
        self._publish(data, bodies, inbox_name)

    def _was_told(self, event: TableEvent, data: dict[str, Any]) -> bool:
        """Whether an event before the place where the recording broke off stands in the journal, or is not to."""
        if type(event) is TableEvent and not self._replay.holds(data):
            # Only the passing of time, which led to nothing before either: it was not journalled.
            self._table, _ = arbiter.judge(self._table, event)
            return True
        known, is_new = self._replay.meet(data)
        for journalled in known:
            self._judge_again(journalled)
        return not is_new

    def _judge_again(self, journalled: JournalledInput) -> TableEvent:
        """What it heard before the break, so that the table is as it was."""
        seq, data = journalled
        event = codec.event_from_json(data)
        self._table, records = arbiter.judge(self._table, event, seq)
        if self.evidence is not None and event.t <= self._t:  # not of what a film that ended early did not show
            for number, body in enumerate([record.to_json() for record in records], seq):
                if body["kind"] == "incident":
                    self.evidence.attach_again(number, body)
        return event

    def _end_replay(self) -> None:
        """Nothing more is seen again: what was told before the break stands all the same."""
        for journalled in self._replay.rest():
            self._t = max(self._t, self._judge_again(journalled).t)

    def _own(self, event: str, **fields: Any) -> None:
        """An entry of the shell itself."""
        self._publish(None, [{"t": round(self._t, 3), "kind": "system", "event": event, **fields}])

    def _publish(
        self, source: dict[str, Any] | None, bodies: list[dict[str, Any]], inbox_name: str | None = None
    ) -> None:
        if self.source.live:
            at = _now_text()
            bodies = [{**body, "at": at} for body in bodies]
        entries = self.journal.append(source, bodies, inbox_name)
        for listener in self.listeners:
            listener.on_entries(entries)


def _now_text() -> str:
    return datetime.now().astimezone().isoformat(timespec="milliseconds")
