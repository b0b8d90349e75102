"""A recorder over a source and an eye that only play a list of events, for tests of what lies behind them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from calibration.grid import Grid
from qiyan.journal import Journal, read_entries
from qiyan.recorder import Clock, EvidenceMaker, Recorder
from rules.event import BoardFound, MoveSeen, TableEvent
from rules.fen import START_FEN, parse_fen
from rules.iccs import parse_iccs
from rules.position import Position
from rules.profile import DEFAULT_EDITION, find_profile
from vision.frame import Frame
from vision.source import SourceItem

CORNERS = {"a0": (100.0, 500.0), "i0": (500.0, 500.0), "i9": (500.0, 50.0), "a9": (100.0, 50.0)}
FPS = 10.0
MOVES = {5: "h2e2", 10: "h9g7", 15: "h0g2", 20: "i9h9", 25: "i0h0"}
"""Frame -> the ply that is seen in it."""


class Killed(BaseException):
    """The process ends here, with nothing done any more."""


@dataclass
class GreyFilm:
    """A file of grey pictures."""

    frame_count: int | None = 30
    live: bool = False
    name: str = "film"

    def items(self) -> Iterator[SourceItem]:
        for index in range(self.frame_count or 0):
            yield Frame(index, index / FPS, np.full((90, 160, 3), index, np.uint8))

    def close(self) -> None:
        pass


@dataclass
class PlayedEye:
    """Sees what `shown` says in the frame of that number; `killed_at`: the frame in which the process is killed."""

    shown: Mapping[int, TableEvent]
    killed_at: int | None = None
    grid: Grid | None = None
    waits: bool = False

    def step(self, frame: Frame, position: Position | None, heard: Sequence[TableEvent]) -> list[TableEvent]:
        if frame.index == self.killed_at:
            raise Killed
        return [self.shown[frame.index]] if frame.index in self.shown else []


def seen_game(moves: Mapping[int, str] = MOVES) -> dict[int, TableEvent]:
    """The board in the first frame, and plies."""
    events: dict[int, TableEvent] = {0: BoardFound(0.0, CORNERS, "bottom", parse_fen(START_FEN), 0.5, 1.0)}
    for index, iccs in moves.items():
        t = index / FPS
        events[index] = MoveSeen(t, parse_iccs(iccs), t - 0.2, t - 0.1, 1.0)
    return events


@dataclass
class RecordedTable:
    """One folder that is recorded into again and again."""

    folder: Path
    source: GreyFilm = field(default_factory=GreyFilm)

    def record(
        self,
        shown: Mapping[int, TableEvent] | None = None,
        killed_at: int | None = None,
        clock: Clock | None = None,
        evidence: Callable[[Journal], EvidenceMaker | None] = lambda _: None,
    ) -> None:
        """From the source's first frame to its end, or until it is killed."""
        eye = PlayedEye(seen_game() if shown is None else shown, killed_at)
        journal = Journal(self.folder)
        profile = find_profile(DEFAULT_EDITION)
        recorder = Recorder(self.source, eye, clock, journal, self.folder, profile, None, {}, (), evidence(journal))
        try:
            recorder.run()
        except Killed:
            pass
        finally:
            journal.close()

    def entries(self, *kinds: str) -> list[dict[str, Any]]:
        """What was recorded, of these kinds."""
        return [entry for entry in read_entries(self.folder) if entry["kind"] in kinds]

    def line(self) -> list[str]:
        """The plies that stand."""
        moves: list[str] = []
        for entry in self.entries("move", "move_withdrawn"):
            del moves[entry["ply"] - 1 :]
            if entry["kind"] == "move":
                moves.append(entry["iccs"])
        return moves

    def inputs(self) -> list[dict[str, Any]]:
        """What came in, as it was journalled."""
        journal = Journal(self.folder)
        try:
            return [body for _, body in journal.read_inputs()]
        finally:
            journal.close()
