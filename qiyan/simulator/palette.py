"""Kinds of boards, sets, lamps, cameras and people that looks are put together from."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.glyphs import fonts_with
from qiyan.simulator.board_style import BoardStyle
from qiyan.simulator.light import Lamp, Lighting
from qiyan.simulator.look import TableStyle
from qiyan.simulator.person import Person
from qiyan.simulator.piece_style import PieceStyle
from qiyan.simulator.sensor import Sensor
from qiyan.simulator.textures import Bgr

F64 = NDArray[np.float64]

BOARDS: dict[str, BoardStyle] = {
    "wood": BoardStyle(),
    "yellow lacquer": BoardStyle("plain", (70.0, 190.0, 226.0), (28.0, 30.0, 34.0), border_gap=0.2, wear=0.1),
    "dark wood": BoardStyle("wood", (44.0, 62.0, 92.0), (150.0, 196.0, 214.0), 0.03, border_gap=None, river_text=""),
    "red wood": BoardStyle("wood", (52.0, 66.0, 128.0), (176.0, 214.0, 226.0), double_border=True),
    "paper": BoardStyle("paper", (222.0, 232.0, 236.0), (60.0, 56.0, 58.0), 0.03, 0.6, 0.02, buckle=0.05),
    "green vinyl": BoardStyle("plain", (128.0, 176.0, 132.0), (34.0, 46.0, 34.0), 0.04, 0.7, 0.04, marks=False),
    "teal cloth": BoardStyle("cloth", (150.0, 160.0, 80.0), (236.0, 238.0, 232.0), 0.04, 0.8, 0.03, buckle=0.06),
    "pink cloth": BoardStyle("cloth", (176.0, 168.0, 222.0), (70.0, 50.0, 120.0), 0.035, 0.9, 0.03, border_gap=None),
    "white mat": BoardStyle("plain", (228.0, 226.0, 222.0), (40.0, 38.0, 36.0), 0.05, 0.95, 0.05, adverts=True),
    "bamboo": BoardStyle("bamboo", (128.0, 190.0, 214.0), (40.0, 44.0, 150.0), 0.035, seam=True, numbers=True),
    "stone": BoardStyle("stone", (150.0, 152.0, 154.0), (52.0, 50.0, 52.0), 0.045, 0.6, 0.5, border_gap=None),
    "brown print": BoardStyle(
        "wood", (96.0, 148.0, 188.0), (26.0, 44.0, 96.0), river=1.08, river_bgr=(130.0, 178.0, 206.0)
    ),
}

SETS: dict[str, PieceStyle] = {
    "boxwood": PieceStyle(),
    "pale plastic": PieceStyle(body="plain", body_bgr=(208.0, 226.0, 230.0), height=0.40, radius=0.37, gloss=0.7),
    "tall club": PieceStyle(
        body="plain", body_bgr=(190.0, 218.0, 232.0), height=0.52, radius=0.35, rings=2, waist=0.05, sign_size=0.54
    ),
    "flat wood": PieceStyle(body_bgr=(120.0, 172.0, 206.0), height=0.22, radius=0.40, rings=0, sign_size=0.70),
    "white jade": PieceStyle(body="stone", body_bgr=(214.0, 224.0, 220.0), black_bgr=(120.0, 74.0, 20.0), rim=0.12),
    "dark and light": PieceStyle(
        body_bgr=(150.0, 196.0, 222.0),
        black_body_bgr=(40.0, 52.0, 74.0),
        red_bgr=(40.0, 30.0, 120.0),
        black_bgr=(200.0, 214.0, 222.0),
        engraved=0.8,
    ),
    "green blacks": PieceStyle(
        body_bgr=(176.0, 212.0, 228.0), black_bgr=(64.0, 104.0, 28.0), height=0.36, rings=2, sign_size=0.54
    ),
    "navy blacks": PieceStyle(body="plain", body_bgr=(222.0, 232.0, 232.0), black_bgr=(112.0, 56.0, 26.0), radius=0.34),
    "ivory": PieceStyle(body="plain", body_bgr=(190.0, 222.0, 234.0), height=0.30, rings=1, ring_at=0.9, rim=0.10),
    "red rosewood": PieceStyle(
        body_bgr=(54.0, 72.0, 124.0), red_bgr=(96.0, 104.0, 250.0), black_bgr=(96.0, 196.0, 96.0), engraved=0.9, rings=1
    ),
}
SIGN_SETS = (
    ("帥仕相馬車炮兵", "將士象馬車砲卒"),
    ("帥仕相傌俥炮兵", "將士象馬車包卒"),
    ("帅仕相马车炮兵", "将士象马车炮卒"),
    ("帅仕相马车炮卒", "将士象马车炮兵"),
    ("帥仕相馬車炮兵", "將士象馬車炮兵"),
)

TABLES: dict[str, TableStyle] = {
    "brown desk": TableStyle(),
    "grey desk": TableStyle("plain", (160.0, 158.0, 154.0), (70.0, 70.0, 72.0)),
    "green felt": TableStyle("cloth", (62.0, 104.0, 48.0)),
    "red cloth": TableStyle("cloth", (52.0, 44.0, 148.0), (90.0, 96.0, 100.0)),
    "pale wood": TableStyle("wood", (140.0, 180.0, 206.0), (96.0, 100.0, 104.0)),
    "granite": TableStyle("stone", (104.0, 104.0, 108.0), (60.0, 70.0, 62.0)),
    "white table": TableStyle("plain", (214.0, 214.0, 212.0), (110.0, 116.0, 120.0)),
    "black table": TableStyle("plain", (38.0, 36.0, 36.0), (60.0, 62.0, 66.0), side_room=9.0),
}

LIGHTS: dict[str, Lighting] = {
    "ceiling": Lighting((0.52, 0.52, 0.52), (Lamp((2.0, 6.0, 30.0), (0.42, 0.43, 0.44), 0.30, 0.5, 0.3),)),
    "desk lamp": Lighting(
        (0.26, 0.28, 0.30), (Lamp((-7.0, 11.0, 14.0), (0.62, 0.76, 0.86), 0.05, 0.9, 1.0),), 0.15, vignette=0.25
    ),
    "window": Lighting((0.44, 0.42, 0.40), (Lamp((-22.0, 4.0, 16.0), (0.62, 0.58, 0.54), 0.22, 0.75, 0.7),), 0.10),
    "two lamps": Lighting(
        (0.26, 0.26, 0.26),
        (
            Lamp((-8.0, 12.0, 20.0), (0.36, 0.40, 0.44), 0.07, 0.75, 0.5),
            Lamp((17.0, 2.0, 20.0), (0.36, 0.34, 0.32), 0.10, 0.75, 0.5),
        ),
    ),
    "dim evening": Lighting(
        (0.20, 0.22, 0.26), (Lamp((6.0, 14.0, 17.0), (0.38, 0.48, 0.60), 0.14, 0.8, 0.8),), vignette=0.3
    ),
    "bright hall": Lighting(
        (0.66, 0.66, 0.66), (Lamp((8.0, 0.0, 34.0), (0.34, 0.34, 0.34), 0.4, 0.4, 0.2),), vignette=0.05
    ),
    "sun": Lighting(
        (0.50, 0.46, 0.42),
        (
            Lamp((4.0, 6.0, 30.0), (0.22, 0.22, 0.22), 0.3, 0.4, 0.3),
            Lamp(
                (-36.0, 22.0, 44.0),
                (0.34, 0.40, 0.44),
                0.02,
                0.95,
                0.0,
                ((-3.0, 4.0), (5.0, 6.5), (5.6, 11.5), (-3.0, 10.5)),
            ),
        ),
    ),
    "flickering tube": Lighting(
        (0.34, 0.36, 0.34), (Lamp((4.0, -4.0, 24.0), (0.50, 0.54, 0.50), 0.2, 0.6, 0.4),), 0.2, 2.2, flicker=0.06
    ),
}

SENSORS: dict[str, Sensor] = {
    "clean": Sensor(1.6, 0.4, 0.4, auto_exposure=0.2),
    "webcam": Sensor(3.2, 0.7, 0.7, (1.04, 1.0, 0.97), 1.06, auto_exposure=0.5, jpeg=80),
    "phone": Sensor(2.0, 0.9, 0.5, (0.98, 1.0, 1.02), 1.12, auto_exposure=0.6, jpeg=88, sharpen=0.5),
    "old webcam": Sensor(5.0, 0.8, 1.1, (1.10, 1.0, 0.92), 0.95, auto_exposure=0.7, shutter_s=0.03, jpeg=65),
    "night": Sensor(6.0, 0.9, 0.8, (0.90, 1.0, 1.08), 1.0, 1.25, 0.4, 1.2, 0.045),
    "blue cast": Sensor(2.6, 0.5, 0.6, (1.16, 1.0, 0.88), 1.0, auto_exposure=0.3),
    "warm cast": Sensor(2.6, 0.5, 0.6, (0.84, 0.98, 1.10), 1.0, auto_exposure=0.3),
}

SKINS: tuple[Bgr, ...] = (
    (150.0, 176.0, 224.0), (128.0, 156.0, 208.0), (104.0, 140.0, 198.0), (84.0, 118.0, 176.0), (62.0, 88.0, 138.0),
    (46.0, 62.0, 98.0),
)  # fmt: skip
SLEEVES: tuple[Bgr, ...] = (
    (70.0, 52.0, 44.0), (40.0, 40.0, 44.0), (190.0, 190.0, 186.0), (60.0, 60.0, 150.0), (110.0, 100.0, 60.0),
    (150.0, 120.0, 96.0), (60.0, 96.0, 60.0), (120.0, 170.0, 200.0), (90.0, 70.0, 110.0),
)  # fmt: skip


def make_set(name: str, signs: tuple[str, str], rng: np.random.Generator) -> PieceStyle:
    """A set of that kind with these signs, in one of the fonts that have them."""
    fonts = fonts_with("".join(signs))
    font = fonts[int(rng.integers(len(fonts)))]
    return replace(SETS[name], font=font.name, red_signs=signs[0], black_signs=signs[1])


def make_person(rng: np.random.Generator) -> Person:
    """Somebody."""
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.92, 1.08)
    sleeve = np.array(SLEEVES[int(rng.integers(len(SLEEVES)))]) * rng.uniform(0.7, 1.2)
    bare = float(rng.choice([0.1, 0.16, 0.3, 0.75, 1.4], p=[0.4, 0.2, 0.15, 0.1, 0.15]))
    striped = rng.random() < 0.2
    gloved = rng.random() < 0.06
    return Person(
        _bgr(skin),
        _bgr(np.minimum(sleeve, 235.0)),
        bare,
        float(rng.uniform(0.15, 0.5)),
        _bgr(rng.uniform(20, 190) * rng.uniform(0.7, 1.25, 3)) if striped else None,
        _bgr(rng.uniform(30, 200) * rng.uniform(0.8, 1.2, 3)) if gloved else None,
        float(rng.uniform(0.80, 1.0)),
        bool(rng.random() < 0.12),
        watch=bool(rng.random() < 0.25),
    )


def _bgr(values: F64) -> Bgr:
    return float(values[0]), float(values[1]), float(values[2])
