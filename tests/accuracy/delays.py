"""How long after a hand has gone its move is told: on simulated films at 10 frames/s, and on the sample videos.

A hand has gone when nobody covers the two points of its ply any more, in the picture, for at least half a second; and,
more strictly for the hand and more kindly for the eye, when nobody covers any of the 90. The simulator knows both. Of
the sample videos only the pictures tell: a hand has gone when both points look as they do from then on.
"""

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np

from rules.event import MoveSeen
from rules.iccs import parse_iccs
from tests.accuracy.games import PACES, moves_of_game
from tests.accuracy.runs import Store, add_store_options, key_of, run_tasks
from tests.accuracy.videos import VIDEOS, play, video_frames
from tests.shared_data import DATA
from vision import pipeline
from vision.frame import Frame

FPS = 10.0
"""The eye's delay is asked for at so many frames a second."""
ELEVATIONS_DEG = (45.0, 60.0, 75.0, 90.0)
GONE_S = 0.5
"""A hand that is back sooner had not gone."""
BAR_S = 0.5
BAR_SHARE = 95
"""Per cent of the plies that have to be told within the bar."""


@dataclass(frozen=True, slots=True)
class Task:
    """One game to watch."""

    look: str
    seed: int
    plies: int
    elevation_deg: float
    wide_px: int
    """Width of the picture, px."""
    films: Path | None = None
    """Where films are kept; None: they are drawn anew."""

    @property
    def key(self) -> str:
        """What tells it from others."""
        return key_of(replace(self, films=None))


def run(argv: Sequence[str]) -> int:
    """Watch the films and the sample videos; 0 where 95 % of the plies are told within half a second."""
    options = _options(argv)
    looks = options.looks.split(",")
    tasks = [
        Task(
            looks[n % len(looks)],
            options.seed + n,
            options.plies,
            ELEVATIONS_DEG[(n + n // len(looks)) % len(ELEVATIONS_DEG)],
            1280 if n % 3 == 2 else 960,
            options.films,
        )
        for n in range(options.games)
    ]
    known = run_tasks(tasks, watch_game, _line, Store.of(options), options.jobs)
    films = [known[task.key] for task in tasks]
    videos = [] if options.no_videos else list(_watch_videos())
    return _report(films, videos)


def watch_game(task: Task) -> dict[str, Any]:
    """Play one game before the eye; when each ply was told, as data."""
    import cv2

    from models.network import load_nets
    from qiyan.simulator.covering import free_t
    from qiyan.simulator.games import play_script
    from qiyan.simulator.looks import named_look
    from qiyan.simulator.source import SimulatedSource
    from qiyan.simulator.table import Table
    from tests.accuracy.kept_film import KeptFilm

    cv2.setNumThreads(1)
    look = named_look(task.look, task.seed)
    view = replace(look.view, elevation_deg=task.elevation_deg)
    look = replace(look, view=view, size_wh=(task.wide_px, task.wide_px * 9 // 16), fps=FPS)
    pace = PACES[task.seed % len(PACES)]
    table = Table(look, play_script(moves_of_game(task.seed, task.plies), task.seed, pace))
    source = SimulatedSource(table)
    if task.films is not None:
        name = f"{task.look}-{task.seed}-{task.plies}-{task.elevation_deg:g}-{task.wide_px}.film"
        source = KeptFilm(table, task.films / name)
    frames = (item for item in source.items() if isinstance(item, Frame))
    told = play(frames, pipeline.Setup(nets=load_nets())).moves
    moves: Any = table.truth()["moves"]
    until = [float(move["t_touched"]) for move in moves[1:]] + [table.length_s]

    def gone_t(number: int, points: Sequence[int] | None) -> float | None:
        return free_t(table, points, float(moves[number]["t_released"]), until[number] + GONE_S, GONE_S)

    plies = [
        {"points_t": gone_t(number, _points(str(move["iccs"]))), "board_t": gone_t(number, None)}
        for number, move in enumerate(moves)
    ]
    return {"key": task.key, "look": task.look, "elevation": task.elevation_deg, "seed": task.seed} | _told(
        moves, plies, told
    )


def _points(iccs: str) -> tuple[int, int]:
    move = parse_iccs(iccs)
    return move.from_point, move.to_point


def _told(moves: Any, plies: Sequence[dict[str, Any]], told: Sequence[MoveSeen]) -> dict[str, Any]:
    """The plies with when each was told; those that were told otherwise or never have None."""
    want, got = [str(move["iccs"]) for move in moves], [str(event.move) for event in told]
    told_t: list[float | None] = [None] * len(want)
    for block in SequenceMatcher(None, want, got, autojunk=False).get_matching_blocks():
        for k in range(block.size):
            told_t[block.a + k] = told[block.b + k].t
    return {
        "plies": [
            {"iccs": iccs, "told_t": t, "released_t": move["t_released"], **ply}
            for iccs, move, ply, t in zip(want, moves, plies, told_t, strict=True)
        ],
        "exact": want == got,
    }


def _watch_videos() -> Iterator[dict[str, Any]]:
    """The sample videos, thinned to at most 10 frames/s."""
    from models.network import load_nets

    for name in VIDEOS:
        folder = DATA / "video" / name
        if not folder.is_dir():
            continue
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        told = play(_thinned(video_frames(folder / "video.mp4")), pipeline.Setup(nets=load_nets())).moves
        looks = _looks_of_points(video_frames(folder / "video.mp4"), truth["scene"])
        moves = truth["moves"]
        plies = []
        for number, move in enumerate(moves):
            until = moves[number + 1]["t_lifted"] if number + 1 < len(moves) else truth["length_s"]
            plies.append({"points_t": _settled_t(looks, _points(move["iccs"]), move["t_released"], until)})
        yield {"look": name, "elevation": truth["scene"]["elev"], "seed": 0} | _told(moves, plies, told)


def _thinned(frames: Iterable[Frame]) -> Iterator[Frame]:
    last = -1
    for frame in frames:
        if int(frame.t * FPS + 1e-6) != last:
            last = int(frame.t * FPS + 1e-6)
            yield frame


_SIDE_PX = 20
"""Side of a point's picture when it is asked whether anything covers it."""
_OTHER_LEVELS = 24.0
"""A pixel this much off its settled look, 8-bit levels, is covered; noise is 3 to 5, most shadows less than that."""
_OTHER_SHARE = 0.06
"""Share of such pixels from which a point is covered."""


def _looks_of_points(frames: Iterable[Frame], scene: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """(T,) times and (T, 90, 20, 20) grey pictures of the points, by the corners of the truth."""
    import cv2

    from calibration.corners import grid_from_corners

    corners = {name: (float(x), float(y)) for name, (x, y) in scene["corners_px"].items()}
    grid = grid_from_corners(corners, tuple(scene["size"]))
    at = (np.arange(_SIDE_PX) + 0.5) / _SIDE_PX - 0.5
    files, ranks = np.meshgrid(np.arange(9), np.arange(10))
    points = np.column_stack([files.ravel(), ranks.ravel()]).astype(np.float64)
    dx, dy = np.meshgrid(at, at)
    cells = points[:, None] + np.column_stack([dx.ravel(), dy.ravel()])[None]
    px = grid.to_px(cells.reshape(-1, 2), scene["thick_mm"] / scene["cell_mm"]).astype(np.float32)
    times, looks = [], []
    for frame in frames:
        grey = cv2.GaussianBlur(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), (0, 0), 1.5)
        cut = cv2.remap(grey, px[:, 0].reshape(-1, _SIDE_PX), px[:, 1].reshape(-1, _SIDE_PX), cv2.INTER_LINEAR)
        times.append(frame.t)
        looks.append(cut.reshape(90, _SIDE_PX, _SIDE_PX))
    return np.array(times), np.array(looks)


def _settled_t(looks: tuple[np.ndarray, np.ndarray], points: Sequence[int], since: float, until: float) -> float | None:
    """From when on, after `since`, the points look as they mostly do until the next ply, for at least half a second."""
    times, pictures = looks
    span = np.flatnonzero((times >= since) & (times < until))
    if len(span) == 0:
        return None
    seen = pictures[span][:, list(points)].astype(np.float32)
    other = np.abs(seen - np.median(seen, axis=0)) > _OTHER_LEVELS
    covered = (other.mean(axis=(2, 3)) > _OTHER_SHARE).any(axis=1)
    free: float | None = None
    for t, hidden in zip(times[span], covered, strict=True):
        if hidden:
            free = None
        elif free is None:
            free = float(t)
        elif t - free >= GONE_S:
            return free
    return None


def delays(outcomes: Iterable[dict[str, Any]], gone: str) -> list[float]:
    """Seconds from when a hand had gone (`points_t` or `board_t`) to its ply, for all that were told."""
    return [
        max(0.0, ply["told_t"] - ply[gone])
        for outcome in outcomes
        for ply in outcome["plies"]
        if ply["told_t"] is not None and ply.get(gone) is not None
    ]


def _line(outcome: dict[str, Any]) -> str:
    found = delays([outcome], "points_t")
    late = [
        f"{number} {ply['iccs']} at {ply['told_t']:.1f} s: {ply['told_t'] - ply['points_t']:.2f} s"
        for number, ply in enumerate(outcome["plies"], 1)
        if ply["told_t"] is not None and ply["points_t"] is not None and ply["told_t"] - ply["points_t"] > BAR_S
    ]
    return (
        f"{outcome['look']:16} {outcome['elevation']:3.0f} degrees, seed {outcome['seed']:3}: {_figures(found)}"
        f"{'' if outcome['exact'] else ', NOT EXACT'}{'; late: ' + ', '.join(late) if late else ''}"
    )


def _figures(seconds: Sequence[float]) -> str:
    if not seconds:
        return "none told"
    return (
        f"{len(seconds)} plies, median {np.median(seconds):.2f} s, p95 {np.percentile(seconds, BAR_SHARE):.2f} s, "
        f"largest {max(seconds):.2f} s"
    )


def _report(films: Sequence[dict[str, Any]], videos: Sequence[dict[str, Any]]) -> int:
    print("\nFrom the points free to the ply told; and from the whole board free")
    for title, outcomes in (("simulated", films), ("sample videos", videos)):
        for name in sorted({outcome["look"] for outcome in outcomes}):
            own = [outcome for outcome in outcomes if outcome["look"] == name]
            print(f"{name:16} {_figures(delays(own, 'points_t'))} | board: {_figures(delays(own, 'board_t'))}")
        if outcomes:
            _total(title.upper(), outcomes)
    for elevation in sorted({outcome["elevation"] for outcome in films}):
        own = [outcome for outcome in films if outcome["elevation"] == elevation]
        print(f"{elevation:3.0f} degrees      {_figures(delays(own, 'points_t'))}")
    for outcome in videos:
        print(_line(outcome))
    bars = [np.percentile(delays(outcomes, "points_t"), BAR_SHARE) for outcomes in (films, videos) if outcomes]
    return 0 if all(bar <= BAR_S for bar in bars) else 1


def _total(title: str, outcomes: Sequence[dict[str, Any]]) -> None:
    plies = [ply for outcome in outcomes for ply in outcome["plies"]]
    missed = sum(ply["told_t"] is None for ply in plies)
    never = sum(ply["points_t"] is None for ply in plies)
    print(
        f"{title:16} {_figures(delays(outcomes, 'points_t'))} | board: {_figures(delays(outcomes, 'board_t'))} "
        f"({missed} of {len(plies)} plies not told, {never} whose points were not free for {GONE_S} s)"
    )


def _options(argv: Sequence[str]) -> argparse.Namespace:
    from qiyan.simulator.looks import NAMES

    parser = argparse.ArgumentParser(prog="accuracy delays", description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--plies", type=int, default=20)
    parser.add_argument("--looks", default=",".join(NAMES), help="names with commas between")
    parser.add_argument("--seed", type=int, default=301)
    parser.add_argument("--films", type=Path, help="keep the films here, and take those that are kept")
    parser.add_argument("--no-videos", action="store_true", help="the simulated films only")
    add_store_options(parser, "delays.jsonl")
    return parser.parse_args(argv)
