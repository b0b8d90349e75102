"""How long the eye takes to be right again after a bump or another light: simulated films at 10 frames/s.

It is right when its grid lies within 0.1 cell of the true one, its board is the true one, and at least 95 % of the
points that nobody covers are settled and look to it as what stands there. The time counts from the end of the
disturbance (the camera's last swing, or the switch) to the first frame from which that holds for half a second.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tests.accuracy.delays import ELEVATIONS_DEG, FPS
from tests.accuracy.games import moves_of_game
from tests.accuracy.runs import Store, add_store_options, key_of, run_tasks

KINDS = ("bump", "bump with a hand", "lamp", "exposure", "sun patch")
NEAR_CELLS = 0.1
POINTS_SHARE = 0.95
HOLDS_S = 0.5
BAR_S = 2.0
_FILES = ((0, 0), (8, 0), (8, 9), (0, 9), (4, 4))
"""Points at which grids are compared: the corners and the middle."""
_BEFORE_S, _AFTER_S = 0.5, 1.8
"""How long nobody touches anything before a disturbance and after it."""
_DISC = 0.45
"""Radius of a piece and a little more, cells."""
_TELLING_S = 1.5
"""A ply released so long ago has to be on the eye's board."""


@dataclass(frozen=True, slots=True)
class Task:
    """One film with disturbances of one kind."""

    kind: str
    look: str
    seed: int
    elevation_deg: float
    times: int
    """How many disturbances."""
    films: Path | None = None
    """Where films are kept; None: they are drawn anew."""

    @property
    def key(self) -> str:
        """What tells it from others."""
        return key_of(replace(self, films=None))


def run(argv: Sequence[str]) -> int:
    """Watch the films and print the table; 0 where 95 % of the disturbances are over within two seconds."""
    options = _options(argv)
    looks = options.looks.split(",")
    tasks = [
        Task(
            kind,
            looks[(n + 2 * row) % len(looks)],
            options.seed + n,
            ELEVATIONS_DEG[(n + row) % len(ELEVATIONS_DEG)],
            options.times,
            options.films,
        )
        for row, kind in enumerate(options.kinds.split(","))
        for n in range(options.per_kind)
    ]
    known = run_tasks(tasks, watch_disturbances, _line, Store.of(options), options.jobs)
    return _report([known[task.key] for task in tasks], options.kinds.split(","))


def table_of(task: Task) -> Any:
    """The simulated table of a task."""
    from qiyan.simulator.light import Lamp
    from qiyan.simulator.looks import named_look
    from qiyan.simulator.table import Table

    rng = np.random.default_rng((task.seed, KINDS.index(task.kind), 41))
    look = named_look(task.look, task.seed)
    wide_px = 960 if task.seed % 2 else 640
    view = replace(look.view, elevation_deg=task.elevation_deg)
    look = replace(look, view=view, size_wh=(wide_px, wide_px * 9 // 16), fps=FPS)
    if task.kind == "sun patch":
        x, y, w, h = rng.uniform((-1.0, -1.0, 2.5, 3.0), (4.0, 4.5, 5.0, 6.0))
        patch = ((x, y), (x + w, y + 0.4), (x + w + 0.5, y + h), (x - 0.3, y + h - 0.5))
        sun = Lamp((-30.0, 20.0, 44.0), (0.34, 0.40, 0.44), 0.03, 0.95, 0.0, patch)
        look = replace(look, lighting=replace(look.lighting, lamps=(*look.lighting.lamps, sun)))
    return Table(look, _script(task, look, rng))


def _script(task: Task, look: Any, rng: np.random.Generator) -> Any:
    """A ply, and then a disturbance, a rest and a ply, again and again."""
    from qiyan.simulator.games import play_script
    from qiyan.simulator.script import Action, Script, Wait

    plies = play_script(moves_of_game(task.seed, task.times + 1), task.seed, "quick").actions
    actions: list[Action] = list(plies[:1])
    for number, ply in enumerate(plies[1:]):
        actions += [Wait(_BEFORE_S), *_disturbance(task.kind, number, look, rng), Wait(_AFTER_S), ply]
    return Script(tuple(actions), seed=task.seed, lead_s=1.0, tail_s=1.5)


def _disturbance(kind: str, number: int, look: Any, rng: np.random.Generator) -> list[Any]:
    from qiyan.simulator.board_style import board_corners
    from qiyan.simulator.camera import make_camera
    from qiyan.simulator.script import Bump, LightTo, RestHand, Spectate, Wait
    from rules.piece import Side

    lamps = len(look.lighting.lamps)
    if kind == "lamp":
        return [LightTo(1.0, (float(number % 2),) * lamps)]
    if kind == "exposure":
        gain = float(rng.uniform(0.55, 0.8)) if number % 2 == 0 else float(rng.uniform(1.1, 1.5))
        return [LightTo(gain, (gain,) * lamps)]
    if kind == "sun patch":
        return [LightTo(1.0, (1.0,) * (lamps - 1) + (float(number % 2),))]
    camera = make_camera(look.view, look.size_wh, board_corners(look.board))
    cell_px = float(camera.cell_px(np.array([[4.0, 4.5, 0.0]]))[0])
    # Each second one goes back more or less, so that the board stays in the picture.
    size, angle = rng.uniform(0.1, 0.6), rng.uniform(0.0, 0.5 * np.pi) + np.pi * (number % 2)
    shift_px = (float(size * cell_px * np.cos(angle)), float(size * cell_px * np.sin(angle)))
    turn_deg = float(rng.uniform(0.0, 1.5)) * (1.0 if number % 2 else -1.0)
    bump = Bump(shift_px, turn_deg, float(rng.uniform(0.2, 0.7)))
    if kind == "bump":
        return [bump]
    point = f"{'abcdefghi'[int(rng.integers(9))]}{int(rng.integers(2, 8))}"
    if number % 2:
        return [Spectate(2 + int(rng.integers(2)), point, 2.0), Wait(0.8), bump]
    side, x = Side(int(rng.integers(2))), float(rng.uniform(1.0, 7.0))
    y = float(rng.uniform(1.5, 4.0)) if side == 0 else float(rng.uniform(5.0, 7.5))
    return [RestHand(side, (x, y), 2.0, "flat", 0.62), Wait(0.8), bump]


def watch_disturbances(task: Task) -> dict[str, Any]:
    """Watch one film; how long each disturbance lasted for the eye, as data."""
    import cv2

    from models.network import load_nets
    from qiyan.simulator.covering import covered_points
    from qiyan.simulator.source import SimulatedSource
    from rules.event import BoardDiffers, MoveSeen, PliesWithdrawn, RecordDoubt
    from tests.accuracy.kept_film import KeptFilm
    from vision import pipeline
    from vision.frame import Frame

    cv2.setNumThreads(1)
    table = table_of(task)
    moves: Any = table.truth()["moves"]
    source = SimulatedSource(table)
    if task.films is not None:
        name = f"{task.kind}-{task.look}-{task.seed}-{task.elevation_deg:g}-{table.look.size_wh[0]}-{task.times}.film"
        source = KeptFilm(table, task.films / name.replace(" ", "_"))
    setup = pipeline.Setup(nets=load_nets())
    state, right, moves_told, doubts = pipeline.initial_state(setup), list[tuple[float, bool]](), list[str](), 0
    boards = _boards(table.script.start_fen, moves)
    for frame in source.items():
        assert isinstance(frame, Frame)
        state, events = pipeline.step(setup, state, frame, state.position)
        for event in events:
            if isinstance(event, PliesWithdrawn):
                del moves_told[event.ply - 1 :]
            elif isinstance(event, MoveSeen):
                moves_told.append(str(event.move))
            doubts += isinstance(event, RecordDoubt | BoardDiffers)
        first = sum(float(move["t_released"]) < frame.t - _TELLING_S for move in moves)
        last = sum(float(move["t_lifted"]) < frame.t for move in moves)
        fitting = boards[first : last + 1]
        ok = state.watched is not None and _is_right(setup, state.watched, table, frame.t, fitting, covered_points)
        right.append((frame.t, ok))
    over = [(t + seconds, t) for t, _, _, seconds in table.stage.bumps]
    over += [(t + seconds, t) for t, seconds, *_ in table.stage.lights]
    return {
        "key": task.key,
        "kind": task.kind,
        "look": task.look,
        "seed": task.seed,
        "elevation": task.elevation_deg,
        "seconds": [_recovered_s(right, end_t) for end_t, _ in over],
        "began": [round(t, 2) for _, t in over],
        "wrong_share": round(1.0 - float(np.mean([ok for t, ok in right if t > 1.0])), 3),
        "exact": moves_told == [str(move["iccs"]) for move in moves],
        "doubts": doubts,
    }


def _boards(start_fen: str, moves: Sequence[dict[str, Any]]) -> list[bytes]:
    """The board after 0, 1, 2... plies."""
    from rules.fen import parse_fen
    from rules.iccs import parse_iccs

    position = parse_fen(start_fen)
    boards = [position.board]
    for move in moves:
        position = position.play(parse_iccs(str(move["iccs"])))
        boards.append(position.board)
    return boards


def _is_right(setup: Any, watched: Any, table: Any, t: float, boards: Sequence[bytes], covered_points: Any) -> bool:
    """Whether the eye knows where everything is."""
    from qiyan.simulator.moment import camera_at
    from qiyan.simulator.true_grid import true_grid
    from vision.belief import SAME, evidence

    if watched.pauses or watched.lost or watched.position.board not in boards:
        return False
    camera, _ = camera_at(table.stage, table.camera, t)
    true, own = true_grid(table.look, camera), watched.table.grid
    at = np.array(_FILES, dtype=np.float64)
    off_px = np.hypot(*(true.to_px(at, true.face_height) - own.to_px(at, own.face_height)).T)
    if off_px.max() > NEAR_CELLS * true.cell_px():
        return False
    config, belief = setup.config, watched.belief
    fits = evidence(belief, watched.position.board, config.belief)[:, SAME] >= config.decode.poor_nats
    good = fits & belief.settled(config.belief)
    free = ~covered_points(table, t) & _in_picture(true)
    return bool(good[free].mean() >= POINTS_SHARE) if free.any() else True


def _in_picture(grid: Any) -> Any:
    """(90,) points whose pieces the picture shows whole: a pushed camera may cut some off."""
    points = np.array([[file, rank] for rank in range(10) for file in range(9)], dtype=np.float64)
    steps = ((-_DISC, 0.0), (_DISC, 0.0), (0.0, -_DISC), (0.0, _DISC))
    around = [grid.to_px(points + step, grid.face_height) for step in steps]
    return np.all([(px >= 0).all(axis=1) & (px < grid.size_wh).all(axis=1) for px in around], axis=0)


def _recovered_s(right: Sequence[tuple[float, bool]], end_t: float) -> float | None:
    """Seconds from `end_t` to the first frame from which all was right for a while; None for never."""
    since: float | None = None
    for t, ok in right:
        if t < end_t:
            continue
        if not ok:
            since = None
        elif since is None:
            since = t
        if since is not None and t - since >= HOLDS_S:
            return round(since - end_t, 2)
    return None


def _line(outcome: dict[str, Any]) -> str:
    late = [
        f"the one at {began:.1f} s: {'never' if seconds is None else f'{seconds:.1f} s'}"
        for began, seconds in zip(outcome["began"], outcome["seconds"], strict=True)
        if seconds is None or seconds > BAR_S
    ]
    return (
        f"{outcome['kind']:17} {outcome['look']:8} {outcome['elevation']:3.0f} degrees, seed {outcome['seed']:3}: "
        f"{outcome['seconds']} s, {outcome['doubts']} doubts{'' if outcome['exact'] else ', NOT EXACT'}"
        f"{'; late: ' + ', '.join(late) if late else ''}"
    )


def _report(outcomes: Sequence[dict[str, Any]], kinds: Sequence[str]) -> int:
    print(f"\n{'disturbance':17} {'n':>4} {'median':>7} {'p95':>6} {'largest':>8} {'never':>6} {'exact films':>12}")
    good = True
    for kind in kinds:
        own = [outcome for outcome in outcomes if outcome["kind"] == kind]
        seconds = [s for outcome in own for s in outcome["seconds"]]
        known = [s for s in seconds if s is not None]
        p95 = float(np.percentile([np.inf if s is None else s for s in seconds], 95, method="lower"))
        exact = f"{sum(outcome['exact'] for outcome in own)} of {len(own)}"
        print(
            f"{kind:17} {len(seconds):4} {np.median(known):7.2f} {p95:6.2f} {max(known):8.2f} "
            f"{len(seconds) - len(known):6} {exact:>12}"
        )
        good &= p95 <= BAR_S
    return 0 if good else 1


def _options(argv: Sequence[str]) -> argparse.Namespace:
    from qiyan.simulator.looks import NAMES

    parser = argparse.ArgumentParser(prog="accuracy recovery", description=__doc__)
    parser.add_argument("--per-kind", type=int, default=4, help="films of each kind")
    parser.add_argument("--times", type=int, default=5, help="disturbances in each film")
    parser.add_argument("--kinds", default=",".join(KINDS), help="names with commas between")
    parser.add_argument("--looks", default=",".join(NAMES), help="names with commas between")
    parser.add_argument("--seed", type=int, default=401)
    parser.add_argument("--films", type=Path, help="keep the films here, and take those that are kept")
    add_store_options(parser, "recovery.jsonl")
    return parser.parse_args(argv)
