"""Frames that show no board, or only part of one: black ones, white ones, garbage, and a picture of another size."""

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from rules.event import BoardCleared, BoardFound, MoveSeen, PiecesDisturbed, ViewChanged, ViewState
from rules.fen import START_FEN, parse_fen
from tests.vision.drawn_table import DrawnTable, true_grid
from tests.vision.test_pipeline import Sitting
from vision import pipeline
from vision.frame import Image

_RNG = np.random.default_rng(5)


def _black(image: Image) -> Image:
    return np.zeros_like(image)


def _dark(image: Image) -> Image:
    return _RNG.integers(0, 6, image.shape, dtype=np.uint8)


def _white(image: Image) -> Image:
    return np.full_like(image, 255)


def _garbage(image: Image) -> Image:
    return _RNG.integers(0, 256, image.shape, dtype=np.uint8)


def _torn(image: Image) -> Image:
    out = image.copy()
    out[image.shape[0] // 2 :] = (0, 135, 0)
    return out


def _half_size(image: Image) -> Image:
    h, w = image.shape[:2]
    out = np.zeros_like(image)
    out[h // 4 : h // 4 + h // 2, w // 4 : w // 4 + w // 2] = cv2.resize(image, (w // 2, h // 2))
    return out


@dataclass
class SpoiltTable(DrawnTable):
    """A drawn table whose pictures are spoilt on their way."""

    spoil: Callable[[Image], Image] | None = None
    every: int = 1
    """Each so many-th picture is spoilt."""
    taken: int = field(default=0, init=False)

    def picture(self) -> Image:
        image = super().picture()
        self.taken += 1
        return image if self.spoil is None or self.taken % self.every else self.spoil(image)


def _sitting() -> tuple[Sitting, SpoiltTable]:
    sitting = Sitting()
    table = SpoiltTable(parse_fen(START_FEN).board)
    sitting.begin(table, pipeline.Setup(grid=true_grid(), start=parse_fen(START_FEN)))
    sitting.watch(1.0)
    return sitting, table


def _views(sitting: Sitting) -> list[ViewState]:
    return [event.state for event in sitting.of(ViewChanged) if isinstance(event, ViewChanged)]


@pytest.mark.parametrize(("spoil", "every"), [(_black, 7), (_dark, 2), (_white, 3), (_garbage, 2), (_torn, 3)])
def test_spoilt_frames_among_good_ones_do_no_harm(spoil: Callable[[Image], Image], every: int) -> None:
    sitting, table = _sitting()
    table.spoil, table.every = spoil, every
    for number, move in enumerate(("h2e2", "h9g7", "h0g2", "g6g5")):
        sitting.play(move, black=number % 2 == 1, wait_s=1.0)
    assert sitting.moves == ["h2e2", "h9g7", "h0g2", "g6g5"]
    assert {type(event) for event in sitting.told} == {BoardFound, MoveSeen}


def test_many_spoilt_frames_are_told_and_their_end_as_well() -> None:
    sitting, table = _sitting()
    table.spoil, table.every = _black, 2
    sitting.watch(15.0)
    assert _views(sitting) == [ViewState.BLOCKED]
    table.spoil = None
    sitting.watch(12.0)
    assert _views(sitting) == [ViewState.BLOCKED, ViewState.CLEAR]


def test_one_spoilt_frame_in_seven_is_not_worth_telling() -> None:
    sitting, table = _sitting()
    table.spoil, table.every = _dark, 7
    sitting.watch(20.0)
    assert _views(sitting) == []


@pytest.mark.parametrize("spoil", [_black, _white, _garbage])
def test_a_picture_that_stays_away_is_told_as_lost(spoil: Callable[[Image], Image]) -> None:
    sitting, table = _sitting()
    table.spoil = spoil
    sitting.watch(4.0)
    assert _views(sitting) == [ViewState.LOST]
    table.spoil = None
    sitting.watch(1.0)
    assert _views(sitting) == [ViewState.LOST, ViewState.RESTORED]
    sitting.play("h2e2")
    assert sitting.moves == ["h2e2"]


@pytest.mark.parametrize("blind_s", [0.3, 0.9, 1.6])
def test_a_ply_made_while_nothing_was_seen_may_have_been_made_at_any_time_of_it(blind_s: float) -> None:
    sitting, table = _sitting()
    seen_t = sitting.t
    table.spoil = _black
    sitting.watch(blind_s)
    table.play("h2e2")
    table.spoil = None
    sitting.watch(2.0)
    (move,) = sitting.of(MoveSeen)
    assert isinstance(move, MoveSeen)
    assert move.t_before is not None
    assert move.t_before <= seen_t


def test_plies_made_while_nothing_was_seen_are_no_disturbance() -> None:
    sitting, table = _sitting()
    table.spoil = _garbage
    sitting.watch(1.5)
    for move in ("b0c2", "h9g7", "c3c4", "i9h9", "h2i2", "b9c7", "i0h0"):
        table.play(move)
    table.spoil = None
    sitting.watch(4.0)
    assert not sitting.of(PiecesDisturbed)


def test_a_picture_at_half_size_is_no_board_that_was_cleared() -> None:
    sitting, table = _sitting()
    table.spoil = _half_size
    sitting.watch(3.0)
    table.spoil = None
    sitting.watch(5.0)
    assert not sitting.of(BoardCleared)
    assert not sitting.moves
    assert _views(sitting)[0] == ViewState.LOST
    assert _views(sitting)[-1] == ViewState.RESTORED
    sitting.play("h2e2")
    assert sitting.moves == ["h2e2"]


def test_of_a_camera_pushed_by_two_cells_nothing_is_made_up() -> None:
    sitting, table = _sitting()
    for x in (80.0, 0.0):
        table.camera_px = (x, 0.0)
        sitting.watch(4.0)
    assert not sitting.of(BoardCleared)
    assert not sitting.of(PiecesDisturbed)
    assert not sitting.moves
