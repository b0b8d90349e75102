"""Which way the signs face: on most boards Red's are upright for Red, Black's for Black.

Every sign is laid over the drawn signs of its kind, in all fonts and at all turns; how well it fits tells which way up
it may be. Single signs are often askew or misjudged; the sides' pieces together tell which end is whose.
"""

from functools import cache

import numpy as np

from calibration.grid import F64
from models.face import FaceStyle, draw_face
from models.glyphs import load_glyphs
from models.labels import SIGNS
from models.preprocess import ANGLES, CROP_PX, grey_of_disc, unwrap
from vision.pieces.joint import I64
from vision.pieces.likeness import C64, spectra

_FONTS = (
    *("ukai-cn", "bkai", "wenkai-bold", "tw-sung", "noto-serif-black-sc", "noto-sans-bold-tc", "smiley"),
    *("kouzan-kai", "kouzan-running", "aoyagi-kouzan", "ma-shan-zheng", "zhi-mang-xing", "yuji-mai"),
)
"""Scripts that signs are laid over: one or two of each style."""
_SIGN_SIZES = (1.25, 1.55)
"""Longer side of a sign, in radii of what a ring encloses."""
_LIKENESS_PER_NAT = 0.06
"""Likeness that makes a turn e times as probable."""
_ASKEW_RAD = 0.35
"""How far upright signs are turned, one standard deviation: 20 degrees."""
_CHANCE = 0.35
"""Share of signs whose turn is misjudged, however well they fit."""
_SHARES = (0.0, 0.3, 0.6, 0.9)
"""Trial shares of a picture's pieces that face their own player; the others lie as it came."""


def upright_nats(faces: C64, kinds: I64, side: I64) -> float:
    """Log-odds that Red sits where the rectified picture shows it below, by the turn of the signs.

    faces : (N, RADII, F) spectra of the faces
    kinds : (N,) 1..7
    side  : (N,) 0 Red, 1 Black
    """
    turned = np.array([sign_turns(face, int(kind)) for face, kind in zip(faces, kinds, strict=True)])
    if not len(turned):
        return 0.0
    own = np.where(side[:, None] == 0, turned, np.roll(turned, ANGLES // 2, axis=1))
    straight = _CHANCE + (1.0 - _CHANCE) * own @ _facing(0)
    half_turned = _CHANCE + (1.0 - _CHANCE) * own @ _facing(ANGLES // 2)
    return _log_mean(straight) - _log_mean(half_turned)


def _log_mean(facing: F64) -> float:
    """Log of the mean over the trial shares of the probability of all signs.

    facing : (N,) how much likelier a sign's look is if it is upright than at any turn
    """
    logs = [float(np.log(share * facing + 1.0 - share).sum()) for share in _SHARES]
    return float(np.logaddexp.reduce(logs) - np.log(len(logs)))


@cache
def _facing(middle: int) -> F64:
    """(ANGLES,) density of the turn of upright signs, over that of any turn."""
    away = (np.arange(ANGLES) - middle) * (2.0 * np.pi / ANGLES)
    away = (away + np.pi) % (2.0 * np.pi) - np.pi
    density = np.exp(-0.5 * (away / _ASKEW_RAD) ** 2)
    out: F64 = density * (ANGLES / density.sum())
    return out


def sign_turns(face: C64, kind: int) -> F64:
    """(ANGLES,) probability of each turn of a sign, clockwise from upright in the rectified picture."""
    fits = fits_drawn(face, SIGNS[kind])
    # Light signs on dark discs fit just as well, with the contrary sign.
    best = max(fits.max(axis=0), -fits.min(axis=0), key=lambda fit: float(fit.max()))
    weight = np.exp((best - best.max()) / _LIKENESS_PER_NAT)
    out: F64 = weight / weight.sum()
    return out


def fits_drawn(face: C64, signs: str) -> F64:
    """(M, ANGLES) correlation of a face with these signs as the fonts draw them, at every turn, -1..1."""
    cross = np.einsum("rf,mrf->mf", face, np.conj(_drawn(signs)))
    out: F64 = np.fft.irfft(cross, n=ANGLES, axis=1)
    return out


@cache
def _drawn(signs: str) -> C64:
    """(M, RADII, F) spectra of the signs, upright."""
    crops = []
    for glyph in load_glyphs():
        if glyph.font.name not in _FONTS or glyph.char not in signs:
            continue
        for size in _SIGN_SIZES:
            style = FaceStyle(rings=(), sign_size=size, rim=0.0, speckle=0.0)
            crops.append(grey_of_disc(draw_face(glyph.image, style, CROP_PX)[..., :3]))
    return spectra(unwrap(np.stack(crops))[:, 0])
