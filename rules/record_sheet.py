"""The record sheet of clause 7.5: one round a line, Red and Black in two columns, full (炮二平五) or short (炮25)."""

import re
import unicodedata
from collections.abc import Iterator

from rules.errors import NotationError
from rules.fen import format_fen, parse_fen
from rules.game import RESULT_NAMES, START, Game, Ply, Result, after, parse_result
from rules.pgn import format_clock, read_move, write_ply
from rules.piece import BLACK, RED, Side
from rules.text_encoding import decode_text

TITLE = "象棋对局记录"
_LABELS = {"赛事": "Event", "地点": "Site", "日期": "Date", "轮次": "Round", "用时": "TimeControl"}
_PLAYERS = {"红方": ("Red", "RedTeam"), "黑方": ("Black", "BlackTeam")}
_START, _COMMENT, _RESULT, _LEFT = "起始局面", "说明", "结果", "余时"
_NO_MOVE = "……"
"""Red's column where Black has the first move."""
_ROUND_WIDTH, _MOVE_WIDTH = 6, 14
"""Columns in half-width signs; a Chinese character takes two."""
_ROUND = re.compile(r"\s*([0-9]+)[.．、]?\s+(\S+)(?:\s+(\S+))?\s*")


def format_sheet(game: Game, short: bool = False) -> str:
    """The record sheet; `short` takes the short form of clause 7.5."""
    lines = [TITLE, *_head(game), "", _row("回合", "红方", "黑方")]
    lines += [_row(*cells) for cells in _rounds(game, "chinese-short" if short else "chinese")]
    lines += ["", f"{_RESULT}：{RESULT_NAMES[game.result]}"]
    left = [f"{name} {format_clock(clock_s)}" for name, clock_s in _clocks_left(game)]
    if left:
        lines.append(f"{_LEFT}：{'　'.join(left)}")
    return "\n".join(lines) + "\n"


def _head(game: Game) -> Iterator[str]:
    for label, tag in _LABELS.items():
        if game.headers.get(tag):
            yield f"{label}：{_one_line(game.headers[tag])}"
    for label, (name, team) in _PLAYERS.items():
        who = _one_line(game.headers.get(name, ""))
        yield f"{label}：{who}" + (f"（{_one_line(game.headers[team])}）" if game.headers.get(team) else "")
    if game.start != START:
        yield f"{_START}：{format_fen(game.start)}"
    if game.comment:
        yield f"{_COMMENT}：{_one_line(game.comment)}"


def _rounds(game: Game, notation: str) -> Iterator[tuple[str, str, str]]:
    cells: list[str] = []
    number = game.start.round_number
    for position, ply in game.walk():
        if position.side == BLACK and not cells:
            cells.append(_NO_MOVE)
        cells.append(write_ply(position, ply, notation))
        if position.side == BLACK:
            yield str(number), cells[0], cells[1]
            cells, number = [], number + 1
    if cells:
        yield str(number), cells[0], ""


def _row(number: str, red: str, black: str) -> str:
    return (_pad(number, _ROUND_WIDTH) + _pad(red, _MOVE_WIDTH) + black).rstrip()


def _pad(text: str, width: int) -> str:
    shown = sum(2 if unicodedata.east_asian_width(sign) in "WFA" else 1 for sign in text)
    return text + " " * max(width - shown, 1)


def _clocks_left(game: Game) -> Iterator[tuple[str, float]]:
    """What each side's clock last showed."""
    for side, name in ((RED, "红方"), (BLACK, "黑方")):
        shown = [
            ply.clock_s for position, ply in game.walk() if position.side == Side(side) and ply.clock_s is not None
        ]
        if shown:
            yield name, shown[-1]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def parse_sheet(source: str | bytes) -> Game:
    """Read a record sheet, full or short; moves that cannot be read are kept as text, as in PGN."""
    text = source if isinstance(source, str) else decode_text(source)
    said: dict[str, str] = {}
    rounds: list[tuple[str, ...]] = []
    for line in text.splitlines():
        label, colon, value = line.partition("：")
        found = _ROUND.fullmatch(line)
        if colon and label.strip() not in said:
            said[label.strip()] = value.strip()
        elif found:
            rounds.append(tuple(cell for cell in found.groups()[1:] if cell))
    if not rounds and not (said.keys() & {*_LABELS, *_PLAYERS, _RESULT}):
        raise NotationError(f"expected a record sheet with rounds in two columns: {text[:40]!r}...")
    start = parse_fen(said[_START]) if said.get(_START) else START
    plies: list[Ply] = []
    position = start
    for cell in (cell for cells in rounds for cell in cells if cell != _NO_MOVE):
        move = read_move(position, cell)
        plies.append(Ply(move, text="" if move else cell))
        position = after(position, plies[-1])
    result = parse_result(said.get(_RESULT, "")) or Result.OPEN
    return Game(start, tuple(plies), result, _parse_head(said), said.get(_COMMENT, ""))


def _parse_head(said: dict[str, str]) -> dict[str, str]:
    headers = {tag: said[label] for label, tag in _LABELS.items() if said.get(label)}
    for label, (name, team) in _PLAYERS.items():
        found = re.fullmatch(r"(.*?)(?:（([^（）]*)）)?", said.get(label, ""))
        if found and found[1]:
            headers[name] = found[1]
        if found and found[2]:
            headers[team] = found[2]
    return headers
