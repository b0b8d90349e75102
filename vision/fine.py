"""The window twice as fine, for pieces that stand almost as they stood: made only of frames in which that is asked."""

from functools import lru_cache

from vision.change import F32, even_out
from vision.frame import Image
from vision.window import CELL_PX, Window, window_of

FINER = 2
"""At 24 px a cell the strokes of a sign are a pixel wide; most cameras see them twice as fine."""
FINE_CELL_PX = CELL_PX * FINER


def fine_view(window: Window, picture: Image, factor: F32) -> Image:
    """(2 TALL, 2 WIDE, 3) the fine window of a picture, which is brighter than remembered by `factor` (3,)."""
    return even_out(_finer(window).apply(picture), factor)


@lru_cache(maxsize=2)
def _finer(window: Window) -> Window:
    """Made when it is first asked for: it takes as long as several frames, and a camera that shakes asks for none."""
    return window_of(window.grid, FINER)
