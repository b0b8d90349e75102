"""Cards say what was measured on their very net, and by which command."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from models.card import card_path, read_card
from models.network import KIND_MODEL, POINT_MODEL
from models.training.evaluate import all_crops, score_kinds, write_measured


@pytest.mark.parametrize("model", [KIND_MODEL, POINT_MODEL])
def test_the_cards_that_ship_name_the_command_that_measured_them(model: Path) -> None:
    card = read_card(model)
    assert card.measured_by.startswith("python -m models.training.evaluate")
    assert all(0.0 <= value <= 1.0 for value in card.scores.values())


def test_new_scores_take_the_place_of_the_old_ones(tmp_path: Path) -> None:
    model = tmp_path / KIND_MODEL.name
    shutil.copy(KIND_MODEL, model)
    shutil.copy(card_path(KIND_MODEL), card_path(model))
    write_measured(model, {"kinds right": 0.97149}, "a command")
    card = read_card(model)
    assert card.scores == {"kinds right": 0.9715} and card.measured_by == "a command"
    assert card.limits == read_card(KIND_MODEL).limits


def test_scores_are_not_put_into_the_card_of_another_net(tmp_path: Path) -> None:
    model = tmp_path / KIND_MODEL.name
    model.write_bytes(b"another net")
    shutil.copy(card_path(KIND_MODEL), card_path(model))
    with pytest.raises(ValueError, match="another net"):
        write_measured(model, {"kinds right": 1.0}, "a command")
    assert read_card(model) == read_card(KIND_MODEL)


def test_shares_of_datasets_count_by_their_crops() -> None:
    three, one = np.array([0, 0, 1]), np.array([2])
    crops = {"a": (score_kinds(three, np.array([0, 0, 0])), 1.0), "b": (score_kinds(one, one), 0.0)}
    assert all_crops(crops) == (pytest.approx(0.75), 4)
