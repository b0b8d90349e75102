"""What is learned anew because only the light is another."""

from dataclasses import replace

import numpy as np
import pytest

from rules.point import parse_point
from tests.vision.test_pipeline import Sitting
from vision.relearn import changed_by_light
from vision.state import Watched

T = 100.0
CENTRE = parse_point("e4")


def _looking_otherwise(since: float, hand_gone: float | None, gap_s: float = 0.1) -> Watched:
    """A table of which e4 looks otherwise since a time, and a hand was there until another."""
    state = Sitting().state.watched
    assert state is not None
    mark = np.arange(90) == CENTRE
    belief = replace(
        state.belief,
        t=T,
        gap_s=gap_s,
        since=np.full(90, since),
        seen_other=np.where(mark, since, np.nan),
    )
    episodes = state.episodes
    if hand_gone is not None:
        episodes = replace(
            episodes,
            hidden_from=np.where(mark, hand_gone - 1.0, np.nan),
            hidden_to=np.where(mark, hand_gone, np.nan),
        )
    return replace(state, belief=belief, episodes=episodes)


@pytest.mark.parametrize(
    ("since", "hand_gone", "gap_s", "by_light"),
    [
        (T - 3.0, None, 0.1, True),
        (T - 3.0, T - 5.0, 0.1, True),
        (T - 3.0, T - 3.1, 0.1, False),
        (T - 3.0, T - 1.0, 0.1, False),
        (T - 0.5, None, 0.1, False),
        (T - 3.0, None, 0.5, False),
    ],
    ids=["no hand ever", "hand long gone", "hand just gone", "hand came later", "not for long", "few frames"],
)
def test_only_what_no_hand_can_have_done_is_the_light(
    since: float, hand_gone: float | None, gap_s: float, by_light: bool
) -> None:
    found = changed_by_light(_looking_otherwise(since, hand_gone, gap_s), (CENTRE,))
    assert np.flatnonzero(found).tolist() == ([CENTRE] if by_light else [])
