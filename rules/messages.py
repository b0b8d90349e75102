"""The catalogue of texts: every incident in Chinese and English, with its clause and what that prescribes."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.incident import IncidentKind, Severity
from rules.judging.report import Report
from rules.ordinals import ordinal
from rules.piece import (
    ADVISOR,
    BLACK,
    CANNON,
    CHARIOT,
    ELEPHANT,
    HORSE,
    KING,
    RED,
    SOLDIER,
    Piece,
    Side,
    kind_of,
    side_of,
)  # fmt: skip
from rules.point import FILES, Point, file_of, format_point, rank_of
from rules.profile import RuleProfile


@dataclass(frozen=True, slots=True)
class Text:
    """One message in both languages."""

    zh: str
    en: str


_SIDES_ZH = ("红方", "黑方")
_SIDES_EN = ("Red", "Black")
_PIECES_ZH = (
    {KING: "帅", ADVISOR: "仕", ELEPHANT: "相", HORSE: "马", CHARIOT: "车", CANNON: "炮", SOLDIER: "兵"},
    {KING: "将", ADVISOR: "士", ELEPHANT: "象", HORSE: "马", CHARIOT: "车", CANNON: "炮", SOLDIER: "卒"},
)
_PIECES_EN = {
    KING: "general", ADVISOR: "advisor", ELEPHANT: "elephant", HORSE: "horse",
    CHARIOT: "chariot", CANNON: "cannon", SOLDIER: "soldier",
}  # fmt: skip
MOVES_SHOWN = 6
"""A text names so many moves; the remedy has them all."""
_NUMERALS_ZH = "一二三四五六七八九十"

WHAT: dict[IncidentKind, Text] = {
    IncidentKind.TOUCH_MOVE: Text(
        "{side}摸触{points}后另走{played}", "{side} touched {points} and then played {played}"
    ),
    IncidentKind.UNANNOUNCED_ADJUST: Text(
        "{side}摸触或摆正{points}，尚未走动该子", "{side} touched or straightened {points} and has not moved it yet"
    ),
    IncidentKind.TAKE_BACK: Text("{side}收回已离手的{played}", "{side} took back {played} after releasing it"),
    IncidentKind.BETWEEN_POINTS: Text(
        "{piece}{origin}落在{points}之间{pressed}", "{piece}{origin} lies between {points}{pressed}"
    ),
    IncidentKind.DISTURBED_PIECES: Text("{side}碰乱{points}{how}", "{side} disturbed {points}{how}"),
    IncidentKind.ILLEGAL_MOVE: Text(
        "{side}走{played}，违反行棋规定", "{side} played {played}, against the rules of movement"
    ),
    IncidentKind.SUICIDE: Text(
        "{side}走{played}后己方帅（将）可被吃，形成自杀", "{side} played {played} and left the own general to be taken"
    ),
    IncidentKind.OUT_OF_TURN: Text("未轮到{side}行棋而走{played}", "{side} played {played} out of turn"),
    IncidentKind.CLOCK_BEFORE_MOVE: Text("{side}未走棋先按钟", "{side} pressed the clock before moving"),
    IncidentKind.CLOCK_NOT_PRESSED: Text(
        "{side}走棋后未按钟，其用时仍在走", "{side} has moved but not pressed; the clock of {side} still runs"
    ),
    IncidentKind.FLAG_FALL: Text("{side}用时已尽", "the time of {side} has run out"),
    IncidentKind.REPETITION: Text("{what_zh}", "{what_en}"),
    IncidentKind.NATURAL_LIMIT: Text(
        "连续{rounds}回合未吃子（自然限着{limit}回合）",
        "{rounds_en} without a capture towards the natural limit of {limit}",
    ),
    IncidentKind.BOARD_DIFFERS: Text("棋盘与记录不符：{points}", "the board does not match the record at {points}"),
    IncidentKind.RECORD_DOUBT: Text(
        "第{ply}着记为{recorded}，不能确定{instead}",
        "ply {ply} is recorded as {recorded}, and not for certain{instead}",
    ),
}

PRESCRIBES: dict[str, Text] = {
    "play_obliged": Text("应收回，改走{moves}", "it is to be taken back and {moves} played"),
    "move_touched": Text(
        "如未声明摆正（系统听不到），{binds}", "unless announced, which the system cannot hear, {binds}"
    ),
    "restore": Text("应在自己用时内恢复局面，不判罚", "to be restored in the own time, without penalty"),
    "restore_move": Text("落子无悔，应恢复已走着法", "the released move stands and is to be put back"),
    "add_time": Text("为{other}增加{seconds}秒用时", "{other} gets {seconds} seconds more"),
    "loss": Text("判{loser}负", "{loser} loses"),
    "opponent_names_point": Text("由{other}指定落点", "{other} names the point where it stands"),
    "straighten": Text("应立即摆正", "it is to be straightened at once"),
    "resume_before": Text(
        "从该着起重走，已动之子视为已摸触；累计{loses_at}次判负",
        "play resumes before this move; the moved piece counts as touched; the {limit_nth} time loses",
    ),
    "resume_turn": Text("应恢复局面，由{other}行棋", "to be restored; it is the turn of {other}"),
    "warning": Text("记录一次，累计{limit}次判负", "noted; the {limit_nth} time loses"),
    "press": Text("请提醒按钟", "the press is missing"),
    "claim": Text("可由有权方提出，经审核判和", "a draw on claim, after the audit"),
    "draw": Text("判和", "a draw"),
    "false_claim": Text(
        "所提不实，判{loser}犯规一次并扣除{taken_s}秒",
        "the claim is wrong: a foul of {loser}, and {taken_s} seconds taken",
    ),
    "must_deviate": Text("{loser}必须变着，不变判负", "{loser} must deviate or loses"),
    "needs_arbiter": Text("须由裁判裁定", "the arbiter has to rule"),
    "restore_record": Text("请核对并恢复正确局面", "to be compared with the record and put right"),
}
"""By the `action` of a remedy; what only has to be looked at, `check_record`, says so by its severity."""

MAY_HAVE_BEEN = Text("，也可能是{moves}", "; it may have been {moves}")
LOOKS_LIKE = Text("，该子看似{piece}", "; the piece looks like {piece}")
"""What speaks against a ply of the record."""

MOVES = Text("能走须走该子", "it has to be moved if it can be")
TAKES = Text("能吃须吃该子", "it has to be taken if it can be")
BINDS = Text("按摸子论处", "touch-move applies to them")
"""What touching an own piece, an enemy's, and several comes to."""

FOUL = Text("，并记犯规一次", ", and a foul is counted")
"""After what is prescribed for one of the fouls of 8.1, but for a loss and where it is said already."""

_SAYS_NO_FOUL = ("loss", "false_claim")

EXCEPT = Text("（盘上已将死或困毙者除外，第21.6条）", ", unless checkmate or stalemate came first on the board (21.6)")
"""After what a remedy with an `except` prescribes."""

PROBLEMS: dict[str, Text] = {
    "unreadable": Text("裁判的更正读不懂，记录未改", "the arbiter's correction cannot be read, and the record stands"),
    "no_such_ply": Text(
        "没有第{number}着可更正，记录未改", "there is no ply {number} to be corrected, and the record stands"
    ),
    "record_changed": Text(
        "更正期间第{number}着已有变动，记录未改",
        "ply {number} has changed while it was being corrected, and the record stands",
    ),
    "no_piece_there": Text(
        "第{number}着之前{point}无子可走，记录未改",
        "no piece stands on {point} before ply {number}, and the record stands",
    ),
    "nothing_between": Text(
        "该事件已无待指定落点的棋子，{point}未予采用",
        "no piece waits to be placed by that incident, and {point} is not taken",
    ),
    "not_between": Text(
        "棋子落在{choice}之间，不能指定{point}", "the piece lies between {choice}, and {point} cannot be named"
    ),
    "impossible_position": Text(
        "裁判改定的局面不可能出现：{reasons_zh}", "the position that the arbiter set could not stand: {reasons_en}"
    ),
    "plies_lost": Text(
        "更正后，自第{number}着起原着法无法续走，已撤出记录",
        "after the correction the plies from {number} on cannot be played, and left the record",
    ),
}
"""What a doubt about the record says instead, by the `problem` of its remedy."""

_SURE = {
    Severity.BREACH: Text("", ""),
    Severity.DOUBT: Text("（待裁判核实）", " (for the arbiter to look at)"),
    Severity.NOTICE: Text("（提示）", " (notice)"),
}


def name_piece(piece: Piece) -> Text:
    """A piece's name, such as 红车 / Red's chariot."""
    side, kind = side_of(piece), kind_of(piece)
    return Text("红黑"[side] + _PIECES_ZH[side][kind], f"{_SIDES_EN[side]}'s {_PIECES_EN[kind]}")


def name_point(point: Point, side: Side) -> str:
    """A point as that side counts it in Chinese: 三路第1线; files from its right, lines from its back rank."""
    if side == RED:
        return f"{_NUMERALS_ZH[FILES - 1 - file_of(point)]}路第{_NUMERALS_ZH[rank_of(point)]}线"
    return f"{file_of(point) + 1}路第{10 - rank_of(point)}线"


def name_side(side: Side | None) -> Text:
    """红方 / Red; 一方 / a side where it is not known."""
    return Text("有一方", "one side") if side is None else Text(_SIDES_ZH[side], _SIDES_EN[side])


def name_doubted(moves: Sequence[Text]) -> Text:
    """What a doubted ply may have been instead; nothing where that is not known."""
    if not moves:
        return Text("", "")
    listed = _listed([move.en for move in moves], [move.zh for move in moves])
    return Text(MAY_HAVE_BEEN.zh.format(moves=listed.zh), MAY_HAVE_BEEN.en.format(moves=listed.en))


def name_other_piece(piece: Piece) -> Text:
    """Which piece the eye reads instead."""
    name = name_piece(piece)
    return Text(LOOKS_LIKE.zh.format(piece=name.zh), LOOKS_LIKE.en.format(piece=name.en))


def describe(report: Report, pieces: Sequence[Piece], profile: RuleProfile) -> Text:
    """The text of an incident: what happened, by which clause of which edition, and what that prescribes."""
    remedy = report.remedy or {}
    side = name_side(report.side)
    opponent = name_side(None if report.side is None else Side(1 - report.side))
    places = _places(report.points, pieces, report.side)
    rounds = remedy.get("rounds")
    rounds_en = f"{rounds} round" if rounds == 1 else f"{rounds} rounds"
    facts = {"ply": report.ply, "rounds_en": rounds_en, **remedy, **report.facts}
    what = PROBLEMS.get(str(remedy.get("problem")), WHAT[report.kind])
    told = {**facts, "side": side, "points": places, "other": opponent}
    sentence_zh, sentence_en = what.zh.format_map(_Facts.zh(told)), what.en.format_map(_Facts.en(told))
    rule = Text("", "")
    if report.clause:
        rule = Text(f"；据{profile.title_zh}第{report.clause}条", f"; clause {report.clause} of the {profile.title_en}")
    prescribed = _prescription(report, pieces)
    sure = _SURE[report.severity]
    zh = f"{sentence_zh}{rule.zh}{'，' + prescribed.zh if prescribed.zh else ''}{sure.zh}。"
    en = f"{sentence_en}{rule.en}{': ' + prescribed.en if prescribed.en else ''}{sure.en}."
    return Text(zh, en[0].upper() + en[1:])


class _Facts(dict[str, object]):
    """Values for a template; what is not known shows as a question mark rather than failing."""

    @classmethod
    def zh(cls, facts: dict[str, object]) -> "_Facts":
        """Their Chinese."""
        return cls({name: fact.zh if isinstance(fact, Text) else fact for name, fact in facts.items()})

    @classmethod
    def en(cls, facts: dict[str, object]) -> "_Facts":
        """Their English."""
        return cls({name: fact.en if isinstance(fact, Text) else fact for name, fact in facts.items()})

    def __missing__(self, key: str) -> object:
        return "?"


def _prescription(report: Report, pieces: Sequence[Piece]) -> Text:
    """What the clause prescribes, with the grounds for it and all that goes with it."""
    remedy, side = report.remedy or {}, report.side
    action = remedy.get("action")
    if not isinstance(action, str) or action not in PRESCRIBES:
        return Text("", "")
    loser_name = remedy.get("side")
    loser = side if loser_name is None else (BLACK if loser_name == "black" else RED)
    limit = remedy.get("limit", remedy.get("loses_at"))
    told = {
        **remedy,
        "moves": _listed(remedy.get("moves"), report.facts.get("moves_zh")),
        "other": name_side(None if side is None else Side(1 - side)),
        "loser": name_side(loser),
        "binds": BINDS if len(pieces) != 1 else MOVES if side_of(pieces[0]) == side else TAKES,
        "limit_nth": ordinal(limit) if isinstance(limit, int) else "?",
    }
    parts = [PRESCRIBES[action]]
    grounds = report.facts.get("grounds")
    if isinstance(grounds, Text):
        parts.insert(0, grounds)
    if "except" in remedy:
        parts.append(EXCEPT)
    if report.foul and action not in _SAYS_NO_FOUL:
        parts.append(FOUL)
    zh, en = "".join(part.zh for part in parts), "".join(part.en for part in parts)
    return Text(zh.format_map(_Facts.zh(told)), en.format_map(_Facts.en(told)))


def _listed(moves: object, moves_zh: object) -> Text:
    """The first of some moves, and how many there are where they are more."""
    if not isinstance(moves, list):
        return Text("?", "?")
    in_chinese = moves_zh if isinstance(moves_zh, list) else moves
    more = len(moves) - MOVES_SHOWN
    zh = " / ".join(map(str, in_chinese[:MOVES_SHOWN])) + (f" 等{len(moves)}着" if more > 0 else "")
    return Text(zh, " / ".join(map(str, moves[:MOVES_SHOWN])) + (f" and {more} more" if more > 0 else ""))


def _places(points: Sequence[Point], pieces: Sequence[Piece], side: Side | None) -> Text:
    """The points, each with its piece where there is one for each."""
    counted_from = RED if side is None else side
    if not points:
        return Text("棋盘", "the board")
    zh = [f"{name_point(point, counted_from)}（{format_point(point)}）" for point in points]
    en = [format_point(point) for point in points]
    if len(pieces) == len(points):
        zh = [f"{name_piece(piece).zh}·{text}" for piece, text in zip(pieces, zh, strict=True)]
        en = [f"{name_piece(piece).en} on {text}" for piece, text in zip(pieces, en, strict=True)]
    return Text("、".join(zh), _joined(en))


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
