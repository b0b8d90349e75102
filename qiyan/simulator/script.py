"""What happens at a table: a list of actions, in order, that the simulator acts out."""

from dataclasses import dataclass

from rules.piece import Side


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast somebody plays; seconds."""

    think_s: float = 1.2
    """Between the opponent's press and the reach for the piece."""
    reach_s: float = 0.55
    carry_s: float = 0.65
    grip_s: float = 0.16
    """Closing or opening the fingers."""
    press_s: float = 0.5
    """From the release to the press."""


BLITZ = Pace(0.12, 0.24, 0.26, 0.07, 0.24)
QUICK = Pace(0.7, 0.40, 0.45, 0.11, 0.38)
NATURAL = Pace()
SLOW = Pace(3.5, 0.9, 1.1, 0.22, 0.8)


@dataclass(frozen=True, slots=True)
class Action:
    """Something that somebody does."""


@dataclass(frozen=True, slots=True)
class Play(Action):
    """Move a piece, capturing what stands on its new point, and press."""

    iccs: str
    pace: Pace = NATURAL
    press: bool = True
    manner: str = "carry"
    """carry, low, slide or slow (a slide that takes seconds)."""
    capture: str = "take_first"
    """take_first (the captured piece goes first), swap (both in one hand), other_hand."""
    hold_s: float = 0.0
    """How long the piece is held in the air over its new point."""
    offset: tuple[float, float] = (0.0, 0.0)
    """How far off its point it is put, cells."""
    side: Side | None = None
    """Who plays it; None for whose turn it is."""
    exact: bool = False
    """Whether `offset` is the whole deviation, with no scatter of the hand added."""
    lay_near: bool = False
    """Whether a captured piece is laid close to the board's outermost line."""
    hands_off_s: float | None = None
    """How long after the release the next action may begin, where nothing is pressed."""


@dataclass(frozen=True, slots=True)
class Press(Action):
    """Press the clock with no move made."""

    side: Side
    wait_s: float = 1.5


@dataclass(frozen=True, slots=True)
class Wait(Action):
    """Nothing happens."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Hover(Action):
    """Hold the hand over a point, touching nothing."""

    side: Side
    point: str
    seconds: float
    height: float = 0.75
    """Of the fingertips over the board, cells; pieces are about 0.35 high."""
    wander: float = 0.4
    """How far the hand drifts about, cells."""
    pose: str = "open"


@dataclass(frozen=True, slots=True)
class LiftBack(Action):
    """Lift a piece and put it back where it stood."""

    side: Side
    point: str
    height: float = 0.6
    seconds: float = 0.5
    """How long it is in the air."""
    off: float = 0.03
    """About how far off its old place it comes down by chance, cells."""
    shift: tuple[float, float] | None = None
    """How far off it comes down where that is not left to chance, cells."""


@dataclass(frozen=True, slots=True)
class Adjust(Action):
    """Push a piece to the middle of its point, or by an amount, without lifting it."""

    side: Side
    point: str
    shift: tuple[float, float] | None = None
    """Cells; None moves it to the middle."""


@dataclass(frozen=True, slots=True)
class TakeBack(Action):
    """Take up a piece just played and put it elsewhere."""

    side: Side
    point: str
    """Where it stands now."""
    to: str
    press: bool = False


@dataclass(frozen=True, slots=True)
class PlaceBetween(Action):
    """Put a piece between two points and press."""

    point: str
    candidates: tuple[str, str]
    share: float = 0.5
    """How far from the first candidate to the second it lies."""
    press: bool = True
    pace: Pace = NATURAL


@dataclass(frozen=True, slots=True)
class PutOn(Action):
    """Put a piece, wherever it lies, in the middle of a point; nothing is pressed."""

    side: Side
    piece_of: str
    """The point where the piece stood when the script last named it there."""
    to: str


@dataclass(frozen=True, slots=True)
class Knock(Action):
    """Brush pieces off their points with the hand on its way."""

    side: Side
    points: tuple[str, ...]
    reach: float = 0.45
    """How far they slide, cells."""
    off_board: tuple[str, ...] = ()
    """Those of them that fall beside the board."""
    settles: bool = False
    """Whether nobody cares: nothing is to be restored."""


@dataclass(frozen=True, slots=True)
class Restore(Action):
    """Put all knocked pieces back."""

    side: Side


@dataclass(frozen=True, slots=True)
class Remove(Action):
    """Take a piece off the board with no move."""

    side: Side
    point: str


@dataclass(frozen=True, slots=True)
class Exchange(Action):
    """Two pieces change places with no move."""

    side: Side
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class RestHand(Action):
    """Lay a hand on the table or board for a while; play by the other side may go on meanwhile."""

    side: Side
    xy: tuple[float, float]
    seconds: float
    pose: str = "flat"
    height: float = 0.05
    """Of the fingertips over the board, cells; over pieces 0.5 and more."""


@dataclass(frozen=True, slots=True)
class Spectate(Action):
    """Somebody beside the table points at something; the play goes on."""

    side: int
    """2 from Red's left, 3 from Red's right."""
    point: str
    seconds: float = 2.0


@dataclass(frozen=True, slots=True)
class PutAt(Action):
    """Put a piece somewhere on the board with no move in it."""

    side: Side
    point: str
    xy: tuple[float, float]
    """Cells."""


@dataclass(frozen=True, slots=True)
class Lean(Action):
    """Lean over the board to look, hands back."""

    side: Side
    seconds: float
    depth: float = 0.8
    """0 upright, 1 with the head over the middle of the board."""


@dataclass(frozen=True, slots=True)
class Bump(Action):
    """Somebody bumps the camera."""

    shift_px: tuple[float, float] = (14.0, 9.0)
    turn_deg: float = 0.8
    shake_s: float = 0.5


@dataclass(frozen=True, slots=True)
class LightTo(Action):
    """The light changes: the gain of everything and of each lamp goes to these values within `seconds`."""

    ambient: float = 1.0
    lamps: tuple[float, ...] = (1.0, 1.0)
    seconds: float = 0.0
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Gain of blue, green, red."""


@dataclass(frozen=True, slots=True)
class Sweep(Action):
    """Sweep the pieces together: the game is over."""

    side: Side


@dataclass(frozen=True, slots=True)
class Expect(Action):
    """No action: a note for the truth of what an arbiter has to be told."""

    incident: str
    side: Side | None
    points: tuple[str, ...]
    clause: str
    since: str = "release"
    """What it dates from: touch, release, press, accident, undone (a piece taken back stands again) or now."""
    required: bool = True
    """Whether it must be reported; else it may be."""
    lasts_s: float = 4.0
    """Reports up to so long after it are right."""


@dataclass(frozen=True, slots=True)
class Stop(Action):
    """Stop the clock."""


@dataclass(frozen=True, slots=True)
class Script:
    """A game as it is acted out."""

    actions: tuple[Action, ...]
    start_fen: str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
    base_s: float = 900.0
    """Time on the clock at the start, s."""
    increment_s: float = 0.0
    red_s: float | None = None
    """Red's time at the start where it is another."""
    black_s: float | None = None
    seed: int = 0
    lead_s: float = 1.6
    """Still board before the first action, s."""
    tail_s: float = 2.5
    """Still board after the last, s."""
    note: str = ""
