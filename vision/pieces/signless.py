"""Round things without a sign: caps, rings and wrists seen as circles, or pieces half hidden under a hand."""

import numpy as np

from calibration.grid import F64

_FEWEST = 4
"""With fewer discs nothing tells how alike faces of this picture are."""
_STRANGE = (0.35, 0.55)
"""Likeness to the face most like it, over the median of that: no face, and any face, even the one general's."""
_STRANGE_NATS = 3.0
_UNREAD = (0.3, 0.5)
"""Probability of the likeliest kind by the kind net: no sign (7 kinds share it), and most signs."""
_UNREAD_NATS = 2.0


def signless_nats(alike: F64, kind_nats: F64) -> F64:
    """(N,) log-odds, 0 or less, that a disc is a piece by its showing a sign of this set.

    alike     : (N, N) mutual likeness of the faces
    kind_nats : (N, 7) log-probabilities of the kinds by the signs alone
    """
    if len(alike) < _FEWEST:
        return np.zeros(len(alike))
    nearest = np.where(np.eye(len(alike), dtype=bool), -1.0, alike).max(axis=1)
    strange = _below(nearest / max(float(np.median(nearest)), 1e-6), *_STRANGE)
    unread = _below(np.exp(kind_nats).max(axis=1), *_UNREAD)
    return -_STRANGE_NATS * strange - _UNREAD_NATS * unread


def _below(value: F64, none: float, full: float) -> F64:
    """1 at `none` and under, 0 from `full` on."""
    out: F64 = np.clip((full - value) / (full - none), 0.0, 1.0)
    return out
