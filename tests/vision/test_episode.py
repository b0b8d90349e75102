"""What is remembered of hands that come back to a point."""

from dataclasses import replace

import numpy as np
import pytest

from rules.piece import BLACK, RED, Side
from rules.point import parse_point
from tests.vision.test_pipeline import Sitting
from vision.episode import Episodes, fingers_at, follow_hands, held_near, held_since, no_episodes, settle
from vision.observation import Observation, glance, observe
from vision.window import CELL_PX, CENTRES_PX

ALIKE = 0.93
POINT = parse_point("e4")


def plain_frame() -> Observation:
    """A frame of a table without hands."""
    sitting = Sitting()
    state, config = sitting.state.watched, sitting.setup.config.observation
    assert state is not None
    look = glance(sitting.table.picture(), state.table.window, state.scene, state.table.inside, config)
    return observe(sitting.t, look, state.previous, state.scene, state.table.looks, config)


def _after(plain: Observation, stays: list[tuple[float, float, Side]], likeness: float) -> Episodes:
    """After hands of a side were with their fingers at the point from and until some times; in between it looks so."""
    x, y = CENTRES_PX[POINT]
    here = np.arange(90) == POINT
    episodes = no_episodes()
    for t in np.arange(0.0, 6.0, 0.1):
        sides = [side for since, until, side in stays if since <= t < until]
        hands = plain.hands
        if sides:
            hands = replace(
                hands,
                hidden=here,
                sides=np.full(90, sides[0], dtype=np.int8),
                area_cells2=2.0,
                tips_px=((float(x), float(y)),),
            )
        seen = replace(plain, t=float(t), hands=hands, likeness=np.where(here, likeness, 1.0).astype(np.float32))
        episodes = follow_hands(episodes, seen, np.zeros(90, dtype=np.bool_), ALIKE)
    return episodes


@pytest.mark.parametrize(
    ("likeness", "second", "since", "held_s"),
    [(0.85, RED, 1.0, 0.8), (0.99, RED, 3.0, 0.2), (0.85, BLACK, 3.0, 0.2)],
    ids=["left otherwise", "left as it was", "the other player's hand"],
)
def test_a_hand_back_at_what_it_left_otherwise_is_still_at_the_same(
    likeness: float, second: Side, since: float, held_s: float
) -> None:
    episodes = _after(plain_frame(), [(1.0, 1.6, RED), (3.0, 3.2, second)], likeness)
    assert episodes.hidden_from[POINT] == pytest.approx(since)
    assert held_near(episodes, POINT) == pytest.approx(held_s, abs=0.11)


@pytest.mark.parametrize(("y_px", "held"), [(6.0, {"f9"}), (12.0, set())], ids=["cut off by the edge", "short of it"])
def test_a_hand_cut_off_by_the_edge_holds_the_piece_before_it(y_px: float, held: set[str]) -> None:
    f9 = parse_point("f9")
    x, y = CENTRES_PX[f9]
    hands = replace(plain_frame().hands, tips_px=((float(x), y_px),))
    assert (y - y_px) / CELL_PX > 0.7, "else any hand holds it"
    assert fingers_at(hands) == {parse_point(name) for name in held}


def test_fingers_beside_a_piece_are_known_until_it_is_settled_too() -> None:
    beside = POINT + 1
    episodes = _after(plain_frame(), [(1.0, 3.0, RED)], 0.85)
    held, when, hidden = episodes.held_s.copy(), episodes.held_t.copy(), episodes.hidden_from.copy()
    held[beside], when[beside], hidden[beside] = 1.5, 2.0, 1.0
    both = replace(episodes, held_s=held, held_t=when, hidden_from=hidden)
    one = settle(both, np.arange(90) == beside)
    assert held_near(one, POINT) == pytest.approx(held_near(both, POINT))
    assert not settle(one, np.arange(90) == POINT).held_s.any()


def test_fingers_that_were_beside_a_piece_before_the_hand_came_held_another() -> None:
    episodes = _after(plain_frame(), [(3.0, 3.2, RED)], 0.99)
    held, when = episodes.held_s.copy(), episodes.held_t.copy()
    held[POINT + 1], when[POINT + 1] = 1.5, 2.0
    assert held_near(replace(episodes, held_s=held, held_t=when), POINT) < 0.4


def test_a_piece_is_touched_when_fingers_come_to_it_and_not_when_an_arm_lies_over_it() -> None:
    plain = plain_frame()
    x, y = CENTRES_PX[POINT]
    far = CENTRES_PX[parse_point("e7")]

    def held(tips: dict[float, tuple[float, float]]) -> float | None:
        episodes = no_episodes()
        for t in np.arange(0.0, 4.0, 0.1):
            tip = [at for since, at in tips.items() if since <= t + 1e-6][-1:]
            hidden = np.full(90, t > 0.95)
            hands = replace(plain.hands, hidden=hidden, area_cells2=8.0, tips_px=tuple(tip))
            episodes = follow_hands(episodes, replace(plain, t=float(t), hands=hands), np.zeros(90, np.bool_), ALIKE)
        return held_since(episodes, POINT)

    here, there = (float(x), float(y)), (float(far[0]), float(far[1]))
    assert held({1.0: there, 2.5: here}) == pytest.approx(2.5)
    assert held({1.0: here, 1.1: there, 2.5: here}) == pytest.approx(2.5), "fingers that go by do not touch"
    assert held({1.0: here, 1.1: there}) is None
