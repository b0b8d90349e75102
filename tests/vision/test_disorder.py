"""Pieces off their points: which of them are told, and as what."""

from dataclasses import replace

import numpy as np
import pytest

from rules.event import BoardDiffers, PieceBetween, PiecesDisturbed
from rules.fen import START_FEN, parse_fen
from rules.piece import BLACK, RED, Side
from rules.point import format_point, parse_point
from vision.belief import EMPTY_LOOK, SAME
from vision.decode import Reading
from vision.disorder import Disorder, DisorderConfig, Scene, exchanged, find_disorder, push_aside
from vision.episode import Episodes, no_episodes
from vision.hypotheses import Hypothesis, Story
from vision.stray import Stray

BOARD = parse_fen(START_FEN).board
CONFIG = DisorderConfig()
NAMES = ("b0", "c0", "d0")


def _episodes(t: float) -> Episodes:
    episodes = no_episodes()
    hidden, side = episodes.hidden_from.copy(), episodes.side.copy()
    for name in NAMES:
        hidden[parse_point(name)], side[parse_point(name)] = t, RED
    return replace(episodes, hidden_from=hidden, side=side)


def _scene(gone: tuple[str, ...], pushed: tuple[str, ...], strays: list[Stray], quiet_s: float = 1.0) -> Scene:
    evidence = np.zeros((90, 4))
    for name in gone:
        evidence[parse_point(name), SAME], evidence[parse_point(name), EMPTY_LOOK] = -8.0, 0.0
    for name in pushed:
        evidence[parse_point(name)] = (-1.5, -6.0, 0.0, -6.0)
    nothing = Hypothesis(Story.NOTHING, 0, (), BOARD)
    unexplained = tuple(parse_point(name) for name in gone)
    reading = Reading(nothing, np.inf, (), unexplained, True, True)
    return Scene(10.0, BOARD, reading, evidence, np.ones(90, dtype=np.bool_), strays, _episodes(8.0), quiet_s)


def test_a_piece_gone_and_one_pushed_far_are_disturbed_not_between() -> None:
    strays = [Stray((1.6, 0.2), RED, 1.0), Stray((2.25, 0.1), RED, 1.0)]
    known, events = find_disorder(Disorder(), _scene(("b0",), ("c0",), strays), CONFIG)
    assert [type(event) for event in events] == [PiecesDisturbed]
    told = events[0]
    assert isinstance(told, PiecesDisturbed)
    assert [format_point(point) for point in told.points] == ["b0", "c0"]
    assert told.off_board == () and told.hand_side == RED and told.t_start == pytest.approx(8.3)
    assert find_disorder(known, _scene(("b0",), ("c0",), strays), CONFIG)[1] == []


def test_a_piece_beside_the_board_is_told_though_another_was_pushed_near_its_point() -> None:
    strays = [Stray((2.3, 0.1), RED, 1.0), Stray((2.7, 0.0), RED, 1.0)]
    _, events = find_disorder(Disorder(), _scene(("b0",), ("c0", "d0"), strays), CONFIG)
    assert isinstance(events[0], PiecesDisturbed)
    assert [format_point(point) for point in events[0].off_board] == ["b0"]


def test_one_piece_alone_lies_between_points_and_only_where_it_looks_like_one() -> None:
    clear, residue = Stray((1.5, 0.55), RED, 1.0), Stray((1.5, 0.55), RED, 0.6)
    _, events = find_disorder(Disorder(), _scene(("b0",), (), [clear]), CONFIG)
    assert isinstance(events[0], PieceBetween)
    assert find_disorder(Disorder(), _scene(("b0",), (), [residue]), CONFIG)[1] == []


@pytest.mark.parametrize(
    ("up_cells", "sure", "told"), [(0.3, True, 0), (0.38, True, 1), (0.38, False, 0), (0.45, False, 1)]
)
def test_a_piece_whose_middle_is_not_sure_has_to_lie_farther_off(up_cells: float, sure: bool, told: int) -> None:
    stray = Stray((1.0, 4.0 + up_cells), RED, 1.0, sure)
    assert len(find_disorder(Disorder(), _scene(("b0",), (), [stray]), CONFIG)[1]) == told


def test_a_reply_to_a_piece_left_between_points_disturbs_nothing_and_is_told_of() -> None:
    lying = Stray((1.5, 2.55), RED, 1.0)
    known = Disorder(between_from=parse_point("b2"), between_xy=lying.xy_cells)
    gone, strays = ("b2", "h9"), [lying, Stray((6.0, 7.0), BLACK, 1.0)]
    assert find_disorder(known, _scene(gone, (), strays), CONFIG)[1] == []
    _, events = find_disorder(known, _scene(gone, (), strays, quiet_s=6.0), CONFIG)
    assert isinstance(events[0], BoardDiffers)
    assert [format_point(point) for point, _, _ in events[0].differences] == ["h9"]


def test_two_pieces_between_points_are_told_of_once() -> None:
    one, two = Stray((1.5, 4.55), RED, 1.0), Stray((2.5, 4.55), RED, 1.0)
    known, events = find_disorder(Disorder(), _scene(("b0",), (), [one]), CONFIG)
    assert len(events) == 1
    both = _scene(("b0", "c0"), (), [one, two])
    assert find_disorder(known, both, CONFIG) == (known, [])


def test_a_piece_cannot_lie_where_another_stands() -> None:
    _, events = find_disorder(Disorder(), _scene(("b0",), (), [Stray((1.5, 0.0), RED, 1.0)]), CONFIG)
    assert events == []


def test_a_piece_that_stands_as_it_stood_is_not_pushed_by_a_stray_thing_near_it() -> None:
    strays = [Stray((2.3, 0.1), RED, 1.0)]
    _, events = find_disorder(Disorder(), _scene((), (), strays), CONFIG)
    assert events == []


@pytest.mark.parametrize(
    ("fingers_at", "beside", "told"),
    [("c1", True, BoardDiffers), ("e2", False, BoardDiffers), ("e2", True, PiecesDisturbed)],
    ids=["fingers took it", "nowhere seen", "lies beside the board"],
)
def test_one_piece_gone_was_knocked_off_only_where_it_lies_beside_the_board(
    fingers_at: str, beside: bool, told: type
) -> None:
    scene = _scene(("b0",), (), [Stray((1.0, -1.0), RED, 1.0)] if beside else [], quiet_s=6.0)
    held_s = np.zeros(90)
    held_s[parse_point(fingers_at)] = 0.3
    scene = replace(scene, episodes=replace(scene.episodes, held_s=held_s))
    _, events = find_disorder(Disorder(), scene, CONFIG)
    assert [type(event) for event in events] == [told]


@pytest.mark.parametrize(
    ("to_move", "quiet_s", "told"),
    [(BLACK, 2.0, PiecesDisturbed), (BLACK, 1.0, None), (RED, 2.0, None), (RED, 6.0, BoardDiffers)],
    ids=["no move is under way", "too soon", "he may be moving it", "his fingers may have taken it"],
)
def test_who_is_not_to_move_and_leaves_a_piece_beside_the_board_has_disturbed_it(
    to_move: Side, quiet_s: float, told: type | None
) -> None:
    cut_off = Stray((1.0, -1.2), None, 0.0)
    scene = replace(_scene(("b0",), (), [cut_off], quiet_s), to_move=to_move)
    held_s = np.zeros(90)
    held_s[parse_point("b0")] = 0.3
    scene = replace(scene, episodes=replace(scene.episodes, held_s=held_s))
    _, events = find_disorder(Disorder(), scene, CONFIG)
    assert [type(event) for event in events] == ([] if told is None else [told])


def test_two_pieces_left_far_off_their_middles_are_disturbed_and_one_is_not() -> None:
    b0, c0 = (int(parse_point(name)) for name in NAMES[:2])
    known, events = push_aside(Disorder(), [b0], _episodes(8.0), 9.0, CONFIG)
    assert events == []
    _, events = push_aside(known, [c0], _episodes(8.0), 9.0 + CONFIG.brushed_s + 1.0, CONFIG)
    assert events == []
    _, events = push_aside(known, [c0], _episodes(8.0), 10.0, CONFIG)
    assert isinstance(events[0], PiecesDisturbed)


def test_pieces_put_right_are_not_disturbed_again() -> None:
    b0, c0 = (int(parse_point(name)) for name in NAMES[:2])
    known = Disorder(disturbed=frozenset({b0, c0}))
    assert push_aside(known, [b0, c0], _episodes(8.0), 9.0, CONFIG) == (known, [])


@pytest.mark.parametrize(("b0_hidden", "knocked"), [(6.0, 8.0), (7.2, 7.2)], ids=["by its light", "first of all"])
def test_one_knock_takes_no_longer_than_a_sweep_of_the_arm(b0_hidden: float, knocked: float) -> None:
    episodes = _episodes(8.0)
    hidden = episodes.hidden_from.copy()
    hidden[parse_point("b0")] = b0_hidden
    scene = replace(_scene(("b0", "c0"), (), [], quiet_s=4.0), episodes=replace(episodes, hidden_from=hidden))
    _, events = find_disorder(Disorder(), scene, CONFIG)
    assert isinstance(events[0], PiecesDisturbed)
    assert events[0].t_start == pytest.approx(knocked + CONFIG.contact_s)


def test_a_piece_found_pushed_a_little_earlier_dates_the_knock() -> None:
    b0 = int(parse_point("b0"))
    known, _ = push_aside(Disorder(), [b0], _episodes(7.7), 9.5, CONFIG)
    scene = _scene(("b0", "c0"), (), [], quiet_s=4.0)
    hidden = _episodes(8.0).hidden_from.copy()
    hidden[b0] = np.nan
    _, events = find_disorder(known, replace(scene, episodes=replace(scene.episodes, hidden_from=hidden)), CONFIG)
    assert isinstance(events[0], PiecesDisturbed)
    assert events[0].t_start == pytest.approx(7.7 + CONFIG.contact_s)


@pytest.mark.parametrize("lies", [(1.2, -1.2), (6.0, -1.2)], ids=["beside its point", "far from it"])
def test_a_piece_knocked_off_an_ornament_is_gone_where_one_lies_next_to_it(lies: tuple[float, float]) -> None:
    scene = replace(_scene(("b0",), (), [Stray(lies, None, 0.0)], quiet_s=6.0), to_move=BLACK)
    evidence = scene.evidence.copy()
    evidence[parse_point("b0")] = (-6.4, -2.2, -4.9, -8.4)
    _, events = find_disorder(Disorder(), replace(scene, evidence=evidence), CONFIG)
    assert any(isinstance(event, PiecesDisturbed) for event in events) == (lies[0] < 2.0)


def test_a_piece_gone_while_others_look_strange_may_have_been_captured() -> None:
    scene = replace(_scene(("b0",), (), [Stray((1.2, -1.2), None, 0.0)], quiet_s=6.0), to_move=BLACK)
    evidence = scene.evidence.copy()
    evidence[parse_point("e4")] = (-5.0, -8.0, 0.0, -8.0)
    _, events = find_disorder(Disorder(), replace(scene, evidence=evidence), CONFIG)
    assert not any(isinstance(event, PiecesDisturbed) for event in events)


@pytest.mark.parametrize("away_cells", [0.55, 2.0])
def test_a_point_half_hidden_by_the_piece_pushed_from_it_is_empty(away_cells: float) -> None:
    scene = _scene(("b0",), (), [Stray((2.0, away_cells), RED, 1.0), Stray((1.0, 0.6), RED, 1.0)])
    evidence = scene.evidence.copy()
    evidence[parse_point("c0")] = (-9.7, -2.3, -8.2, -4.7)
    _, events = find_disorder(Disorder(), replace(scene, evidence=evidence), CONFIG)
    both = isinstance(events[0], PiecesDisturbed)
    assert both == (away_cells < 1.0), "the other piece alone lies between points"


def test_exchanged_pieces_are_told_with_what_stands_there_now() -> None:
    a, b = (int(parse_point(name)) for name in NAMES[:2])
    episodes = replace(_episodes(8.0), came=np.full(90, 6.0))
    _, events = exchanged(Disorder(), [(a, b), (b, a)], BOARD, episodes, 9.0, CONFIG)
    assert isinstance(events[0], BoardDiffers)
    # The hand came to them several times: it changed them from the first time on.
    assert events[0].t_start == pytest.approx(6.3)
    assert [(on_record, seen) for _, on_record, seen in events[0].differences] == [
        (BOARD[a], BOARD[b]),
        (BOARD[b], BOARD[a]),
    ]
