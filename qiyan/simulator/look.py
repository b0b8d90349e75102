"""Everything about how one table looks."""

from dataclasses import dataclass, field

from qiyan.simulator.board_style import BoardStyle
from qiyan.simulator.camera import Viewpoint
from qiyan.simulator.clock_body import ClockStyle
from qiyan.simulator.light import Lighting
from qiyan.simulator.person import Person
from qiyan.simulator.piece_style import PieceStyle
from qiyan.simulator.sensor import Sensor
from qiyan.simulator.textures import Bgr


@dataclass(frozen=True, slots=True)
class TableStyle:
    """The table and the room's floor."""

    surface: str = "wood"
    bgr: Bgr = (70.0, 104.0, 150.0)
    floor_bgr: Bgr = (80.0, 84.0, 88.0)
    side_room: float = 6.0
    """Table beside the board on each side, cells."""


@dataclass(frozen=True, slots=True)
class Look:
    """One table with its board, pieces, light, players and camera."""

    name: str = "plain"
    seed: int = 0
    """Everything accidental follows from it."""
    view: Viewpoint = field(default_factory=Viewpoint)
    board: BoardStyle = field(default_factory=BoardStyle)
    pieces: PieceStyle = field(default_factory=PieceStyle)
    table: TableStyle = field(default_factory=TableStyle)
    clock: ClockStyle | None = field(default_factory=ClockStyle)
    lighting: Lighting = field(default_factory=Lighting)
    sensor: Sensor = field(default_factory=Sensor)
    red: Person = field(default_factory=Person)
    black: Person = field(default_factory=Person)
    spectator: Person = field(default_factory=lambda: Person(sleeve_bgr=(150.0, 120.0, 96.0)))
    """Whoever stands beside the table."""
    bodies: bool = True
    """Whether trunks and heads can come into the picture."""
    hands_rest_in_view: bool = True
    """Whether idle hands lie on the table by the board or are taken back to the lap."""
    size_wh: tuple[int, int] = (1280, 720)
    fps: float = 12.0
    scatter: float = 0.045
    """How far from the middle of its point a piece is put, deviation in cells."""
    turn_deg: float = 25.0
    """How far a piece is put askew, deviation in degrees; Black's signs face Black."""

    def person(self, side: int) -> Person:
        """Red, Black, or a spectator (2 and 3)."""
        return (self.red, self.black, self.spectator, self.spectator)[side]
