"""The two nets at work: patches and crops in, readings out."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from models.labels import KIND_COUNT
from models.preprocess import ANGLES, CROP_PX, PATCH_PX, U8, unwrap

F32 = NDArray[np.float32]
MODELS = Path(__file__).parent
POINT_MODEL = MODELS / "point.onnx"
KIND_MODEL = MODELS / "kind.onnx"


@dataclass(frozen=True, slots=True)
class PointReadings:
    """What lies at N points."""

    state: F32
    """(N, 3) probabilities of PointState: empty, piece, covered."""
    side: F32
    """(N, 2) probabilities of Red and Black; mean something where there is a piece."""
    offset_cells: F32
    """(N, 2) centre of the disc from the middle of the patch, cells, x right and y down in the patch."""
    radius_cells: F32
    """(N,) radius of the disc, cells."""


class Nets:
    """Both nets, loaded; they keep no state between calls."""

    def __init__(self, point_model: Path = POINT_MODEL, kind_model: Path = KIND_MODEL, threads: int = 1) -> None:
        # Nothing of what a hall sees leaves it.
        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        providers = ["CPUExecutionProvider"]
        self._point = onnxruntime.InferenceSession(str(point_model), options, providers=providers)
        self._kind = onnxruntime.InferenceSession(str(kind_model), options, providers=providers)

    def points(self, patches_bgr: U8) -> PointReadings:
        """Read (N, 48, 48, 3) patches, see preprocess.point_patches."""
        if patches_bgr.shape[1:] != (PATCH_PX, PATCH_PX, 3):
            raise ValueError(f"expected (N, {PATCH_PX}, {PATCH_PX}, 3), got {patches_bgr.shape}")
        if not len(patches_bgr):
            return PointReadings(*(np.zeros(shape, np.float32) for shape in ((0, 3), (0, 2), (0, 2), (0,))))
        planes = np.ascontiguousarray(patches_bgr.transpose(0, 3, 1, 2), dtype=np.float32)
        out: F32 = self._point.run(None, {"patches": planes})[0]
        return PointReadings(_softmax(out[:, :3]), _softmax(out[:, 3:5]), out[:, 5:7], out[:, 7])

    def kinds(self, crops: U8, turns: int = 4) -> F32:
        """Read (N, 40, 40) discs, see preprocess.disc_crops.

        turns   : mean over so many small turns of the disc; the net itself tells turns of 1/10 apart only roughly
        returns : (N, 7) log-probabilities in the order of labels.KIND_LETTERS
        """
        if crops.shape[1:] != (CROP_PX, CROP_PX):
            raise ValueError(f"expected (N, {CROP_PX}, {CROP_PX}), got {crops.shape}")
        if not len(crops):
            return np.zeros((0, KIND_COUNT), np.float32)
        discs = unwrap(crops)
        shifts = [round(turn * ANGLES / turns) + turn for turn in range(turns)]
        mean = sum(_softmax(self._kind.run(None, {"discs": np.roll(discs, shift, axis=3)})[0]) for shift in shifts)
        result: F32 = np.log(np.asarray(mean, np.float32) / np.float32(turns) + np.float32(1e-6))
        return result


def load_nets(threads: int = 1) -> Nets:
    """The nets that come with the project, on so many threads."""
    return Nets(threads=threads)


def _softmax(logits: F32) -> F32:
    """Along the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    result: F32 = powers / powers.sum(axis=-1, keepdims=True)
    return result
