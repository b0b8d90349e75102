"""Editions: every value has a meaning, the editions differ where the texts do, an event may have its own."""

import pytest

from rules.errors import ProfileError
from rules.profile import EDITIONS, custom_profile, find_profile
from rules.profile_values import MEANINGS, NAMED_VALUES


def test_every_value_has_its_meaning_and_clause() -> None:
    assert sorted(meaning.name for meaning in MEANINGS) == sorted(NAMED_VALUES)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("illegal_moves_to_lose", (1, 2, 1, 1)),
        ("clock_before_move_to_lose", (2, 2, 2, 2)),
        ("fouls_to_lose", (3, 3, 3, 3)),
        ("natural_limit_rounds", (60, 60, 60, 60)),
        ("natural_limit_checks", (10, 10, 10, 10)),
        ("no_draw_offer_rounds", (None, None, 25, None)),
        ("disturbance_limit_s", (None, None, 180.0, 180.0)),
        ("disturbance_compensation_s", (None, None, 180.0, 180.0)),
        ("false_claim_penalty_s", (300.0, 300.0, 300.0, 300.0)),
        ("between_points_is_foul", (False, False, False, True)),
        ("natural_limit_unasked", (False, False, False, True)),
        ("correction_rounds", (5, 5, 5, 5)),
    ],
)
def test_editions_have_the_values_of_their_texts(value: str, wanted: tuple[object, ...]) -> None:
    names = ("2011-national", "2011-provincial", "2020", "2020-quick")
    assert tuple(getattr(EDITIONS[name], value) for name in names) == wanted


def test_an_event_overrides_values_by_name() -> None:
    profile = custom_profile({"base": "2020-quick", "natural_limit_rounds": 40, "disturbance_limit_s": 60})
    assert profile.natural_limit_rounds == 40 and profile.disturbance_limit_s == 60.0
    assert profile.between_points_is_foul and profile.name == "custom"


@pytest.mark.parametrize(
    "values",
    [
        {"base": "1999"},
        {"rounds": 40},
        {"natural_limit_rounds": 0},
        {"natural_limit_rounds": 40.5},
        {"natural_limit_rounds": "40"},
        {"between_points_is_foul": 1},
        {"disturbance_limit_s": -1},
        {"fouls_to_lose": None},
        {"name": ""},
    ],
)
def test_what_is_no_value_of_an_edition_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(ProfileError):
        custom_profile(values)


def test_an_unknown_edition_is_named() -> None:
    with pytest.raises(ProfileError, match="'2077'"):
        find_profile("2077")
