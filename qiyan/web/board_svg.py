"""The board as a drawing for paper; the browser draws its own, with static/board.js."""

from rules.fen import parse_fen
from rules.piece import RED, kind_of, side_of
from rules.point import parse_point

_GLYPHS = (" 帅仕相马车炮兵", " 将士象马车炮卒")
_CELL = 40
_RIM = 30
_RED_FILES = "九八七六五四三二一"
"""From a to i: each side counts from its own right, Black in digits."""
_RING, _MOVE = "#c2185b", "#0a63c9"
"""Of rings and of a move, as static/pages.css has them."""
_ROOM_TOP, _ROOM_BOTTOM, _ROOM_SIDE = 12, 26, 14
"""For the names of files and ranks outside the rim."""


def board_svg(fen: str | None, marked: list[str], move: str | None = None) -> str:
    """The position, Red at the bottom, with rings round the marked points and where `move` (ICCS) came from and went to
    marked as in the browser."""
    width, height = 8 * _CELL + 2 * _RIM, 9 * _CELL + 2 * _RIM
    box = f"{-_ROOM_SIDE} {-_ROOM_TOP} {width + 2 * _ROOM_SIDE} {height + _ROOM_TOP + _ROOM_BOTTOM}"
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="serif">']
    parts.append(f'<path d="{_lines()}" stroke="#444" fill="none"/>')
    if fen is not None:
        for point, piece in enumerate(parse_fen(fen).board):
            if piece:
                x, y = _xy(point)
                colour = "#b00" if side_of(piece) == RED else "#000"
                glyph = _GLYPHS[side_of(piece)][kind_of(piece)]
                parts.append(
                    f'<circle cx="{x}" cy="{y}" r="17" fill="#fff" stroke="{colour}" stroke-width="1.5"/>'
                    f'<text x="{x}" y="{y + 8}" text-anchor="middle" font-size="22" fill="{colour}">{glyph}</text>'
                )
    for name in marked:
        x, y = _xy(parse_point(name))
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="20" fill="none" stroke="{_RING}" stroke-width="3.5" stroke-dasharray="9 4"/>'
        )
    if move is not None:
        x, y = _xy(parse_point(move[:2]))
        parts.append(f'<circle class="from" cx="{x}" cy="{y}" r="6" fill="none" stroke="{_MOVE}" stroke-width="3"/>')
        parts.append(f'<path class="to" d="{_corners(move[2:])}" fill="none" stroke="{_MOVE}" stroke-width="3"/>')
    parts += _names(height)
    return "".join(parts) + "</svg>"


def _corners(point: str) -> str:
    """Four corners round a point."""
    x, y = _xy(parse_point(point))
    far, near = 18.5, 10.5
    turns = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return "".join(f"M{x + i * far} {y + j * near}V{y + j * far}H{x + i * near}" for i, j in turns)


def _names(height: int) -> list[str]:
    """Red's files below, Black's above, as each counts them, and the letters and digits that name points."""
    names = []
    for file in range(9):
        x = _RIM + file * _CELL
        names += [
            (x, 2, str(file + 1), 14),
            (x, height + 4, _RED_FILES[file], 14),
            (x, height + 19, "abcdefghi"[file], 11),
        ]
    names += [(-2, _xy(9 * rank)[1] + 4, str(rank), 11) for rank in range(10)]
    return [
        f'<text x="{x}" y="{y}" text-anchor="middle" font-size="{size}">{name}</text>' for x, y, name, size in names
    ]


def _xy(point: int) -> tuple[int, int]:
    return _RIM + point % 9 * _CELL, _RIM + (9 - point // 9) * _CELL


def _lines() -> str:
    left, right, top, bottom = _RIM, _RIM + 8 * _CELL, _RIM, _RIM + 9 * _CELL
    path = [f"M{left} {top + rank * _CELL}H{right}" for rank in range(10)]
    for file in range(9):
        x = _RIM + file * _CELL
        if file in (0, 8):
            path.append(f"M{x} {top}V{bottom}")
        else:
            path.append(f"M{x} {top}V{top + 4 * _CELL}M{x} {top + 5 * _CELL}V{bottom}")
    a, b = _RIM + 3 * _CELL, _RIM + 5 * _CELL
    for y in (top, top + 7 * _CELL):
        path.append(f"M{a} {y}L{b} {y + 2 * _CELL}M{b} {y}L{a} {y + 2 * _CELL}")
    return "".join(path)
