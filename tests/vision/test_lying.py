"""What lies at the window's edge is no hand."""

import cv2
import numpy as np

from rules.point import parse_point
from tests.vision.drawn_table import CELL_PX, MARGIN_PX, DrawnTable
from tests.vision.test_pipeline import Sitting
from vision.change import Mask
from vision.frame import Image
from vision.observation import Observation, glance, observe

FEN = "4k4/9/9/9/9/9/9/4P4/9/4K4 w - - 0 1"


def _sitting_with_box(at_cells: tuple[float, float]) -> tuple[Sitting, Image]:
    sitting = Sitting(FEN)
    sitting.table.box = at_cells
    return sitting, sitting.table.picture()


def _observed(
    sitting: Sitting, picture: Image, before: Image | None, lying: Mask | None, quiet_s: float = 0.0
) -> Observation:
    """A picture, seen after another one, or after the last of the sitting."""
    watched, config = sitting.state.watched, sitting.setup.config.observation
    assert watched is not None

    def look_at(image: Image) -> Observation:
        look = glance(image, watched.table.window, watched.scene, watched.table.inside, config)
        return observe(9.0, look, previous, watched.scene, watched.table.looks, config, (), lying, quiet_s)

    previous = watched.previous
    if before is not None:
        previous = look_at(before).half
    return look_at(picture)


def test_what_was_known_to_lie_and_has_not_moved_goes_on_lying() -> None:
    sitting, picture = _sitting_with_box((-0.4, 4.5))
    unknown = _observed(sitting, picture, picture, None)
    assert unknown.hands.present
    assert not _observed(sitting, picture, picture, unknown.hands.mask).hands.present


def test_what_hangs_together_all_at_once_on_a_quiet_table_is_no_hand() -> None:
    sitting, picture = _sitting_with_box((-0.4, 4.5))
    assert not _observed(sitting, picture, picture, None, quiet_s=1.0).hands.present
    # But a hand may have come since the frame before.
    assert _observed(sitting, picture, None, None, quiet_s=1.0).hands.present


class FingersAtTheRim(DrawnTable):
    """Fingers reach over the upper rim of the window, up to the piece on e9."""

    there = True

    def picture(self) -> Image:
        image = super().picture()
        if self.there:
            x, y = MARGIN_PX + 4 * CELL_PX, MARGIN_PX
            cv2.rectangle(image, (x - 8, 0), (x + 8, y - 16), (110, 140, 190), -1)
        return image


def test_a_point_left_where_fingers_at_the_rim_were_remembered_is_no_hand() -> None:
    sitting = Sitting(FEN)
    table = FingersAtTheRim(sitting.table.board)
    sitting.begin(table, sitting.setup)
    table.there = False
    table.play("e9e6")
    picture = table.picture()
    joined = _observed(sitting, picture, None, None)
    assert joined.hands.present and joined.hands.hidden[parse_point("e9")]
    assert not _observed(sitting, picture, picture, None).hands.present


def test_what_moves_where_something_lay_may_be_a_hand() -> None:
    sitting, picture = _sitting_with_box((-0.4, 4.5))
    known = _observed(sitting, picture, picture, None).hands.mask
    seen = _observed(sitting, picture, None, known)
    assert seen.hands.present and seen.lying is None


def test_a_thing_beside_the_board_with_its_edge_over_an_empty_point_hides_nothing() -> None:
    sitting, empty = Sitting(FEN), parse_point("a4")
    picture = sitting.table.picture()
    at = (MARGIN_PX - round(0.85 * CELL_PX), MARGIN_PX + 5 * CELL_PX)
    cv2.circle(picture, at, round(0.5 * CELL_PX), (60, 40, 40), -1)
    seen = _observed(sitting, picture, picture, None)
    assert not seen.hands.present and not seen.hands.hidden[empty] and np.isfinite(seen.likeness[empty])
