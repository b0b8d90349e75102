"""The plane of the faces: how far, and how large, the pieces' faces appear over the board, from one picture.

A tall white disc shows two circles: its outline, which is face and wall together, and the ring of ink on its face.
Where the set has such rings they give the face's true centre.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64, Grid
from vision.frame import Image
from vision.pieces.displacement import (
    POINTS_XY,
    SPREAD_CELLS,
    Displacement,
    board_margin,
    fit_displacement,
    misfit,
    tallest,
    trials,
)
from vision.pieces.likeness import mutual_likeness, shifted_spectra
from vision.pieces.locate import (
    F32,
    RADII_CELLS,
    Edges,
    best_in_windows,
    edges_of,
    ink_ring_stack,
    oval_scores,
    rim_stack,
)
from vision.rectify import Rectified, rectify

_BETWEEN_XY = np.array([[x + 0.5, y + 0.5] for y in (0, 1, 2, 3, 5, 6, 7, 8) for x in range(8)])
"""Middles of cells, where discs do not stand: what the board itself shows there is the background level."""

_SEARCH_PX_PER_CELL = 24
_REACH_CELLS = 0.42
"""How far from its point a face may appear before its height is known: tall discs at the edge of a slanted view."""
_RING_TO_EDGE = 1.2
"""Radius of a face over that of its ring of ink, where the face's own edge is not seen."""
_RING_CLEAR = 0.45
"""Median measure of rings of ink, 0.5 to 0.75 on sets that have them; glyphs alone reach 0.4."""
_RING_LEAST = 0.3
_RING_DOUBT = 0.1
"""Between the two, so much more likeness is asked for."""
_RING_REACH_CELLS = 0.2
"""How far the ring's centre may be from the outline's: half the length of a tall wall."""
_ASPECTS = (1.0, 0.9, 1.11, 0.82, 1.22)
"""Trial depth over width of a cell: boards are made up to a fifth longer or shorter than square cells make them."""
_ASPECT_GAIN = 0.03
"""By so much must ovals fit better than circles: outlines of tall discs are a little oval too."""


@dataclass(frozen=True, slots=True)
class Faces:
    """What all faces of one picture have in common."""

    displacement: Displacement
    """Of all faces on the board's plane."""
    radius: float
    """Radius of a face on the board's plane, widths of a cell."""
    ring_radius: float | None
    """Outer radius of the ring of ink, widths of a cell; None where faces have no ring."""
    aspect: float
    """Depth of a cell over its width, by the roundness of the discs."""
    xy_cells: F64
    """(90, 2) centre of the best circle near each point, on the board's plane."""
    trusted: NDArray[np.bool_]
    """(90,) where a second measure, the point net, puts the centre."""
    scores: F64
    """(90,) how well a circle fits near each point, 0..1."""
    background: float
    """The same measure where no disc stands."""

    @property
    def enlargement(self) -> float:
        """Displacement in cells per cell away from the foot point; height / (camera height - height)."""
        return self.displacement.enlargement

    def displaced(self, xy_cells: F64) -> F64:
        """(N, 2) where faces over these board positions appear on the board's plane, cells."""
        return self.displacement.of(xy_cells)


@dataclass(frozen=True, slots=True)
class _Circles:
    """One family of circles: one near each point, and what they have in common."""

    radius: float
    displacement: Displacement
    xy_cells: F64
    scores: F64
    background: float
    evidence: float


def fit_faces(image_bgr: Image, grid: Grid) -> Faces:
    """Find the common displacement and radius of the faces."""
    board, edges, outline = _outlines(image_bgr, grid, 1.0)
    aspect = _roundest(edges, board, outline)
    if aspect != 1.0:
        board, edges, outline = _outlines(image_bgr, grid, aspect)
    rings = ink_ring_stack(edges)
    rings[(0.7 * outline.radius > RADII_CELLS) | (1.05 * outline.radius < RADII_CELLS)] = -1.0
    ring = _family(board, rings, board.to_px(outline.xy_cells), _RING_REACH_CELLS, outline.displacement)
    use_ring = _shows_glyphs_better(board, outline, ring)
    chosen = ring if use_ring else outline
    return Faces(
        chosen.displacement,
        min(ring.radius * _RING_TO_EDGE, max(outline.radius, ring.radius)) if use_ring else outline.radius,
        ring.radius if use_ring else None,
        aspect,
        chosen.xy_cells,
        np.zeros(90, dtype=np.bool_),
        outline.scores,
        outline.background,
    )


def _outlines(image_bgr: Image, grid: Grid, aspect: float) -> tuple[Rectified, Edges, _Circles]:
    board = rectify(image_bgr, grid, px_per_cell=_SEARCH_PX_PER_CELL, aspect=aspect, margin=board_margin(grid))
    edges = edges_of(board.image, _SEARCH_PX_PER_CELL, board.inside)
    stack = rim_stack(edges)
    up = tallest(grid)
    found = [_family(board, stack, board.to_px(trial.of(POINTS_XY)), _REACH_CELLS, trial) for trial in trials(up)]
    # A row of discs looks the same a cell farther on: the camera tells which way their faces can appear displaced.
    return board, edges, max(found, key=lambda circles: circles.evidence * np.exp(-misfit(circles.displacement, up)))


def _roundest(edges: Edges, board: Rectified, outline: _Circles) -> float:
    """The aspect at which the clearest discs are round."""
    clear = np.argsort(outline.background - outline.scores)[:24]
    clear = clear[outline.scores[clear] > outline.background + 0.15]
    if len(clear) < 4:
        return 1.0
    centres = board.to_px(outline.xy_cells[clear])
    around = np.arange(-2.0, 2.5)
    trial = (centres[:, None] + np.stack(np.meshgrid(around, around), axis=-1).reshape(1, -1, 2)).reshape(-1, 2)
    radii = outline.radius * board.px_per_cell * np.array([0.92, 1.0, 1.08])
    roundness = []
    for aspect in _ASPECTS:
        scores = oval_scores(edges, trial, radii, 1.0 / aspect).reshape(len(clear), -1)
        roundness.append(float(scores.max(axis=1).mean()))
    best = int(np.argmax(roundness))
    return _ASPECTS[best] if roundness[best] > roundness[0] + _ASPECT_GAIN else 1.0


def _family(board: Rectified, stack: F32, centres_px: F64, reach_cells: float, about: Displacement) -> _Circles:
    """The radius that stands out most over the background, and where its circles are."""
    reach = round(reach_cells * board.px_per_cell)
    scores, offsets = best_in_windows(stack, centres_px, reach)
    between, _ = best_in_windows(stack, board.to_px(_BETWEEN_XY), reach // 2)
    background = np.percentile(between, 60, axis=0)
    # A larger circle of equal excess is more evidence: it has more independent samples on its rim.
    excess = np.clip(scores - background - 0.05, 0.0, None)
    evidence = np.sum(excess**2, axis=0) * RADII_CELLS**1.5
    k = int(np.argmax(evidence))
    xy = board.to_cells(np.rint(centres_px) + offsets[:, k])
    displacement = fit_displacement(xy, excess[:, k], about)
    # Once more, near where the common displacement says.
    expected = board.to_px(displacement.of(POINTS_XY))
    near = slice(max(0, k - 1), k + 2)
    again, moved = best_in_windows(stack[near], expected, round(2.5 * SPREAD_CELLS * board.px_per_cell))
    at = again.argmax(axis=1)
    rows = np.arange(90)
    xy = board.to_cells(np.rint(expected) + moved[rows, at])
    return _Circles(float(RADII_CELLS[k]), displacement, xy, again[rows, at], float(background[k]), float(evidence[k]))


def _shows_glyphs_better(board: Rectified, outline: _Circles, ring: _Circles) -> bool:
    """Whether there are rings, and the faces, cut about their centres, repeat each other better than about outlines.

    A set's glyphs come in pairs and fives: cut about their true centres they look alike.
    """
    seen = np.argsort(outline.background - outline.scores)[:32]
    seen = seen[outline.scores[seen] > outline.background + 0.15]
    if not len(seen):
        return False
    strength = float(np.median(ring.scores[seen]))
    if len(seen) < 4 or strength < _RING_LEAST:
        return strength > _RING_CLEAR
    radius = np.full((len(seen), 1), ring.radius * board.px_per_cell)
    repeats = []
    for circles in (outline, ring):
        discs = np.hstack([board.to_px(circles.xy_cells[seen]), radius])
        alike = mutual_likeness(shifted_spectra(board.image, discs))
        np.fill_diagonal(alike, -1.0)
        repeats.append(float(np.mean(alike.max(axis=1))))
    return repeats[1] > repeats[0] + (0.0 if strength > _RING_CLEAR else _RING_DOUBT)


def refit(faces: Faces, xy_cells: F64, weight: F64, trusted: NDArray[np.bool_], radius: float | None = None) -> Faces:
    """The same faces with centres measured otherwise, and what they have in common fitted to those.

    xy_cells : (90, 2) centres on the board's plane
    weight   : (90,) how far each is to be trusted, 0..1
    trusted  : (90,) where the centre is known to be right, however far from where it is expected
    radius   : another radius; the ring, if any, is then given up
    """
    displacement = fit_displacement(xy_cells, weight, faces.displacement)
    if radius is not None:
        faces = replace(faces, radius=radius, ring_radius=None)
    return replace(faces, displacement=displacement, xy_cells=xy_cells, trusted=trusted)


def grid_with_faces(grid: Grid, faces: Faces, nominal_height: float = 0.3) -> Grid:
    """The grid with the face height that the discs show.

    Where the grid knows the direction of up, its height is the best match to the discs; the rest of the displacement
    is kept in `up_px`, so that faces are found where they are.
    """
    e = 1.0 + faces.enlargement
    total = grid.h_board_to_px @ np.array(
        [faces.displacement.shift[0] / e, faces.displacement.shift[1] / e, 1.0 / e - 1.0]
    )
    known = float(grid.up_px @ grid.up_px)
    height = float(grid.up_px @ total) / known if known > 0 else 0.0
    if height < 0.05:
        height = nominal_height
    return replace(grid, up_px=total / height, face_height=height)
