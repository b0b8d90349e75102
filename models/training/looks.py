"""Random looks of piece sets: colours, rings, paint, carving, wood, plastic."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.face import Bgr, FaceStyle, Ring

Rng = np.random.Generator

GROUNDS_HSV = (
    # hue (0..180), saturation, value: ranges of disc colours, and how often they come
    ((12, 28), (20, 90), (170, 250), 0.36),  # ivory, pale wood, bone
    ((10, 24), (80, 190), (130, 245), 0.26),  # yellow and orange wood
    ((0, 180), (0, 25), (150, 255), 0.22),  # white plastic, grey light
    ((25, 100), (15, 90), (120, 230), 0.08),  # greenish: jade, bad white balance
    ((5, 20), (90, 220), (50, 120), 0.08),  # dark wood
)
RED_INKS = ((-8, 8), (120, 255), (110, 230))
RED_INKS_ODD = ((-25, 14), (50, 230), (60, 220))  # pink, magenta, brown, orange
DARK_INKS = ((0, 180), (0, 90), (5, 70))
DARK_INKS_ODD = ((60, 135), (70, 230), (40, 150))  # green, teal, navy, blue


def hsv_colour(rng: Rng, hue: tuple[int, int], saturation: tuple[int, int], value: tuple[int, int]) -> Bgr:
    """A colour out of ranges in OpenCV's HSV, as BGR 0..255."""
    at = [rng.uniform(*hue) % 180.0, rng.uniform(*saturation), rng.uniform(*value)]
    pixel: NDArray[np.uint8] = np.asarray([[at]], dtype=np.uint8)
    b, g, r = (float(channel) for channel in cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0])
    return b, g, r


def random_ground(rng: Rng) -> Bgr:
    """The colour of a set's discs."""
    number = rng.choice(len(GROUNDS_HSV), p=[entry[3] for entry in GROUNDS_HSV])
    hue, saturation, value, _ = GROUNDS_HSV[number]
    return hsv_colour(rng, hue, saturation, value)


def random_ink(rng: Rng, side: int) -> Bgr:
    """The colour of one side's signs: 0 red, 1 black."""
    odd = rng.random() < 0.3
    ranges = ((RED_INKS, RED_INKS_ODD), (DARK_INKS, DARK_INKS_ODD))[side][int(odd)]
    return hsv_colour(rng, *ranges)


def random_rings(rng: Rng) -> tuple[tuple[Ring, ...], float]:
    """Rings and the size of the sign that fits inside them."""
    kind = rng.choice(4, p=(0.25, 0.5, 0.15, 0.1))
    if kind == 0:
        return (), float(rng.uniform(0.95, 1.6))
    radius = float(rng.uniform(0.74, 0.95))
    width = float(rng.uniform(0.025, 0.1))
    rings = [Ring(radius, width)]
    if kind == 2:
        inner = radius - width - float(rng.uniform(0.03, 0.08))
        rings.append(Ring(inner, width * float(rng.uniform(0.4, 1.0))))
        radius = inner
    if kind == 3:
        # The edge of the disc itself is painted.
        rings = [Ring(1.0, float(rng.uniform(0.1, 0.3)))]
        radius = 0.9
    return tuple(rings), float(np.clip(radius * rng.uniform(1.15, 1.62), 0.9, 1.5))


LEAST_CONTRAST = 45.0
"""Difference of ink and disc in the channel where they differ most: with less a player could not read it either."""


def random_faces(rng: Rng) -> tuple[FaceStyle, FaceStyle]:
    """The faces of Red's and Black's pieces of one set."""
    grounds, inks = _random_colours(rng)
    while min(_contrast(disc, ink) for disc, ink in zip(grounds, inks, strict=True)) < LEAST_CONTRAST:
        grounds, inks = _random_colours(rng)
    rings, size = random_rings(rng)
    carved = rng.random() < 0.45
    face = FaceStyle(
        rings=rings,
        sign_size=size,
        ink_cover=float(rng.choice([1.0, rng.uniform(0.6, 1.0)])),
        relief=float(rng.uniform(-0.9, 0.5)) if carved else 0.0,
        light_rad=float(rng.uniform(0.0, 2.0 * np.pi)),
        rim=float(rng.uniform(0.0, 0.4)),
        grain=float(rng.uniform(0.0, 0.25)) if rng.random() < 0.4 else 0.0,
        wear=float(rng.uniform(0.05, 0.4)) if rng.random() < 0.15 else 0.0,
        speckle=float(rng.uniform(0.0, 0.03)),
    )
    red, black = (replace(face, ground_bgr=disc, ink_bgr=ink) for disc, ink in zip(grounds, inks, strict=True))
    return red, black


def _random_colours(rng: Rng) -> tuple[tuple[Bgr, Bgr], tuple[Bgr, Bgr]]:
    """Discs and inks, each of Red and of Black."""
    ground = random_ground(rng)
    red, black = random_ink(rng, 0), random_ink(rng, 1)
    odd = rng.random()
    if odd < 0.06:
        # No colour at all: the discs themselves are dark or light, the signs carved or of the other tone.
        light, dark = hsv_colour(rng, (10, 25), (20, 120), (180, 250)), hsv_colour(rng, (0, 20), (60, 200), (30, 90))
        return ((light, dark), (dark, light)) if rng.random() < 0.5 else ((dark, light), (light, dark))
    if odd < 0.12:
        # Coloured discs with light signs.
        return (red, black), (ground, ground)
    return (ground, ground), (red, black)


def _contrast(one: Bgr, other: Bgr) -> float:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def shows_sides(faces: tuple[FaceStyle, FaceStyle]) -> bool:
    """Whether one face alone tells its side by its colour."""

    def redness(face: FaceStyle) -> float:
        return max(r - max(b, g) for b, g, r in (face.ink_bgr, face.ground_bgr))

    def ink_redness(face: FaceStyle) -> float:
        return face.ink_bgr[2] - max(face.ink_bgr[:2])

    red, black = faces
    return ink_redness(red) - ink_redness(black) > 30.0 or redness(red) - redness(black) > 60.0
