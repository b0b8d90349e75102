"""Looks to simulate with: ten named ones that differ in everything, and as many more as there are seeds."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from qiyan.simulator.board_style import BoardStyle
from qiyan.simulator.camera import Viewpoint
from qiyan.simulator.clock_body import ClockStyle
from qiyan.simulator.look import Look
from qiyan.simulator.palette import BOARDS, LIGHTS, SENSORS, SETS, SIGN_SETS, TABLES, make_person, make_set

# name: board, set, signs, table, light, sensor, elevation, turn, field, fps
_NAMED: dict[str, tuple[str, str, int, str, str, str, float, float, float, float]] = {
    "club": ("wood", "boxwood", 0, "brown desk", "ceiling", "clean", 88.0, 2.0, 55.0, 12.0),
    "street": ("paper", "flat wood", 2, "granite", "sun", "phone", 62.0, 93.0, 62.0, 15.0),
    "hall": ("white mat", "pale plastic", 0, "red cloth", "bright hall", "webcam", 74.0, 182.0, 48.0, 10.0),
    "cafe": ("dark wood", "ivory", 4, "pale wood", "window", "warm cast", 68.0, 272.0, 58.0, 12.0),
    "vietnam": ("yellow lacquer", "tall club", 4, "grey desk", "two lamps", "webcam", 48.0, 88.0, 60.0, 12.0),
    "evening": ("red wood", "white jade", 1, "black table", "dim evening", "night", 80.0, 5.0, 50.0, 10.0),
    "picnic": ("teal cloth", "navy blacks", 3, "green felt", "window", "blue cast", 56.0, 355.0, 52.0, 12.0),
    "school": ("green vinyl", "green blacks", 2, "white table", "flickering tube", "old webcam", 84.0, 91.0, 64.0, 8.0),
    "study": ("bamboo", "dark and light", 0, "brown desk", "desk lamp", "clean", 64.0, 176.0, 44.0, 15.0),
    "museum": ("brown print", "red rosewood", 1, "green felt", "ceiling", "phone", 72.0, 265.0, 56.0, 12.0),
}
NAMES = tuple(_NAMED)


def named_look(name: str, seed: int = 0) -> Look:
    """One of the ten; another seed gives the same board and set with other people, accidents and a nudged camera."""
    board, pieces, signs, table, light, sensor, elevation, turn, field, fps = _NAMED[name]
    rng = np.random.default_rng((seed, *name.encode()))
    view = Viewpoint(
        min(90.0, elevation + float(rng.normal(0.0, 1.5))),
        turn + float(rng.normal(0.0, 3.0)),
        field,
        float(rng.uniform(0.80, 0.94)),
        _shift(rng),
        float(rng.normal(0.0, 1.0)),
        float(rng.uniform(-0.04, 0.03)),
        float(rng.uniform(-0.01, 0.01)),
    )
    return Look(
        name,
        seed,
        view,
        BOARDS[board],
        make_set(pieces, SIGN_SETS[signs], rng),
        TABLES[table],
        _clock(BOARDS[board], rng),
        LIGHTS[light],
        SENSORS[sensor],
        make_person(rng),
        make_person(rng),
        hands_rest_in_view=bool(rng.random() < 0.5),
        fps=fps,
    )


def looks(seed: int) -> Look:
    """A look put together by chance: everything of it follows from the seed."""
    rng = np.random.default_rng((seed, 17))

    def one_of(names: Iterable[str]) -> str:
        every = list(names)
        return every[int(rng.integers(len(every)))]

    quarter = float(rng.integers(4)) * 90.0
    view = Viewpoint(
        float(rng.uniform(42.0, 90.0)),
        quarter + float(rng.normal(0.0, 9.0)),
        float(rng.uniform(38.0, 72.0)),
        float(rng.uniform(0.80, 0.95)),
        _shift(rng),
        float(rng.normal(0.0, 1.5)),
        float(rng.uniform(-0.06, 0.05)),
        float(rng.uniform(-0.01, 0.01)),
    )
    board = BOARDS[one_of(BOARDS)]
    board = replace(
        board,
        river=float(rng.choice([1.0, 1.0, rng.uniform(0.93, 1.10)])),
        line_cells=board.line_cells * float(rng.uniform(0.8, 1.3)),
        margin=float(rng.uniform(0.55, 1.0)),
        border_gap=None if rng.random() < 0.3 else float(rng.uniform(0.1, 0.25)),
        double_border=bool(rng.random() < 0.2),
        river_text=str(rng.choice(["楚河漢界", "楚河汉界", ""])),
        text_turned=bool(rng.random() < 0.7),
        numbers=bool(rng.random() < 0.3),
        adverts=bool(rng.random() < 0.15),
    )
    kinds = SIGN_SETS[int(rng.integers(len(SIGN_SETS)))]
    pieces = make_set(one_of(SETS), kinds, rng)
    pieces = replace(
        pieces,
        radius=float(np.clip(pieces.radius * rng.uniform(0.92, 1.08), 0.31, 0.43)),
        height=float(np.clip(pieces.height * rng.uniform(0.8, 1.25), 0.18, 0.58)),
        sign_size=pieces.sign_size * float(rng.uniform(0.9, 1.06)),
        bold=float(rng.choice([0.0, 0.0, 0.02, -0.01])),
    )
    return Look(
        f"seed {seed}",
        seed,
        view,
        board,
        pieces,
        TABLES[one_of(TABLES)],
        _clock(board, rng),
        LIGHTS[one_of(LIGHTS)],
        SENSORS[one_of(SENSORS)],
        make_person(rng),
        make_person(rng),
        hands_rest_in_view=bool(rng.random() < 0.5),
        fps=float(rng.choice([8.0, 10.0, 12.0, 15.0])),
        turn_deg=float(rng.choice([12.0, 25.0, 60.0, 180.0])),
    )


def _shift(rng: np.random.Generator) -> tuple[float, float]:
    return float(rng.normal(0.0, 0.02)), float(rng.normal(0.0, 0.015))


def _clock(board: BoardStyle, rng: np.random.Generator) -> ClockStyle:
    """A clock at Red's left, which is where the rules put it, or at the other side."""
    away = board.margin + 1.3 + float(rng.uniform(0.2, 0.9))
    left = rng.random() < 0.75
    x = -away if left else 8.0 + away
    bgr = rng.uniform(25.0, 110.0) * rng.uniform(0.75, 1.25, 3)
    return ClockStyle((x, 4.5 + float(rng.normal(0.0, 0.3))), body_bgr=(float(bgr[0]), float(bgr[1]), float(bgr[2])))
