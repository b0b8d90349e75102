"""How alike two faces look, whatever their turn: circular correlation of the unwrapped discs."""

import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64
from models.preprocess import ANGLES, INNER, OUTER, RADII, disc_crops, unwrap
from vision.frame import Image

C64 = NDArray[np.complex64]
F32 = NDArray[np.float32]

SHIFTS_RADII = np.array([[0.0, 0.0], [0.07, 0.0], [-0.07, 0.0], [0.0, 0.07], [0.0, -0.07]])
"""Trial errors of the centre, in disc radii: likeness falls by a third at a tenth of a radius."""

_RING_WEIGHT = np.sqrt(np.linspace(INNER, OUTER, RADII, dtype=np.float32))[:, None]
"""Root of a ring's area: correlation is then over the disc's area."""


def unwrap_discs(rectified_bgr: Image, discs_px: F64) -> F32:
    """(N, 3) discs x, y, radius px of a rectified picture -> (N, RADII, ANGLES) normalised unwrapped faces."""
    if not len(discs_px):
        return np.zeros((0, RADII, ANGLES), np.float32)
    polar: F32 = unwrap(disc_crops(rectified_bgr, discs_px))[:, 0]
    return polar


def spectra(polar: F32) -> C64:
    """(N, RADII, ANGLES) unwrapped faces -> (N, RADII, ANGLES // 2 + 1) spectra of unit length."""
    weighted = polar * _RING_WEIGHT
    length = np.sqrt(np.sum(weighted * weighted, axis=(1, 2), keepdims=True))
    out: C64 = np.fft.rfft(weighted / np.maximum(length, 1e-6), axis=2).astype(np.complex64)
    return out


def shifted_spectra(rectified_bgr: Image, discs_px: F64) -> C64:
    """(N, 3) discs -> (N, S, RADII, F) spectra with the centre moved by each of SHIFTS_RADII."""
    moved = np.repeat(discs_px[:, None, :], len(SHIFTS_RADII), axis=1)
    moved[:, :, :2] += SHIFTS_RADII[None] * discs_px[:, None, 2:3]
    flat = spectra(unwrap_discs(rectified_bgr, moved.reshape(-1, 3)))
    return flat.reshape(len(discs_px), len(SHIFTS_RADII), *flat.shape[1:])


def likeness(these: C64, those: C64) -> F64:
    """Greatest correlation over all turns and trial shifts, -1..1.

    these   : (N, RADII, F) spectra
    those   : (M, S, RADII, F) spectra with shifted centres
    returns : (N, M)
    """
    best = np.full((len(these), len(those)), -1.0)
    for shift in range(those.shape[1]):
        cross = np.einsum("nrf,mrf->nmf", these, np.conj(those[:, shift]), optimize=True)
        turned = np.fft.irfft(cross, n=ANGLES, axis=2)
        np.maximum(best, turned.max(axis=2), out=best)
    return best


def mutual_likeness(shifted: C64) -> F64:
    """(N, S, RADII, F) -> (N, N) symmetric likeness of every pair; 1 on the diagonal."""
    if not len(shifted):
        return np.zeros((0, 0))
    one_way = likeness(shifted[:, 0], shifted)
    both: F64 = np.maximum(one_way, one_way.T)
    np.fill_diagonal(both, 1.0)
    return both
