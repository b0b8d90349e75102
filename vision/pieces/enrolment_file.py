"""A set's enrolment on disk: one .npz file, beside the table's file that names it."""

import io
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.preprocess import ANGLES, RADII
from vision.errors import EnrolmentFileError
from vision.pieces.enrolment import EMPTY_PX, Enrolment
from vision.pieces.likeness import SHIFTS_RADII

_VERSION = 1
"""Changes whenever older files can no longer be used."""


def save_enrolment(path: Path, enrolment: Enrolment) -> None:
    """Write it whole, or not at all."""
    data = io.BytesIO()
    np.savez_compressed(
        data,
        version=np.array(_VERSION),
        spectra=enrolment.spectra,
        kinds=enrolment.kinds,
        sides=enrolment.sides,
        face_radius=np.array(enrolment.face_radius),
        compared_cells=np.array(enrolment.compared_cells),
        empties=enrolment.empties,
    )
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        file.write(data.getvalue())
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def load_enrolment(path: Path) -> Enrolment:
    """Read it back; EnrolmentFileError names the file and what is wrong with it."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as data:
            if int(data["version"]) != _VERSION:
                raise EnrolmentFileError(f"{path}: made by another version: enrol the set again with qiyan calibrate")
            found = Enrolment(
                data["spectra"],
                data["kinds"],
                data["sides"],
                float(data["face_radius"]),
                float(data["compared_cells"]),
                data["empties"],
            )
    except (OSError, KeyError, ValueError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise EnrolmentFileError(f"{path}: no enrolment of a set can be read from it: {error}") from error
    _check(path, found)
    return found


def _check(path: Path, found: Enrolment) -> None:
    count = len(found.kinds)
    wanted: dict[str, tuple[NDArray[Any], tuple[int, ...], str]] = {
        "spectra": (found.spectra, (count, len(SHIFTS_RADII), RADII, ANGLES // 2 + 1), "c"),
        "kinds": (found.kinds, (count,), "i"),
        "sides": (found.sides, (count,), "i"),
        "empties": (found.empties, (90, EMPTY_PX, EMPTY_PX), "u"),
    }
    for name, (array, shape, kind) in wanted.items():
        if array.shape != shape or array.dtype.kind != kind:
            raise EnrolmentFileError(f"{path}: {name} must be of shape {shape}: {array.dtype} {array.shape}")
    if not np.isfinite(found.spectra).all():
        raise EnrolmentFileError(f"{path}: spectra must be finite")
    if ((found.kinds < 1) | (found.kinds > 7)).any() or ((found.sides < 0) | (found.sides > 1)).any():
        raise EnrolmentFileError(f"{path}: kinds must be 1 to 7, and sides 0 or 1")
