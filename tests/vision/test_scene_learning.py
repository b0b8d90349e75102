"""What of a new look becomes part of the remembered scene, what waits, and what never does."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules.event import MoveSeen, RecordDoubt
from rules.point import parse_point
from tests.vision.drawn_table import CELL_PX, MARGIN_PX
from tests.vision.test_pipeline import Sitting
from vision.frame import Image
from vision.observation import Observation, glance, observe
from vision.relearn import learn_light
from vision.remember import follow_light
from vision.state import Watched
from vision.window import CENTRES_PX

ALIKE = 0.93


def _watched(sitting: Sitting) -> Watched:
    assert sitting.state.watched is not None
    return sitting.state.watched


def _seen(sitting: Sitting, picture: Image) -> Observation:
    """What the eye sees in one more picture of the table."""
    state, config = _watched(sitting), sitting.setup.config
    unhidden = state.table.inside if state.hands is None else ~state.hands.mask
    look = glance(picture, state.table.window, state.scene, unhidden, config.observation)
    return observe(sitting.t, look, state.previous, state.scene, state.table.looks, config.observation)


def _darkened(picture: Image, files: tuple[float, float], ranks: tuple[float, float], share: float) -> Image:
    """A hard shadow over a part of the board, in cells."""
    x0, x1 = (round(MARGIN_PX + file * CELL_PX) for file in files)
    y0, y1 = (round(MARGIN_PX + (9 - rank) * CELL_PX) for rank in reversed(ranks))
    out = picture.copy()
    out[y0:y1, x0:x1] = np.clip(out[y0:y1, x0:x1] * share, 0, 255).astype(np.uint8)
    return out


def _patch(window: Image, point: str, reach_px: int = 5) -> Image:
    x, y = (int(v) for v in CENTRES_PX[parse_point(point)])
    return window[y - reach_px : y + reach_px, x - reach_px : x + reach_px].astype(np.float32)  # type: ignore[return-value]


@pytest.mark.parametrize("frames_later", [1, 2])
def test_a_reply_that_has_only_just_come_when_a_ply_is_told_is_told_as_well(frames_later: int) -> None:
    sitting = Sitting()
    sitting.reach("h2")
    sitting.table.play("h2e2")
    sitting.reach("e2")
    sitting.table.hand = None
    sitting.watch(2.0, lambda number: sitting.table.play("h9g7") if number == frames_later else None)
    assert sitting.moves == ["h2e2", "h9g7"]


def test_an_unlawful_change_is_not_told_while_a_hand_is_about() -> None:
    sitting = Sitting()
    sitting.table.hand = (8.4, -0.2)
    sitting.watch(1.0)
    hands = _watched(sitting).hands
    assert hands is not None
    assert hands.present
    sitting.table.play("h9h5")
    sitting.watch(6.0)
    assert sitting.moves == []
    sitting.leave(1.0)
    assert sitting.moves == ["h9h5"]
    assert not sitting.of(RecordDoubt)


class Shaded(Sitting):
    """A table with a hand at rest and the edge of a shadow across one piece."""

    def __init__(self) -> None:
        super().__init__()
        self.table.hand = (7.0, 1.0)
        self.watch(1.0)
        plain = self.table.picture
        self.table.picture = lambda: _darkened(plain(), (0.0, 0.7), (7.0, 9.4), 0.55)  # type: ignore[method-assign]


def test_a_piece_half_in_a_new_shadow_is_learned_so_though_a_hand_rests() -> None:
    sitting = Shaded()
    sitting.watch(1.0)
    point = parse_point("a9")
    before = _seen(sitting, sitting.table.picture())
    assert before.likeness[point] < ALIKE
    sitting.watch(1.0)
    after = _seen(sitting, sitting.table.picture())
    assert after.likeness[point] >= ALIKE
    assert sitting.moves == []


def test_what_only_passes_is_not_learned() -> None:
    sitting = Shaded()
    scene = _patch(_watched(sitting).scene.reference, "a9")
    sitting.watch(1.2)
    del sitting.table.picture
    sitting.watch(0.3)
    assert np.abs(_patch(_watched(sitting).scene.reference, "a9") - scene).mean() < 5.0


def test_shadows_beside_a_resting_hand_are_learned_slowly_and_other_light_is_not() -> None:
    sitting = Sitting()
    sitting.table.hand = (7.0, 1.0)
    sitting.watch(1.0)
    picture = _darkened(sitting.table.picture(), (0.6, 2.4), (4.2, 4.8), 0.7)
    picture = _darkened(picture, (4.6, 6.4), (4.2, 4.8), 0.93)
    state, seen = _watched(sitting), _seen(sitting, picture)
    assert seen.hands.present
    learned = follow_light(state, seen, np.zeros(90, dtype=np.bool_), 0.5)

    def share(file: float) -> float:
        """How much of what is otherwise there was learned."""
        x, y = (int(v) for v in CENTRES_PX[0] + (CENTRES_PX[80] - CENTRES_PX[0]) * (file / 8.0, 4.5 / 8.0))
        part = np.s_[y - 3 : y + 3, x - 12 : x + 12]
        then, now = state.scene.reference[part].astype(np.float64), learned.scene.reference[part].astype(np.float64)
        return float((now - then).mean() / (seen.window[part] - then).mean())

    assert 0.02 < share(1.5) < 0.12
    assert 0.3 < share(5.5) < 0.7


def test_thin_strange_edges_are_learned_and_thick_matter_is_not() -> None:
    sitting = Sitting()
    picture = sitting.table.picture()
    left, top = MARGIN_PX + CELL_PX // 2, MARGIN_PX + 4 * CELL_PX + CELL_PX // 2
    cv2.line(picture, (left, top), (left + 3 * CELL_PX, top), (200, 60, 20), 4)
    cv2.rectangle(picture, (left + 4 * CELL_PX, top - 12), (left + 5 * CELL_PX, top + 12), (200, 60, 20), -1)
    state, seen = _watched(sitting), _seen(sitting, picture)
    assert not seen.hands.present
    learned = follow_light(state, seen, np.zeros(90, dtype=np.bool_), 1.0)

    def left_over(file: float) -> float:
        """Levels by which the scene is still off what is seen, along the middle of the river."""
        x, y = (int(v) for v in CENTRES_PX[0] + (CENTRES_PX[80] - CENTRES_PX[0]) * (file / 8.0, 4.5 / 8.0))
        part = np.s_[y - 1 : y + 1, x - 4 : x + 4]
        return float(np.abs(learned.scene.reference[part].astype(np.float64) - seen.window[part]).mean())

    assert left_over(2.0) < 5.0
    assert left_over(5.0) > 30.0


def _in_light(sitting: Sitting, gain: float, since_s: float, told_s: float | None = None) -> tuple[Watched, Watched]:
    """The state before and after looks were perhaps learned, `since_s` after they were learned last."""
    state = replace(_watched(sitting), looks_t=sitting.t - since_s)
    if told_s is not None:
        ply = replace(state.plies[-1], told_t=sitting.t - told_s)
        state = replace(state, plies=(*state.plies[:-1], ply))
    sitting.table.light *= gain
    seen = _seen(sitting, sitting.table.picture())
    settled = np.ones(90, dtype=np.bool_)
    return state, learn_light(state, seen, settled, ALIKE)


@pytest.mark.parametrize(
    ("gain", "since_s", "learns"), [(0.7, 5.0, True), (1.2, 5.0, True), (1.0, 5.0, False), (0.7, 0.5, False)]
)
def test_looks_are_learned_again_in_another_light_and_not_at_once_again(
    gain: float, since_s: float, learns: bool
) -> None:
    before, after = _in_light(Sitting(), gain, since_s)
    assert (after.table.looks is not before.table.looks) == learns
    if learns:
        assert after.looks_gain == pytest.approx(np.full(3, gain), rel=0.05)


@pytest.mark.parametrize(("told_s", "learns"), [(2.0, True), (6.0, False)])
def test_looks_are_learned_again_after_a_ply(told_s: float, learns: bool) -> None:
    sitting = Sitting()
    sitting.play("h2e2")
    assert len(sitting.of(MoveSeen)) == 1
    before, after = _in_light(sitting, 1.0, 4.0, told_s)
    assert (after.table.looks is not before.table.looks) == learns


def test_looks_are_not_learned_under_hands() -> None:
    sitting = Sitting()
    state = replace(_watched(sitting), looks_t=sitting.t - 5.0)
    sitting.table.light = 0.7
    seen = _seen(sitting, sitting.table.picture())
    settled = np.arange(90) < 40
    assert learn_light(state, seen, settled, ALIKE).table.looks is state.table.looks
