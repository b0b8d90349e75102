"""One recording put together: source, eye, clock, journal, files, evidence and the terminal."""

import logging
import platform
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

import cv2
from rich.console import Console

from calibration.corners import grid_from_corners, parse_corners
from calibration.grid import Grid
from clock_bridge.control import parse_control
from clock_bridge.feed import open_clock
from models.card import read_card
from models.network import KIND_MODEL, POINT_MODEL, load_nets
from qiyan.commands.failure import NO_BOARD
from qiyan.enrolling import enrolled_set
from qiyan.errors import ConfigError, JournalError
from qiyan.evidence import Evidence, EvidenceConfig
from qiyan.eye import PipelineEye
from qiyan.journal import FILE_NAME as JOURNAL_NAME
from qiyan.journal import Journal
from qiyan.live_picture import LivePicture
from qiyan.patience import patience_for
from qiyan.progress import LiveProgress, PlainProgress
from qiyan.record_files import RecordFiles
from qiyan.recorder import Listener, Recorder
from qiyan.stored_grid import table_grid
from qiyan.table_file import read_settings
from rules.errors import ProfileError
from rules.fen import parse_fen
from rules.position import Position
from rules.profile import DEFAULT_EDITION, RuleProfile, custom_profile, find_profile
from rules.validity import reasons
from vision import pipeline
from vision.frame import Frame
from vision.source import FrameSource, SourceConfig, SourceLost, open_source

logger = logging.getLogger(__name__)

WHOLE_SHARE = 0.95
"""A file of which less than this was read is not whole; some kinds only estimate how many pictures they hold."""


@dataclass(frozen=True, slots=True)
class RecordOptions:
    """What was asked for on the command line and in the table's file."""

    out: Path
    source: str
    clock: str | None = None
    clock_protocol: str = "dgt"
    clock_red: str = "left"
    clock_pattern: str | None = None
    """Line pattern for the protocol `text`, its times written in `clock_unit`."""
    clock_unit: str = "clock"
    edition: str = DEFAULT_EDITION
    start: str | None = None
    control: str | None = None
    corners: str | None = None
    notation: str = "iccs"
    fps: float = 1.0
    evidence_gb: float = 4.0
    """Disk that clips and stills may take, GB."""
    table: Path | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    """Tags of the record: names, event, round."""
    custom_rules: Mapping[str, Any] = field(default_factory=dict)
    """Values by which the edition is changed for this event."""

    @staticmethod
    def of(out: Path, given: Mapping[str, Any]) -> "RecordOptions":
        """Command line options; those not given come from the table's file, else they have their defaults."""
        chosen = {name: value for name, value in given.items() if value is not None}
        if "table" in chosen:
            options, headers, custom = read_settings(chosen["table"])
            chosen = {**options, "headers": headers, "custom_rules": custom, **chosen}
        if "source" not in chosen:
            raise ConfigError("no source: give --source, or [camera] source in the table's file (--table)")
        return RecordOptions(out=out, **chosen)


def record(options: RecordOptions) -> int:
    """Record from the source's first frame to its end or to Ctrl-C; the exit status."""
    source = open_source(options.source, SourceConfig(pictures_per_s=options.fps))
    try:
        return record_from(source, options)
    except sqlite3.DatabaseError as error:
        if "full" in str(error):
            raise  # told by the command: more room is all it needs
        raise JournalError(
            f"the journal is damaged or cannot be used ({error}): {options.out / JOURNAL_NAME}. It was left as it is; "
            "`qiyan verify` names the place; record into another folder"
        ) from error


def record_from(source: FrameSource, options: RecordOptions, on_start: Callable[[], None] = lambda: None) -> int:
    """The same from a source that is open already."""
    start = None if options.start is None else _start(options.start)
    profile = _profile(options)
    control = None if options.control is None else parse_control(options.control)
    grid = _given_grid(options)
    stored = table_grid(options.table) if grid is None and options.table is not None else None
    enrolment = None if options.table is None else enrolled_set(options.table)
    journal = Journal(options.out)
    try:
        _check_same_source(journal, options)
        clock = None
        if options.clock is not None:
            # What a live clock says is kept beside the record, so that every event of it can be replayed.
            trace = options.out / "clock.jsonl"
            clock = open_clock(
                options.clock,
                options.clock_protocol,
                options.clock_red,
                control,
                pattern=options.clock_pattern,
                unit=options.clock_unit,
                record=trace,
            )
        eye = PipelineEye(pipeline.Setup(patience_for(source), load_nets(), grid, enrolment, start), stored)
        files = RecordFiles(options.out, journal.read_entries(), _headers(options), options.notation)
        room = EvidenceConfig(most_gb=options.evidence_gb)
        evidence = Evidence(options.out, journal, room, journal.read_entries())
        console = Console(stderr=False)
        progress: Listener
        if console.is_terminal and not console.is_dumb_terminal:
            progress = LiveProgress(console, f"棋眼 {options.source}", source.frame_count)
        else:
            progress = PlainProgress(console)
        listeners: Sequence[Listener] = (files, progress, LivePicture(options.out))
        about = _about(options)
        recorder = Recorder(source, eye, clock, journal, options.out, profile, start, about, listeners, evidence)
        on_start()
        with _stopped_by_signals(source) as stopped:
            recorder.run()
        moves, found = len(files.game.moves), files.game.start_fen is not None
    finally:
        journal.close()
    if source.frame_count and recorder.frames_seen < WHOLE_SHARE * source.frame_count and not stopped.is_set():
        sys.stderr.write(
            f"qiyan: only {recorder.frames_seen} of {source.frame_count} pictures could be read: {options.source} is "
            "damaged or was cut off; the record holds what was seen in them\n"
        )
    if not found:
        sys.stderr.write(f"qiyan: no board was found in {options.source}: {_advice(options, stored)}\n")
        return NO_BOARD
    console.print(f"{moves} plies, {recorder.frames_seen} frames: {options.out}", highlight=False)
    return 0


def _advice(options: RecordOptions, stored: Grid | None) -> str:
    """What helps where no board was found."""
    if options.corners is not None:
        return "it cannot be read at the corners that were given (--corners): check them, or leave them out"
    if stored is None:
        return "show the whole board, or name its corners (--corners)"
    return (
        f"neither where {options.table} has it nor elsewhere. If the camera or the board was moved, calibrate again: "
        f"qiyan calibrate --source {options.source} --table {options.table}"
    )


def _start(fen: str) -> Position:
    """The start position; ConfigError with every reason why no game can begin from it."""
    position = parse_fen(fen)
    wrong = reasons(position)
    if wrong:
        raise ConfigError(f"no game can begin from this position ({'; '.join(map(str, wrong))}): {fen!r}")
    return position


def _profile(options: RecordOptions) -> RuleProfile:
    if not options.custom_rules:
        return find_profile(options.edition)
    try:
        return custom_profile(options.custom_rules, options.edition)
    except ProfileError as error:
        raise ConfigError(f"{options.table}: [rules]: {error}") from error


def _given_grid(options: RecordOptions) -> Grid | None:
    if options.corners is None:
        return None
    corners = parse_corners(options.corners)
    size_wh = _size_of(options.source)
    return grid_from_corners(corners, size_wh)


def _size_of(address: str) -> tuple[int, int]:
    """Size of the source's pictures, read from its first frame."""
    source = open_source(address)
    for item in source.items():
        if isinstance(item, Frame):
            source.close()
            return item.image.shape[1], item.image.shape[0]
        if isinstance(item, SourceLost):
            source.close()
            raise ConfigError(f"corners were given, but the camera shows no picture ({item.why}): {address}")
    raise ConfigError(f"corners were given, but the source shows no picture: {address}")


def _check_same_source(journal: Journal, options: RecordOptions) -> None:
    """A folder belongs to one source: going on with another one would mix two games."""
    known = journal.meta("source")
    if known is None or journal.last_seq == 0:
        journal.set_meta("source", options.source)
    elif known != options.source:
        raise JournalError(
            f"{options.out} holds a recording of {known!r}, not of {options.source!r}: choose another folder"
        )


def _headers(options: RecordOptions) -> dict[str, str]:
    control = {} if options.control is None else {"TimeControl": options.control}
    return {**control, **options.headers}


def _about(options: RecordOptions) -> dict[str, Any]:
    """What a later reader needs to know of how this was made."""
    return {
        "versions": {
            "qiyan": metadata.version("qiyan"),
            "python": platform.python_version(),
            "opencv": cv2.__version__,
            "onnxruntime": metadata.version("onnxruntime"),
        },
        "models": {model.name: read_card(model).sha256 for model in (POINT_MODEL, KIND_MODEL)},
        "settings": {
            "source": options.source,
            "clock": options.clock,
            "clock_protocol": options.clock_protocol,
            "clock_red": options.clock_red,
            "rules": options.edition,
            "control": options.control,
            "notation": options.notation,
            "names": _headers(options),
        },
    }


@contextmanager
def _stopped_by_signals(source: FrameSource) -> Iterator[threading.Event]:
    """Ctrl-C, SIGTERM and a terminal that closes end the source; what was seen is written to the end.

    The event tells that it was so.
    """
    stopped = threading.Event()

    def stop(number: int, _: object) -> None:
        logger.info("ending the recording (signal %d)", number)
        stopped.set()
        source.close()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
