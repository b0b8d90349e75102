"""Enrolment: one set's own faces, learnt from a picture whose position is known."""

import numpy as np

from calibration.grid import F64, Grid
from rules.piece import kind_of, side_of
from rules.position import Position
from vision.frame import Image
from vision.pieces.classify import look
from vision.pieces.enrolment import Enrolment as Enrolment
from vision.pieces.enrolment import empty_looks
from vision.pieces.faces import fit_faces
from vision.pieces.joint import I64
from vision.pieces.likeness import C64, likeness
from vision.pieces.nets import PieceNets

_SCALE = 0.06
"""Loss of likeness that makes a kind e times less probable."""
_MAX_NATS = 8.0


def enrol(image_bgr: Image, grid: Grid, position: Position, nets: PieceNets | None) -> Enrolment:
    """Learn a set from a picture of a known position, the grid turned the right way round."""
    looks = look(image_bgr, grid, fit_faces(image_bgr, grid), nets)
    known = [row for row, point in enumerate(looks.standing) if position.board[point]]
    pieces = [position.board[point] for point in looks.standing[known]]
    return Enrolment(
        looks.spectra[known],
        np.array([kind_of(piece) for piece in pieces]),
        np.array([side_of(piece) for piece in pieces]),
        looks.faces.radius,
        looks.compared_cells,
        empty_looks(looks.board, np.flatnonzero(np.frombuffer(position.board, dtype=np.uint8) == 0)),
    )


def enrolled_likeness(enrolment: Enrolment, spectra: C64) -> F64:
    """(N, M) likeness of N faces to the M known pieces of the set."""
    return likeness(spectra[:, 0], enrolment.spectra) if len(spectra) else np.zeros((0, len(enrolment.kinds)))


def enrolled_kind_nats(enrolment: Enrolment, alike: F64, side: I64) -> F64:
    """(N, 7) log weight of each kind by the likeness to the set's own pieces of the same side."""
    if not len(alike):
        return np.zeros((0, 7))
    best = np.full((len(alike), 7), 0.0)
    for kind in range(7):
        for colour in (0, 1):
            known = np.flatnonzero((enrolment.kinds == kind + 1) & (enrolment.sides == colour))
            mine = np.flatnonzero(side == colour)
            if len(known) and len(mine):
                best[mine, kind] = np.sort(alike[np.ix_(mine, known)], axis=1)[:, -2:].mean(axis=1)
    nats = np.maximum((best - best.max(axis=1, keepdims=True)) / _SCALE, -_MAX_NATS)
    out: F64 = nats - np.log(np.exp(nats).sum(axis=1, keepdims=True))
    return out
