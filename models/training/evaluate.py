"""How well the nets that ship do: on signs in fonts never trained on, and, measuring only, on crops of real pieces.

    python -m models.training.evaluate --crops ../shared/data/real/crops --write-cards

With --write-cards the cards of the nets say what was measured, and by which command.
"""

import argparse
import csv
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.card import file_sha256, read_card, write_card
from models.labels import KIND_LETTERS, PointState
from models.network import KIND_MODEL, POINT_MODEL, Nets, load_nets
from models.preprocess import CROP_PX, PATCH_PX, PATCH_PX_PER_CELL, disc_crops
from models.training.boards import NO_SIDE, render_board
from models.training.discs import STORED_PX, render_disc

U8 = NDArray[np.uint8]
Labels = NDArray[np.int64]

NAMED_PAIRS = (("R", "P"), ("P", "R"), ("N", "P"), ("P", "N"))
"""Confusions that players complain of: a chariot read as a soldier and back, a horse and a soldier."""
USUAL_RADIUS_CELLS = 0.41
TRIAL_SIDES_CELLS = (0.8, 0.95, 1.1, 1.3, 1.6)
"""A crop of one piece shows so many cells or so; the surest reading counts."""


@dataclass(frozen=True)
class KindScore:
    """How often the kind is right, and which kinds are taken for which."""

    right: float
    confusions: Labels
    """(7, 7) true kind by answer."""

    def text(self) -> str:
        """One line."""
        pairs = []
        for true, answer in NAMED_PAIRS:
            row = self.confusions[KIND_LETTERS.index(true)]
            pairs.append(f"{true}>{answer} {100.0 * row[KIND_LETTERS.index(answer)] / max(1, row.sum()):.1f} %")
        return f"{100.0 * self.right:.2f} % of {self.confusions.sum()}; {', '.join(pairs)}"


def score_kinds(answers: Labels, kinds: Labels) -> KindScore:
    """Count them."""
    table = np.zeros((len(KIND_LETTERS),) * 2, np.int64)
    np.add.at(table, (kinds, answers), 1)
    return KindScore(float((answers == kinds).mean()), table)


def rendered_discs(nets: Nets, count: int, turns: int) -> KindScore:
    """Discs with signs of the test fonts."""
    rng = np.random.default_rng(2026)
    discs = [render_disc(rng, "test") for _ in range(count)]
    edge = (STORED_PX - CROP_PX) // 2
    crops = np.stack([disc.crop[edge:-edge, edge:-edge] for disc in discs])
    return score_kinds(nets.kinds(crops, turns).argmax(axis=1), np.array([disc.kind for disc in discs]))


def rendered_points(nets: Nets, boards: int) -> dict[str, float]:
    """Patches of boards with signs of the test fonts."""
    rng = np.random.default_rng(2026)
    made = [render_board(rng, "test") for _ in range(boards)]
    states = np.concatenate([board.states for board in made])
    sides = np.concatenate([board.sides for board in made])
    discs = np.concatenate([board.discs for board in made])
    read = nets.points(np.concatenate([board.patches for board in made]))
    piece, sided = states == PointState.PIECE, sides != NO_SIDE
    away = np.hypot(*(read.offset_cells[piece] - discs[piece, :2]).T)
    return {
        "state right": float((read.state.argmax(axis=1) == states).mean()),
        "side right": float((read.side.argmax(axis=1)[sided] == sides[sided]).mean()),
        "centre rms, cells": float(np.sqrt((away**2).mean())),
        "centre median, cells": float(np.median(away)),
        "radius rms, cells": float(np.sqrt(((read.radius_cells[piece] - discs[piece, 2]) ** 2).mean())),
    }


def find_discs(nets: Nets, crop_bgr: U8) -> NDArray[np.float64]:
    """(N, 3) centre and radius, px, of the one disc in a crop of unknown scale: by the point net at several scales,
    and the disc that fills the crop, for crops without surroundings."""
    h, w = crop_bgr.shape[:2]
    found = [(0.5 * (w - 1), 0.5 * (h - 1), 0.5 * min(h, w))]
    for side_cells in TRIAL_SIDES_CELLS:
        scale = side_cells * PATCH_PX_PER_CELL / min(h, w)
        x, y = 0.5 * (w - 1), 0.5 * (h - 1)
        for _ in range(2):
            read = nets.points(_patch_about(crop_bgr, x, y, scale)[None])
            step = read.offset_cells[0] * (PATCH_PX_PER_CELL / scale)
            x, y = float(x + step[0]), float(y + step[1])
        found.append((x, y, float(read.radius_cells[0]) * PATCH_PX_PER_CELL / scale))
    return np.array(found)


def _patch_about(crop_bgr: U8, x: float, y: float, scale: float) -> U8:
    """The point net's patch about a place of a picture, `scale` times its size."""
    middle = (PATCH_PX - 1) / 2.0
    soft = cv2.GaussianBlur(crop_bgr, (0, 0), 0.4 / scale) if scale < 0.8 else crop_bgr
    to_patch = np.array([[scale, 0.0, middle - scale * x], [0.0, scale, middle - scale * y]])
    patch = cv2.warpAffine(soft, to_patch, (PATCH_PX, PATCH_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.uint8)


def read_crop(nets: Nets, crop_bgr: U8) -> tuple[int, int]:
    """Kind (0..6) and side (0 Red, 1 Black) of the one disc in a crop of unknown scale."""
    discs = find_discs(nets, crop_bgr)
    nats = nets.kinds(disc_crops(crop_bgr, discs))
    surest, kind = np.unravel_index(int(nats.argmax()), nats.shape)
    x, y, radius = discs[surest]
    patch = _patch_about(crop_bgr, x, y, USUAL_RADIUS_CELLS * PATCH_PX_PER_CELL / radius)
    return int(kind), int(nets.points(patch[None]).side[0].argmax())


def real_crops(nets: Nets, folder: Path, most_a_class: int) -> dict[str, tuple[KindScore, float]]:
    """Crops of single real pieces by dataset, kinds and share of sides right. Measured only, never trained on."""
    with (folder / "labels.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    np.random.default_rng(2026).shuffle(rows)
    taken: dict[tuple[str, str], int] = {}
    answers: dict[str, list[tuple[int, int, bool]]] = {}
    for row in rows:
        key = (row["dataset"], row["class"])
        taken[key] = taken.get(key, 0) + 1
        picture = cv2.imread(str(folder.parent / row["image"])) if taken[key] <= most_a_class else None
        if picture is None:
            continue
        kind, side = read_crop(nets, np.asarray(picture, np.uint8))
        letter = row["class"]
        right_side = side == int(letter.islower())
        answers.setdefault(row["dataset"], []).append((kind, KIND_LETTERS.index(letter.upper()), right_side))
    scores = {}
    for name, found in sorted(answers.items()):
        answered, kinds, sides = np.array(found).T
        scores[name] = (score_kinds(answered, kinds), float(sides.mean()))
    return scores


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--crops", type=Path, help="folder of crops of real pieces with labels.csv")
    parser.add_argument("--discs", type=int, default=2000)
    parser.add_argument("--boards", type=int, default=40)
    parser.add_argument("--most", type=int, default=20, help="crops of each class of each dataset")
    parser.add_argument("--write-cards", action="store_true", help="put what was measured into the nets' cards")
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = parser.parse_args(given)
    nets = load_nets()
    kind_scores: dict[str, float] = {}
    point_scores: dict[str, float] = {}
    for turns in (1, 4):
        found = rendered_discs(nets, options.discs, turns)
        print(f"rendered discs, test fonts, {turns} turns: {found.text()}")
        kind_scores[f"kinds right, {options.discs} rendered discs, test fonts, turns averaged: {turns}"] = found.right
    for name, value in rendered_points(nets, options.boards).items():
        print(f"rendered points, test fonts: {name} {value:.4f}")
        point_scores[f"{name}, {options.boards} rendered boards, test fonts"] = value
    if options.crops is not None:
        crops = real_crops(nets, options.crops, options.most)
        for name, (score, sides) in crops.items():
            print(f"{name}: sides {100.0 * sides:.1f} %, kinds {score.text()}")
            # One set of crops is black and white: its sides say nothing, and would spoil a mean.
            point_scores[f"sides right, {score.confusions.sum()} crops of {name} (measured only)"] = sides
        kinds, count = all_crops(crops)
        print(f"all crops: kinds {100.0 * kinds:.2f} % of {count}")
        kind_scores[f"kinds right, {count} crops of single real pieces, four turns (measured only)"] = kinds
    if options.write_cards:
        command = " ".join(["python -m models.training.evaluate", *given])
        for model, scores in ((KIND_MODEL, kind_scores), (POINT_MODEL, point_scores)):
            write_measured(model, scores, command)


def all_crops(crops: dict[str, tuple[KindScore, float]]) -> tuple[float, int]:
    """Share of kinds right over the crops of all datasets, and how many they are."""
    counts = np.array([score.confusions.sum() for score, _ in crops.values()])
    kinds = np.average([score.right for score, _ in crops.values()], weights=counts)
    return float(kinds), int(counts.sum())


def write_measured(model: Path, scores: dict[str, float], command: str) -> None:
    """Put what was measured into the card of a net, in place of what it said before. ValueError for another net."""
    card = read_card(model)
    if card.sha256 != file_sha256(model):
        raise ValueError(f"the card is of another net, export writes a new one: {model}")
    rounded = {name: round(value, 4) for name, value in scores.items()}
    write_card(model, replace(card, scores=rounded, measured_by=command))


if __name__ == "__main__":
    main()
