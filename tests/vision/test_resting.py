"""Hands that rest where they look like the table stay hands; what hands leave behind is none."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules.event import BoardFound, MoveSeen, PiecesDisturbed, ViewChanged, ViewState
from rules.fen import START_FEN, parse_fen
from tests.vision.drawn_table import CELL_PX, MARGIN_PX, DrawnTable, true_grid
from tests.vision.test_pipeline import Sitting
from vision import pipeline
from vision.change import HALF, Mask
from vision.frame import Image
from vision.resting import RestConfig, RestingHand, at_rest
from vision.window import TALL, WIDE

DARK = (34, 32, 32)
BORDER_CELLS = 0.7
CONFIG = RestConfig()


class DarkTable(DrawnTable):
    """A board on a dark table; the players' sleeves are as dark."""

    def __post_init__(self) -> None:
        super().__post_init__()
        edge = MARGIN_PX - round(BORDER_CELLS * CELL_PX)
        for side in (self._wood[:edge], self._wood[-edge:], self._wood[:, :edge], self._wood[:, -edge:]):
            side[:] = DARK

    def _draw_hand(self, image: Image, tip: tuple[float, float]) -> None:
        x, y = round(MARGIN_PX + tip[0] * CELL_PX), round(MARGIN_PX + (9 - tip[1]) * CELL_PX)
        skin = (60, 80, 130)
        for finger in (-14, 0, 14):
            cv2.line(image, (x + finger, y), (x + finger // 2, y + 45), skin, 14, cv2.LINE_AA)
        cv2.ellipse(image, (x, y + 60), (30, 34), 0, 0, 360, skin, -1, cv2.LINE_AA)
        cv2.line(image, (x, y + 90), (x + 10, y + 900), DARK, 50, cv2.LINE_AA)


class DarkSitting(Sitting):
    """A dark table with the eye on it; hands come and go by steps."""

    def __init__(self) -> None:
        start = parse_fen(START_FEN)
        self.begin(DarkTable(start.board), pipeline.Setup(grid=true_grid(), start=start))

    def move_hand(self, x: float, ranks: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
        """The tips of a hand at one file after the other rank, a frame each."""
        for rank in ranks:
            self.table.hand = (x, float(rank))
            self.watch(1.0 / 10.0)

    @property
    def sees_hands(self) -> bool:
        watched = self.state.watched
        assert watched is not None and watched.hands is not None
        return watched.hands.present


COMING, GOING = np.arange(-3.0, 2.6, 0.8), np.arange(2.0, -4.0, -0.8)


def test_a_still_arm_as_dark_as_the_table_hides_what_is_under_it_for_a_minute() -> None:
    sitting = DarkSitting()
    sitting.move_hand(6.6, COMING)
    sitting.watch(60.0)
    assert sitting.sees_hands
    assert [type(event) for event in sitting.told] == [BoardFound]
    sitting.table.play("h2e2")
    sitting.move_hand(6.6, GOING)
    sitting.leave()
    assert sitting.moves == ["h2e2"]
    assert len(sitting.of(MoveSeen)) == 1 == len(sitting.told) - 1


def test_a_box_that_an_arm_has_put_on_the_board_is_no_hand() -> None:
    sitting = DarkSitting()
    sitting.move_hand(6.6, COMING)
    sitting.table.box = (6.0, 2.0)
    sitting.watch(1.0)
    sitting.move_hand(6.6, GOING)
    sitting.leave()
    assert not sitting.sees_hands


def test_pieces_that_an_arm_has_pushed_together_are_told() -> None:
    sitting = DarkSitting()
    sitting.move_hand(6.6, COMING)
    for point, shift in ((6, (0.4, 0.6)), (7, (-0.3, 0.7)), (8, (-0.5, 0.5)), (25, (-0.4, -0.4))):
        sitting.table.offsets[point] = shift
    sitting.watch(1.0)
    sitting.move_hand(6.6, GOING)
    sitting.leave(4.0)
    assert not sitting.sees_hands
    assert sitting.of(PiecesDisturbed)


def test_a_hand_that_lies_where_a_move_may_have_ended_blocks_the_view() -> None:
    sitting = DarkSitting()
    sitting.move_hand(5.2, COMING)
    sitting.watch(1.0)
    sitting.table.play("h2f2")
    sitting.watch(3.0)
    assert not sitting.of(ViewChanged)
    sitting.watch(3.0)
    sitting.move_hand(5.2, GOING)
    sitting.leave()
    states = [event.state for event in sitting.of(ViewChanged) if isinstance(event, ViewChanged)]
    assert states == [ViewState.BLOCKED, ViewState.CLEAR]
    assert sitting.moves == ["h2f2"]


def _mask(tall: int) -> Mask:
    """A bar that comes in from the left, so many half-size px tall."""
    mask = np.zeros((TALL // HALF, WIDE // HALF), dtype=np.bool_)
    mask[:tall, :40] = True
    return mask


LOOK = np.full((*_mask(0).shape, 3), 90, dtype=np.uint8)
BAR = 22.0
HAND = RestingHand(_mask(20), 800, _mask(20), 800, 800, 1.0, 800, 1.0, 1.0, LOOK, 1.0, followed=True)


@pytest.mark.parametrize(
    ("hand", "t", "moved", "foreign", "rests"),
    [
        (HAND, 1.1, 0, 20, True),
        (HAND, 60.0, 0, 15, True),
        (HAND, 1.1, 4, 20, False),
        (HAND, 1.1, 0, 5, False),
        (HAND, 1.1 + CONFIG.most_still_s, 0, 20, False),
        (replace(HAND, followed=False), 1.1, 0, 20, False),
        (replace(HAND, largest_px=1600), 1.1, 0, 20, False),
        (replace(HAND, foreign=_mask(5), foreign_px=200), 1.1, 0, 5, False),
        (replace(HAND, parts=(replace(HAND, area=_mask(16), size_px=640),), largest_px=1600), 1.1, 0, 20, True),
    ],
    ids=[
        "still",
        "a minute",
        "moved",
        "gone",
        "for too long",
        "never came",
        "drawn back",
        "all but gone",
        "a part that rests",
    ],
)
def test_what_was_a_hand_rests_while_it_neither_moves_nor_goes(
    hand: RestingHand, t: float, moved: int, foreign: int, rests: bool
) -> None:
    assert bool(at_rest((hand,), t, LOOK, BAR, _mask(moved), _mask(foreign), CONFIG)) == rests
