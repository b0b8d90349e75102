"""The stage: pieces, hands and clock with their paths in time, and the simple things hands do with them."""

from dataclasses import dataclass, field

import numpy as np

from qiyan.simulator.arm import facing
from qiyan.simulator.board_style import widen
from qiyan.simulator.clock_body import button_of
from qiyan.simulator.look import Look
from qiyan.simulator.motion import Key, Track, Xyz
from qiyan.simulator.script import Pace, Script
from rules.fen import parse_fen
from rules.piece import RED, Side, other, side_of
from rules.point import POINTS, file_of, rank_of

HandName = tuple[int, bool]
"""Side, and whether it is the hand that side does not play with."""

LAP_Y = 7.5
"""How far from the middle of the outermost rank a hand in the lap is, cells."""
REST_Y = 2.6
"""The same for a hand that rests on the table."""
CARRY_HEIGHT = 0.95
"""How high a piece is carried over the others, cells."""
MAX_SCATTER = 0.12
"""Nobody who plays properly puts a piece farther off its point than this, cells."""


@dataclass(slots=True)
class PieceBody:
    """One piece and its way through the film."""

    piece: int
    track: Track


@dataclass(slots=True)
class Stage:
    """What is planned so far. `now` is the time up to which the main thread of the play is planned, s."""

    look: Look
    script: Script
    rng: np.random.Generator
    now: float
    side: Side
    pieces: list[PieceBody]
    on_point: dict[int, int]
    """Point -> index of the piece that stands there by the game, even while it is knocked off it."""
    hands: dict[HandName, Track]
    leans: tuple[Track, Track]
    presses: list[tuple[float, Side]] = field(default_factory=list)
    stops: list[float] = field(default_factory=list)
    moves: list[dict[str, object]] = field(default_factory=list)
    incidents: list[dict[str, object]] = field(default_factory=list)
    bumps: list[tuple[float, tuple[float, float], float, float]] = field(default_factory=list)
    """(t, shift in px, turn in degrees, seconds of shaking)."""
    lights: list[tuple[float, float, float, tuple[float, ...], tuple[float, float, float]]] = field(
        default_factory=list
    )
    """(t, seconds, ambient, lamps, tint)."""
    captured: list[list[int]] = field(default_factory=lambda: [[], []])
    disturbed: dict[int, int] = field(default_factory=dict)
    """Piece index -> point it was knocked off."""
    between: dict[str, int] = field(default_factory=dict)
    """Point a piece came from -> index of the piece that lies between points since."""
    touches: list[dict[str, object]] = field(default_factory=list)
    withdrawn: list[dict[str, object]] = field(default_factory=list)
    """Moves that were taken back, with `t_withdrawn`."""
    knocked_t: float = 0.0
    """When the last accident began, s."""
    resolved_t: float = 0.0
    """When the last accident was put right, s."""

    def spot(self, point: int, offset: tuple[float, float] = (0.0, 0.0)) -> tuple[float, float]:
        """Where a point lies, cells of the world."""
        at = widen(np.array([[file_of(point) + offset[0], rank_of(point) + offset[1]]]), self.look.board.river)[0]
        return float(at[0]), float(at[1])

    def hand(self, side: int, spare: bool = False) -> Track:
        """The path of a player's playing or spare hand."""
        return self.hands[(side, spare)]

    def rest_xyz(self, side: int, spare: bool) -> Xyz:
        """Where an idle hand lies."""
        if side > 1:
            ahead = facing(side)
            return 4.0 - float(ahead[0]) * 13.0, 4.5, 1.0
        towards = 1.0 if side == RED else -1.0
        person = self.look.person(side)
        right = person.left_handed == spare
        x = 4.0 + towards * (1.9 if right else -1.9)
        back = REST_Y if self.look.hands_rest_in_view else LAP_Y
        return x, 4.5 - towards * (4.5 + back), -0.1 if self.look.hands_rest_in_view else -2.5

    def reach(
        self, side: int, xyz: Xyz, seconds: float, pose: str, arc: float = 0.0, spare: bool = False, turn: float = 0.0
    ) -> None:
        """Move a hand to `xyz`, from where it is now, and let `now` be its arrival."""
        track = self.hand(side, spare)
        track.cut(self.now)
        track.hold(self.now)
        self.now += seconds
        track.add(Key(self.now, xyz, arc, pose, turn, self._lean_for(side, xyz)))

    def retreat(self, side: int, seconds: float = 0.6, spare: bool = False, after: float = 0.0) -> None:
        """Plan the hand's way back to its rest; `now` stays."""
        track = self.hand(side, spare)
        start = max(self.now + after, track.keys[-1].t)
        track.hold(start)
        rest = self.rest_xyz(side, spare)
        track.add(Key(start + seconds, rest, 0.6, "open" if spare else "flat", 0.0, 0.0))

    def top_of(self, index: int, lift: float = 0.0) -> Xyz:
        """Where fingers grip a piece, as it lies now."""
        x, y, z = self.pieces[index].track.xyz(self.now)
        return x, y, z + self.look.pieces.height + lift

    def take(self, side: int, index: int, pace: Pace, spare: bool = False) -> float:
        """Reach for a piece and grip it; returns when it was first touched."""
        high = 0.25 if self.hand(side, spare).xyz(self.now)[2] > 0.4 else 0.8
        self.reach(side, self.top_of(index), pace.reach_s, "open", high, spare, float(self.rng.normal(0, 6)))
        touched = self.now
        self.reach(side, self.top_of(index), pace.grip_s, "pinch", 0.0, spare, self.hand(side, spare).keys[-1].turn)
        return touched

    def carry(
        self, side: int, index: int, xyz: Xyz, seconds: float, arc: float, spare: bool = False, turn_by: float = 0.0
    ) -> None:
        """Carry the gripped piece so that its foot comes to `xyz`."""
        body = self.pieces[index].track
        body.hold(self.now)
        turn = body.keys[-1].turn
        top = (xyz[0], xyz[1], xyz[2] + self.look.pieces.height)
        self.reach(side, top, seconds, "pinch", arc, spare, self.hand(side, spare).keys[-1].turn)
        body.add(Key(self.now, xyz, arc, "", turn + turn_by))

    def release(self, side: int, pace: Pace, spare: bool = False) -> float:
        """Open the fingers; returns when they no longer touch the piece."""
        x, y, z = self.hand(side, spare).xyz(self.now)
        self.reach(side, (x, y, z + 0.12), pace.grip_s, "open", 0.0, spare, self.hand(side, spare).keys[-1].turn)
        return self.now

    def press(self, side: Side, pace: Pace, lead_s: float | None = None) -> float:
        """Press the clock; returns when. `now` is that time, and the hand goes back after it."""
        if self.look.clock is None:
            return self.now
        x, y, z = button_of(self.look.clock, side)
        seconds = pace.press_s if lead_s is None else lead_s
        down_s = min(0.1, 0.3 * seconds)
        self.reach(side, (x, y, z + 0.55), seconds - down_s, "point", 0.5)
        self.reach(side, (x, y, z), down_s, "point")
        t = self.now
        self.presses.append((t, side))
        self.reach(side, (x, y, z + 0.4), 0.14, "point")
        self.retreat(side, max(0.3, 1.2 * pace.reach_s))
        self.now = t
        return t

    def scattered(self, point: int, offset: tuple[float, float], exact: bool) -> tuple[float, float]:
        """Where a hand really puts a piece meant for a point."""
        if exact:
            return self.spot(point, offset)
        step = self.rng.normal(0.0, self.look.scatter, 2)
        far = float(np.hypot(*step))
        step = step * min(1.0, MAX_SCATTER / max(far, 1e-6))
        for _ in range(6):
            xy = self.spot(point, (offset[0] + float(step[0]), offset[1] + float(step[1])))
            if self.is_free(xy, point):
                break
            step = step * 0.5
        return xy

    def is_free(self, xy: tuple[float, float], but: int | None = None) -> bool:
        """Whether a piece put there would touch none that lies on the board, that of the point `but` left out."""
        apart = 2.0 * self.look.pieces.radius * 1.01
        spared = self.on_point.get(but) if but is not None else None
        for index, body in enumerate(self.pieces):
            if index == spared:
                continue
            x, y, z = body.track.xyz(self.now)
            if abs(z) < 0.5 * self.look.pieces.height and float(np.hypot(x - xy[0], y - xy[1])) < apart:
                return False
        return True

    def aside_xyz(self, side: int, near: bool = False) -> Xyz:
        """The next free place beside the board for a piece that `side` captured; `near`: by the outermost line."""
        number = len(self.captured[side])
        margin, r = self.look.board.margin, self.look.pieces.radius
        row, column = number % 5, number // 5
        towards = 1.0 if side == RED else -1.0
        jitter = self.rng.normal(0.0, 0.07, 2)
        x = 4.0 + towards * (4.0 + margin + 0.25 + 2.3 * r + column * 2.3 * r) + float(jitter[0])
        y = 4.5 - towards * (4.4 - row * 2.25 * r) + float(jitter[1])
        if near:
            # On the board's margin where that is wide enough, else on the table against the board.
            out = max(0.62, r + 0.2) if margin > 0.62 + 0.6 * r else margin + r + 0.05
            return 4.0 + towards * (4.0 + out), y, 0.0 if out < margin else -self.look.board.thick
        return x, y, -self.look.board.thick

    def _lean_for(self, side: int, xyz: Xyz) -> float:
        if side > 1:
            return 0.5
        towards = 1.0 if side == RED else -1.0
        along = 4.5 + towards * (xyz[1] - 4.5)
        return float(np.clip((along - 1.0) / 14.0, 0.0, 0.55))


def set_stage(look: Look, script: Script) -> Stage:
    """The stage before anything happens: every piece on its point, hands at rest."""
    rng = np.random.default_rng((look.seed, script.seed, 7))
    position = parse_fen(script.start_fen)
    stage = Stage(look, script, rng, script.lead_s, position.side, [], {}, {}, (Track(), Track()))
    for point in range(POINTS):
        piece = position.piece_at(point)
        if not piece:
            continue
        x, y = stage.scattered(point, (0.0, 0.0), False)
        facing = 0.0 if side_of(piece) == RED else np.pi
        turn = facing + float(np.deg2rad(rng.normal(0.0, look.turn_deg)))
        stage.on_point[point] = len(stage.pieces)
        stage.pieces.append(PieceBody(piece, Track([Key(0.0, (x, y, 0.0), 0.0, "", turn)])))
    for side in (RED, other(RED)):
        for spare in (False, True):
            stage.hands[(side, spare)] = Track([Key(0.0, stage.rest_xyz(side, spare), 0.0, "flat")])
        stage.leans[side].keys.append(Key(0.0, (0.0, 0.0, 0.0)))
    for seat in (2, 3):
        stage.hands[(seat, False)] = Track([Key(0.0, stage.rest_xyz(seat, False), 0.0, "point")])
    return stage
