"""Signs as images, drawn once from free fonts and kept with the project.

`load_glyphs()` reads glyph_sheets/index.json and its PNG sheets: per font one row of square cells, ink white on black.
The index names each font's style, licence and split: fonts marked `test` are never trained on.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

SHEETS = Path(__file__).parent / "glyph_sheets"
CELL_PX = 72


@dataclass(frozen=True, slots=True)
class Font:
    """Where a glyph comes from."""

    name: str
    style: str
    """kai, li, song, hei, hand, brush, running or cursive."""
    licence: str
    split: str
    """train or test."""


@dataclass(frozen=True, slots=True, eq=False)
class Glyph:
    """One sign in one font."""

    char: str
    font: Font
    image: NDArray[np.uint8]
    """(72, 72) coverage by ink, 0..255; the longer side of the sign fills the cell."""


@cache
def load_glyphs() -> tuple[Glyph, ...]:
    """All glyphs of all fonts."""
    glyphs = []
    for entry in json.loads((SHEETS / "index.json").read_text(encoding="utf-8")):
        font = Font(entry["name"], entry["style"], entry["licence"], entry["split"])
        sheet = cv2.imread(str(SHEETS / f"{font.name}.png"), cv2.IMREAD_GRAYSCALE)
        if sheet is None:
            raise FileNotFoundError(f"glyph sheet of {font.name}: {SHEETS}")
        for number, char in enumerate(entry["signs"]):
            cell = np.asarray(sheet[:, number * CELL_PX : (number + 1) * CELL_PX], dtype=np.uint8)
            glyphs.append(Glyph(char, font, cell))
    return tuple(glyphs)


@cache
def fonts_with(chars: str, split: str | None = None) -> tuple[Font, ...]:
    """The fonts that have every sign of `chars`."""
    have: dict[Font, set[str]] = {}
    for glyph in load_glyphs():
        have.setdefault(glyph.font, set()).add(glyph.char)
    return tuple(font for font, signs in have.items() if signs >= set(chars) and split in (None, font.split))


@cache
def glyph_of(char: str, font_name: str) -> Glyph | None:
    """The glyph of one sign in the font of that name; None where the font lacks it."""
    return next((glyph for glyph in load_glyphs() if glyph.char == char and glyph.font.name == font_name), None)
