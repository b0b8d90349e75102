"""DhtmlXQ: the bracketed text in which the Chinese game archives show and exchange games.

A point is two figures, file 0-8 from Red's left and row 0-9 counted from Black's back rank. `binit` gives the points
of the 32 pieces of a full set in fixed order, 99 for one that is not on the board; `movelist` four figures a move.
"""

import re
from collections.abc import Iterator

from rules.errors import NotationError
from rules.fen import format_fen, parse_fen
from rules.game import RESULT_NAMES, START, Game, Ply, after, parse_result
from rules.move import Move
from rules.piece import (
    ADVISOR,
    BLACK,
    CANNON,
    CHARIOT,
    ELEPHANT,
    EMPTY,
    HORSE,
    KING,
    RED,
    SOLDIER,
    Side,
    make_piece,
    side_of,
)
from rules.point import FILES, POINTS, RANKS, Point, file_of, point, rank_of
from rules.position import Position
from rules.text_encoding import decode_text

SET_ORDER = (
    *(CHARIOT, HORSE, ELEPHANT, ADVISOR, KING, ADVISOR, ELEPHANT, HORSE, CHARIOT),
    *(CANNON, CANNON, SOLDIER, SOLDIER, SOLDIER, SOLDIER, SOLDIER),
)
"""Kinds of a side's 16 pieces in the order of `binit`; Red's first, then Black's."""

_USUAL_BINIT = "0919293949596979891777062646668600102030405060708012720323436383"
_ABSENT = "99"
_TAGS = {
    "event": "Event",
    "place": "Site",
    "date": "Date",
    "round": "Round",
    "red": "Red",
    "redteam": "RedTeam",
    "black": "Black",
    "blackteam": "BlackTeam",
    "timerule": "TimeControl",
    "title": "Title",
    "open": "Opening",
    "remark": "Remark",
    "author": "Author",
}
"""Our header by the name of its DhtmlXQ field."""
_FIELD = re.compile(r"\[DhtmlXQ_(\w+)\](.*?)\[/DhtmlXQ_\w+\]", re.IGNORECASE | re.DOTALL)
_NEW_LINE = "||"


def format_dhtmlxq(game: Game) -> str:
    """The game in DhtmlXQ. Clocks have no place there; the list of moves ends before one that could not be read."""
    moves = list(_readable_start(game))
    fields = {"ver": "www_dpxq_com", "init": "500,350"}
    fields |= {field: game.headers.get(tag, "") for field, tag in _TAGS.items()}
    fields |= {
        "result": RESULT_NAMES[game.result],
        "binit": _format_binit(game.start),
        # Our own FEN beside the points, for the counters and the side to move, which `binit` leaves open.
        "fen": format_fen(game.start),
        "movelist": "".join(_format_point(move.from_point) + _format_point(move.to_point) for move in moves),
    }
    comments = {"comment0": game.comment} | {
        f"comment{number}": ply.comment for number, ply in enumerate(game.plies[: len(moves)], start=1)
    }
    fields |= {name: said for name, said in comments.items() if said}
    body = "".join(f"[DhtmlXQ_{name}]{_escape(value)}[/DhtmlXQ_{name}]\n" for name, value in fields.items())
    return f"[DhtmlXQ]\n{body}[/DhtmlXQ]\n"


def _readable_start(game: Game) -> Iterator[Move]:
    for ply in game.plies:
        if ply.move is None:
            return
        yield ply.move


def _escape(value: str) -> str:
    plain = value.replace(_NEW_LINE, "｜｜").replace("[/", "［/")
    return plain.replace("\r\n", "\n").replace("\n", _NEW_LINE)


def _format_point(p: int) -> str:
    return f"{file_of(p)}{RANKS - 1 - rank_of(p)}"


def _parse_point(figures: str) -> Point | None:
    file, row = int(figures[0]), int(figures[1])
    return point(file, RANKS - 1 - row) if file < FILES else None


def _format_binit(position: Position) -> str:
    if position.board == START.board:
        # Black's pieces stand mirrored in the archives' own string for the usual start.
        return _USUAL_BINIT
    places: dict[int, list[int]] = {}
    for index, piece in enumerate(position.board):
        if piece:
            places.setdefault(piece, []).append(index)
    figures = []
    for side in (RED, BLACK):
        for kind in SET_ORDER:
            here = places.get(make_piece(side, kind), [])
            figures.append(_format_point(here.pop(0)) if here else _ABSENT)
    left_over = [p for here in places.values() for p in here]
    if left_over:
        raise NotationError(f"DhtmlXQ holds no more pieces than a full set has: {format_fen(position)!r}")
    return "".join(figures)


def parse_dhtmlxq(source: str | bytes) -> Game:
    """Read a game; NotationError where the text holds none. Variations are passed over."""
    text = source if isinstance(source, str) else decode_text(source)
    fields = {name.lower(): value.strip().replace(_NEW_LINE, "\n") for name, value in _FIELD.findall(text)}
    if "movelist" not in fields and "binit" not in fields:
        raise NotationError(f"expected [DhtmlXQ_binit] or [DhtmlXQ_movelist]: {text[:40]!r}...")
    moves = _parse_movelist(fields.get("movelist", ""))
    start = _parse_start(fields, moves)
    plies: list[Ply] = []
    position = start
    for number, (figures, move) in enumerate(moves, start=1):
        # A move from an empty point is no move; the turn passes and the rest is kept.
        played = move if move and position.board[move.from_point] else None
        said = fields.get(f"comment{number}") or fields.get(f"comment0_{number}") or ""
        plies.append(Ply(played, comment=said, text="" if played else figures))
        position = after(position, plies[-1])
    headers = {tag: fields[name] for name, tag in _TAGS.items() if fields.get(name)}
    result = parse_result(fields.get("result", "")) or Game().result
    return Game(start, tuple(plies), result, headers, fields.get("comment0") or fields.get("comment0_0") or "")


def _parse_movelist(text: str) -> list[tuple[str, Move | None]]:
    figures = "".join(text.split())
    if not re.fullmatch(r"[0-9]*", figures, re.ASCII):
        raise NotationError(f"expected four figures a move: {text[:40]!r}")
    found: list[tuple[str, Move | None]] = []
    for at in range(0, len(figures), 4):
        four = figures[at : at + 4]
        start, end = (_parse_point(four[:2]), _parse_point(four[2:])) if len(four) == 4 else (None, None)
        whole = start is not None and end is not None and start != end
        found.append((four, Move(start, end) if whole and start is not None and end is not None else None))
    return found


def _parse_start(fields: dict[str, str], moves: list[tuple[str, Move | None]]) -> Position:
    board = _parse_binit(fields["binit"]) if fields.get("binit") else START.board
    if fields.get("fen"):
        position = parse_fen(fields["fen"])
        if position.board == board:
            return position
    first = next((move for _, move in moves if move), None)
    mover = board[first.from_point] if first else EMPTY
    # Whoever makes the first move was to move; the format does not say it otherwise.
    return Position(board, side_of(mover) if mover else RED)


def _parse_binit(text: str) -> bytes:
    figures = "".join(text.split())
    if not re.fullmatch(r"[0-9]{64}", figures, re.ASCII):
        raise NotationError(f"expected 64 figures for the 32 pieces: {text[:80]!r}")
    board = bytearray(POINTS)
    for index in range(32):
        place = _parse_point(figures[index * 2 : index * 2 + 2])
        if place is not None:
            board[place] = make_piece(Side(index // 16), SET_ORDER[index % 16])
    return bytes(board)
