"""Red from black by colour: whichever layer of the faces carries it, and however far from the usual it is."""

import cv2
import numpy as np
import pytest

from vision.pieces.ink import inks, red_log_odds

WOOD, ROSEWOOD, IVORY = (150, 200, 228), (54, 72, 124), (200, 222, 234)
RED, PINK, BLACK, NAVY, GREEN, LIGHT_GREEN, WHITE = (
    *((40, 40, 190), (96, 104, 250), (35, 32, 30), (112, 56, 26), (64, 104, 28)),
    *((96, 196, 96), (225, 228, 230)),
)
STROKES = ((2, 2), (3, 3), (4, 2), (2, 4), (5, 4))
"""Widths of a sign's strokes and of its ring, px at a radius of 20: from thin lines to bold print."""


def discs(red: tuple[tuple[int, ...], ...], black: tuple[tuple[int, ...], ...]) -> tuple[np.ndarray, np.ndarray]:
    """Ten discs, ground and ink given for either side, red ones first, and where they are."""
    image = np.full((120, 280, 3), 150, np.uint8)
    places = [(30 + 52 * i, 30 + 60 * row) for row in (0, 1) for i in range(5)]
    for number, (x, y) in enumerate(places):
        ground, ink = red if number < 5 else black
        sign, ring = STROKES[number % 5]
        cv2.circle(image, (x, y), 20, ground, -1, cv2.LINE_AA)
        cv2.circle(image, (x, y), 15, ink, ring, cv2.LINE_AA)
        for dx, dy in ((6, 6), (-6, 6), (0, 8)):
            cv2.line(image, (x - dx, y - dy), (x + dx, y + dy), ink, sign, cv2.LINE_AA)
    noise = np.random.default_rng(1).normal(0.0, 2.0, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8), np.array([[x, y, 20.0] for x, y in places])


@pytest.mark.parametrize(
    ("red", "black"),
    [
        ((WOOD, RED), (WOOD, BLACK)),
        ((IVORY, RED), (IVORY, NAVY)),
        ((WOOD, PINK), (WOOD, GREEN)),
        ((ROSEWOOD, PINK), (ROSEWOOD, LIGHT_GREEN)),
        ((RED, WHITE), (BLACK, WHITE)),
        ((RED, WHITE), (GREEN, WHITE)),
        ((WOOD, RED), (ROSEWOOD, WHITE)),
        ((RED, WHITE), (IVORY, BLACK)),
    ],
    ids=[
        *("red, black on wood", "red, navy on ivory", "pink, green on wood", "pink, light green on red wood"),
        *("white on red, on black", "white on red, on green", "red on wood, white on red wood"),
        "white on red, black on ivory",
    ],
)
def test_the_layer_that_differs_tells_red_from_black(red, black) -> None:
    image, places = discs(red, black)
    seen = inks(image, places, np.ones(10, dtype=np.bool_))
    odds = red_log_odds(seen.red, seen.step, np.ones(10))
    assert (odds[:5] > 0.3).all()
    assert (odds[5:] < -0.3).all()


def test_ink_far_beyond_black_is_black() -> None:
    redness = np.array([0.35, 0.4, 0.42, 0.45, 0.38, -1.1, -1.0, -0.95, -0.9, -0.85])
    odds = red_log_odds(redness, np.full(10, 30.0), np.ones(10))
    assert (odds[:5] > 3.0).all()
    assert (odds[5:] < -3.0).all()


def test_navy_ink_in_cold_light_is_not_taken_for_red() -> None:
    image, places = discs((IVORY, RED), (IVORY, (150, 60, 30)))
    image = np.clip(image * np.array([1.4, 1.0, 0.75]), 0, 255).astype(np.uint8)
    seen = inks(image, places, np.ones(10, dtype=np.bool_))
    odds = red_log_odds(seen.red, seen.step, np.ones(10))
    assert odds[:5].min() > odds[5:].max()
