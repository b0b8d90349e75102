"""Whose the signs are by how they are written: Red's general and elephants bear other signs than Black's in every set.

Soldiers, cannons and advisors do not count: many sets give Red what others give Black.
"""

import numpy as np

from models.labels import BLACK_SIGNS, RED_SIGNS
from rules.piece import ELEPHANT, KING
from vision.pieces.joint import I64
from vision.pieces.likeness import C64
from vision.pieces.upright import fits_drawn

_KINDS = (KING, ELEPHANT)
_LIKENESS_PER_NAT = 0.05
"""By so much more alike to its own signs than the other side's makes a side e times as probable.

Over 103 pictures the sides of generals differ by 0.05 to 0.3, of elephants by 0.1 to 0.3, to the right side.
"""
_MOST_NATS = 6.0
"""No more in all: a script that is drawn nowhere may mislead."""


def variant_nats(faces: C64, kinds: I64, side: I64) -> float:
    """Log-odds that those given to Red are Red's, not Black's, by the signs of generals and elephants.

    faces : (N, RADII, F) spectra of the faces
    kinds : (N,) 1..7
    side  : (N,) 0 Red, 1 Black
    """
    differ = 0.0
    for kind in _KINDS:
        redder = [
            np.array([_redder(face, kind) for face in faces[(kinds == kind) & (side == colour)]]) for colour in (0, 1)
        ]
        means = [float(values.mean()) for values in redder if len(values)]
        if len(means) == 2:
            differ += means[0] - means[1]
        elif means:
            # One side alone: how the drawn signs compare by themselves is in it.
            differ += 0.5 * (means[0] if len(redder[0]) else -means[0])
    return float(np.clip(differ / _LIKENESS_PER_NAT, -_MOST_NATS, _MOST_NATS))


def _redder(face: C64, kind: int) -> float:
    """How much more a face is like Red's drawn signs of its kind than like Black's."""
    red, black = fits_drawn(face, RED_SIGNS[kind]), fits_drawn(face, BLACK_SIGNS[kind])
    # Light signs on dark discs fit with the contrary sign.
    contrary = max(float(-red.min()), float(-black.min())) > max(float(red.max()), float(black.max()))
    return float(black.min() - red.min()) if contrary else float(red.max() - black.max())
