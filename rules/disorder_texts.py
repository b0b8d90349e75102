"""How pieces came out of order, and by how much time that is ruled on, in Chinese and English."""

from enum import Enum

from rules.incident import Json
from rules.messages import Text, name_point, name_side
from rules.piece import Side, other
from rules.point import Point, format_point


class When(Enum):
    """When pieces were disturbed, as 5.9 asks it."""

    OWN_TIME = "own_time"
    NOT_PUT_RIGHT = "not_put_right"
    """In the own time, and still lying there at the press."""
    AFTER_PRESS = "after_press"
    OPPONENTS_TIME = "opponents_time"
    """With no press heard."""


_WHEN = {
    When.OWN_TIME: Text("己方用时内", "in the own time"),
    When.NOT_PUT_RIGHT: Text("按钟前未摆正", "not put right before the press"),
    When.AFTER_PRESS: Text("按钟后", "after the press"),
    When.OPPONENTS_TIME: Text("对方用时内", "in the opponent's time"),
}
_OFF_BOARD = Text("{points}之子不在盘上", "off the board: {points}")

_UNKNOWN = Text(
    "{other}余时不详，不足{limit}则判{loser}负，否则",
    "the time of {other} is not known; with less than {limit} {loser} loses, else ",
)
_CLOSE = Text(
    "{other}余时约{left}，不足{limit}则判{loser}负，否则",
    "{other} has about {left} left; with less than {limit} {loser} loses, else ",
)
_SHORT = Text("{other}余时{left}，不足{limit}，", "{other} has {left} left, less than {limit}, so ")
_ENOUGH = Text("{other}余时{left}，不少于{limit}，", "{other} has {left} left, not less than {limit}, so ")

_FROM = Text("自{point}走出，", " from {point}")
_PRESSED = {True: Text("，已按钟", ", after the press"), False: Text("，尚未按钟", ", before the press")}
_NOTHING = Text("", "")


def tell_disturbance(when: When | None, off_board: tuple[Point, ...]) -> Text:
    """When it happened, and which points' pieces are no longer on the board."""
    names = [format_point(point) for point in off_board]
    off = Text(_OFF_BOARD.zh.format(points="、".join(names)), _OFF_BOARD.en.format(points=", ".join(names)))
    told = ([] if when is None else [_WHEN[when]]) + ([off] if names else [])
    if not told:
        return _NOTHING
    return Text(f"（{'，'.join(text.zh for text in told)}）", f" ({'; '.join(text.en for text in told)})")


def tell_time_left(remedy: Json, side: Side) -> Text:
    """The opponent's time against the limit below which `side` loses; nothing where the edition has none."""
    left, limit = remedy.get("opponent_s"), remedy.get("limit_s")
    if not isinstance(limit, int):
        return _NOTHING
    if not isinstance(left, int | float):
        template, shown = _UNKNOWN, ""
    else:
        minutes, seconds = divmod(int(left), 60)
        shown = f"{minutes}:{seconds:02}"
        template = _CLOSE if "if_opponent_has_less" in remedy else _SHORT if remedy["action"] == "loss" else _ENOUGH
    opponent, loser, least = name_side(other(side)), name_side(side), _name_limit(limit)
    return Text(
        template.zh.format(other=opponent.zh, loser=loser.zh, left=shown, limit=least.zh),
        template.en.format(other=opponent.en, loser=loser.en, left=shown, limit=least.en),
    )


def _name_limit(seconds: int) -> Text:
    if seconds % 60:
        return Text(f"{seconds}秒", f"{seconds} seconds")
    minutes = seconds // 60
    return Text(f"{minutes}分钟", "1 minute" if minutes == 1 else f"{minutes} minutes")


def tell_origin(point: Point | None, side: Side) -> Text:
    """The point from which a piece that lies between points was moved, where that is known."""
    if point is None:
        return _NOTHING
    return Text(
        _FROM.zh.format(point=f"{name_point(point, side)}（{format_point(point)}）"),
        _FROM.en.format(point=format_point(point)),
    )


def tell_press(pressed: bool | None) -> Text:
    """Whether the mover has pressed; nothing where no clock says so."""
    return _NOTHING if pressed is None else _PRESSED[pressed]
