"""ICCS: a move as its two points, `h2e2`."""

import re

from rules.errors import NotationError
from rules.move import Move
from rules.point import parse_point

_ICCS = re.compile(r"\s*([a-i][0-9])\s*[-–—]?\s*([a-i][0-9])\s*", re.IGNORECASE | re.ASCII)


def parse_iccs(text: str) -> Move:
    """Read `h2e2`, also `H2-E2` as in PGN; nothing is said about legality."""
    found = _ICCS.fullmatch(unfold_full_width(text))
    if not found or found[1].lower() == found[2].lower():
        raise NotationError(f"expected two different points such as 'h2e2': {text!r}")
    return Move(parse_point(found[1]), parse_point(found[2]))


def format_iccs(move: Move) -> str:
    """Write `h2e2`."""
    return str(move)


def unfold_full_width(text: str) -> str:
    """Full-width Latin letters, digits and signs as their half-width twins; all else as it is."""
    return "".join(chr(ord(c) - 0xFEE0) if "！" <= c <= "～" else " " if c == "\u3000" else c for c in text)
