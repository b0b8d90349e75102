"""A set's enrolment on disk: one .npz file, beside the table's file that names it."""

import io
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.whole_file import write_whole
from models.preprocess import ANGLES, RADII
from vision.errors import EnrolmentFileError
from vision.pieces.enrolment import EMPTY_PX, Enrolment
from vision.pieces.likeness import SHIFTS_RADII

ENROL_AGAIN = (
    "enrol the set again with qiyan calibrate on the start position, or take the section [set] out of the table's file"
)
_DAMAGED = (
    KeyError, ValueError, TypeError, EOFError, RuntimeError, SyntaxError, OverflowError, MemoryError, struct.error,
    zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What numpy and zipfile answer bytes with that are no such file, or no longer."""
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
    write_whole(path, data.getvalue())


def load_enrolment(path: Path) -> Enrolment:
    """Read it back; EnrolmentFileError names the file, what is wrong with it, and what to do."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise EnrolmentFileError(f"{path}: cannot be read ({error.strerror}): {ENROL_AGAIN}") from error
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as data:
            version = int(data["version"])
            if version == _VERSION:
                found = Enrolment(
                    data["spectra"],
                    data["kinds"],
                    data["sides"],
                    float(data["face_radius"]),
                    float(data["compared_cells"]),
                    data["empties"],
                )
    except _DAMAGED as error:
        raise EnrolmentFileError(f"{path}: damaged, or not the file of an enrolled set: {ENROL_AGAIN}") from error
    if version != _VERSION:
        raise EnrolmentFileError(f"{path}: made by another version of qiyan: {ENROL_AGAIN}")
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
            wrong = f"{name} must be of shape {shape}: {array.dtype} {array.shape}"
            raise EnrolmentFileError(f"{path}: {wrong}: {ENROL_AGAIN}")
    numbers = (found.spectra, found.face_radius, found.compared_cells)
    if not all(np.isfinite(number).all() for number in numbers) or min(found.face_radius, found.compared_cells) <= 0.0:
        raise EnrolmentFileError(f"{path}: spectra and radii must be finite, radii more than 0: {ENROL_AGAIN}")
    if ((found.kinds < 1) | (found.kinds > 7)).any() or ((found.sides < 0) | (found.sides > 1)).any():
        raise EnrolmentFileError(f"{path}: kinds must be 1 to 7, and sides 0 or 1: {ENROL_AGAIN}")
