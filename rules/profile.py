"""Editions of the rules: every value on which they differ; rules.profile_values says what each means."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from rules.errors import ProfileError


@dataclass(frozen=True, slots=True)
class RuleProfile:
    """One edition's values. None: the edition has no such rule."""

    name: str
    """What `--rules` takes."""
    title_zh: str
    title_en: str
    illegal_moves_to_lose: int = 1
    """The n-th breach of the rules of movement loses."""
    clock_before_move_to_lose: int = 2
    """The n-th press with no move made loses."""
    fouls_to_lose: int = 3
    natural_limit_rounds: int = 60
    """Rounds without a capture that make a draw."""
    natural_limit_checks: int = 10
    """So many of the claimant's checks count at most in the audit of those rounds."""
    natural_limit_unasked: bool = False
    """The arbiter applies the limit without a claim."""
    repetitions: int = 3
    """A position standing for the n-th time can be ruled on."""
    repetition_unasked: bool = False
    """The arbiter rules on repetition without a claim."""
    alternating_rounds: int = 9
    """Rounds of alternating check, kill and chase on three points or more that can be ruled on without repetition."""
    no_draw_offer_rounds: int | None = None
    """No offers up to and with this round; a 不变作和 cycle there obliges Red to deviate."""
    draw_offer_surplus: int = 2
    """So many more offers than the opponent a side may make."""
    disturbance_limit_s: float | None = None
    """With less time than this on the opponent's clock, disturbing pieces in it loses."""
    disturbance_compensation_s: float | None = None
    """Otherwise the opponent gets this much time."""
    disturbance_is_foul: bool = False
    """Disturbing pieces in the opponent's time is also a foul."""
    false_claim_penalty_s: float = 300.0
    """Taken from who claims the natural limit wrongly; also a foul."""
    between_points_is_foul: bool = False
    """A piece left between points is a foul, and has to be straightened at once."""
    released_illegal_is_final: bool = True
    """A released move is final even where it breaks the rules of movement (it then has its own penalty)."""
    correction_rounds: int = 5
    """An accidental shift or an illegal move is put right when found within so many rounds."""
    colours_swapped_restart_min: float | None = None
    """Colours found swapped within so many minutes: the game starts again."""
    quick_play_max_min: float | None = None
    """The edition is for games with at most this many minutes a side."""
    cell_min_cm: float = 4.0
    cell_max_cm: float = 5.0
    piece_min_cm: float = 3.0
    piece_max_cm: float = 4.0


_SHARED_2020 = RuleProfile(
    name="2020",
    title_zh="2020年版",
    title_en="2020 edition",
    no_draw_offer_rounds=25,
    disturbance_limit_s=180.0,
    disturbance_compensation_s=180.0,
    disturbance_is_foul=True,
)
_SHARED_2011 = RuleProfile(
    name="2011-national",
    title_zh="2011年试行版（全国比赛）",
    title_en="2011 trial edition, national events",
    released_illegal_is_final=False,
    colours_swapped_restart_min=20.0,
    cell_min_cm=3.2,
    cell_max_cm=4.6,
    piece_min_cm=2.7,
    piece_max_cm=3.2,
)

EDITIONS: Mapping[str, RuleProfile] = {
    profile.name: profile
    for profile in (
        _SHARED_2011,
        replace(
            _SHARED_2011,
            name="2011-provincial",
            title_zh="2011年试行版（省级及以下、少年比赛）",
            title_en="2011 trial edition, provincial and youth events",
            illegal_moves_to_lose=2,
        ),
        _SHARED_2020,
        replace(
            _SHARED_2020,
            name="2020-quick",
            title_zh="2020年版（快棋）",
            title_en="2020 edition, quick play",
            natural_limit_unasked=True,
            repetition_unasked=True,
            no_draw_offer_rounds=None,
            between_points_is_foul=True,
            quick_play_max_min=15.0,
        ),
    )
}
"""By name; the order is that of `qiyan rules`."""

DEFAULT_EDITION = "2020"

_NAMES_OF_EDITION = ("name", "title_zh", "title_en")


def find_profile(name: str) -> RuleProfile:
    """The edition of that name; ProfileError where there is none."""
    found = EDITIONS.get(name)
    if found is None:
        raise ProfileError(f"expected one of {', '.join(EDITIONS)}: {name!r}")
    return found


def custom_profile(values: Mapping[str, object], base: str = DEFAULT_EDITION) -> RuleProfile:
    """An edition of an event's own: `base` (or the key `base` of `values`) with some values replaced by name."""
    given = dict(values)
    profile = find_profile(str(given.pop("base", base)))
    kinds = {field.name: getattr(_SHARED_2020, field.name) for field in fields(RuleProfile)}
    for name, value in given.items():
        if name not in kinds:
            raise ProfileError(f"expected a value of a rules edition: {name!r}")
        given[name] = _checked(name, value)
    given.setdefault("name", "custom")
    given.setdefault("title_zh", f"自定义（据{profile.title_zh}）")
    given.setdefault("title_en", f"custom, after the {profile.title_en}")
    return replace(profile, **given)  # type: ignore[arg-type]


def _checked(name: str, value: object) -> object:
    """A replaced value with its type and range looked at."""
    wanted = str(RuleProfile.__annotations__[name])
    if name in _NAMES_OF_EDITION:
        if isinstance(value, str) and value:
            return value
        raise ProfileError(f"expected a text for {name}: {value!r}")
    if wanted == str(bool):
        if isinstance(value, bool):
            return value
        raise ProfileError(f"expected true or false for {name}: {value!r}")
    if value is None and "None" in wanted:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise ProfileError(f"expected a number of at least 0 for {name}: {value!r}")
    if "int" in wanted and (value != int(value) or value < 1):
        raise ProfileError(f"expected a whole number of at least 1 for {name}: {value!r}")
    return int(value) if "int" in wanted else float(value)
