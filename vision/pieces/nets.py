"""What reading needs of the nets."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from models.network import PointReadings
from models.preprocess import U8

F32 = NDArray[np.float32]


class PieceNets(Protocol):
    """What reading needs of the nets; models.network.Nets is one."""

    def points(self, patches_bgr: U8) -> PointReadings: ...

    def kinds(self, crops: U8, turns: int = 4) -> F32: ...
