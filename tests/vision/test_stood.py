"""A piece in plain sight beside an arm stands since it is to be seen there, not since the arm has gone."""

from dataclasses import replace

import numpy as np
import pytest

from rules.event import MoveSeen
from rules.fen import START_FEN, parse_fen
from rules.point import parse_point
from tests.vision.drawn_table import DrawnTable, true_grid
from vision import pipeline
from vision.belief import new_belief
from vision.change import halved
from vision.episode import no_episodes
from vision.frame import Frame, Image
from vision.stood import Glimpse, keep, stood_since
from vision.telling import Past, placed_at

POINT = parse_point("e4")


def _half(board: bytes, hand: tuple[float, float] | None = None, seed: int = 1) -> Image:
    """The halved window of a drawn table."""
    setup = pipeline.Setup(grid=true_grid(), start=parse_fen(START_FEN))
    frame = Frame(0, 0.0, DrawnTable(parse_fen(START_FEN).board).picture())
    state, _ = pipeline.step(setup, pipeline.initial_state(setup), frame, None)
    assert state.table is not None
    return halved(state.table.window.apply(DrawnTable(board, seed=seed, hand=hand).picture()))


@pytest.fixture(scope="module")
def halves() -> dict[str, Image]:
    """Before a soldier goes to e4; with the hand over it; with the hand beside it; and without."""
    before = parse_fen(START_FEN).board
    table = DrawnTable(before)
    table.play("e3e4")
    return {
        "before": _half(before),
        "over": _half(table.board, hand=(4.0, 4.0), seed=2),
        "beside": _half(table.board, hand=(5.6, 2.0), seed=3),
        "now": _half(table.board, seed=4),
    }


def test_a_piece_stands_since_it_was_first_seen_beside_the_hand(halves: dict[str, Image]) -> None:
    shown = (Glimpse(1.0, halves["before"]), Glimpse(1.1, halves["over"]), Glimpse(1.2, halves["beside"]))
    assert stood_since(shown, halves["before"], halves["now"], POINT, 0.9, 2.0) == 1.2


def test_a_piece_that_the_hand_covered_to_the_end_stands_since_the_hand_has_gone(halves: dict[str, Image]) -> None:
    shown = (Glimpse(1.0, halves["before"]), Glimpse(1.1, halves["over"]))
    assert stood_since(shown, halves["before"], halves["now"], POINT, 0.9, 2.0) == 2.0


def test_what_looked_alike_before_is_no_proof(halves: dict[str, Image]) -> None:
    shown = (Glimpse(1.0, halves["before"]),)
    assert stood_since(shown, halves["before"], halves["before"], POINT, 0.9, 2.0) == 2.0


def test_a_hand_that_goes_over_the_piece_once_more_does_not_date_it(halves: dict[str, Image]) -> None:
    """The point is hidden from 1.0 s, seen with the piece at 1.2 s, and hidden again before the ply is told."""
    belief = replace(new_belief(0.0), seen_same=np.full(90, 0.9), since=np.full(90, 1.8))
    episodes = replace(no_episodes(), hidden_from=np.full(90, 1.5))
    shown = (Glimpse(1.1, halves["over"]), Glimpse(1.2, halves["beside"]), Glimpse(1.6, halves["over"]))
    past = Past(belief, episodes, 1.8, shown, halves["before"], halves["now"])
    assert 0.9 < placed_at(POINT, past) <= 1.2


def test_glimpses_are_kept_for_two_seconds_and_only_with_hands(halves: dict[str, Image]) -> None:
    kept: tuple[Glimpse, ...] = ()
    for number in range(50):
        kept = keep(kept, number / 8.0, halves["now"], hands=True)
    assert [kept[0].t, kept[-1].t] == [4.125, 6.125]
    assert keep(kept, 7.5, halves["now"], hands=False) == ()


def test_a_move_is_timed_by_when_its_piece_was_first_seen_to_stand() -> None:
    """After the move the arm lies beside the piece, joined to it by a shadow, and goes 0.8 s later."""
    start = parse_fen(START_FEN)
    table = DrawnTable(start.board)
    setup = pipeline.Setup(grid=true_grid(), start=start)
    state = pipeline.initial_state(setup)
    released_t, told = np.nan, None
    for number in range(40):
        t = number / 10.0
        if t < 1.0 or t >= 2.6:
            table.hand = None
        elif t < 1.4:
            table.hand = (8.0, 3.0)
        elif t < 1.8:
            table.hand = (8.0, 4.0)
        else:
            table.hand = (8.9, 3.2)
        if number == 14:
            table.play("i3i4")
        if number == 18:
            released_t = t
        state, events = pipeline.step(setup, state, Frame(number, t, table.picture()), state.position)
        told = next((event for event in events if isinstance(event, MoveSeen)), told)
    assert told is not None and told.t_placed is not None
    assert abs(told.t_placed - released_t) <= 0.4
