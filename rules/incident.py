"""What the judge says: the records that go into the journal, with the fields of the interface."""

from dataclasses import dataclass, field
from enum import Enum

from rules.event import ClockEventKind, ViewState, WithdrawnWhy
from rules.move import Move
from rules.piece import EMPTY, SIDE_NAMES, Piece, Side, letter_of
from rules.point import Point, format_point

Json = dict[str, object]


class IncidentKind(Enum):
    """What can happen at a table that an arbiter wants to know; the names are those of the interface."""

    TOUCH_MOVE = "touch_move"
    UNANNOUNCED_ADJUST = "unannounced_adjust"
    TAKE_BACK = "take_back"
    BETWEEN_POINTS = "between_points"
    DISTURBED_PIECES = "disturbed_pieces"
    ILLEGAL_MOVE = "illegal_move"
    SUICIDE = "suicide"
    OUT_OF_TURN = "out_of_turn"
    CLOCK_BEFORE_MOVE = "clock_before_move"
    CLOCK_NOT_PRESSED = "clock_not_pressed"
    FLAG_FALL = "flag_fall"
    REPETITION = "repetition"
    NATURAL_LIMIT = "natural_limit"
    BOARD_DIFFERS = "board_differs"
    RECORD_DOUBT = "record_doubt"


class Severity(Enum):
    """How sure and how grave: BREACH is clear from what was seen, DOUBT wants the arbiter's eye."""

    BREACH = "breach"
    DOUBT = "doubt"
    NOTICE = "notice"


class Termination(Enum):
    """Why a game is over, or should be."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    SUICIDE = "suicide"
    ILLEGAL_MOVE = "illegal_move"
    TIME = "time"
    PERPETUAL_CHECK = "perpetual_check"
    NOT_DEVIATED = "not_deviated"
    REPETITION = "repetition"
    NATURAL_LIMIT = "natural_limit"
    FALSE_CLAIM = "false_claim"
    NEITHER_CAN_WIN = "neither_can_win"
    FOULS = "fouls"
    CLOCK_BEFORE_MOVE = "clock_before_move"
    DISTURBED_PIECES = "disturbed_pieces"
    DECISION = "decision"
    WITHDRAWN = "withdrawn"
    BOARD_CLEARED = "board_cleared"


@dataclass(frozen=True, slots=True)
class ClockShown:
    """What the clock showed when a move was made."""

    red_s: float | None
    black_s: float | None
    age_s: float
    """How long before the move it was read."""

    def to_json(self) -> Json:
        """As in the `clock` of a move."""
        return {"red_s": self.red_s, "black_s": self.black_s, "age_s": round(self.age_s, 3)}


@dataclass(frozen=True, slots=True)
class Record:
    """Anything the judge says; `t` is seconds since the first frame."""

    t: float

    def to_json(self) -> Json:
        """The fields of the interface, without `seq` and `at`."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class BoardFoundRecord(Record):
    """The board was found; the position read from it counts, or one that was given before."""

    corners_px: dict[str, tuple[float, float]]
    red_side: str
    fen: str
    residual_px: float

    def to_json(self) -> Json:
        corners = {name: list(xy) for name, xy in self.corners_px.items()}
        return {
            "t": self.t,
            "kind": "board_found",
            "corners_px": corners,
            "red_side": self.red_side,
            "fen": self.fen,
            "residual_px": self.residual_px,
        }


@dataclass(frozen=True, slots=True)
class MoveRecord(Record):
    """A move that stands in the record, legal or not."""

    ply: int
    side: Side
    move: Move
    chinese: str | None
    captured: Piece
    """EMPTY where nothing was taken."""
    fen: str
    t_lifted: float | None
    t_placed: float | None
    confidence: float
    legal: bool
    clock: ClockShown | None

    def to_json(self) -> Json:
        return {
            "t": self.t,
            "kind": "move",
            "ply": self.ply,
            "side": SIDE_NAMES[self.side],
            "iccs": str(self.move),
            "chinese": self.chinese,
            "captured": None if self.captured == EMPTY else letter_of(self.captured),
            "fen": self.fen,
            "t_lifted": self.t_lifted,
            "t_placed": self.t_placed,
            "confidence": min(1.0, max(0.0, self.confidence)),
            "legal": self.legal,
            "clock": None if self.clock is None else self.clock.to_json(),
        }


@dataclass(frozen=True, slots=True)
class MoveWithdrawn(Record):
    """Plies from `ply` on no longer stand."""

    ply: int
    why: WithdrawnWhy

    def to_json(self) -> Json:
        return {"t": self.t, "kind": "move_withdrawn", "ply": self.ply, "why": self.why.value}


@dataclass(frozen=True, slots=True)
class Incident(Record):
    """Something the arbiter should know of, with its clause and what that prescribes."""

    incident: IncidentKind
    severity: Severity
    side: Side | None
    points: tuple[Point, ...]
    pieces: tuple[Piece, ...]
    clause: str | None
    remedy: Json | None
    text_zh: str
    text_en: str
    ply: int
    t_happened: float
    """When it happened; `t` is when it was known."""
    profile: str
    """Name of the rules edition that the clause is from."""
    updates: int | None = None
    """`seq` of an earlier incident about the same happening, which this one replaces."""
    evidence: tuple[str, ...] = field(default=())

    def to_json(self) -> Json:
        return {
            "t": self.t,
            "kind": "incident",
            "incident": self.incident.value,
            "severity": self.severity.value,
            "side": None if self.side is None else SIDE_NAMES[self.side],
            "points": [format_point(point) for point in self.points],
            "pieces": [letter_of(piece) for piece in self.pieces if piece != EMPTY],
            "clause": self.clause,
            "remedy": self.remedy,
            "text": {"zh": self.text_zh, "en": self.text_en},
            "evidence": list(self.evidence),
            "ply": self.ply,
            "t_happened": self.t_happened,
            "rules": self.profile,
            "updates": self.updates,
        }


@dataclass(frozen=True, slots=True)
class ClockRecord(Record):
    """Something the clock did."""

    event: ClockEventKind
    side: Side | None
    red_s: float | None
    black_s: float | None
    uncertainty_s: float

    def to_json(self) -> Json:
        side: Json = {} if self.side is None else {"side": SIDE_NAMES[self.side]}
        return {
            "t": self.t,
            "kind": "clock",
            "event": self.event.value,
            **side,
            "red_s": self.red_s,
            "black_s": self.black_s,
            "uncertainty_s": self.uncertainty_s,
        }


@dataclass(frozen=True, slots=True)
class ViewRecord(Record):
    """The view of the table changed."""

    state: ViewState
    points: tuple[Point, ...] = ()
    """The points that are not seen, where the others are."""

    def to_json(self) -> Json:
        points: Json = {"points": [format_point(point) for point in self.points]} if self.points else {}
        return {"t": self.t, "kind": "view", "state": self.state.value, **points}


@dataclass(frozen=True, slots=True)
class ResultRecord(Record):
    """A result: final by mate, stalemate or an arbiter's word, else a rule's proposal."""

    result: str
    """1-0, 0-1, 1/2-1/2 or *."""
    termination: Termination
    clause: str | None
    final: bool

    def to_json(self) -> Json:
        return {
            "t": self.t,
            "kind": "result",
            "result": self.result,
            "termination": self.termination.value,
            "clause": self.clause,
            "status": "final" if self.final else "proposed",
        }


@dataclass(frozen=True, slots=True)
class DecisionRecord(Record):
    """An arbiter's act."""

    of: int | None
    ruling: str
    by: str
    change: Json | None
    finding: Json | None = None
    """What the rules say of it, where they say something: whether an offer of a draw is allowed."""

    def to_json(self) -> Json:
        finding: Json = {} if self.finding is None else {"finding": self.finding}
        return {
            "t": self.t,
            "kind": "decision",
            "of": self.of,
            "ruling": self.ruling,
            "by": self.by,
            "change": self.change,
            **finding,
        }
