"""The colour of the signs: red or black, decided for all discs of a picture together.

A face has two layers, its ground and its ink, and one of them is alike on all discs of a set: the ground, where red
and black signs stand on the same wood, or the ink, where white signs stand on red and on black discs. What differs
carries the colour: red turns it towards red from the layer that is alike; black, even navy, teal or green, does not.
That step is measured twice: as seen, which is surest in good light, and as the share of the light that each channel
loses, which dim light leaves as it is.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64
from vision.frame import Image

_FACE = 0.85
"""Part of the disc's radius looked at: its edge may show wall, shadow or board."""
_INK_SHARE = 0.18
"""Share of the face's pixels taken as ink: a thin glyph with its ring covers about a fifth."""
_MIN_STEP = 12.0
"""Lab distance of ink from ground under which there is hardly any ink to judge by."""
_DARK_LEVELS = 6.0
"""Stray light and noise, in 8-bit levels: below this no share of light can be told."""
_LEAST_LOSS = 0.3
"""Natural logarithm of the share of light that even a faint ink takes."""
_LOSS_SCALE = 0.6
"""Brings redness by loss of light to the scale of redness as seen."""
_LIKE_LAB = 2.0
"""Scatter of Lab a* and b* that layers of one make have: grain, reflections of the room."""
_DARK_NATS = 0.4
"""What speaks for the darker layer before anything is seen: dark signs on one light ground are the commonest."""
_DARK_INK_NATS = 0.5
"""By so much, as the logarithm of a ratio of scatters, must light ink on dark ground explain the faces better."""
_REDNESS_PER_NAT = 0.05
"""By so much redder than the others makes it e times as probable that discs are Red's; real sets: 0.24 and more."""
_LAYERS_PER_NAT = 0.16
"""The same for `Inks.layers_nats`; real sets: 0.96 and more."""
_MOST_NATS = 8.0
_RED_PRIOR = (0.50, 0.18)
_BLACK_PRIOR = (-0.02, 0.07)
"""Mean and deviation of redness over many sets, where one picture has too few discs to say: red, black."""
_PRIOR_DISCS = 2.0
"""Weight of those, in discs."""


@dataclass(frozen=True, slots=True)
class Inks:
    """The colours of the faces of one picture."""

    red: F64
    """(N,) redness: red part of the step from the layer that is alike to the one that differs, about 0..1."""
    step: F64
    """(N,) length of the step, Lab units."""
    layers_nats: float
    """Logarithm of how much more the one layer differs than the other: 0 where that cannot be told."""


def inks(rectified_bgr: Image, discs_px: F64, present: NDArray[np.bool_]) -> Inks:
    """How much each disc is red.

    discs_px : (N, 3) x, y, radius px
    present  : (N,) which of them are pieces
    """
    lab_image = cv2.cvtColor(rectified_bgr.astype(np.float32) / np.float32(255.0), cv2.COLOR_BGR2LAB)
    both = np.dstack([lab_image, rectified_bgr.astype(np.float32)])
    faces = [_face_pixels(both, x, y, radius) for x, y, radius in discs_px]
    dark_ink, light_ink = (_inks(faces, present, light_ground) for light_ground in (True, False))
    return dark_ink if light_ink.layers_nats < dark_ink.layers_nats + _DARK_INK_NATS else light_ink


def _inks(faces: list[F64], present: NDArray[np.bool_], light_ground: bool) -> Inks:
    """The colours, with the ground taken from the lighter or from the darker half of each face."""
    red, step = np.zeros(len(faces)), np.zeros(len(faces))
    chroma = np.zeros((2, len(faces), 2))
    for number, face in enumerate(faces):
        if len(face) < 12:
            continue
        middle = np.median(face[:, 0])
        half = face[:, 0] >= middle if light_ground else face[:, 0] <= middle
        ground = np.median(face[half], axis=0)
        away = np.linalg.norm(face[:, :3] - ground[:3], axis=1)
        ink = face[away >= np.quantile(away, 1.0 - _INK_SHARE)].mean(axis=0)
        change = ink[:3] - ground[:3]
        step[number] = np.linalg.norm(change)
        kept = np.log((ink[3:] + _DARK_LEVELS) / (ground[3:] + _DARK_LEVELS))
        by_loss = (kept[2] - kept[1]) / max(abs(float(kept.mean())), _LEAST_LOSS)
        red[number] = 0.5 * (change[1] / max(step[number], 1e-6) + _LOSS_SCALE * by_loss)
        chroma[:, number] = ground[1:3], ink[1:3]
    if present.sum() < 2:
        return Inks(red, step, 0.0)
    ground_scatter, ink_scatter = (np.sqrt(layer[present].var(axis=0).sum() + _LIKE_LAB**2) for layer in chroma)
    differs = float(np.log(ink_scatter / ground_scatter)) + (_DARK_NATS if light_ground else -_DARK_NATS)
    # Where the ground carries the colour the step to it is the same step backwards.
    return Inks(red if differs >= 0.0 else -red, step, abs(differs))


def redder_nats(colours: Inks, side: NDArray[np.int64], standing: NDArray[np.int64]) -> float:
    """Log-odds, 0 or more, that the redder discs are Red's and not Black's.

    side     : (M,) 0 where a disc is counted among the redder ones, else 1
    standing : (M,) the numbers of those discs in `colours`
    """
    red = colours.red[standing]
    if not 0 < int(side.sum()) < len(side):
        return _MOST_NATS
    apart = float(np.median(red[side == 0]) - np.median(red[side == 1]))
    return float(np.clip(min(apart / _REDNESS_PER_NAT, colours.layers_nats / _LAYERS_PER_NAT), 0.0, _MOST_NATS))


def red_log_odds(red: F64, step: F64, weight: F64) -> F64:
    """(N,) log-odds that each disc is Red's, by two clusters of redness fitted to this picture.

    red, step : from `inks`
    weight    : (N,) probability that there is a disc at all
    """
    mean = np.array([_RED_PRIOR[0], _BLACK_PRIOR[0]])
    deviation = np.array([_RED_PRIOR[1], _BLACK_PRIOR[1]])
    trust = weight * np.clip(step / _MIN_STEP, 0.0, 1.0)
    for _ in range(8):
        # What lies beyond a cluster's middle, as green ink beyond black, is of that cluster however far it lies.
        within = np.clip(red, mean[1], mean[0])
        log_p = -0.5 * ((within[:, None] - mean) / deviation) ** 2 - np.log(deviation)
        share = np.exp(log_p - log_p.max(axis=1, keepdims=True))
        share = share / share.sum(axis=1, keepdims=True) * trust[:, None]
        total = share.sum(axis=0)
        prior_mean = np.array([_RED_PRIOR[0], _BLACK_PRIOR[0]])
        prior_dev = np.array([_RED_PRIOR[1], _BLACK_PRIOR[1]])
        mean = (share.T @ red + _PRIOR_DISCS * prior_mean) / (total + _PRIOR_DISCS)
        spread = np.sum(share * (red[:, None] - mean) ** 2, axis=0) + _PRIOR_DISCS * prior_dev**2
        deviation = np.maximum(np.sqrt(spread / (total + _PRIOR_DISCS)), 0.04)
    # Heavy tails: a face half in glare lies between the clusters and must not be called with certainty.
    log_t = -1.5 * np.log1p(((red[:, None] - mean) / deviation) ** 2 / 2.0) - np.log(deviation)
    odds: F64 = log_t[:, 0] - log_t[:, 1]
    beyond = (red > mean[0]) | (red < mean[1])
    sure = np.where(red > mean[0], np.abs(odds), -np.abs(odds))
    return np.where(beyond, sure, odds) * np.clip(step / _MIN_STEP, 0.1, 1.0)


def _face_pixels(image: NDArray[np.generic], x: float, y: float, radius: float) -> F64:
    """(M, C) the pixels of one face."""
    reach = int(np.ceil(radius))
    x0, y0 = round(x) - reach, round(y) - reach
    h, w = image.shape[:2]
    xs, ys = slice(max(0, x0), min(w, x0 + 2 * reach + 1)), slice(max(0, y0), min(h, y0 + 2 * reach + 1))
    cut = image[ys, xs]
    if cut.size == 0:
        return np.zeros((0, image.shape[2]))
    gx, gy = np.meshgrid(np.arange(xs.start, xs.stop), np.arange(ys.start, ys.stop))
    inside = np.hypot(gx - x, gy - y) < _FACE * radius
    return cut[inside].astype(np.float64)
