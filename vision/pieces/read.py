"""A picture and its grid to a position: every point with its probability, and the probability that all are right."""

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from calibration.grid import F64, Grid
from rules.piece import BLACK, EMPTY, RED, Piece, make_piece
from rules.point import Point
from rules.position import Position
from vision.frame import Image
from vision.pieces.classify import Looks, look
from vision.pieces.displacement import Displacement
from vision.pieces.enrol import Enrolment, enrolled_kind_nats, enrolled_likeness
from vision.pieces.faces import Faces, fit_faces, grid_with_faces
from vision.pieces.hidden import COVERED, hidden_pieces, hidden_share
from vision.pieces.ink import redder_nats
from vision.pieces.joint import I64, KindReading, group_alike, read_kinds, share_evidence
from vision.pieces.nets import PieceNets
from vision.pieces.odds import p_likelier
from vision.pieces.placement import START_KINDS, placement_nats, start_points
from vision.pieces.sides import settle_sides
from vision.pieces.upright import upright_nats
from vision.pieces.variants import variant_nats


class Doubt(Enum):
    """Why a point is not sure."""

    OCCLUDED = "occluded"
    BETWEEN_POINTS = "between points"
    UNCLEAR = "unclear"


DOUBT_BELOW = 0.9
"""A point less probable than this is named as a doubt."""
BETWEEN_CELLS = 0.35
"""A disc whose centre is farther than this from its point lies between points."""
_ALMOST_START = 0.9
"""Share of a side's start points from which its pieces are taken not to have moved much."""
_MOST_LAYOUT_NATS = 8.0
"""How far the places of the pieces may speak for or against an exchange of the sides: layouts for practice exist."""


@dataclass(frozen=True, slots=True)
class PointReading:
    """What stands on one point."""

    point: Point
    piece: Piece
    """EMPTY where nothing stands."""
    p: float
    """Probability that this is right."""
    dx: float
    """Centre of the piece from the point, cells towards file i; 0 where empty."""
    dy: float
    """The same towards rank 9."""
    doubt: Doubt | None


@dataclass(frozen=True, slots=True)
class BoardReading:
    """A position read from one picture."""

    position: Position
    """What stands on the board; Red to move, as nothing says otherwise."""
    points: tuple[PointReading, ...]
    """All 90, in the order of the points."""
    confidence: float
    """Probability that this is the board and every point is right."""
    grid: Grid
    """The grid turned so that a0 is on Red's left, with the height of the faces."""
    face_radius: float
    """Radius of the faces, cells."""
    p_pieces: F64
    """(90, 16) probability of every piece number of rules.piece at every point (column 8 is not used)."""

    @property
    def doubts(self) -> tuple[PointReading, ...]:
        """The points that are not sure."""
        return tuple(reading for reading in self.points if reading.doubt is not None)


def read_board(
    image_bgr: Image,
    grid: Grid,
    nets: PieceNets | None,
    enrolment: Enrolment | None = None,
    turn_known: bool = False,
) -> BoardReading:
    """Read the position on a board whose grid is known, up to a half turn unless `turn_known`."""
    looks = look(image_bgr, grid, fit_faces(image_bgr, grid), nets, enrolment)
    return read_looks(looks, grid, enrolment, turn_known)


def read_looks(looks: Looks, grid: Grid, enrolment: Enrolment | None, turn_known: bool) -> BoardReading:
    """Read the position from what was found at the points."""
    faces, standing = looks.faces, looks.standing
    side = np.where(looks.red[standing] > 0.0, RED, BLACK).astype(np.int64)
    groups = group_alike(looks.alike, side, looks.kind_nats[standing])
    shared = share_evidence(looks.kind_nats[standing], groups)
    known_alike = None if enrolment is None else enrolled_likeness(enrolment, looks.spectra)

    def read(side: I64, half_turn: bool) -> KindReading:
        nats = shared
        if enrolment is not None and known_alike is not None:
            nats = shared + enrolled_kind_nats(enrolment, known_alike, side)
        return _read_turned(standing, side, groups, nats, half_turn)

    chosen, half_turn, p_turn = read(side, False), False, 1.0
    if not turn_known:
        turned = read(side, True)
        turn_nats = turned.log_weight - chosen.log_weight
        likelier = np.array((turned if turn_nats > 0.0 else chosen).kinds, dtype=np.int64)
        turn_nats -= upright_nats(looks.spectra[:, 0], likelier, side)
        p_turn = p_likelier(turn_nats)
        if turn_nats > 0.0:
            chosen, half_turn = turned, True
    red = looks.red.copy()
    side, red[standing], chosen = settle_sides(lambda sides: read(sides, half_turn), side, looks.red[standing], chosen)
    # With the other side's colours the board lies the other way round, too, unless that is known.
    exchanged = read(1 - side, half_turn == turn_known)
    colour_nats = _colour_nats(looks, side, chosen, exchanged)
    if sum(colour_nats) < 0.0:
        side, red, chosen, half_turn = 1 - side, -red, exchanged, half_turn == turn_known
    p_way = p_turn * p_likelier(*colour_nats)
    return _reading(replace(looks, red=red), faces, grid, standing, side, chosen, half_turn, p_way)


def _colour_nats(looks: Looks, side: I64, chosen: KindReading, exchanged: KindReading) -> tuple[float, float, float]:
    """Log-odds that Red's pieces are Red's, and not all Black's: by their ink, their signs and their places."""
    layout = float(np.clip(chosen.log_weight - exchanged.log_weight, -_MOST_LAYOUT_NATS, _MOST_LAYOUT_NATS))
    signs = variant_nats(looks.spectra[:, 0], np.array(chosen.kinds, dtype=np.int64), side)
    return redder_nats(looks.colours, side, looks.standing), signs, layout


def _read_turned(standing: I64, side: I64, groups: list[list[int]], nats: F64, half_turn: bool) -> KindReading:
    """Read all kinds, with the board the one or the other way round."""
    points = 89 - standing if half_turn else standing
    kinds, marginals = np.zeros(len(standing), dtype=int), np.zeros((len(standing), 7))
    log_weight, certainty = 0.0, 1.0
    for colour in (RED, BLACK):
        mine = np.flatnonzero(side == colour)
        on_start = np.isin(points[mine], np.flatnonzero(start_points(colour)))
        share = float(on_start.sum()) / 16.0
        placed = placement_nats(colour, share)
        number = {int(disc): i for i, disc in enumerate(mine)}
        parts = [[i for i in members if side[i] == colour] for members in groups]
        if share > _ALMOST_START:
            # Where nothing has moved yet, the points say more of who is alike than the looks.
            parts = [split for part in parts for split in _by_start_kind(part, points, colour)]
        parts = [part for part in parts if part]
        group_nats = [nats[part].sum(axis=0) + placed[points[part]].sum(axis=0) for part in parts]
        reading = read_kinds(group_nats, [len(part) for part in parts], [[number[i] for i in part] for part in parts])
        kinds[mine] = reading.kinds
        marginals[mine] = reading.marginals
        log_weight += reading.log_weight
        certainty *= reading.certainty
    return KindReading(tuple(int(kind) for kind in kinds), marginals, log_weight, certainty)


def _by_start_kind(part: list[int], points: I64, colour: int) -> list[list[int]]:
    kinds = START_KINDS[colour][points]
    return [[i for i in part if kinds[i] == kind] for kind in range(8)]


def _reading(
    looks: Looks,
    faces: Faces,
    grid: Grid,
    standing: I64,
    side: I64,
    kinds: KindReading,
    half_turn: bool,
    p_way: float,
) -> BoardReading:
    pieces, p_pieces, sure = _seen_pieces(looks, standing, side, kinds)
    offset, covered = looks.offset_cells, looks.covered
    if half_turn:
        pieces, p_pieces, sure = pieces[::-1], p_pieces[::-1], sure[::-1]
        offset, covered = -offset[::-1], covered[::-1]
        grid = _half_turned(grid)
        faces = _half_turned_faces(faces)
    pieces, p_pieces, sure = _with_hidden(pieces, p_pieces, sure, covered)
    confidence = float(np.prod(sure) * kinds.certainty * p_way * grid.confidence)
    p = p_pieces[np.arange(90), pieces]
    points = tuple(_point_reading(i, int(pieces[i]), float(p[i]), offset[i], float(covered[i])) for i in range(90))
    return BoardReading(
        Position(bytes(int(piece) for piece in pieces), RED),
        points,
        confidence,
        grid_with_faces(grid, faces),
        faces.radius,
        p_pieces,
    )


def _seen_pieces(looks: Looks, standing: I64, side: I64, kinds: KindReading) -> tuple[I64, F64, F64]:
    """(90,) pieces, (90, 16) probabilities of all, (90,) probability that whether and whose is right."""
    p_occupied = 1.0 / (1.0 + np.exp(-looks.occupied))
    p_red = 1.0 / (1.0 + np.exp(-looks.red))
    spread = np.full((90, 7), 1.0 / 7.0)
    spread[standing] = kinds.marginals
    p_pieces = np.zeros((90, 16))
    p_pieces[:, EMPTY] = 1.0 - p_occupied
    p_pieces[:, 1:8] = (p_occupied * p_red)[:, None] * spread
    p_pieces[:, 9:16] = (p_occupied * (1.0 - p_red))[:, None] * spread
    pieces = np.zeros(90, dtype=np.int64)
    for number, at in enumerate(standing):
        pieces[at] = make_piece(int(side[number]), kinds.kinds[number])
    sure = np.where(pieces > 0, p_occupied * np.where(pieces < 8, p_red, 1.0 - p_red), 1.0 - p_occupied)
    return pieces, p_pieces, sure


def _with_hidden(pieces: I64, p_pieces: F64, sure: F64, covered: F64) -> tuple[I64, F64, F64]:
    """The same with what may, and what must, stand on points that are hidden."""
    pieces, p_pieces, sure = pieces.copy(), p_pieces.copy(), sure.copy()
    p_empty = np.minimum(p_pieces[:, EMPTY], 1.0 - hidden_share(pieces, covered) * covered)
    free = pieces == EMPTY
    p_pieces[free] *= ((1.0 - p_empty) / np.maximum(1.0 - p_pieces[:, EMPTY], 1e-12))[free, None]
    p_pieces[free, EMPTY] = sure[free] = p_empty[free]
    for found in hidden_pieces(pieces, covered):
        pieces[found.point] = found.piece
        p_pieces[found.point] *= (1.0 - found.p) / (1.0 - p_pieces[found.point, found.piece])
        p_pieces[found.point, found.piece] = sure[found.point] = found.p
    return pieces, p_pieces, sure


def _point_reading(point: int, piece: int, p: float, offset: F64, covered: float) -> PointReading:
    doubt = None
    if covered > COVERED:
        doubt = Doubt.OCCLUDED
    elif piece and float(np.hypot(*offset)) > BETWEEN_CELLS:
        doubt = Doubt.BETWEEN_POINTS
    elif p < DOUBT_BELOW:
        doubt = Doubt.UNCLEAR
    dx, dy = (float(offset[0]), float(offset[1])) if piece else (0.0, 0.0)
    return PointReading(Point(point), Piece(piece), p, dx, dy, doubt)


def _half_turned(grid: Grid) -> Grid:
    """The same grid numbered from the other side."""
    turn = np.array([[-1.0, 0.0, 8.0], [0.0, -1.0, 8.0 + grid.river], [0.0, 0.0, 1.0]])
    return replace(grid, h_board_to_px=grid.h_board_to_px @ turn)


def _half_turned_faces(faces: Faces) -> Faces:
    far = faces.displaced(np.array([[8.0, 9.0]]))[0]
    return replace(faces, displacement=Displacement(faces.enlargement, (8.0 - float(far[0]), 9.0 - float(far[1]))))
