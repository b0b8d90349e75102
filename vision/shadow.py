"""A shadow deeper than most: as deep, and of such a colour, as where the board's lines are seen through it.

A desk lamp's shadow can leave a third of the light, tinted by what else lights the room. So can a dark sleeve; but
no line is seen through that. Where lines are seen under so little light, the like of it is no matter anywhere.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.difference import F32, Difference, Mask, shares_of_light
from vision.frame import Image


@dataclass(frozen=True, slots=True)
class DeepShadowConfig:
    """When a frame has a deep shadow, and what lies in it."""

    least_px: int = 80
    """So many half-size pixels of known surfaces have to lie in it or its rim: 0.6 cell squared."""
    rim: float = 0.7
    """Share of the light under which a surface counts as such."""
    darkest_left: float = 0.5
    """A shadow that leaves more than this is not deep."""
    least_left: float = 0.85
    """Of what the shadow leaves of the light at least this share is seen in it; darker is matter."""
    tint: float = 0.16
    """The colours' ratios may differ from the shadow's own by this share."""
    colour_px: int = 3
    """Side of the squares over which colours are compared, half-size px: pictures are stored with coarser colours."""


def deep_shadow(from_scene: Difference, same: Mask, config: DeepShadowConfig) -> F32 | None:
    """(3,) the share that a deep shadow leaves of each channel's light; None where there is none.

    same : (TALL/2, WIDE/2) pixels of surfaces that are as they were but for their light
    """
    shares = shares_of_light(from_scene.now, from_scene.then, np.flatnonzero(same))
    means = shares.mean(axis=1)
    shaded = means < config.rim
    if np.count_nonzero(shaded) < config.least_px:
        return None
    # The darker half lies in the shadow itself.
    left: F32 = np.median(shares[means <= np.median(means[shaded])], axis=0).astype(np.float32)
    return left if left.mean() < config.darkest_left else None


def in_shadow(from_scene: Difference, where: Mask, left: F32, config: DeepShadowConfig) -> Mask:
    """(TALL/2, WIDE/2) of the pixels `where` this is asked, those that a shadow or its rim explains.

    left : (3,) the share that the shadow leaves of each channel's light
    """
    asked = np.flatnonzero(where)
    now, then = _softened(from_scene.now, config), _softened(from_scene.then, config)
    shares = shares_of_light(now, then, asked)
    means = shares.mean(axis=1)
    depth = np.clip((1.0 - means) / (1.0 - left.mean()), 0.0, 1.0)
    # What is left over once as much of the shadow is taken away as makes it so dark.
    rest = shares / (1.0 - depth[:, None] * (1.0 - left))
    mean, spread = rest.mean(axis=1), rest.max(axis=1) - rest.min(axis=1)
    shaded = np.zeros(where.size, dtype=np.bool_)
    shaded[asked[(means < 1.0) & (mean > config.least_left) & (spread < config.tint * mean)]] = True
    return shaded.reshape(where.shape)


def _softened(picture: Image, config: DeepShadowConfig) -> Image:
    return cv2.blur(picture, (config.colour_px, config.colour_px)).astype(np.uint8, copy=False)
