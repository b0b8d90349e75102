"""What is impossible about a position, in Chinese and English."""

from collections.abc import Sequence

from rules.messages import Text, name_piece
from rules.piece import piece_of_letter
from rules.point import format_point
from rules.validity import Reason, ReasonKind

_ZH: dict[ReasonKind, str] = {
    ReasonKind.KING_MISSING: "缺{piece}",
    ReasonKind.TOO_MANY: "{piece}多于一副棋所有",
    ReasonKind.KING_OUTSIDE_PALACE: "{piece}在九宫之外",
    ReasonKind.ADVISOR_OFF_ITS_POINTS: "{piece}不在其可到之点",
    ReasonKind.ELEPHANT_OFF_ITS_POINTS: "{piece}不在其可到之点",
    ReasonKind.SOLDIER_UNREACHABLE: "{piece}在其不可到之点",
    ReasonKind.SOLDIERS_SHARE_A_WAY: "两个{piece}过河前同在一路",
    ReasonKind.KINGS_FACING: "将帅照面",
    ReasonKind.WAITING_SIDE_IN_CHECK: "{piece}被将军而轮到对方走棋",
}


def list_reasons(found: Sequence[Reason]) -> Text:
    """All the reasons in one line."""
    return Text("，".join(map(_in_chinese, found)), "; ".join(map(str, found)))


def _in_chinese(reason: Reason) -> str:
    piece = None if reason.letter is None else piece_of_letter(reason.letter)
    where = "、".join(map(format_point, reason.points))
    return _ZH[reason.kind].format(piece="" if piece is None else name_piece(piece).zh) + (
        f"（{where}）" if where else ""
    )
