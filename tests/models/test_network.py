"""The nets as shipped: they load, their cards fit them, and they read what the project itself renders."""

import numpy as np
import pytest

from models.card import file_sha256, read_card
from models.labels import PointState
from models.network import KIND_MODEL, POINT_MODEL, load_nets

MOST_BYTES = 2_000_000


@pytest.mark.parametrize("model", [KIND_MODEL, POINT_MODEL], ids=lambda path: path.stem)
def test_the_card_belongs_to_the_net(model) -> None:  # type: ignore[no-untyped-def]
    card = read_card(model)
    assert card.sha256 == file_sha256(model)
    assert card.licence
    assert model.stat().st_size < MOST_BYTES


def test_readings_are_probabilities() -> None:
    nets = load_nets()
    patches = np.random.default_rng(0).integers(0, 255, (3, 48, 48, 3), dtype=np.uint8)
    read = nets.points(patches)
    assert np.allclose(read.state.sum(axis=1), 1.0, atol=1e-5)
    assert np.allclose(read.side.sum(axis=1), 1.0, atol=1e-5)
    assert read.offset_cells.shape == (3, 2)
    crops = np.random.default_rng(0).integers(0, 255, (5, 40, 40), dtype=np.uint8)
    assert np.allclose(np.exp(nets.kinds(crops)).sum(axis=1), 1.0, atol=1e-4)


def test_nothing_asked_nothing_answered() -> None:
    nets = load_nets()
    assert nets.points(np.zeros((0, 48, 48, 3), np.uint8)).state.shape == (0, 3)
    assert nets.kinds(np.zeros((0, 40, 40), np.uint8)).shape == (0, 7)


def test_wrong_shapes_are_named() -> None:
    nets = load_nets()
    with pytest.raises(ValueError, match="40"):
        nets.kinds(np.zeros((1, 48, 48), np.uint8))


def test_kinds_of_rendered_discs_in_fonts_never_trained_on() -> None:
    from models.preprocess import CROP_PX
    from models.training.discs import STORED_PX, render_disc

    rng = np.random.default_rng(99)
    discs = [render_disc(rng, "test") for _ in range(150)]
    edge = (STORED_PX - CROP_PX) // 2
    crops = np.stack([disc.crop[edge:-edge, edge:-edge] for disc in discs])
    right = load_nets().kinds(crops).argmax(axis=1) == [disc.kind for disc in discs]
    assert right.mean() > 0.8


def test_points_of_rendered_boards() -> None:
    from models.training.boards import render_board

    board = render_board(np.random.default_rng(5), "test")
    read = load_nets().points(board.patches)
    assert (read.state.argmax(axis=1) == board.states).mean() > 0.9
    piece = board.states == PointState.PIECE
    assert np.median(np.abs(read.offset_cells[piece] - board.discs[piece, :2])) < 0.05
