"""What eye, clock and arbiter tell the judge: facts of the table, with their times.

Times are seconds since the source's first frame. An event says what was seen, never what the rules make of it.
"""

from dataclasses import dataclass
from enum import Enum

from rules.move import Move
from rules.piece import Piece, Side
from rules.point import Point
from rules.position import Position


class ViewState(Enum):
    """How well the table can be seen."""

    BLOCKED = "blocked"
    CLEAR = "clear"
    CAMERA_MOVED = "camera_moved"
    REALIGNED = "realigned"
    LOST = "lost"
    RESTORED = "restored"


class TouchStrength(Enum):
    """How surely a piece was touched, weakest first."""

    DWELT_ON = "dwelt_on"
    SHIFTED = "shifted"
    LIFTED = "lifted"


class WithdrawnWhy(Enum):
    """Why plies no longer stand."""

    TAKEN_BACK = "taken_back"
    CORRECTED = "corrected"


class ClockEventKind(Enum):
    """What the clock did; the names are those of the interface."""

    PRESS = "press"
    START = "start"
    STOP = "stop"
    FLAG = "flag"
    ADJUST = "adjust"
    LOST = "lost"
    RESTORED = "restored"


@dataclass(frozen=True, slots=True)
class TableEvent:
    """Anything that happened at the table."""

    t: float
    """Seconds since the first frame at which it was known."""


@dataclass(frozen=True, slots=True)
class BoardFound(TableEvent):
    """The board was found and read, at the start or again after it was lost."""

    corners_px: dict[str, tuple[float, float]]
    """The four outermost points a0, i0, i9, a9 in image px."""
    red_side: str
    """Side of the picture where Red sits: bottom, top, left, right."""
    position: Position
    residual_px: float
    """Root mean square distance of the fitted grid from what was measured, px."""
    confidence: float
    """Probability that every point is read right."""


@dataclass(frozen=True, slots=True)
class MoveSeen(TableEvent):
    """A piece was put from one point on another and released; legal or not is the judge's business."""

    move: Move
    t_lifted: float | None
    """When the piece left its point; None where it was not seen."""
    t_placed: float | None
    """When it stood on its new point."""
    confidence: float
    """Probability that this, and nothing else, was played."""
    seen_piece: Piece | None = None
    """What the eye itself reads on the new point, where it disagrees with what was carried there."""
    t_before: float | None = None
    """When one of its two points was last seen as it was before: the move was made after that. None: not known."""


@dataclass(frozen=True, slots=True)
class PliesWithdrawn(TableEvent):
    """The last plies, from `ply` on (1 is the first move), did not happen or were taken back."""

    ply: int
    why: WithdrawnWhy
    t_placed: float | None = None
    """When the piece taken back stood on another point; None where that is not known."""


@dataclass(frozen=True, slots=True)
class PieceTouched(TableEvent):
    """A hand touched a piece that then stood where it had stood before, or was seen in the air."""

    point: Point
    strength: TouchStrength
    t_start: float
    """When the contact began, s."""
    hand_side: Side | None
    """Whose side of the table the hand came from; None where that cannot be told."""
    size_cells: float = 0.0
    """How far the piece's centre was shifted, in cells."""
    probability: float = 1.0


@dataclass(frozen=True, slots=True)
class PieceBetween(TableEvent):
    """A released piece lies between points."""

    piece: Piece
    from_point: Point | None
    xy_cells: tuple[float, float]
    """Where its centre is: x towards file i, y towards rank 9, in cells from a0."""
    candidates: tuple[Point, ...]
    """Nearest first."""
    t_lifted: float | None = None


@dataclass(frozen=True, slots=True)
class BetweenResolved(TableEvent):
    """The piece that lay between points stands on one, or is gone."""

    point: Point | None


@dataclass(frozen=True, slots=True)
class PiecesDisturbed(TableEvent):
    """Several pieces were pushed off their points, or one off the board, with no move in it."""

    points: tuple[Point, ...]
    """Where the pieces should stand."""
    off_board: tuple[Point, ...]
    """Those of `points` whose pieces lie beside the board or are not seen at all."""
    hand_side: Side | None
    t_start: float


@dataclass(frozen=True, slots=True)
class PiecesRestored(TableEvent):
    """Every disturbed piece stands on its point again."""


@dataclass(frozen=True, slots=True)
class BoardDiffers(TableEvent):
    """The board shows something that no move explains."""

    differences: tuple[tuple[Point, Piece, Piece | None], ...]
    """(point, piece on record, piece seen; None where something unreadable stands)."""
    probability: float
    t_start: float | None = None
    """When a hand came that may have done it; None where that cannot be told."""


@dataclass(frozen=True, slots=True)
class RecordDoubt(TableEvent):
    """The eye is not sure of a ply that it reported."""

    ply: int
    alternatives: tuple[Move, ...]
    probability: float
    """Probability that the recorded move is the right one."""


@dataclass(frozen=True, slots=True)
class BoardCleared(TableEvent):
    """Pieces were swept or set up anew: the game on the board is over."""


@dataclass(frozen=True, slots=True)
class ViewChanged(TableEvent):
    """The view of the table changed."""

    state: ViewState
    points: tuple[Point, ...] = ()
    """Where a view is blocked at a few points only, these: they lie outside the picture, and the others are seen."""


@dataclass(frozen=True, slots=True)
class ClockEvent(TableEvent):
    """The clock did something."""

    event: ClockEventKind
    side: Side | None
    red_s: float | None
    black_s: float | None
    uncertainty_s: float
    """The event happened within this many seconds before or after `t`."""


@dataclass(frozen=True, slots=True)
class Decision(TableEvent):
    """An arbiter's act."""

    of: int | None
    """`seq` of the incident it answers."""
    ruling: str
    """upheld, dismissed, noted or corrected."""
    by: str
    change: dict[str, object] | None = None
    """What it changes, as data: {"result": "1-0"}, {"fen": ...}, {"ply": 3, "iccs": "h2e2"}, {"point": "e4"} ..."""
