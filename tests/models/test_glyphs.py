"""The glyph sheets: every sign of every kind, in fonts to train on and in fonts kept for testing."""

import pytest

from models.glyphs import CELL_PX, fonts_with, glyph_of, load_glyphs
from models.labels import BLACK_SIGNS, KIND_OF_SIGN, RED_SIGNS, SIGNS


@pytest.mark.parametrize("sign", "".join(SIGNS.values()))
@pytest.mark.parametrize("split", ["train", "test"])
def test_every_sign_is_there_in_both_splits(sign: str, split: str) -> None:
    assert len(fonts_with(sign, split)) >= 2


def test_glyphs_fill_their_cells() -> None:
    for glyph in load_glyphs():
        assert glyph.image.shape == (CELL_PX, CELL_PX)
        inked = glyph.image > 60
        longer = max(inked.any(axis=0).sum(), inked.any(axis=1).sum())
        # Thin ends of brush strokes are paler than the threshold.
        assert longer > 0.75 * CELL_PX, (glyph.char, glyph.font.name)


def test_no_font_is_in_both_splits() -> None:
    splits: dict[str, set[str]] = {}
    for glyph in load_glyphs():
        splits.setdefault(glyph.font.name, set()).add(glyph.font.split)
    assert all(len(found) == 1 for found in splits.values())


def test_a_sign_a_font_lacks_is_none() -> None:
    assert glyph_of("帥", "ma-shan-zheng") is None
    assert glyph_of("帅", "ma-shan-zheng") is not None


def test_signs_of_the_sides_are_signs_of_the_kind() -> None:
    for signs in (RED_SIGNS, BLACK_SIGNS):
        assert set(signs) == set(SIGNS)
        assert all(KIND_OF_SIGN[sign] == kind for kind, some in signs.items() for sign in some)
