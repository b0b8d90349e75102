"""What the nets answer, in the order of their outputs, and which signs stand on pieces."""

from enum import IntEnum

from rules.piece import ADVISOR, CANNON, CHARIOT, ELEPHANT, HORSE, KINDS, KING, SOLDIER

KIND_LETTERS = "KABNRCP"
"""Letter of each output of the kind net; output `i` is the piece kind `i + 1` of rules.piece."""

KIND_COUNT = len(KINDS)


class PointState(IntEnum):
    """What lies at a point; the order of the point net's outputs."""

    EMPTY = 0
    PIECE = 1
    COVERED = 2
    """A hand, a sleeve, a robot or another foreign body hides it."""


SIGNS: dict[int, str] = {
    KING: "帅帥將将",
    ADVISOR: "仕士",
    ELEPHANT: "相象",
    HORSE: "马馬傌",
    CHARIOT: "车車俥",
    CANNON: "炮砲包",
    SOLDIER: "兵卒卆",
}
"""The signs each kind may carry. Colour decides the side: in many sets Black's soldiers carry 兵 and Red's 卒."""

KIND_OF_SIGN: dict[str, int] = {sign: kind for kind, signs in SIGNS.items() for sign in signs}

RED_SIGNS: dict[int, str] = {
    KING: "帅帥",
    ADVISOR: "仕士",
    ELEPHANT: "相",
    HORSE: "马馬傌",
    CHARIOT: "车車俥",
    CANNON: "炮",
    SOLDIER: "兵",
}
"""What Red's pieces carry in the usual sets."""

BLACK_SIGNS: dict[int, str] = {
    KING: "將将",
    ADVISOR: "士",
    ELEPHANT: "象",
    HORSE: "马馬",
    CHARIOT: "车車",
    CANNON: "炮砲包",
    SOLDIER: "卒",
}
"""What Black's pieces carry in the usual sets."""
