"""A board that is turned, pushed or seen only now and then: no ply is lost and none is made up."""

import numpy as np
import pytest

from rules.event import BoardCleared, PiecesDisturbed, RecordDoubt, ViewChanged, ViewState
from rules.fen import START_FEN, parse_fen
from rules.piece import EMPTY
from rules.point import parse_point
from tests.vision.drawn_table import CELL_PX, MARGIN_PX
from tests.vision.test_pipeline import FPS, Sitting
from vision.frame import Image

FEW_PLIES = ("h2e2", "h9g7", "h0g2", "g6g5")


def _states(sitting: Sitting) -> list[ViewState]:
    return [event.state for event in sitting.of(ViewChanged) if isinstance(event, ViewChanged)]


@pytest.mark.parametrize("under_a_hand", [False, True])
def test_a_board_turned_by_half_is_found_again_and_no_ply_is_made_up(under_a_hand: bool) -> None:
    sitting = Sitting()
    sitting.play("h2e2")
    if under_a_hand:
        sitting.table.hand = (4.0, 4.0)
        sitting.watch(0.5)
    sitting.table.camera_deg = 180.0
    sitting.watch(1.0)
    sitting.leave(3.0)
    sitting.play("h9g7", black=True)
    assert _states(sitting) == [ViewState.LOST, ViewState.RESTORED]
    assert sitting.moves == ["h2e2", "h9g7"]
    assert not sitting.of(RecordDoubt)


@pytest.mark.parametrize("cells", [(1.0, 0.0), (0.0, -1.0), (0.5, 0.0)])
def test_a_push_by_a_cell_is_no_mass_of_moves(cells: tuple[float, float]) -> None:
    sitting = Sitting()
    sitting.play("h2e2")
    sitting.table.camera_px = (cells[0] * CELL_PX, cells[1] * CELL_PX)
    sitting.watch(2.0)
    sitting.play("h9g7", black=True)
    assert _states(sitting) == [ViewState.CAMERA_MOVED, ViewState.REALIGNED]
    assert sitting.moves == ["h2e2", "h9g7"]


def test_plies_played_while_the_camera_was_unplugged_are_told_when_it_is_back() -> None:
    sitting = Sitting()
    sitting.play("h2e2")
    sitting.frames += 200
    sitting.table.play("h9g7")
    sitting.table.play("b0c2")
    sitting.watch(1.0)
    assert sitting.moves == ["h2e2", "h9g7", "b0c2"]


def test_a_picture_that_stood_still_hides_no_ply() -> None:
    sitting = Sitting()
    sitting.play("h2e2")
    still, living = sitting.table.picture(), sitting.table.picture
    sitting.table.picture = lambda: still  # type: ignore[method-assign]
    sitting.watch(2.0)
    sitting.table.play("h9g7")
    sitting.table.picture = living  # type: ignore[method-assign]
    sitting.watch(1.0)
    assert sitting.moves == ["h2e2", "h9g7"]


class Uneven(Sitting):
    """A camera that gives a frame only now and then."""

    least, most = 0.6, 3.5
    """Tenths of a second from one frame to the next."""

    def watch(self, seconds: float, change: object = None) -> None:
        rng = np.random.default_rng(int(1000 * self.frames))
        end = self.frames + seconds * FPS
        while self.frames < end:
            super().watch(1.0 / FPS)
            self.frames += float(rng.uniform(self.least, self.most)) - 1.0  # type: ignore[assignment]


class Slow(Uneven):
    """Five frames a second."""

    least, most = 2.0, 2.0


@pytest.mark.parametrize("camera", [Uneven, Slow])
def test_a_slow_or_uneven_camera_misses_no_ply(camera: type[Sitting]) -> None:
    sitting = camera()
    for number, move in enumerate(FEW_PLIES):
        sitting.play(move, black=number % 2 == 1)
    assert sitting.moves == list(FEW_PLIES)


def test_after_the_pieces_were_swept_together_nothing_more_is_told() -> None:
    sitting = Sitting()
    sitting.play("h2e2")
    sitting.table.hand = (4.0, 5.0)
    sitting.watch(0.5)
    sitting.table.board = bytes(EMPTY for _ in range(90))
    sitting.leave(2.0)
    sitting.table.board = parse_fen(START_FEN).board
    sitting.watch(1.0)
    sitting.play("b2e2")
    assert len(sitting.of(BoardCleared)) == 1
    assert sitting.moves == ["h2e2"]


def test_pieces_swept_away_one_after_the_other_are_no_plies() -> None:
    sitting = Sitting()
    for square in ("a3", "c3", "g3", "i3", "b2", "a6", "c6", "e6", "g6", "i6", "b7", "a9", "b9", "c9"):
        sitting.reach(square, 0.2)
        board = bytearray(sitting.table.board)
        board[parse_point(square)] = EMPTY
        sitting.table.board = bytes(board)
    # On its way a piece comes to lie where a ply would have brought it.
    sitting.reach("h3", 0.2)
    sitting.table.play("h2h5")
    sitting.reach("e0", 2.0)
    sitting.leave(3.0)
    assert sitting.moves == []
    assert len(sitting.of(BoardCleared)) == 1 and not sitting.of(RecordDoubt)


def test_a_piece_pushed_to_the_rim_is_no_hand() -> None:
    sitting = Sitting()
    pushed = {parse_point("i6"): (0.36, 0.0), parse_point("g6"): (0.3, 0.3)}
    sitting.reach("h6", black=True)
    sitting.table.offsets.update(pushed)
    plain = sitting.table.picture

    def with_shadow() -> Image:
        """The pushed piece throws a shadow as far as to the rim."""
        picture = plain()
        x, y = round(MARGIN_PX + 8.7 * CELL_PX), MARGIN_PX + 3 * CELL_PX
        picture[y - 12 : y + 12, x:] = (30, 30, 30)
        return picture

    sitting.table.picture = with_shadow  # type: ignore[method-assign]
    sitting.reach("h6", black=True)
    sitting.leave(2.5)
    (disturbed,) = sitting.of(PiecesDisturbed)
    assert isinstance(disturbed, PiecesDisturbed)
    assert set(disturbed.points) == set(pushed)


def test_a_hand_that_rests_at_the_rim_stays_one() -> None:
    sitting = Sitting()
    sitting.table.hand = (8.0, 0.4)
    sitting.watch(4.0)
    assert sitting.state.watched is not None and sitting.state.watched.hands is not None
    assert sitting.state.watched.hands.hidden[parse_point("i0")]
