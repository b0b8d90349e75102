"""What pieces look like: size, body, signs, colours, rings, engraving."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.glyphs import glyph_of
from qiyan.simulator.textures import Bgr, make_surface, smooth_noise
from rules.piece import RED, kind_of, side_of

F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]

FACE_PX = 112
"""Side of a face's picture; a face fills its inner circle."""


@dataclass(frozen=True, slots=True)
class PieceStyle:
    """One set of pieces."""

    font: str = "ukai-tw"
    """Name of the glyph sheet."""
    red_signs: str = "帥仕相馬車炮兵"
    """Kinds K A B N R C P in this order."""
    black_signs: str = "將士象馬車砲卒"
    radius: float = 0.36
    """Half the width, cells."""
    height: float = 0.33
    """Cells."""
    body: str = "wood"
    """Surface: wood, stone, plain."""
    body_bgr: Bgr = (150.0, 200.0, 228.0)
    black_body_bgr: Bgr | None = None
    """Where Black's discs are of another colour."""
    red_bgr: Bgr = (40.0, 40.0, 190.0)
    black_bgr: Bgr = (35.0, 32.0, 30.0)
    rings: int = 1
    """Circles round the sign: 0, 1 or 2."""
    ring_at: float = 0.80
    """Radius of the outer ring in shares of the face's."""
    ring_width: float = 0.045
    sign_size: float = 0.62
    """Side of the sign's square in shares of the face's width."""
    bold: float = 0.0
    """Strokes thickened (over 0) or thinned, in shares of the sign's side."""
    engraved: float = 0.5
    """How deep the signs are cut, 0 is flat print."""
    rim: float = 0.06
    """Width of the rounded edge in shares of the radius."""
    gloss: float = 0.4
    """Strength of the lamp's reflection, 0..1."""
    waist: float = 0.0
    """How much the wall bulges (over 0), in shares of the radius."""


def draw_face(style: PieceStyle, piece: int, rng: np.random.Generator) -> U8:
    """(112, 112, 3) the face of a piece, the sign upright; what lies outside the inner circle is body."""
    n = FACE_PX
    red = side_of(piece) == RED
    body = style.body_bgr if red or style.black_body_bgr is None else style.black_body_bgr
    ink_bgr = np.array(style.red_bgr if red else style.black_bgr, np.float32)
    sign = (style.red_signs if red else style.black_signs)[kind_of(piece) - 1]
    face = make_surface(style.body, body, (n, n), n / 2.2, rng)
    ink = np.zeros((n, n), np.float32)
    _sign(ink, style, sign)
    middle = (n * 8 - 8, n * 8 - 8)
    for number in range(style.rings):
        radius = (style.ring_at - 0.11 * number) * n / 2
        width = max(1, round(style.ring_width * n / (1.0 + number)))
        ring = np.zeros((n, n), np.uint8)
        cv2.circle(ring, middle, int(radius * 16), 255, width, cv2.LINE_AA, 4)
        ink = np.maximum(ink, ring.astype(np.float32) / 255.0)
    worn = np.clip(1.0 - 0.12 * np.abs(smooth_noise((n, n), (9.0, 9.0), rng)), 0.6, 1.0)
    face += (ink_bgr - face) * (ink * worn)[..., None]
    if style.engraved:
        # A cut shows a dark wall towards the light and a bright one away from it.
        cut = cv2.GaussianBlur(ink, (0, 0), 1.1)
        relief = cv2.Sobel(cut, cv2.CV_32F, 1, 1, ksize=3)
        face *= (1.0 + 0.9 * style.engraved * relief)[..., None]
    return np.clip(face, 0, 255).astype(np.uint8)


def _sign(ink: F32, style: PieceStyle, sign: str) -> None:
    glyph = glyph_of(sign, style.font)
    if glyph is None:
        raise KeyError(f"the glyph sheet {style.font!r} lacks {sign!r}")
    n = ink.shape[0]
    side = int(n * style.sign_size)
    image = cv2.resize(glyph.image, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32) / 255.0
    reach = style.bold * side
    if abs(reach) > 0.3:
        soft = cv2.GaussianBlur(image, (0, 0), abs(reach))
        image = np.clip((soft - (0.28 if reach > 0 else 0.72)) * 4.0 + 0.5, 0.0, 1.0)
    low = (n - side) // 2
    np.maximum(ink[low : low + side, low : low + side], image, out=ink[low : low + side, low : low + side])
