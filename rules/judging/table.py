"""The official state of one table: the game so far, the clock, and what is still open."""

from dataclasses import dataclass, field

from rules.event import BoardFound, PieceBetween, PiecesDisturbed, PieceTouched, ViewState
from rules.incident import ClockShown, IncidentKind, ResultRecord, Severity, Termination
from rules.move import Move
from rules.piece import Piece, Side
from rules.point import Point
from rules.position import Position
from rules.profile import RuleProfile


@dataclass(frozen=True, slots=True)
class Ply:
    """One ply that stands in the record."""

    move: Move
    side: Side
    """Who made it; not the side on move where it was made out of turn."""
    piece: Piece
    captured: Piece
    legal: bool
    check: bool
    """Whether the opponent's general was left in check."""
    before: Position
    after: Position
    """The position officially reached; an arbiter's correction may have put another in place of what was played."""
    t: float
    t_lifted: float | None
    t_placed: float | None
    done_at: float
    """When the move was made, s: on its point or released between points, or else when it was known."""
    confidence: float
    clock: ClockShown | None
    """What the clock showed then."""
    turn: "Turn"
    """What had happened since the ply before it."""
    t_before: float | None = None
    """When it surely was not made yet; None where that is not known."""


@dataclass(frozen=True, slots=True)
class ClockState:
    """What the clock is known to show; all None while none was heard."""

    red_s: float | None = None
    black_s: float | None = None
    t: float | None = None
    """When it was read."""
    uncertainty_s: float = 0.0
    running: Side | None = None
    """Whose time runs."""
    lost: bool = False
    stopped: bool = False
    """Stopped by somebody, as an arbiter does before pieces are put right."""
    resumed_at: float | None = None
    """When it was started after that, s."""
    presses: tuple[float | None, float | None] = (None, None)
    """When Red and Black last pressed, s."""

    @property
    def heard(self) -> bool:
        """Whether there is a clock at all, and its cable holds."""
        return self.t is not None and not self.lost

    def remaining_s(self, side: Side, t: float) -> float | None:
        """What `side` has left at `t`, by the last reading and the time gone since."""
        shown = self.black_s if side else self.red_s
        if shown is None or self.t is None:
            return None
        gone = t - self.t if self.running == side and not self.lost else 0.0
        return max(0.0, shown - max(0.0, gone))


@dataclass(frozen=True, slots=True)
class Entry:
    """An incident as the judge remembers it."""

    seq: int
    kind: IncidentKind
    severity: Severity
    side: Side | None
    points: tuple[Point, ...]
    ply: int
    """Number of plies in the record when it happened."""
    foul: bool = False
    """Whether it counts among the fouls of 8.1 once it stands."""
    loses: tuple[Termination, str] | None = None
    """How it loses by itself once it stands, and by which clause."""
    upheld: bool = False
    dismissed: bool = False
    replaced: bool = False
    """Whether a later incident tells the same happening: a ruling on this one does not count it a second time."""

    @property
    def counts(self) -> bool:
        """Whether it counts against `side`: clear from what was seen, or upheld; never when dismissed or replaced."""
        return not (self.dismissed or self.replaced) and (self.upheld or self.severity is Severity.BREACH)


@dataclass(frozen=True, slots=True)
class Turn:
    """What happened since the last ply; begins anew with each."""

    touches: tuple[PieceTouched, ...] = ()
    bound: tuple[Point, ...] = ()
    """Points that count as touched from before: the piece of an illegal move that was put back (5.8.3)."""
    reported: tuple[Point, ...] = ()
    """Points whose touching has been reported in this turn, parallel to `reported_seqs`."""
    reported_seqs: tuple[int, ...] = ()
    """The numbers of those reports."""
    early_press: float | None = None
    """When the side to move pressed with no move known yet, s."""
    early_press_uncertainty_s: float = 0.0
    early_press_seq: int | None = None
    """Of the incident about it."""
    not_pressed_reported: bool = False


@dataclass(frozen=True, slots=True)
class OpenBetween:
    """A piece that lies between points, until it is named where it stands."""

    event: PieceBetween
    seq: int | None
    """Of the incident; None while it is not reported."""
    told_as: tuple[int, ...] = ()
    """Of that incident, and of those about the same piece that it has replaced."""


@dataclass(frozen=True, slots=True)
class OpenDisturbance:
    """Disturbed pieces, until they stand on their points again."""

    event: PiecesDisturbed
    seq: int


NOT_SEEING = (ViewState.BLOCKED, ViewState.LOST, ViewState.CAMERA_MOVED)
"""States of the view in which moves may go unseen."""


@dataclass(frozen=True, slots=True)
class Table:
    """Everything the judge knows. Immutable: judging an event gives a new one."""

    profile: RuleProfile
    start: Position | None
    """Where the game began; None while the board is not found."""
    start_given: bool
    board_seen: bool = False
    """Whether the camera has found the board."""
    found: BoardFound | None = None
    """How it was found, where the start was read from it."""
    line: tuple[Ply, ...] = ()
    next_seq: int = 2
    """`seq` the next record is taken to get; the first entry of a journal is the shell's own."""
    clock: ClockState = field(default_factory=ClockState)
    turn: Turn = field(default_factory=Turn)
    entries: tuple[Entry, ...] = ()
    between: OpenBetween | None = None
    disturbed: OpenDisturbance | None = None
    disturbed_points: tuple[Point, ...] = ()
    """Points of the last disturbance: until the next move, touching their pieces is putting them right."""
    disturbed_at: float = 0.0
    """When that was reported, s."""
    differences: tuple[tuple[Point, Piece, Piece | None], ...] = ()
    """What of the board was last reported to differ."""
    repetition_reported: str | None = None
    """By which clause the repetition going on was ruled on."""
    flags: tuple[tuple[float, float] | None, tuple[float, float] | None] = (None, None)
    """When Red's and Black's time ran out, and how uncertain that is, s."""
    offers: tuple[int, int] = (0, 0)
    """How often Red and Black have offered a draw."""
    deviate: Side | None = None
    """Who was told to deviate, while the cycle goes on."""
    limit_reported: bool = False
    result: ResultRecord | None = None
    """The final result."""
    proposed: ResultRecord | None = None
    """What a rule last proposed."""
    proposed_about: int | None = None
    """`seq` of the incident on which that rests."""
    view: ViewState | None = None
    seen_again_at: float | None = None
    """When the board was last seen again after it had not been seen, s."""
    cleared: bool = False
    """The pieces have been swept: what moves now is no part of the game."""

    @property
    def position(self) -> Position | None:
        """The official position; None before the board is found."""
        return self.line[-1].after if self.line else self.start

    @property
    def ply(self) -> int:
        """Number of plies that stand."""
        return len(self.line)

    def fouls(self, side: Side) -> int:
        """How many fouls of 8.1 stand against `side`."""
        return sum(entry.foul and entry.side == side and entry.counts for entry in self.entries)

    def entry(self, seq: int) -> Entry | None:
        """The incident with that number."""
        return next((entry for entry in self.entries if entry.seq == seq), None)
