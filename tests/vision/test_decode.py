"""Which explanation leads, on evidence made up from what stands on the board and what is hidden."""

import numpy as np
import pytest

from rules.fen import START_FEN, parse_fen
from rules.iccs import parse_iccs
from rules.legality import legal_moves
from rules.move import Move
from rules.piece import EMPTY
from rules.point import parse_point
from rules.position import Position
from vision.belief import BLACK_LOOK, EMPTY_LOOK, RED_LOOK, SAME
from vision.decode import DecodeConfig, Reading, decode, decode_doubted, out_of_order_s
from vision.hypotheses import Ply, Story
from vision.telling import played

_WRONG = -6.0
"""Log likelihood of a look that contradicts the state."""


def _evidence(record: bytes, seen: bytes, touched: set[int]) -> np.ndarray:
    """(90, 4) for a board that shows `seen`, when `record` was remembered; `touched` points look new in any case."""
    out = np.zeros((90, 4))
    for point in range(90):
        if record[point] == seen[point] and point not in touched:
            out[point] = [0.0, -8.0, -8.0, -8.0]
            if seen[point] == EMPTY:
                out[point, EMPTY_LOOK] = 0.0
            continue
        looks = {EMPTY_LOOK: seen[point] == EMPTY, RED_LOOK: 1 <= seen[point] <= 7, BLACK_LOOK: seen[point] >= 9}
        out[point, 1:] = [0.0 if looks[column] else _WRONG for column in (EMPTY_LOOK, RED_LOOK, BLACK_LOOK)]
        was = EMPTY_LOOK if record[point] == EMPTY else RED_LOOK if record[point] <= 7 else BLACK_LOOK
        out[point, SAME] = 0.0 if looks[was] else _WRONG
        if was != EMPTY_LOOK and looks[was]:
            out[point, SAME] = -1.5
    return out


def _decode(position: Position, seen: bytes, hidden: str = "", last: Ply | None = None, touched: str = "") -> Reading:
    settled = np.ones(90, dtype=np.bool_)
    settled[[parse_point(name) for name in hidden.split()]] = False
    marks = {parse_point(name) for name in touched.split()}
    return decode(_evidence(position.board, seen, marks), settled, position, last, DecodeConfig())


def _after(position: Position, *moves: str) -> Position:
    for move in moves:
        position = played(position, parse_iccs(move))
    return position


def _names(reading: Reading) -> list[str]:
    return [str(move) for move in reading.best.moves]


def test_an_unchanged_board_says_nothing() -> None:
    start = parse_fen(START_FEN)
    reading = _decode(start, start.board)
    assert reading.best.story is Story.NOTHING
    assert not reading.unexplained


@pytest.mark.parametrize("move", ["h2e2", "b0c2", "g3g4", "a0a2", "c0e2", "d0e1", "b2b9"])
def test_a_legal_move_leads_clearly(move: str) -> None:
    start = parse_fen(START_FEN)
    reading = _decode(start, _after(start, move).board)
    assert (reading.best.story, _names(reading)) == (Story.MOVE, [move])
    assert reading.margin_nats > DecodeConfig().min_margin_nats
    assert reading.seen_whole
    assert reading.coherent


def test_a_move_to_a_hidden_point_is_not_seen_whole() -> None:
    start = parse_fen(START_FEN)
    reading = _decode(start, _after(start, "h2e2").board, hidden="e2 d2 f2 g2")
    assert not (reading.seen_whole and reading.margin_nats > DecodeConfig().min_margin_nats)


def test_two_plies_between_two_clear_views() -> None:
    start = parse_fen(START_FEN)
    reading = _decode(start, _after(start, "h2e2", "h9g7").board)
    assert (reading.best.story, _names(reading)) == (Story.TWO_PLIES, ["h2e2", "h9g7"])
    assert reading.margin_nats > DecodeConfig().min_margin_nats


def test_a_recapture_on_the_same_point_is_two_plies() -> None:
    start = parse_fen(START_FEN)
    reading = _decode(start, _after(start, "b2b9", "a9b9").board, touched="b9")
    assert (reading.best.story, _names(reading)) == (Story.TWO_PLIES, ["b2b9", "a9b9"])


def test_a_piece_put_back_takes_the_ply_back() -> None:
    start = parse_fen(START_FEN)
    last = Ply(start, parse_iccs("h2e2"))
    reading = _decode(_after(start, "h2e2"), start.board, last=last)
    assert reading.best.story is Story.TAKEN_BACK
    assert reading.best.withdrawn == 1


def test_another_move_of_the_same_piece_changes_the_last_ply() -> None:
    start = parse_fen(START_FEN)
    last = Ply(start, parse_iccs("h2e2"))
    reading = _decode(_after(start, "h2e2"), _after(start, "h2d2").board, last=last)
    assert (reading.best.story, reading.best.withdrawn, _names(reading)) == (Story.CHANGED, 1, ["h2d2"])


def test_a_taken_back_capture_returns_the_captured_piece() -> None:
    start = parse_fen(START_FEN)
    last = Ply(start, parse_iccs("b2b9"))
    reading = _decode(_after(start, "b2b9"), start.board, last=last)
    assert reading.best.story is Story.TAKEN_BACK


@pytest.mark.parametrize("move", ["a0b1", "b0b1", "c0c2", "d0d2", "e0e2", "h2g4", "e3f4", "e3e5", "g3f3"])
def test_an_illegal_move_is_seen_as_what_it_is(move: str) -> None:
    start = parse_fen(START_FEN)
    board = bytearray(start.board)
    going = parse_iccs(move)
    board[going.to_point], board[going.from_point] = board[going.from_point], EMPTY
    reading = _decode(start, bytes(board), touched=move[2:])
    assert (reading.best.story, _names(reading)) == (Story.ILLEGAL, [move])


def test_a_move_out_of_turn_is_seen_as_that() -> None:
    start = parse_fen(START_FEN)
    reading = _decode(start, _after(start, "h9g7").board)
    assert (reading.best.story, _names(reading)) == (Story.OUT_OF_TURN, ["h9g7"])


def test_leaving_the_general_to_be_taken_is_a_move_all_the_same() -> None:
    pinned = parse_fen("4k4/9/9/9/4r4/9/9/9/4A4/4K4 w - - 0 1")
    reading = _decode(pinned, _after(pinned, "e1d0").board)
    assert (reading.best.story, _names(reading)) == (Story.SUICIDE, ["e1d0"])


def test_a_captured_piece_lifted_first_is_no_move_yet() -> None:
    start = parse_fen(START_FEN)
    board = bytearray(start.board)
    board[parse_point("b9")] = EMPTY
    reading = _decode(start, bytes(board))
    assert reading.best.story is Story.NOTHING or not reading.seen_whole or reading.unexplained


def test_a_piece_in_the_air_is_no_move_yet() -> None:
    start = parse_fen(START_FEN)
    board = bytearray(start.board)
    board[parse_point("h2")] = EMPTY
    reading = _decode(start, bytes(board), hidden="h3 h4 g2 g3")
    assert not (reading.seen_whole and not reading.unexplained and reading.best.story is not Story.NOTHING)


def test_pieces_pushed_away_stay_unexplained() -> None:
    start = parse_fen(START_FEN)
    board = bytearray(start.board)
    for name in ("a0", "b0", "a3"):
        board[parse_point(name)] = EMPTY
    reading = _decode(start, bytes(board))
    assert reading.unexplained


def test_a_hand_over_the_whole_board_says_nothing() -> None:
    start = parse_fen(START_FEN)
    settled = np.zeros(90, dtype=np.bool_)
    evidence = _evidence(start.board, _after(start, "h2e2").board, set())
    assert decode(evidence, settled, start, None, DecodeConfig()).best.story is Story.NOTHING


def test_every_legal_move_of_a_busy_position_is_told_apart() -> None:
    busy = parse_fen("r1bakab1r/9/1cn4cn/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 1")
    for move in legal_moves(busy):
        reading = _decode(busy, busy.play(move).board)
        assert reading.best.moves == (Move(move.from_point, move.to_point),)
        assert reading.margin_nats > DecodeConfig().min_margin_nats


def test_four_plies_unseen_are_found_again() -> None:
    start = parse_fen(START_FEN)
    reading = _decode(start, _after(start, "h2e2", "h9g7", "h0g2", "i9h9").board)
    assert reading.best.story is Story.SEVERAL_PLIES
    assert {str(move) for move in reading.best.moves} == {"h2e2", "h9g7", "h0g2", "i9h9"}
    assert not reading.unexplained


def test_several_plies_wait_until_all_their_points_are_seen() -> None:
    start = parse_fen(START_FEN)
    evidence = _evidence(start.board, _after(start, "h2e2", "h9g7", "h0g2", "i9h9").board, set())
    settled = np.ones(90, dtype=np.bool_)
    settled[parse_point("g2")] = False
    reading = decode(evidence, settled, start, None, DecodeConfig())
    assert not (reading.best.story is Story.SEVERAL_PLIES and reading.seen_whole)


def _seen_at(**times: float) -> np.ndarray:
    changed_t = np.tile([0.0, np.inf], (90, 1))
    for name, t in times.items():
        changed_t[parse_point(name)] = t - 0.5, t
    return changed_t


@pytest.mark.parametrize(
    ("times", "order"),
    [
        ({"h2": 1, "e2": 1, "h9": 2, "g7": 2, "b0": 3, "c2": 3, "i9": 4}, ["h2e2", "h9g7", "b0c2", "i9h9"]),
        ({"h2": 3, "e2": 3, "h9": 2, "g7": 2, "b0": 1, "c2": 1, "i9": 4}, ["b0c2", "h9g7", "h2e2", "i9h9"]),
    ],
)
def test_several_plies_are_in_the_order_in_which_their_points_changed(
    times: dict[str, float], order: list[str]
) -> None:
    start = parse_fen(START_FEN)
    seen = _after(start, "h2e2", "h9g7", "b0c2", "i9h9").board
    evidence = _evidence(start.board, seen, set())
    reading = decode(evidence, np.ones(90, dtype=np.bool_), start, None, DecodeConfig(), _seen_at(**times))
    assert _names(reading) == order


def test_doubted_plies_give_way_to_lawful_ones_that_explain_all() -> None:
    start = parse_fen(START_FEN)
    out_of_turn = Ply(start, parse_iccs("h9g7"), doubted=True)
    believed = played(start, parse_iccs("h9g7"))
    evidence = _evidence(believed.board, _after(start, "h2e2", "h9g7").board, set())
    everything = np.ones(90, dtype=np.bool_)
    reading = decode_doubted(evidence, everything, believed, [out_of_turn], DecodeConfig())
    assert reading is not None
    assert (reading.best.withdrawn, _names(reading)) == (1, ["h2e2", "h9g7"])
    hidden = everything.copy()
    hidden[parse_point("g7")] = False
    assert decode_doubted(evidence, hidden, believed, [out_of_turn], DecodeConfig()) is None


def test_plies_unseen_before_doubted_ones_go_in_front_of_them() -> None:
    start = parse_fen(START_FEN)
    told = Ply(start, parse_iccs("h0g2"), 20.0, doubted=True, since_t=19.0)
    believed = played(start, told.move)
    seen = _after(start, "h2e2", "h9g7", "h0g2").board
    times = _seen_at(h2=3, e2=3, h9=9, g7=9)
    reading = decode_doubted(
        _evidence(believed.board, seen, set()), np.ones(90, dtype=np.bool_), believed, [told], DecodeConfig(), times
    )
    assert reading is not None
    assert _names(reading) == ["h2e2", "h9g7", "h0g2"]
    assert reading.late_s == 0.0


def test_a_line_that_contradicts_the_times_tells_by_how_much() -> None:
    start = parse_fen(START_FEN)
    evidence = _evidence(start.board, _after(start, "h2e2", "h9g7").board, set())
    everything = np.ones(90, dtype=np.bool_)
    late_s = [
        decode(evidence, everything, start, None, DecodeConfig(), _seen_at(**times)).late_s
        for times in ({"h2": 3, "e2": 3, "h9": 9, "g7": 9}, {"h2": 9, "e2": 9, "h9": 3, "g7": 3})
    ]
    assert late_s[0] == 0.0
    assert late_s[1] > DecodeConfig().order_s


def test_a_piece_that_went_and_came_back_is_no_contradiction() -> None:
    moves = [parse_iccs(text) for text in ("c7b9", "e2e6", "b9c7", "e6e5", "c7d5")]
    times = _seen_at(e2=86, e6=87, e5=95, d5=98)
    # The horse was seen on c7 again before it left for good; a hand lay over b9 all the while.
    times[parse_point("c7")] = 97.0, 101.0
    times[parse_point("b9")] = 79.0, 101.0
    assert out_of_order_s(moves, times) == 0.0
    times[parse_point("e2")] = 100.0, 101.0
    assert out_of_order_s(moves, times) > 0.0


def test_a_mark_that_a_piece_covered_so_far_looks_odd_but_is_no_piece() -> None:
    start = parse_fen(START_FEN)
    evidence = _evidence(start.board, _after(start, "g3g4").board, set())
    odd = DecodeConfig().poor_nats - 0.5
    evidence[parse_point("g3"), EMPTY_LOOK] = odd
    reading = decode(evidence, np.ones(90, dtype=np.bool_), start, None, DecodeConfig())
    assert (_names(reading), reading.coherent, reading.unexplained) == (["g3g4"], True, ())
    evidence[parse_point("g3"), RED_LOOK] = evidence[parse_point("g3"), SAME] = odd - 0.5
    reading = decode(evidence, np.ones(90, dtype=np.bool_), start, None, DecodeConfig())
    assert not reading.coherent
    evidence[parse_point("g3"), RED_LOOK] = evidence[parse_point("g3"), SAME] = odd - 5.0
    evidence[parse_point("g3"), BLACK_LOOK] = odd - 0.5
    # A black piece could only have come there by more plies.
    reading = decode(evidence, np.ones(90, dtype=np.bool_), start, None, DecodeConfig())
    assert reading.coherent
