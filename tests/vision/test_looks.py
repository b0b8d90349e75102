"""What the looks of points and pieces are worth under another light."""

import numpy as np

from rules.fen import START_FEN, parse_fen
from rules.point import parse_point
from tests.vision.drawn_table import DrawnTable, true_grid
from vision.change import even_out, gain
from vision.looks import learn_again, learn_looks
from vision.window import CENTRES_PX, window_of


def test_looks_learned_again_hold_for_pieces_that_burned_out() -> None:
    start = parse_fen(START_FEN)
    table, window = DrawnTable(start.board), window_of(true_grid())
    first = window.apply(table.picture())
    looks = learn_looks(first, start.board)
    table.light = 1.5
    now = window.apply(table.picture())
    evened = even_out(now, gain(now, first, np.ones((now.shape[0] // 2, now.shape[1] // 2), dtype=np.bool_)))
    left_out = [parse_point(name) for name in ("a0", "b0", "b2", "e4")]
    known = np.ones(90, dtype=np.bool_)
    known[left_out] = False
    after, side = learn_again(looks, evened, start.board, known).score(evened, CENTRES_PX[left_out])
    assert (after[:3] > 0.9).all() and after[3] < -0.9
    assert looks.score(evened, CENTRES_PX[left_out])[0][:3].min() < after[:3].min()
    assert (side[:3] < -0.8).all()
