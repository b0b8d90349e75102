"""Where the fingers of a hand are, and whose hand it is."""

import numpy as np
import pytest

from rules.piece import BLACK, RED
from vision.change import HALF, Mask
from vision.hand import NOBODY, HandConfig, find_hands
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


def test_each_hand_has_its_own_side() -> None:
    """Two players reach over the board at once: what lies under the one's hand is not the other's doing."""
    changed = np.zeros(SHAPE, dtype=np.bool_)
    tall, wide = SHAPE
    changed[: tall // 3, 20:34] = True
    changed[tall // 2 :, wide - 34 : wide - 16] = True
    hands = find_hands(changed, np.zeros_like(changed), INSIDE, HandConfig())
    red, black = (set(np.flatnonzero(hands.sides == side) % 9) for side in (RED, BLACK))
    assert black and max(black) <= 4 and red and min(red) >= 4
    assert not (hands.sides[~hands.hidden] != NOBODY).any()
