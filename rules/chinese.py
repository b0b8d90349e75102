"""Chinese notation as clause 7.5 has it: 炮二平五, 马8进7, 前车退一; in short 炮25, 马87, 前车1.

Reading takes traditional and simplified characters, every glyph that a set may carry for a piece, Chinese and
Arabic figures, full or half width, from either side. Writing gives the standard form: simplified characters, Red's
figures Chinese and Black's Arabic (clause 2.1).
"""

import re
import unicodedata

from rules.errors import NotationError
from rules.move import Move
from rules.named_move import MIDDLE, REAR, Action, NamedMove, find_move, is_soldier_crowd, name_move
from rules.piece import ADVISOR, CANNON, CHARIOT, ELEPHANT, HORSE, KING, RED, SOLDIER, side_of
from rules.position import Position

PIECE_NAMES = (".帅仕相马车炮兵", ".将士象马车炮卒")
"""[side][kind]: the standard character."""
FIGURES = ("0一二三四五六七八九", "0123456789")
"""[side][number]: Red counts in Chinese figures, Black in Arabic ones."""

_GLYPHS = {
    KING: "帅帥将將",
    ADVISOR: "仕士",
    ELEPHANT: "相象",
    HORSE: "马馬傌",
    CHARIOT: "车車俥",
    CANNON: "炮砲包",
    SOLDIER: "兵卒",
}
_KINDS = {glyph: kind for kind, glyphs in _GLYPHS.items() for glyph in glyphs}
_NUMBERS = {figure: number for figures in FIGURES for number, figure in enumerate(figures) if number}
_ORDERS = {"前": 1, "中": MIDDLE, "后": REAR, "後": REAR} | {figure: _NUMBERS[figure] for figure in "一二三四五12345"}
_ACTIONS = {"进": Action.FORWARD, "進": Action.FORWARD, "退": Action.BACK, "平": Action.ACROSS}
_ACTION_NAMES = {Action.FORWARD: "进", Action.BACK: "退", Action.ACROSS: "平"}

_FIGURE = f"[{''.join(_NUMBERS)}]"
_TOKEN = re.compile(
    rf"(?P<order>[{''.join(_ORDERS)}])?(?P<kind>[{''.join(_KINDS)}])?(?P<file>{_FIGURE})?"
    rf"(?P<action>[{''.join(_ACTIONS)}])?(?P<number>{_FIGURE})"
)


def parse_chinese(position: Position, text: str) -> Move:
    """The move that full or short Chinese notation names, by the side to move; NotationError where it names none.

    The move may be illegal where only one move can be meant: ask rules.legality.
    """
    found = _TOKEN.fullmatch(re.sub(r"[\s\-—–─]+", "", unicodedata.normalize("NFKC", text)))
    if not found:
        raise NotationError(f"expected Chinese notation such as '炮二平五': {text!r}")
    order, kind, file, action = found["order"], found["kind"], found["file"], found["action"]
    if kind and not order and not file:
        raise NotationError(f"expected a file or 前, 中, 后 beside the piece: {text!r}")
    if not kind and not (order and file):
        raise NotationError(f"expected a piece, or order and file of a soldier: {text!r}")
    named = NamedMove(
        _KINDS[kind] if kind else SOLDIER,
        _NUMBERS[file] if file else None,
        _ORDERS[order] if order else None,
        _ACTIONS[action] if action else None,
        _NUMBERS[found["number"]],
    )
    return find_move(position, named, text)


def format_chinese(position: Position, move: Move) -> str:
    """The full form of any move, legal or not: 炮二平五."""
    named, side = name_move(position, move), side_of(position.board[move.from_point])
    assert named.action is not None
    return _piece_part(named, side) + _ACTION_NAMES[named.action] + FIGURES[side][named.number]


def format_chinese_short(position: Position, move: Move) -> str:
    """The short form, 炮25: Arabic figures, and 进退平 left out, as clause 7.5 does, wherever one move remains.

    Where two legal moves would look alike, as 车8进4 and 车8平4 may, the sign is kept.
    """
    named, side = name_move(position, move), side_of(position.board[move.from_point])
    assert named.action is not None
    piece = _piece_part(named, side).translate({ord(figure): str(n) for n, figure in enumerate(FIGURES[RED])})
    short = f"{piece}{named.number}"
    try:
        clear = parse_chinese(position, short) == move
    except NotationError:
        clear = False
    return short if clear else f"{piece}{_ACTION_NAMES[named.action]}{named.number}"


def _piece_part(named: NamedMove, side: int) -> str:
    name = PIECE_NAMES[side][named.kind]
    assert named.file is not None
    file = FIGURES[side][named.file]
    if named.order is None:
        return name + file
    order = _order_name(named.order, named.of)
    return order + (file if is_soldier_crowd(named) else name)


def _order_name(order: int, of: int) -> str:
    """前 and 后 for the outermost, 中 between them; with more than three, the ones between are numbered."""
    if order == 1:
        return "前"
    if order == of:
        return "后"
    return "中" if of == 3 else FIGURES[RED][order]
