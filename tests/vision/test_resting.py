"""Hands that rest where they look like the table stay hands; what hands leave behind is none."""

import cv2
import numpy as np

from rules.event import BoardFound, MoveSeen, PiecesDisturbed
from rules.fen import START_FEN, parse_fen
from tests.vision.drawn_table import CELL_PX, MARGIN_PX, DrawnTable, true_grid
from tests.vision.test_pipeline import Sitting
from vision import pipeline
from vision.change import HALF
from vision.frame import Image
from vision.resting import RestConfig
from vision.window import TALL, WIDE

DARK = (34, 32, 32)
BORDER_CELLS = 0.7
CONFIG = RestConfig()
SHAPE = (TALL // HALF, WIDE // HALF)


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
        self.table: DarkTable = DarkTable(start.board)
        self.setup = pipeline.Setup(grid=true_grid(), start=start)
        self.state = pipeline.initial_state(self.setup)
        self.frames = 0
        self.told = []
        self.watch(0.5)

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
