"""The demo's game: the opening as it is written, with one thing in it for the arbiter."""

import pytest

from qiyan.demo import TOUCHED, TOUCHED_PLY, demo_script
from qiyan.simulator.games import OPENING
from qiyan.simulator.script import LiftBack, Play
from rules.fen import START_FEN, parse_fen
from rules.iccs import parse_iccs
from rules.legality import legal_moves
from rules.piece import RED, side_of
from rules.point import parse_point
from rules.profile import EDITIONS
from rules.touch_move import obligations


@pytest.mark.parametrize("plies", [1, TOUCHED_PLY - 1, TOUCHED_PLY, len(OPENING)])
def test_every_ply_is_played_and_the_touch_comes_where_it_comes_that_far(plies: int) -> None:
    actions = demo_script(plies, seed=1).actions
    assert [action.iccs for action in actions if isinstance(action, Play)] == OPENING[:plies]
    touches = [action for action in actions if isinstance(action, LiftBack)]
    assert [touch.point for touch in touches] == ([TOUCHED] if plies >= TOUCHED_PLY else [])


def test_the_touched_piece_had_to_be_moved_and_another_is_played() -> None:
    position = parse_fen(START_FEN)
    for text in OPENING[: TOUCHED_PLY - 1]:
        position = position.play(parse_iccs(text))
    point, played = parse_point(TOUCHED), parse_iccs(OPENING[TOUCHED_PLY - 1])
    assert position.side == RED == side_of(position.piece_at(point))
    assert played in legal_moves(position)
    for profile in EDITIONS.values():
        assert not obligations(position, (point,), profile).allows(played)
