"""WXF notation: C2=5, H8+7, R+-1, soldiers of one file 15+1 (the first on file 5).

Written as Fairy-Stockfish does; read also with `.` for `=`, `E`/`B` and `H`/`N`, the sign before the piece (`+R=9`)
and the federation's own way with soldiers: P3 for the middle one of three, `++` and `--` for the outermost of four
or five, the file before the sign where two files are crowded (`3+.4`).
"""

import re
import unicodedata

from rules.errors import NotationError
from rules.move import Move
from rules.named_move import MIDDLE, REAR, Action, NamedMove, file_number, find_move, is_soldier_crowd, name_move
from rules.piece import SOLDIER, make_piece
from rules.position import Position

_LETTERS = ".KAEHRCP"
_KINDS = {letter: kind for kind, letter in enumerate(_LETTERS) if kind} | {"B": 3, "N": 4, "G": 1, "S": 7}
_SIGNS = {Action.FORWARD: "+", Action.BACK: "-", Action.ACROSS: "="}
_ACTIONS = {"+": Action.FORWARD, "-": Action.BACK, "=": Action.ACROSS, ".": Action.ACROSS}
_DASHES = str.maketrans("–—−", "---")
_TOKEN = re.compile(r"([A-Z1-9+\-])([1-9+\-])([+\-=.])([1-9])", re.ASCII)


def parse_wxf(position: Position, text: str) -> Move:
    """The move that WXF notation names, by the side to move; NotationError where it names none.

    The move may be illegal where only one move can be meant: ask rules.legality.
    """
    plain = unicodedata.normalize("NFKC", text.strip()).translate(_DASHES).upper()
    swapped = re.sub(r"^([+\-])([A-Z])", r"\2\1", plain, flags=re.ASCII)
    found = _TOKEN.fullmatch(swapped)
    if not found:
        raise NotationError(f"expected WXF notation such as 'C2=5': {text!r}")
    first, second = found[1], found[2]
    if first.isalpha() and first not in _KINDS:
        raise NotationError(f"expected a piece out of K A E H R C P: {text!r}")
    kind, file, order = _piece(position, first, second)
    return find_move(position, NamedMove(kind, file, order, _ACTIONS[found[3]], int(found[4])), text)


def _piece(position: Position, first: str, second: str) -> tuple[int, int | None, int | None]:
    """(kind, file, order) of the two signs that name the piece."""
    if first.isalpha():
        kind = _KINDS[first]
        if second.isdigit():
            file = int(second)
            return kind, file, MIDDLE if kind == SOLDIER and _soldiers_on(position, file) in (3, 5) else None
        return kind, None, _inner_order(position, second) if kind == SOLDIER else _order(second)
    if first.isdigit():
        if second.isdigit():
            return SOLDIER, int(second), int(first)
        return SOLDIER, int(first), _order(second)
    if second.isdigit():
        return SOLDIER, int(second), _order(first)
    return SOLDIER, None, _order(first)


def _order(sign: str) -> int:
    return 1 if sign == "+" else REAR


def _inner_order(position: Position, sign: str) -> int:
    """`P+` is the front soldier of two or three, but the second of four or five, whose first is `++`."""
    most = max(_soldiers_on(position, file) for file in range(1, 10))
    if most < 4:
        return _order(sign)
    return 2 if sign == "+" else most - 1


def _soldiers_on(position: Position, file: int) -> int:
    soldier = make_piece(position.side, SOLDIER)
    return sum(p == soldier and file_number(i, position.side) == file for i, p in enumerate(position.board))


def format_wxf(position: Position, move: Move) -> str:
    """Any move, legal or not, in WXF."""
    named = name_move(position, move)
    assert named.action is not None and named.file is not None
    letter = _LETTERS[named.kind]
    if named.order is None:
        piece = f"{letter}{named.file}"
    elif named.kind == SOLDIER and (named.of > 2 or is_soldier_crowd(named)):
        piece = f"{named.order}{named.file}"
    elif 1 < named.order < named.of:
        piece = f"{letter}{named.file}"
    else:
        piece = letter + ("+" if named.order == 1 else "-")
    return f"{piece}{_SIGNS[named.action]}{named.number}"
