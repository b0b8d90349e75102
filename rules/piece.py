"""Pieces and sides, as small integers: bit 3 is the side, bits 0-2 the kind."""

from typing import NewType

Piece = NewType("Piece", int)
"""0 is an empty point; 1..7 are Red's K A B N R C P, 9..15 Black's in the same order."""

Side = NewType("Side", int)
"""0 Red, 1 Black."""

RED = Side(0)
BLACK = Side(1)
SIDE_NAMES = ("red", "black")

EMPTY = Piece(0)
KING, ADVISOR, ELEPHANT, HORSE, CHARIOT, CANNON, SOLDIER = range(1, 8)
KINDS = (KING, ADVISOR, ELEPHANT, HORSE, CHARIOT, CANNON, SOLDIER)
"""帅仕相马车炮兵; in FEN K A B N R C P."""

LETTERS = ".KABNRCP.kabnrcp"
"""FEN letter of a piece by its number; `.` where there is none."""
_PIECE_OF_LETTER = {letter: Piece(number) for number, letter in enumerate(LETTERS) if letter != "."}

FULL_SET = {KING: 1, ADVISOR: 2, ELEPHANT: 2, HORSE: 2, CHARIOT: 2, CANNON: 2, SOLDIER: 5}
"""How many of each kind a side has at the start (clause 1.5)."""


def make_piece(side: int, kind: int) -> Piece:
    """The piece of `side` (0 Red, 1 Black) and `kind` 1..7."""
    return Piece(side << 3 | kind)


def side_of(piece: int) -> Side:
    """Whose piece it is; meaningless for EMPTY."""
    return Side(piece >> 3)


def kind_of(piece: int) -> int:
    """Kind 1..7; 0 for EMPTY."""
    return piece & 7


def letter_of(piece: int) -> str:
    """FEN letter, `.` for an empty point."""
    return LETTERS[piece]


def piece_of_letter(letter: str) -> Piece | None:
    """The piece a FEN letter stands for; None where it stands for none."""
    return _PIECE_OF_LETTER.get(letter)


def other(side: int) -> Side:
    """The opponent."""
    return Side(side ^ 1)
