"""Things too large for pieces that keep still over points: a head against a dark table, a sleeve, a bag, a cap."""

import cv2
import numpy as np

from vision.change import Mask
from vision.hand import disc, share_at_points
from vision.observation import Observation

_CIRCLE_CELLS = 0.6
"""Radius of the circle that fits into no piece, nor into a row of them: they have 0.45."""
_MOST_SHARE = 0.3
"""With more of its area under such a thing nothing is known of a point."""


def covered(seen: Observation) -> Mask:
    """(90,) points under foreign matter that is wider than pieces are, and is not known for a hand."""
    matter = (seen.foreign & ~seen.hands.mask).astype(np.uint8)
    wide = cv2.erode(matter, disc(_CIRCLE_CELLS))
    if not wide.any():
        return np.zeros(len(seen.likeness), dtype=np.bool_)
    _, labels = cv2.connectedComponents(matter, connectivity=4)
    thing = np.isin(labels, np.unique(labels[wide > 0]))
    # Its rim is thinner than the circle all round, but pieces beside it may touch it.
    reach = cv2.dilate(wide, disc(2 * _CIRCLE_CELLS)) > 0
    found: Mask = share_at_points(thing & reach, _POINT_CELLS) > _MOST_SHARE
    return found


_POINT_CELLS = 0.42
"""Radius of the area of a point, see HandConfig.disc_cells."""
