"""What the eye carries from frame to frame."""

from dataclasses import dataclass, field

import numpy as np

from calibration.grid import Grid
from rules.point import Point
from rules.position import Position
from vision.belief import Belief
from vision.change import F32, Mask
from vision.disorder import Disorder
from vision.episode import Episodes
from vision.follow import Anchor
from vision.frame import Image
from vision.hand import Hands
from vision.hypotheses import Ply
from vision.looks import Looks
from vision.observation import Remembered
from vision.resting import RestingHand
from vision.stood import Glimpse
from vision.window import Window


@dataclass(frozen=True, slots=True)
class Table:
    """The table once the board was found: where it is and how it looks."""

    window: Window
    looks: Looks
    anchor: Anchor
    """What shifts of camera and board are measured from."""
    inside: Mask
    """(TALL/2, WIDE/2) within the picture."""
    full: F32
    """(90, 576) weights for comparing occupied points."""
    wall_free: F32
    """(90, 576) weights for comparing empty points."""

    @property
    def grid(self) -> Grid:
        """Where the board is."""
        return self.window.grid

    def weights(self, board: bytes) -> F32:
        """(90, 576) weights for comparing points on which `board` stands."""
        occupied = np.frombuffer(board, dtype=np.uint8) > 0
        return np.where(occupied[:, None], self.full, self.wall_free)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position read while the board is searched, not yet believed."""

    board: bytes
    often: int
    """How often in a row it was read."""
    t: float


@dataclass(frozen=True, slots=True)
class Watched:
    """A table that was found, and everything known of it."""

    table: Table
    scene: Remembered
    """The table without hands."""
    fine: Image
    """(2 TALL, 2 WIDE, 3) the same, twice as fine."""
    position: Position
    """What is believed to stand on the board, and who is to move."""
    given: Position
    """The official position as it was last told to us."""
    belief: Belief
    episodes: Episodes
    previous: Image
    """(TALL/2, WIDE/2, 3) the halved window of the frame before, evened out."""
    side_known: bool = True
    """Whether it is known who is to move: not so for a position read in the middle of a game."""
    hands: Hands | None = None
    resting: tuple[RestingHand, ...] = ()
    """The hands of the frame before, in case they rest."""
    lying: Mask | None = None
    """(TALL/2, WIDE/2) where matter lay in the frame before that would pass for a hand."""
    plies: tuple[Ply, ...] = ()
    """The plies told so far, those withdrawn left out."""
    disorder: Disorder = field(default_factory=Disorder)
    waiting_since: float | None = None
    """Since when something settled is unexplained, s."""
    quiet_since: float | None = None
    """Since when no hand was seen and nothing moved, s."""
    followed_t: float = -np.inf
    """When the scene last followed the light, s."""
    absorbed_t: float = -np.inf
    """When the whole view was last taken for the remembered scene, s."""
    blocked_since: float | None = None
    """Since when most of the board is hidden, s."""
    blocked_told: bool = False
    outside_told: tuple[Point, ...] = ()
    """Points told to lie outside the picture."""
    view_anew: bool = False
    """Whether something else was told of the view since."""
    glimpses: tuple[Glimpse, ...] = ()
    """The last seconds with hands over the board."""
    moved_t: float | None = None
    """When camera or board were last seen to move, while output pauses; None while all is well."""
    astray_since: float | None = None
    """Since when hardly a point looks as remembered, s; None while all is well."""
    alike: float = 0.0
    """How like the remembered scene the bare points were together when the board was last seen."""
    missed: float = 0.0
    """Share of the last frames in which the board was not seen: black ones, and garbage."""
    unaccounted: bool = False
    """Whether plies may have been made while the board was not seen: until it is seen as on record again."""
    lost: bool = False
    """Whether it was told that the board is lost."""
    checked_t: float = -np.inf
    """When slow drift was last looked for, s."""
    rewound_t: float = -np.inf
    """When it was last asked whether doubted plies were others, s."""
    looks_gain: F32 = field(default_factory=lambda: np.ones(3, dtype=np.float32))
    """(3,) how much brighter it was than the remembered scene when the looks were last learned."""
    looks_t: float = -np.inf
    """When they were last learned, s."""

    @property
    def pauses(self) -> bool:
        """Whether nothing is to be concluded from what is seen."""
        return self.moved_t is not None or self.astray_since is not None


@dataclass(frozen=True, slots=True)
class State:
    """Everything that `pipeline.step` knows; a new one is made for each frame."""

    watched: Watched | None = None
    """None while the board is searched."""
    candidate: Candidate | None = None
    """What was last read while it is searched."""
    searched_t: float = -np.inf
    """When the board was last searched for, s."""

    @property
    def table(self) -> Table | None:
        """Where the table is and how it looks; None while it is searched."""
        return None if self.watched is None else self.watched.table

    @property
    def position(self) -> Position | None:
        """What is believed to stand on the board."""
        return None if self.watched is None else self.watched.position
