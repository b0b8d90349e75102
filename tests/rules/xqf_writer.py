"""Writes XQF files for the tests, from the public description of the format; our own reader has no part in it.

Version 10 is XQF 1.0 in the clear; 11 and 18 are written with keys, as XQStudio's later versions do.
"""

import struct
from dataclasses import dataclass

from rules.game import Game, Result
from rules.point import file_of, rank_of

ORDER = "RNBAKABNRCCPPPPPrnbakabnrccppppp"
LETTERS = ".KABNRCP.kabnrcp"
KEY_TEXT = b"[(C) Copyright Mr. Dong Shiwei.]"
RESULTS = {Result.OPEN: 0, Result.RED_WINS: 1, Result.BLACK_WINS: 2, Result.DRAW: 3}


@dataclass(frozen=True)
class Key:
    """The key bytes of the header."""

    mask: int = 0
    key_or: bytes = bytes(4)
    raw: bytes = bytes(4)

    @staticmethod
    def chained(key: int, before: int) -> int:
        """XQStudio's own formula."""
        return (((((key * key) * 3 + 9) * 3 + 8) * 2 + 1) * 3 + 8) * before & 0xFF


SOME_KEY = Key(0x5A, bytes((3, 17, 64, 200)), bytes((0x31, 0x5D, 0x9B, 0xD7)))


def write_xqf(game: Game, version: int = 10, key: Key | None = None) -> bytes:
    """The file of a game."""
    key = key or (Key() if version <= 10 else SOME_KEY)
    pieces = start = end = size = 0
    stream = bytes(32)
    if version > 10:
        pieces = Key.chained(key.raw[1], key.raw[1])
        start = Key.chained(key.raw[2], pieces)
        end = Key.chained(key.raw[3], start)
        size = (key.raw[0] * 256 + key.raw[1]) % 32000 + 767
        basis = [(key.raw[i] & key.mask) | key.key_or[i] for i in range(4)]
        stream = bytes(sign & basis[i % 4] for i, sign in enumerate(KEY_TEXT))
    header = bytearray(0x400)
    header[:4] = b"XQ" + bytes((version, key.mask))
    header[8:16] = key.key_or + key.raw
    header[0x10:0x30] = _pieces(game, version, pieces)
    header[0x33] = RESULTS[game.result]
    for at, room, name in (
        (0xD0, 64, "Event"),
        (0x110, 16, "Date"),
        (0x120, 16, "Site"),
        (0x130, 16, "Red"),
        (0x140, 16, "Black"),
    ):
        text = game.headers.get(name, "").encode("gb18030")[: room - 1]
        header[at : at + 1 + len(text)] = bytes((len(text),)) + text
    body = bytearray()
    steps = [(0, 0, game.comment), *((p.move.from_point, p.move.to_point, p.comment) for p in game.plies if p.move)]
    for index, (source, target, comment) in enumerate(steps):
        last = index == len(steps) - 1
        said = comment.encode("gb18030")
        flags = (0x00 if last else 0xF0) if version <= 10 else (0x00 if last else 0x80) | (0x20 if said else 0)
        step = bytearray((0x18, 0x20, flags, 0xFF if index == 0 else 0))
        if index:
            step[0] = file_of(source) * 10 + rank_of(source) + 24 + start & 0xFF
            step[1] = file_of(target) * 10 + rank_of(target) + 32 + end & 0xFF
        body += step
        if version <= 10 or said:
            body += struct.pack("<i", len(said) + size) + said
    return bytes(header) + bytes((byte + stream[i % 32]) & 0xFF for i, byte in enumerate(body))


def _pieces(game: Game, version: int, offset: int) -> bytes:
    places = {letter: [i for i, p in enumerate(game.start.board) if LETTERS[p] == letter] for letter in set(ORDER)}
    stored = [0xFF] * 32
    for slot, letter in enumerate(ORDER):
        here = places[letter]
        value = 0xFF
        if here:
            p = here.pop(0)
            value = file_of(p) * 10 + rank_of(p) + offset & 0xFF
        elif offset:
            value = 0xFF
        stored[slot] = value
    if version >= 12:
        stored = [stored[(offset + 1 + i) % 32] for i in range(32)]
    return bytes(stored)
