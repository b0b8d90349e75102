"""Names for pieces of one kind on a file or two, in every way of writing that people use (clause 7.5)."""

import pytest

from rules.chinese import parse_chinese
from rules.errors import NotationError
from rules.fen import START_FEN, parse_fen
from rules.wxf import parse_wxf

ADVISORS = "4k4/9/9/9/9/9/9/5A3/9/3K1A3 w"
BLACK_ADVISORS = "3k1a3/9/5a3/9/9/9/9/9/9/4K4 b"
ELEPHANTS = "4k4/9/9/9/9/2B6/9/9/9/2B1K4 w"
TWO_FILES = "4k4/9/9/9/9/p1p6/p1p6/9/9/3K5 b"
FIVE_ON_TWO = "4k4/9/9/9/9/p1p6/p1p6/p8/9/3K5 b"
THREE = "3k5/4P4/4P4/4P4/9/9/9/9/9/3K5 w"
FOUR = "3k5/4P4/4P4/4P4/4P4/9/9/9/9/3K5 w"
CHARIOTS = "4k4/9/9/9/9/9/4R4/9/4R4/3K5 w"


@pytest.mark.parametrize(
    ("fen", "text", "iccs"),
    [
        (ADVISORS, "前仕退五", "f2e1"),
        (ADVISORS, "后仕进五", "f0e1"),
        (ADVISORS, "仕四退五", "f2e1"),
        (ADVISORS, "仕四进五", "f0e1"),
        (ELEPHANTS, "前相退五", "c4e2"),
        (ELEPHANTS, "相七进九", "c0a2"),
        (ELEPHANTS, "相七退九", "c4a2"),
        (BLACK_ADVISORS, "前士退5", "f7e8"),
        (BLACK_ADVISORS, "士６进５", "f9e8"),
        (BLACK_ADVISORS, "士六退五", "f7e8"),
        (TWO_FILES, "前1进1", "a3a2"),
        (TWO_FILES, "前３平４", "c3d3"),
        (TWO_FILES, "后一进一", "a4a3"),
        (TWO_FILES, "後3平2", "c4b4"),
        (FIVE_ON_TWO, "中1平2", "a3b3"),
        (THREE, "中兵平六", "e7d7"),
        (THREE, "二兵平四", "e7f7"),
        (THREE, "三兵平四", "e6f6"),
        (FOUR, "四兵平四", "e5f5"),
        (FOUR, "前兵平六", "e8d8"),
        (CHARIOTS, "後車平四", "e1f1"),
        (CHARIOTS, "前俥進二", "e3e5"),
        (START_FEN, "傌八進七", "b0c2"),
        (START_FEN, "砲８平５", "b2e2"),
        (START_FEN, "兵五进１", "e3e4"),
    ],
)
def test_a_name_in_chinese(fen: str, text: str, iccs: str) -> None:
    assert str(parse_chinese(parse_fen(fen), text)) == iccs


@pytest.mark.parametrize(
    ("fen", "text"), [(TWO_FILES, "前卒进1"), (FIVE_ON_TWO, "一卒平二"), (CHARIOTS, "車五平四"), (THREE, "四兵平四")]
)
def test_a_name_that_fits_two_pieces_or_none_is_refused(fen: str, text: str) -> None:
    with pytest.raises(NotationError):
        parse_chinese(parse_fen(fen), text)


@pytest.mark.parametrize(
    ("fen", "text", "iccs"),
    [
        (ADVISORS, "A4+5", "f0e1"),
        (ADVISORS, "A4-5", "f2e1"),
        (ADVISORS, "A+-5", "f2e1"),
        (CHARIOTS, "R+=4", "e3f3"),
        (CHARIOTS, "+R=4", "e3f3"),
        (CHARIOTS, "R-.4", "e1f1"),
        (CHARIOTS, "-R=4", "e1f1"),
        (START_FEN, "c2.5", "h2e2"),
        (START_FEN, "B3+5", "g0e2"),
        (START_FEN, "N2+3", "h0g2"),
    ],
)
def test_a_name_in_wxf(fen: str, text: str, iccs: str) -> None:
    assert str(parse_wxf(parse_fen(fen), text)) == iccs
