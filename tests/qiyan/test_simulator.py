"""The simulated table: what it draws lies where it says, and the truth tells what was played."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from clock_bridge.feed import open_clock
from qiyan.simulator.acting import act_out
from qiyan.simulator.board_style import board_corners, widen
from qiyan.simulator.camera import Viewpoint, make_camera
from qiyan.simulator.covering import covered_points, free_t
from qiyan.simulator.disturb import disturbed
from qiyan.simulator.film import film, write_clock
from qiyan.simulator.games import OPENING, play_script
from qiyan.simulator.happenings import DOUBTS, HARMLESS, INCIDENTS, happening_script
from qiyan.simulator.looks import NAMES, looks, named_look
from qiyan.simulator.moment import places_at
from qiyan.simulator.piece_style import draw_face
from qiyan.simulator.random_play import random_moves
from qiyan.simulator.script import Bump, Play, Script
from qiyan.simulator.table import Table
from qiyan.simulator.true_grid import true_grid
from rules.event import ClockEventKind
from rules.fen import START_FEN, parse_fen
from rules.iccs import parse_iccs
from rules.legality import is_legal
from rules.piece import BLACK, KINDS, RED, make_piece


@pytest.mark.parametrize(("turn_deg", "side"), [(0, "bottom"), (90, "left"), (180, "top"), (270, "right")])
def test_the_camera_sees_red_where_it_was_put(turn_deg: float, side: str) -> None:
    look = named_look("club")
    turned = type(look)(view=Viewpoint(65.0, turn_deg))
    scene = Table(turned, Script(())).truth()["scene"]
    assert isinstance(scene, dict)
    assert scene["red_side"] == side


@pytest.mark.parametrize("k1", [0.0, -0.06, 0.05])
@pytest.mark.parametrize("elevation_deg", [40.0, 65.0, 90.0])
def test_a_pixel_sees_the_spot_that_is_projected_to_it(elevation_deg: float, k1: float) -> None:
    view = Viewpoint(elevation_deg, 30.0, k1=k1, k2=-0.005)
    camera = make_camera(view, (640, 360), board_corners(named_look("club").board))
    x, y = camera.plane_maps(0.4)
    for u, v in ((100, 80), (320, 180), (560, 300)):
        px = camera.to_px(np.array([[x[v, u], y[v, u], 0.4]]))[0]
        assert px == pytest.approx((u, v), abs=0.02)


@pytest.mark.parametrize("seed", range(8))
def test_the_true_grid_projects_as_the_camera_does(seed: int) -> None:
    look = looks(seed)
    camera = Table(look, Script(())).camera
    grid = true_grid(look, camera)
    flat = np.array([[0.0, 0.0], [8.0, 0.0], [8.0, 9.0], [0.0, 9.0], [4.0, 4.5]])
    for height in (0.0, look.pieces.height):
        spots = np.column_stack([widen(flat, look.board.river), np.full(len(flat), height)])
        assert grid.to_px(flat, height) == pytest.approx(camera.to_px(spots), abs=1.5)


@pytest.mark.parametrize("seed", range(12))
def test_the_whole_board_is_in_the_picture(seed: int) -> None:
    look = looks(seed)
    camera = Table(look, Script(())).camera
    corners = board_corners(look.board)
    px = camera.to_px(np.column_stack([corners, np.zeros(4)]))
    assert px.min() >= 0.0
    assert (px.max(axis=0) <= look.size_wh).all()


def test_the_same_seeds_give_the_same_picture_and_others_do_not() -> None:
    script = play_script(OPENING[:2], 5)
    first, again = (Table(named_look("study"), script).frame(1.0) for _ in range(2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, Table(named_look("study", 1), script).frame(1.0))


@pytest.mark.parametrize("name", NAMES)
def test_every_look_can_draw_all_its_pieces(name: str) -> None:
    look, rng = named_look(name), np.random.default_rng(0)
    for side in (RED, BLACK):
        for kind in KINDS:
            face = draw_face(look.pieces, make_piece(side, kind), rng)
            assert face.std() > 8.0


def test_no_two_pieces_lie_in_each_other() -> None:
    for seed in range(20):
        stage = act_out(looks(seed), Script(()))
        xy = np.array([place.xyz[:2] for place in places_at(stage, 0.0)[0]])
        apart = np.hypot(*(xy[:, None] - xy[None]).transpose(2, 0, 1)) + 9.0 * np.eye(len(xy))
        assert apart.min() >= 2.0 * looks(seed).pieces.radius


def test_a_move_happens_in_order_and_ends_where_it_should() -> None:
    script = play_script(OPENING, 3, "quick")
    stage = act_out(named_look("club"), script)
    assert [move["iccs"] for move in stage.moves] == OPENING
    last = 0.0
    for move in stage.moves:
        times = [float(str(move[name])) for name in ("t_lifted", "t_placed", "t_released", "t_pressed")]
        assert last < times[0]
        assert times == sorted(times)
        last = times[-1]
    position = parse_fen(START_FEN)
    for text in OPENING:
        assert is_legal(position, parse_iccs(text))
        position = position.play(parse_iccs(text))
    still, _ = places_at(stage, stage.now)
    where = {place.index: place.xyz for place in still}
    for point, index in stage.on_point.items():
        assert stage.pieces[index].piece == position.piece_at(point)
        x, y = stage.spot(point)
        assert np.hypot(where[index][0] - x, where[index][1] - y) <= 0.12
    assert len(stage.on_point) == sum(1 for piece in position.board if piece)


def test_random_play_is_legal() -> None:
    position = parse_fen(START_FEN)
    for text in random_moves(4, 40):
        assert is_legal(position, parse_iccs(text))
        position = position.play(parse_iccs(text))


def test_troubles_change_no_move() -> None:
    plain = play_script(OPENING, 3, "quick")
    stage = act_out(named_look("club"), disturbed(plain, every=2))
    assert [move["iccs"] for move in stage.moves] == OPENING
    assert not stage.incidents


@pytest.mark.parametrize("name", [*INCIDENTS, *DOUBTS, *HARMLESS])
def test_a_happening_says_what_has_to_be_reported(name: str) -> None:
    stage = act_out(named_look("hall"), happening_script(name, 1))
    required = [incident for incident in stage.incidents if incident["required"]]
    assert bool(required) == (name not in HARMLESS)
    for incident in required:
        assert 0.0 < float(str(incident["t"])) < stage.now


def test_the_clock_on_the_cable_hears_every_press(tmp_path: Path) -> None:
    table = Table(named_look("club"), play_script(OPENING[:6], 2, "quick"))
    write_clock(table, tmp_path / "trace.jsonl")
    clock = open_clock(str(tmp_path / "trace.jsonl"))
    events = clock.poll(table.length_s + 1.0)
    clock.close()
    heard = [(event.t, event.side) for event in events if event.event is ClockEventKind.PRESS]
    assert len(heard) == len(table.stage.presses)
    for (t, side), (pressed_t, presser) in zip(heard, table.stage.presses, strict=True):
        assert side == presser
        assert t == pytest.approx(pressed_t, abs=0.5)


def test_a_bump_moves_the_board_in_the_picture_by_what_it_says() -> None:
    script = Script((Play("h2e2"), Bump((12.0, 5.0), 0.0)))
    scene = Table(named_look("club"), script).truth()["scene"]
    assert isinstance(scene, dict)
    before, after = scene["corners_px"]["a0"], scene["corners_px_after_bump"]["a0"]
    assert np.hypot(after[0] - before[0], after[1] - before[1]) == pytest.approx(13.0, rel=0.4)


def test_a_film_is_written_with_its_truth(tmp_path: Path) -> None:
    look = named_look("school")
    small = type(look)(size_wh=(480, 270), fps=4.0)
    truth = film(small, Script((Play("h2e2"),), tail_s=0.5), tmp_path / "film")
    folder = tmp_path / "film"
    assert json.loads((folder / "truth.json").read_text(encoding="utf-8"))["moves"][0]["iccs"] == "h2e2"
    assert truth["start_fen"] == START_FEN
    assert (folder / "video.mp4").stat().st_size > 10_000
    assert (folder / "clock.jsonl").read_text(encoding="utf-8").startswith('{"t": 0.')


def test_the_truth_knows_when_a_hand_has_gone() -> None:
    table = Table(replace(named_look("club"), fps=10.0), Script((Play("h2e2", press=False),)))
    move = parse_iccs("h2e2")
    points = (move.from_point, move.to_point)
    (played,) = table.truth()["moves"]  # type: ignore[attr-defined]
    gone_t = free_t(table, points, played["t_released"], table.length_s, 0.5)
    assert not covered_points(table, 0.0).any()
    assert covered_points(table, played["t_released"])[move.to_point]
    assert gone_t is not None
    assert 0.0 < gone_t - played["t_released"] < 1.0
    assert free_t(table, None, played["t_released"], table.length_s, 0.5) >= gone_t  # type: ignore[operator]
    assert free_t(table, points, played["t_released"], gone_t, 0.5) is None
