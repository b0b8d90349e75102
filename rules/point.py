"""Points of the board: file a-i by rank 0-9, numbered 0 to 89."""

from typing import NewType

from rules.errors import NotationError

Point = NewType("Point", int)
"""0..89 = rank * 9 + file; a0 = 0 is Red's left corner, i9 = 89 the one diagonally opposite."""

FILES = 9
RANKS = 10
POINTS = FILES * RANKS

POINT_NAMES: tuple[str, ...] = tuple(f"{file}{rank}" for rank in range(RANKS) for file in "abcdefghi")
_POINT_OF_NAME = {name: Point(index) for index, name in enumerate(POINT_NAMES)}


def point(file: int, rank: int) -> Point:
    """The point at `file` 0..8 (a..i) and `rank` 0..9."""
    return Point(rank * FILES + file)


def file_of(p: int) -> int:
    """File 0..8 of a point, a = 0."""
    return p % FILES


def rank_of(p: int) -> int:
    """Rank 0..9 of a point, 0 = Red's back rank."""
    return p // FILES


def parse_point(text: str) -> Point:
    """Read a point such as ``e4``; NotationError where it is none."""
    found = _POINT_OF_NAME.get(text.lower())
    if found is None:
        raise NotationError(f"expected a point from a0 to i9: {text!r}")
    return found


def format_point(p: int) -> str:
    """Write a point as ``e4``."""
    return POINT_NAMES[p]
