"""FEN of xiangqi: a position as one line of text.

Reading is tolerant about form, as found in the wild: `r` for `w`, `H` and `E` for `N` and `B`, counters missing.
Writing is canonical. Whether a position could arise in a game is asked elsewhere (rules.validity).
"""

import re

from rules.errors import FenError
from rules.piece import BLACK, LETTERS, RED, Side, piece_of_letter
from rules.point import FILES, RANKS
from rules.position import Position

START_FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

_SIDE_OF_LETTER = {"w": RED, "r": RED, "b": BLACK}
_OTHER_LETTERS = str.maketrans("HEhe", "NBnb")
_COUNTER = re.compile(r"[0-9]{1,6}", re.ASCII)


def parse_fen(text: str) -> Position:
    """Read a FEN; FenError where it is none. Fields after the placement may be missing: Red moves, move 1."""
    fields = text.split()
    if not 1 <= len(fields) <= 6:
        raise FenError(f"expected a FEN of 1 to 6 fields, got {len(fields)}: {text!r}")
    board = _parse_placement(fields[0], text)
    side = _SIDE_OF_LETTER.get(fields[1].lower()) if len(fields) > 1 else RED
    if side is None:
        raise FenError(f"expected side w or b, got {fields[1]!r}: {text!r}")
    # Fields three and four hold nothing in xiangqi ("- -"); some writers leave them out.
    counters = [field for field in fields[2:] if field != "-"]
    if len(counters) > 2 or not all(_COUNTER.fullmatch(field) for field in counters):
        raise FenError(f"expected '- -' and two counters after the side: {text!r}")
    plies = int(counters[0]) if counters else 0
    rounds = int(counters[1]) if len(counters) > 1 else 1
    # A round 0 is written by engines that count from 0.
    return Position(board, Side(side), plies, max(rounds, 1))


def _parse_placement(placement: str, text: str) -> bytes:
    rows = placement.translate(_OTHER_LETTERS).split("/")
    if len(rows) != RANKS:
        raise FenError(f"expected {RANKS} ranks, got {len(rows)}: {text!r}")
    board = bytearray()
    for rank, row in zip(range(RANKS - 1, -1, -1), rows, strict=True):
        board[:0] = _parse_rank(row, rank, text)
    return bytes(board)


def _parse_rank(row: str, rank: int, text: str) -> bytes:
    points = bytearray()
    for sign in row:
        piece = piece_of_letter(sign)
        if piece is not None:
            points.append(piece)
        elif sign in "123456789":
            points.extend(bytes(int(sign)))
        else:
            raise FenError(f"expected piece letters and digits 1 to 9, got {sign!r} on rank {rank}: {text!r}")
    if len(points) != FILES:
        raise FenError(f"expected {FILES} points on rank {rank}, got {len(points)}: {text!r}")
    return bytes(points)


def format_placement(board: bytes) -> str:
    """The first field of the FEN."""
    rows = []
    for rank in range(RANKS - 1, -1, -1):
        letters = "".join(LETTERS[p] for p in board[rank * FILES : rank * FILES + FILES])
        rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), letters))
    return "/".join(rows)


def format_fen(position: Position) -> str:
    """Write the canonical FEN, all six fields."""
    side = "b" if position.side == BLACK else "w"
    placement = format_placement(position.board)
    return f"{placement} {side} - - {position.plies_without_capture} {position.round_number}"
