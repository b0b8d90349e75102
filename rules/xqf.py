"""Reading XQF, the files of XQStudio: version 1.0 in the clear, and the later ones with their keys.

A header of 1024 bytes holds names, result and the points of the 32 pieces; then follow steps of from, to, flags and
a comment. A point is one byte, file * 10 + rank, 0 at Red's left corner. The first step is empty and carries the
comment before the first move. The line that was played comes first; variations after it are passed over.
"""

import struct
from dataclasses import dataclass

from rules.dhtmlxq import SET_ORDER
from rules.errors import NotationError
from rules.game import Game, Ply, Result, after
from rules.move import Move
from rules.piece import EMPTY, Side, make_piece, side_of
from rules.point import FILES, POINTS, Point, point
from rules.position import Position

_HEADER_SIZE = 0x400
_PIECES_AT = 0x10
_BLACK_FIRST_AT = 0x32
_RESULT_AT = 0x33
_TEXTS = {
    "Title": (0x50, 64),
    "Event": (0xD0, 64),
    "Date": (0x110, 16),
    "Site": (0x120, 16),
    "Red": (0x130, 16),
    "Black": (0x140, 16),
    "TimeControl": (0x150, 64),
    "Annotator": (0x1D0, 16),
    "Author": (0x1E0, 16),
}
"""Where each text stands, and the bytes it has with its length before it."""
_RESULTS = {1: Result.RED_WINS, 2: Result.BLACK_WINS, 3: Result.DRAW, 4: Result.DRAW}

_LAST_PLAIN_VERSION = 10
"""XQF 1.0; what comes after it is written with keys."""
_FIRST_TURNED_VERSION = 12
"""From here on the list of pieces is turned round by the key as well."""
_FROM_OFFSET, _TO_OFFSET = 24, 32
_HAS_NEXT, _HAS_VARIATION, _HAS_COMMENT = 0x80, 0x40, 0x20
_KEY_TEXT = b"[(C) Copyright Mr. Dong Shiwei.]"


@dataclass(frozen=True, slots=True)
class _Keys:
    """What is to be taken off the bytes of a file; all 0 for version 1.0."""

    pieces: int = 0
    start: int = 0
    end: int = 0
    comment_size: int = 0
    stream: bytes = bytes(32)


def parse_xqf(data: bytes) -> Game:
    """Read the game of an XQF file; NotationError where it is none."""
    if data[:2] != b"XQ" or len(data) < _HEADER_SIZE:
        raise NotationError(f"expected an XQF file, 'XQ' and a header of {_HEADER_SIZE} bytes: {data[:16]!r}")
    version = data[2]
    keys = _keys(data) if version > _LAST_PLAIN_VERSION else _Keys()
    steps = _Steps(data[_HEADER_SIZE:], version, keys)
    comment, more = steps.read_first()
    board = _board(data, version, keys)
    moves: list[tuple[Move | None, str, str]] = []
    while more and not steps.at_end():
        move, said, raw, more = steps.read()
        moves.append((move, said, raw))
    return _game(data, board, comment, moves)


def _game(data: bytes, board: bytes, comment: str, moves: list[tuple[Move | None, str, str]]) -> Game:
    first = next((move for move, _, _ in moves if move), None)
    mover = board[first.from_point] if first else EMPTY
    # Version 1.0 keeps the side to move at 0: whoever moves first was to move.
    start = position = Position(board, side_of(mover) if mover else Side(data[_BLACK_FIRST_AT] == 1))
    plies = []
    for move, said, raw in moves:
        played = move if move and position.board[move.from_point] else None
        plies.append(Ply(played, comment=said, text="" if played else raw))
        position = after(position, plies[-1])
    headers = {tag: text for tag, (at, size) in _TEXTS.items() if (text := _text(data[at : at + size]))}
    return Game(start, tuple(plies), _RESULTS.get(data[_RESULT_AT], Result.OPEN), headers, comment)


def _text(field: bytes) -> str:
    """A text with its length in the first byte. A name cut in the middle of a character loses only that one."""
    return field[1 : 1 + field[0]].decode("gb18030", errors="ignore").strip("\0 ")


def _keys(data: bytes) -> _Keys:
    """The keys, out of the key bytes of the header."""
    mask, key_or, raw = data[3], data[8:12], data[12:16]
    pieces = _turned(raw[1]) * raw[1] & 0xFF
    start = _turned(raw[2]) * pieces & 0xFF
    end = _turned(raw[3]) * start & 0xFF
    basis = [(raw[i] & mask) | key_or[i] for i in range(4)]
    stream = bytes(sign & basis[i % 4] for i, sign in enumerate(_KEY_TEXT))
    return _Keys(pieces, start, end, (raw[0] * 256 + raw[1]) % 32000 + 767, stream)


def _turned(key: int) -> int:
    return key * key * 54 + 221


def _board(data: bytes, version: int, keys: _Keys) -> bytes:
    stored = data[_PIECES_AT : _PIECES_AT + 32]
    board = bytearray(POINTS)
    for index, byte in enumerate(stored):
        slot = (keys.pieces + 1 + index) % 32 if version >= _FIRST_TURNED_VERSION else index
        place = _point((byte - keys.pieces) & 0xFF)
        if place is not None:
            board[place] = make_piece(Side(slot // 16), SET_ORDER[slot % 16])
    return bytes(board)


def _point(byte: int) -> Point | None:
    return point(byte // 10, byte % 10) if byte < FILES * 10 else None


class _Steps:
    """The steps after the header, one after another."""

    def __init__(self, data: bytes, version: int, keys: _Keys) -> None:
        self._data = bytes((byte - keys.stream[i % 32]) & 0xFF for i, byte in enumerate(data))
        self._plain = version <= _LAST_PLAIN_VERSION
        self._keys = keys
        self._at = 0

    def at_end(self) -> bool:
        """Whether no whole step is left."""
        return self._at + 4 > len(self._data)

    def read_first(self) -> tuple[str, bool]:
        """The empty step: the comment before the first move, and whether a move follows."""
        if self.at_end():
            return "", False
        _, comment, _, more = self.read()
        return comment, more

    def read(self) -> tuple[Move | None, str, str, bool]:
        """(move, comment, bytes as text, whether another follows) of the next step."""
        raw = self._take(4)
        start = _point((raw[0] - _FROM_OFFSET - self._keys.start) & 0xFF)
        end = _point((raw[1] - _TO_OFFSET - self._keys.end) & 0xFF)
        move = None if start is None or end is None or start == end else Move(start, end)
        return move, self._comment(raw[2]), raw.hex(), bool(raw[2] & (0xF0 if self._plain else _HAS_NEXT))

    def _comment(self, flags: int) -> str:
        if not self._plain and not flags & _HAS_COMMENT:
            return ""
        field = self._take(4)
        size = struct.unpack("<i", field)[0] - self._keys.comment_size
        return self._take(max(size, 0)).decode("gb18030", errors="replace").replace("\r\n", "\n").strip("\0 \n")

    def _take(self, size: int) -> bytes:
        """The next bytes; a file that was cut off reads as if 0 followed."""
        taken = self._data[self._at : self._at + size]
        self._at += len(taken)
        return taken if size > len(self._data) else taken.ljust(size, b"\0")
