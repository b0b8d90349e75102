"""A ply is told soon after the hand has gone, though its shadow has not and rounding is against it."""

import numpy as np
import pytest

from rules.event import MoveSeen
from rules.point import parse_point
from tests.vision.drawn_table import CELL_PX, MARGIN_PX
from tests.vision.test_pipeline import FPS, Sitting
from vision.belief import Belief, BeliefConfig
from vision.change import F32, ChangeConfig, moving, passing_shade, stillness
from vision.difference import difference
from vision.frame import Image
from vision.window import TALL, WIDE

CHANGE = ChangeConfig()
BOARD = (120, 175, 205)


def _plain(bgr: tuple[int, ...], seed: int = 0) -> Image:
    """A halved window of one colour, with a little noise."""
    noise = np.random.default_rng(seed).normal(0.0, 1.0, (TALL // 2, WIDE // 2, 3))
    return np.clip(np.array(bgr) + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("first", range(40))
def test_two_tenths_of_a_second_are_two_tenths_however_they_are_added_up(first: int) -> None:
    start = sum([0.1] * first)
    nothing = np.zeros(90)
    since = np.full(90, start)
    belief = Belief(since, np.ones(90, dtype=np.int32), nothing, nothing, nothing, nothing, nothing, 0.1, start + 0.2)
    assert belief.settled(BeliefConfig()).all()
    early = Belief(since, np.ones(90, dtype=np.int32), nothing, nothing, nothing, nothing, nothing, 0.1, start + 0.1)
    assert not early.settled(BeliefConfig()).any()


@pytest.mark.parametrize(
    ("bgr", "shade"),
    [((78, 114, 133), True), ((82, 112, 125), True), ((60, 80, 200), False), ((40, 60, 75), False)],
    ids=["shadow", "bluish shadow", "a red sleeve", "too dark"],
)
def test_shadows_are_told_from_matter_from_one_frame_to_the_next(bgr: tuple[int, ...], shade: bool) -> None:
    for now, before in ((_plain(bgr), _plain(BOARD, 1)), (_plain(BOARD, 1), _plain(bgr))):
        share = float(passing_shade(difference(now, before), CHANGE).mean())
        assert share > 0.98 if shade else share < 0.02


def test_what_is_as_remembered_again_no_longer_moves() -> None:
    board, hand = _plain(BOARD, 1), _plain(BOARD, 1)
    hand[20:60, 20:60] = (60, 80, 200)
    comes, _ = moving(difference(hand, board), difference(hand, board), CHANGE)
    goes, _ = moving(difference(board, hand), difference(board, board), CHANGE)
    assert comes[20:60, 20:60].all()
    assert not goes.any()


def test_a_passing_shadow_leaves_points_still_and_a_passing_hand_does_not() -> None:
    assert _restless(_plain((78, 114, 133), 2)).max() < 4.0
    assert _restless(_plain((60, 80, 200), 2)).min() > 20.0


def _restless(now: Image) -> F32:
    from_previous = difference(now, _plain(BOARD, 1))
    return stillness(from_previous, passing_shade(from_previous, CHANGE))


def _told_after_s(sitting: Sitting) -> float:
    """Play h2e2 and take the hand away; seconds until it is told."""
    sitting.reach("h2")
    sitting.table.play("h2e2")
    sitting.reach("e2")
    gone_t = sitting.t
    sitting.leave(1.5)
    (move,) = sitting.of(MoveSeen)
    return move.t - gone_t


@pytest.mark.parametrize("wait_s", [0.0, 0.3, 1.1, 2.2])
def test_a_move_is_told_with_the_third_frame_without_a_hand(wait_s: float) -> None:
    sitting = Sitting()
    if wait_s:
        sitting.watch(wait_s)
    assert _told_after_s(sitting) <= 2.0 / FPS + 1e-6


def test_a_shadow_that_still_sweeps_over_the_board_delays_nothing() -> None:
    sitting = Sitting()
    plain = sitting.table.picture

    def swept() -> Image:
        image = plain()
        x = MARGIN_PX + round((4.0 + 8.0 * (sitting.t % 1.0)) * CELL_PX) % (8 * CELL_PX)
        top = MARGIN_PX + 5 * CELL_PX
        part = image[top:, x : x + 3 * CELL_PX]
        part[:] = (part * np.array([0.70, 0.66, 0.62])).astype(np.uint8)
        return image

    sitting.table.picture = swept  # type: ignore[method-assign]
    sitting.watch(1.0)
    assert _told_after_s(sitting) <= 0.5
    assert sitting.moves == ["h2e2"]


def test_the_moving_shadow_of_a_hand_that_waits_hides_nothing() -> None:
    sitting = Sitting()
    sitting.reach("h2")
    sitting.table.play("h2e2")
    sitting.reach("e2")
    sitting.table.hand = (7.0, 0.0)
    plain = sitting.table.picture
    shares = [0.87]

    def shaded() -> Image:
        """A shadow that reaches from the hand's fingers over the piece that was played, now deeper, now paler."""
        picture = plain()
        y0, y1 = (MARGIN_PX + round((9 - rank) * CELL_PX) for rank in (2.6, 0.2))
        x0, x1 = (MARGIN_PX + round(file * CELL_PX) for file in (3.0, 8.4))
        part = picture[y0:y1, x0:x1]
        part[:] = (part * shares[0]).astype(np.uint8)
        return picture

    def flicker(number: int) -> None:
        shares[0] = 0.87 + 0.13 * (number % 2)

    sitting.table.picture = shaded  # type: ignore[method-assign]
    sitting.watch(0.2, flicker)
    for number in range(4):
        flicker(number)
        sitting.watch(1.0 / FPS)
        assert sitting.state.watched is not None
        hands = sitting.state.watched.hands
        assert hands is not None
        assert hands.present
        assert not hands.hidden[parse_point("e2")]


def test_a_point_from_which_a_shadow_has_gone_is_believed_to_be_as_before() -> None:
    sitting = Sitting()
    point = parse_point("g0")
    plain = sitting.table.picture

    def shaded() -> Image:
        picture = plain()
        x, y = MARGIN_PX + 6 * CELL_PX, MARGIN_PX + 9 * CELL_PX
        picture[y : y + CELL_PX, x - CELL_PX : x + CELL_PX] //= 2
        return picture

    sitting.table.picture = shaded  # type: ignore[method-assign]
    sitting.watch(0.3)
    sitting.table.picture = plain  # type: ignore[method-assign]
    sitting.watch(0.2)
    assert sitting.state.watched is not None
    assert sitting.state.watched.belief.likeness[point] > 0.97
