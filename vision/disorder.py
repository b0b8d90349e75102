"""What no move explains: a piece between points, pieces pushed off their points or off the board, a strange board."""

from dataclasses import dataclass, replace

import numpy as np

from rules.event import (
    BetweenResolved,
    BoardCleared,
    BoardDiffers,
    PieceBetween,
    PiecesDisturbed,
    PiecesRestored,
    TableEvent,
)
from rules.piece import EMPTY, Piece, Side, other, side_of
from rules.point import FILES, POINTS, Point
from vision.belief import BLACK_LOOK, EMPTY_LOOK, F64, RED_LOOK, SAME
from vision.change import Mask
from vision.decode import Reading
from vision.episode import Episodes, began_at, held_near, side_at
from vision.stray import Stray, StrayConfig


@dataclass(frozen=True, slots=True)
class DisorderConfig:
    """When disorder is told."""

    stray: StrayConfig = StrayConfig()  # noqa: RUF009
    wait_s: float = 0.5
    """A disorder has to stand this long with no hand about: pieces in the act of being played are no disorder."""
    lost_s: float = 3.0
    """One piece gone, and nothing else: a capture may be under way for this long."""
    no_move_s: float = 1.5
    """The same where the piece's owner is not to move and the hand was his: none is, whatever his fingers did there."""
    taken_s: float = 0.15
    """A piece gone at which fingers were for so long, two frames of ten a second, may have been taken away, and nobody
    is to be blamed for knocking it off the board."""
    taken_cells: float = 1.5
    """So near to the point: aslant from the side of the board a hand ends on the next point but across."""
    differs_s: float = 5.0
    """What nothing explains is told after this long."""
    between_cells: float = 0.35
    """A piece farther than this from every point lies between points: a hair less than PlacingConfig.off_centre_cells,
    so that what is not taken for a move there is told of here."""
    unsure_cells: float = 0.42
    """The same of one whose middle only a rim tells, which errs by as much as a tenth of a cell."""
    apart_cells: float = 0.6
    """Two pieces are at least this far apart."""
    clear_occupancy: float = 0.75
    """Score from which a round thing beside the points is a piece for sure: pieces have 1, give or take a third; what a
    piece leaves behind where it stood may look like half of one."""
    contact_s: float = 0.3
    """A hand that hides a piece pushes it about this long after."""
    pushed_cells: float = 2.5
    """A piece is pushed no farther than this and still on the board."""
    cleared_share: float = 0.4
    """With this share of the pieces gone from their points the board was cleared."""
    brushed_cells: float = 0.2
    """A piece left so far off the middle of its point by a hand is off its point: alone it was touched, two of them
    are disturbed pieces."""
    brushed_s: float = 5.0
    """Pieces found so within this time of each other were disturbed together."""


@dataclass(frozen=True, slots=True)
class Disorder:
    """What was told and still stands."""

    between_from: int | None = None
    between_xy: tuple[float, float] | None = None
    disturbed: frozenset[int] = frozenset()
    differing: frozenset[int] = frozenset()
    cleared: bool = False
    brushed: tuple[tuple[int, float, float], ...] = ()
    """Points whose pieces were found pushed far, though still on them, when, and when a hand had come there, s."""

    @property
    def points(self) -> frozenset[int]:
        """Points of what was told and has not been put right."""
        between = frozenset() if self.between_from is None else frozenset({self.between_from})
        return self.disturbed | self.differing | between

    def brushed_since(self, t: float) -> set[int]:
        """Points whose pieces were found pushed far since then."""
        return {point for point, when, _ in self.brushed if when >= t}


@dataclass(frozen=True, slots=True)
class Scene:
    """What is looked at for disorder."""

    t: float
    board: bytes
    reading: Reading
    evidence: F64
    settled: Mask
    strays: list[Stray]
    episodes: Episodes
    quiet_s: float
    """For how long no hand was over the board and nothing moved."""
    to_move: Side | None = None
    """Whose turn it is; None where that is not known."""
    unaccounted: bool = False
    """Whether plies may have been made that nobody saw: then what differs is nobody's fault."""


def find_disorder(known: Disorder, scene: Scene, config: DisorderConfig) -> tuple[Disorder, list[TableEvent]]:
    """What is to be told of a board that no move explains."""
    if known.cleared or scene.quiet_s < config.wait_s:
        return known, []
    # A piece that was left between points has been told of; whoever plays on has not disturbed it.
    every_gone = _gone(scene, config)
    gone = [point for point in every_gone if point != known.between_from]
    pushed = _pushed(scene, config)
    every = scene.strays
    scene = replace(scene, strays=[stray for stray in every if not _explained(stray, scene)])
    off = {*gone, *pushed, *known.brushed_since(scene.t - config.brushed_s)}
    pieces = sum(1 for piece in scene.board if piece != EMPTY)
    if len(gone) >= 4 and len(gone) >= config.cleared_share * pieces:
        return replace(known, cleared=True), [BoardCleared(scene.t)]
    if scene.unaccounted:
        return _differs(known, scene, config)
    if len(off) >= 2 and (gone or pushed):
        beside = _off_board(gone, pushed, replace(scene, strays=every), config)
        hidden = set(beside) >= off and scene.quiet_s < config.lost_s
        # Pieces of which none is seen any more may lie under something that keeps still: a head, a sleeve.
        if off <= known.disturbed or hidden:
            return known, []
        return _disturbed(known, scene, sorted(off), beside, config)
    if len(gone or every_gone) == 1:
        told = _one_gone(known, scene, (gone or every_gone)[0], config)
        if told is not None:
            return told
    return _differs(known, scene, config)


def push_aside(
    known: Disorder, points: list[int], episodes: Episodes, t: float, config: DisorderConfig
) -> tuple[Disorder, list[TableEvent]]:
    """Note pieces that a hand left far off the middle of their points; two of them are disturbed pieces."""
    if not points or known.disturbed:
        # Hands that put disturbed pieces right push them about.
        return known, []
    here = tuple((point, t, began_at(episodes, [point], t)) for point in points)
    known = replace(known, brushed=(*known.brushed, *here))
    off = sorted(known.brushed_since(t - config.brushed_s))
    if len(off) < 2:
        return known, []
    began = min(t, _knocked_at(known, episodes, off, t, config) + config.contact_s)
    told = PiecesDisturbed(t, tuple(Point(point) for point in off), (), side_at(episodes, points), began)
    return replace(known, disturbed=frozenset(off)), [told]


def exchanged(
    known: Disorder, points: list[tuple[int, int]], board: bytes, episodes: Episodes, t: float, config: DisorderConfig
) -> tuple[Disorder, list[TableEvent]]:
    """Tell pieces that have changed places: (point, point whose piece stands there now)."""
    differences = tuple((Point(p), Piece(board[p]), Piece(board[q])) for p, q in points)
    changed = [point for point, _ in points]
    event = BoardDiffers(t, differences, _EXCHANGED_P, _began(episodes, changed, t, config))
    return replace(known, differing=known.differing | set(changed)), [event]


def put_right(known: Disorder, t: float) -> tuple[Disorder, list[TableEvent]]:
    """The board is as on record again."""
    events: list[TableEvent] = []
    if known.between_from is not None:
        events.append(BetweenResolved(t, None))
    if known.disturbed:
        events.append(PiecesRestored(t))
    return Disorder(cleared=known.cleared), events


def _gone(scene: Scene, config: DisorderConfig) -> list[int]:
    """Points whose piece is not there, and that the best explanation does not empty."""
    best = scene.reading.best.board
    empty = scene.evidence[:, EMPTY_LOOK]
    missing = (empty - scene.evidence[:, SAME] > 2.0) & scene.settled
    found = [p for p in np.flatnonzero(missing).tolist() if scene.board[p] != EMPTY and best[p] == scene.board[p]]
    return [p for p in found if empty[p] > _LIKE_EMPTY or _lies_beside(p, scene, config)]


def _lies_beside(point: int, scene: Scene, config: DisorderConfig) -> bool:
    """Whether a point looks more like an empty one than like any piece, and one of its side lies just beside it.

    So tall a piece, seen aslant, hides half of the point that it was pushed from. One that lies beside the board near
    its point may have uncovered a mark there, or an ornament, which looks like nothing known.
    """
    if _looks_like(scene.evidence[point]) != EMPTY:
        return False
    owner = side_of(scene.board[point])
    off = [stray for stray in scene.strays if stray.side in (owner, None) and stray.off_board(config.stray)]
    if any(stray.distance_to(point) <= _NEXT_TO_BOARD_CELLS for stray in off):
        return True
    near = [stray for stray in scene.strays if stray.side == owner]
    return any(
        stray.occupancy >= config.clear_occupancy and _COVERED_CELLS <= stray.distance_to(point) <= _ROUND_IT_CELLS
        for stray in near
    )


def _pushed(scene: Scene, config: DisorderConfig) -> list[int]:
    """Points whose piece is still on them, but far off their middle since a hand was there."""
    best = scene.reading.best.board
    found = []
    for stray in scene.strays:
        point = stray.nearest()[0]
        piece = scene.board[point]
        if piece == EMPTY or best[point] != piece or side_of(piece) != stray.side or stray.off_board(config.stray):
            continue
        if stray.occupancy < config.clear_occupancy:
            continue
        moved = scene.evidence[point, SAME] < 0.0 and bool(scene.settled[point])
        if moved and config.brushed_cells <= stray.distance_to(point) <= _ON_POINT_CELLS:
            found.append(int(point))
    return sorted(set(found))


def _explained(stray: Stray, scene: Scene) -> bool:
    """Whether the best explanation has a piece of that side where the stray stands."""
    nearest = stray.nearest()[0]
    piece = scene.reading.best.board[nearest]
    moved = scene.board[nearest] != piece
    as_ever = scene.evidence[nearest, SAME] > -1.0
    return piece != EMPTY and side_of(piece) == stray.side and stray.distance_to(nearest) < 0.35 and (moved or as_ever)


def _one_gone(
    known: Disorder, scene: Scene, point: int, config: DisorderConfig
) -> tuple[Disorder, list[TableEvent]] | None:
    piece = scene.board[point]
    its = [stray for stray in scene.strays if stray.side == side_of(piece)]
    on_board = [stray for stray in its if not stray.off_board(config.stray)]
    lying = [stray for stray in on_board if _is_between(stray, config) and not _overlaps(stray, scene, config)]
    # A piece so near to the point it left would still hide it, and the point is seen to be empty.
    lying = [stray for stray in lying if stray.distance_to(point) >= _COVERED_CELLS]
    if lying:
        if known.between_from not in (None, point):
            # One was told of, and stands for both: kings that the players put in the middle after the game.
            return known, []
        stray = min(lying, key=lambda one: one.distance_to(point))
        if known.between_from == point and known.between_xy is not None:
            moved = np.hypot(stray.xy_cells[0] - known.between_xy[0], stray.xy_cells[1] - known.between_xy[1])
            if moved < 0.15:
                return known, []
        lifted = began_at(scene.episodes, [point], scene.t)
        event = PieceBetween(scene.t, Piece(piece), Point(point), stray.xy_cells, stray.nearest()[:2], lifted)
        return replace(known, between_from=point, between_xy=stray.xy_cells), [event]
    # Nobody is to be blamed for a piece that is nowhere seen: it was knocked off where it lies beside the board.
    beside = len(its) > len(on_board) or any(stray.side is None for stray in scene.strays)
    alone = point not in known.disturbed and _is_all_that_changed(point, scene)
    if not on_board and beside and alone and not _may_be_played(scene, point, config):
        return _disturbed(known, scene, [point], _off_board([point], [], scene, config), config)
    return None


def _is_all_that_changed(point: int, scene: Scene) -> bool:
    """Whether every other point looks as ever: else plies may have gone by that were not seen, captures among them."""
    strange = scene.settled & (scene.evidence[:, SAME] < _STRANGE_NATS)
    return set(np.flatnonzero(strange).tolist()) <= {point}


def _may_be_played(scene: Scene, point: int, config: DisorderConfig) -> bool:
    """Whether the piece gone from a point may be one that is captured, moved, or taken away."""
    owner = side_of(scene.board[point])
    # A player's own piece, for where the side of a hand is read wrongly the piece he takes is the other's.
    if side_at(scene.episodes, [point]) == owner and scene.to_move == other(owner):
        return scene.quiet_s < config.no_move_s
    taken = held_near(scene.episodes, point, config.taken_cells) >= config.taken_s
    return taken or scene.quiet_s < config.lost_s


def _is_between(stray: Stray, config: DisorderConfig) -> bool:
    clear = stray.occupancy >= config.clear_occupancy
    reach = config.between_cells if stray.sure else config.unsure_cells
    return clear and all(stray.distance_to(point) > reach for point in stray.nearest())


def _overlaps(stray: Stray, scene: Scene, config: DisorderConfig) -> bool:
    """Whether a piece that stands as ever is where the stray seems to be: its side is seen, or a shadow on it."""
    at = zip(stray.nearest(), (stray.distance_to(point) for point in stray.nearest()), strict=True)
    near = [point for point, cells in at if cells < config.apart_cells]
    return any(scene.board[point] != EMPTY and scene.evidence[point, SAME] > -1.0 for point in near)


def _disturbed(
    known: Disorder, scene: Scene, gone: list[int], off: list[int], config: DisorderConfig
) -> tuple[Disorder, list[TableEvent]]:
    """Pieces off their points, and which of them are off the board."""
    points = sorted(set(gone) | known.disturbed)
    event = PiecesDisturbed(
        scene.t,
        tuple(Point(p) for p in points),
        tuple(Point(p) for p in off),
        side_at(scene.episodes, gone),
        min(scene.t, _knocked_at(known, scene.episodes, gone, scene.t, config) + config.contact_s),
    )
    return replace(known, disturbed=frozenset(points)), [event]


def _knocked_at(known: Disorder, episodes: Episodes, points: list[int], t: float, config: DisorderConfig) -> float:
    """When a hand came that knocked pieces off their points, all of them in one go: to the first of them."""
    each = [came for point, when, came in known.brushed if point in points and when >= t - config.brushed_s]
    each += [came for point in points if (came := began_at(episodes, [point], np.inf)) < np.inf]
    return min(came for came in each if came >= max(each) - _ONE_GO_S) if each else t


def _off_board(gone: list[int], pushed: list[int], scene: Scene, config: DisorderConfig) -> list[int]:
    """The pieces gone for which no piece of their side lies on the board near by, the nearest pairs matched first."""
    taken_up = [*gone, *pushed]
    pairs = sorted(
        (stray.distance_to(point), point, number)
        for point in taken_up
        for number, stray in enumerate(scene.strays)
        if stray.side == side_of(scene.board[point]) and not stray.off_board(config.stray)
    )
    found: set[int] = set()
    taken: set[int] = set()
    for distance, point, number in pairs:
        if distance <= config.pushed_cells and point not in found and number not in taken:
            found.add(point)
            taken.add(number)
    return [point for point in gone if point not in found]


def _differs(known: Disorder, scene: Scene, config: DisorderConfig) -> tuple[Disorder, list[TableEvent]]:
    strange = frozenset(scene.reading.unexplained) - known.disturbed - _lying_at(known)
    if scene.quiet_s < config.differs_s or not strange or strange <= known.differing:
        return known, []
    differences = tuple((Point(p), Piece(scene.board[p]), _looks_like(scene.evidence[p])) for p in sorted(strange))
    return replace(known, differing=strange), [
        BoardDiffers(scene.t, differences, 0.9, _began(scene.episodes, sorted(strange), scene.t, config))
    ]


def _lying_at(known: Disorder) -> frozenset[int]:
    """The points that look otherwise because a piece lies between them: the one it left, and those round it."""
    if known.between_from is None or known.between_xy is None:
        return frozenset()
    x, y = known.between_xy
    near = (p for p in range(POINTS) if np.hypot(p % FILES - x, p // FILES - y) < _ROUND_IT_CELLS)
    return frozenset({known.between_from, *near})


_COVERED_CELLS = 0.4
"""A piece nearer than this to a point covers its middle."""
_ROUND_IT_CELLS = 0.9
"""A piece between points hides some of those that are no farther away than this."""
_ONE_GO_S = 1.0
"""A hand or a sleeve sweeps over its pieces in this time: one that was hidden earlier looked otherwise by its light."""
_EXCHANGED_P = 0.9
"""Probability of an exchange where each face matches the other's old one."""
_LIKE_EMPTY = -1.0
"""Log likelihood from which a point looks empty, and not only less unlike an empty point than a piece."""
_NEXT_TO_BOARD_CELLS = 2.0
"""A piece knocked off the outermost line comes to lie so near to its point."""
_STRANGE_NATS = -2.5
"""Log likelihood below which a point does not look as it did, see DecodeConfig.poor_nats."""
_ON_POINT_CELLS = 0.5
"""Half way to the next point."""


def _began(episodes: Episodes, points: list[int], t: float, config: DisorderConfig) -> float | None:
    """When a hand came that may have changed the points; None where none was seen there."""
    began = began_at(episodes, points, np.inf)
    return None if began == np.inf else min(t, began + config.contact_s)


def _looks_like(evidence: F64) -> Piece | None:
    """EMPTY where that is clear; a piece's kind is never read afresh here."""
    others = max(evidence[RED_LOOK], evidence[BLACK_LOOK])
    return EMPTY if evidence[EMPTY_LOOK] > others + 2.0 else None
