"""Where the fingers of a hand are."""

import numpy as np
import pytest

from vision.change import HALF, Mask
from vision.hand import HandConfig, find_hands
from vision.window import TALL, WIDE

SHAPE = (TALL // HALF, WIDE // HALF)
INSIDE = np.ones(SHAPE, dtype=np.bool_)


def _arm(from_row: int) -> Mask:
    """An arm from a row of half-size px down to fingers at the other end of the board."""
    arm = np.zeros(SHAPE, dtype=np.bool_)
    arm[from_row:100, 30:56] = True
    for finger in (34, 42, 50):
        arm[100 : SHAPE[0] - 6, finger : finger + 4] = True
    return arm


@pytest.mark.parametrize("from_row", [0, 8], ids=["comes in at the rim", "the sleeve looks like the table beside it"])
def test_fingers_are_at_the_narrow_end_though_nearer_to_the_rim(from_row: int) -> None:
    arm = _arm(from_row)
    (_, y), *more = find_hands(arm, arm, INSIDE, HandConfig()).tips_px
    assert not more and y > 0.85 * TALL
