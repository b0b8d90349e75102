"""What is no game's board does not begin a recording: it could never begin anew."""

import numpy as np
import pytest

from models.network import Nets, load_nets
from tests.calibration.drawn_board import camera_grid, draw
from vision import pipeline
from vision.frame import Frame, Image
from vision.setup import PipelineConfig, Setup


@pytest.fixture(scope="module")
def nets() -> Nets:
    return load_nets()


def _noise(seed: int) -> Image:
    return np.random.default_rng(seed).integers(85, 95, (360, 640, 3), dtype=np.uint8)


def _empty_board(_: int) -> Image:
    return draw(camera_grid(70, 5, 50))


@pytest.mark.parametrize("picture", [_noise, _empty_board])
def test_noise_and_an_empty_board_are_waited_through(picture, nets) -> None:
    setup = Setup(PipelineConfig(read_again=1), nets)
    state = pipeline.initial_state(setup)
    for number in range(2):
        state, events = pipeline.step(setup, state, Frame(number, float(number), picture(number)), None)
        assert not events
