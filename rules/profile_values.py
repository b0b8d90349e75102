"""What each value of an edition means: its clause, and how surely it is known."""

from dataclasses import dataclass, fields
from enum import Enum

from rules.profile import RuleProfile


class Confidence(Enum):
    """How well a value is founded; a LOW one is a proposal, and is marked so wherever it is shown."""

    HIGH = "H"
    """Read in a text, or in a second one."""
    MEDIUM = "M"
    """One secondary source, or inferred."""
    LOW = "L"
    """Our proposal."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """One value of an edition, for people."""

    name: str
    clause: str
    zh: str
    en: str
    unit: str = ""
    h2011: Confidence = Confidence.HIGH
    """For the 2011 trial edition."""
    h2020: Confidence = Confidence.HIGH
    quick: Confidence = Confidence.HIGH
    """For quick play under the 2020 edition."""

    def confidence(self, profile: RuleProfile) -> Confidence:
        """How surely the value of that edition is known; an event's own value is certain to be that event's."""
        if profile.name.startswith("2011"):
            return self.h2011
        return self.quick if profile.name == "2020-quick" else self.h2020


_M, _L = Confidence.MEDIUM, Confidence.LOW

MEANINGS: tuple[Meaning, ...] = (
    Meaning(
        "illegal_moves_to_lose", "4.1.8", "第几次违反行棋规定判负", "illegal move that loses", "nth", h2020=_M, quick=_M
    ),
    Meaning(
        "clock_before_move_to_lose",
        "4.1.9",
        "第几次未走棋先按钟判负",
        "press before a move that loses",
        "nth",
        h2020=_M,
        quick=_M,
    ),
    Meaning("fouls_to_lose", "4.1.10", "几次犯规判负", "fouls that lose", "nth", h2020=_M, quick=_M),
    Meaning(
        "natural_limit_rounds", "4.2.4", "自然限着回合数", "rounds without a capture that draw", "rounds", quick=_M
    ),
    Meaning(
        "natural_limit_checks",
        "22.2",
        "审核时提出方将军最多计着数",
        "claimant's checks that count at most",
        "checks",
        h2011=_M,
    ),
    Meaning(
        "natural_limit_unasked",
        "29.1",
        "自然限着由裁判主动执行",
        "the arbiter applies the limit unasked",
        h2011=_M,
        h2020=_M,
        quick=_M,
    ),
    Meaning("repetitions", "23.1", "同一局面出现次数可裁决", "a position standing so often can be ruled on", "times"),
    Meaning("repetition_unasked", "29.3", "待判局面由裁判主动裁定", "the arbiter rules on repetition unasked"),
    Meaning(
        "alternating_rounds",
        "23.4",
        "将杀捉交替回合数可裁决",
        "rounds of alternating attacks that can be ruled on",
        "rounds",
        h2011=_M,
    ),
    Meaning(
        "no_draw_offer_rounds", "4.3", "此回合（含）内不得提和", "no draw offers up to this round", "rounds", quick=_L
    ),
    Meaning(
        "draw_offer_surplus",
        "22.1",
        "提和次数最多可多于对方",
        "draw offers more than the opponent's, at most",
        "offers",
        h2011=_M,
    ),
    Meaning(
        "disturbance_limit_s",
        "5.9",
        "对方用时少于此数时碰乱判负",
        "disturbing pieces loses with less on the opponent's clock",
        "s",
    ),
    Meaning("disturbance_compensation_s", "5.9", "否则为对方增加用时", "otherwise the opponent gets", "s"),
    Meaning(
        "disturbance_is_foul",
        "8.1",
        "在对方用时碰乱计犯规",
        "disturbing pieces in the opponent's time is a foul",
        h2011=_M,
        h2020=_M,
        quick=_M,
    ),
    Meaning("false_claim_penalty_s", "22.2", "自然限着不实扣时", "taken for a wrong natural-limit claim", "s"),
    Meaning("between_points_is_foul", "29.2", "落点不明计犯规", "a piece left between points is a foul"),
    Meaning(
        "released_illegal_is_final", "5.7", "违规着法离手亦落子生根", "a released move is final though it is illegal"
    ),
    Meaning(
        "correction_rounds", "5.8", "错误须在几回合内纠正", "errors are put right within", "rounds", h2020=_M, quick=_M
    ),
    Meaning("colours_swapped_restart_min", "5.8.1", "先后手颠倒几分钟内重赛", "swapped colours: restart within", "min"),
    Meaning("quick_play_max_min", "27.2", "快棋每方时限", "quick play: at most, a side", "min"),
    Meaning("cell_min_cm", "1.4", "棋盘格最小边长", "smallest cell", "cm"),
    Meaning("cell_max_cm", "1.4", "棋盘格最大边长", "largest cell", "cm"),
    Meaning("piece_min_cm", "1.5", "棋子最小直径", "smallest piece", "cm"),
    Meaning("piece_max_cm", "1.5", "棋子最大直径", "largest piece", "cm"),
)
"""In the order of the clauses' subjects; every value of RuleProfile but its names has one."""

NAMED_VALUES = tuple(field.name for field in fields(RuleProfile) if field.name not in ("name", "title_zh", "title_en"))
