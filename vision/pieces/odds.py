"""Probability of the likelier of two ways to see a whole board, from evidence whose parts are not independent."""

from collections.abc import Sequence

import numpy as np

_SHARED = 0.5
"""Evidence for a whole board comes of one picture and one set: odds are overstated, and this part of them counts."""
_CHANCE_NATS = 2.0
"""Evidence against the rest up to this is chance; beyond, one of the two is wrong and nobody knows which."""
_PER_CONTRADICTION_NATS = 2.0
"""So much more of it makes the odds e times as near to even."""
_MOST_NATS = 60.0


def p_likelier(*nats: float) -> float:
    """Probability, 0.5 to 1, of what the sum of the log-odds speaks for; near 0.5 where they contradict each other."""
    sure = 1.0 / (1.0 + float(np.exp(-_SHARED * min(_MOST_NATS, abs(sum(nats))))))
    beyond = _contradiction(nats) - _CHANCE_NATS
    return 0.5 + (sure - 0.5) * float(np.exp(-max(0.0, beyond) / _PER_CONTRADICTION_NATS))


def _contradiction(nats: Sequence[float]) -> float:
    return min(sum(part for part in nats if part > 0.0), -sum(part for part in nats if part < 0.0))
