"""Rendered examples on disk: files of a few thousand, written ahead by one process, read by another.

    python -m models.training.shards discs train 0 300 /work/train/discs

renders shards 0..299 of what the kind net learns from; each shard has its own seed, so any may be made again.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training import boards, discs

Arrays = dict[str, NDArray[np.generic]]
DISCS_PER_SHARD = 4000
BOARDS_PER_SHARD = 80


def disc_shard(rng: np.random.Generator, split: str) -> Arrays:
    """One shard of discs."""
    rendered = [discs.render_disc(rng, split) for _ in range(DISCS_PER_SHARD)]
    return {
        "crops": np.stack([disc.crop for disc in rendered]),
        "kinds": np.array([disc.kind for disc in rendered], np.uint8),
        "fonts": np.array([disc.font for disc in rendered]),
    }


def board_shard(rng: np.random.Generator, split: str) -> Arrays:
    """One shard of patches."""
    boards_rendered = [boards.render_board(rng, split) for _ in range(BOARDS_PER_SHARD)]
    return {
        name: np.concatenate([getattr(board, name) for board in boards_rendered])
        for name in ("patches", "states", "sides", "discs")
    }


MAKERS: dict[str, Callable[[np.random.Generator, str], Arrays]] = {"discs": disc_shard, "boards": board_shard}


def shard_path(folder: Path, what: str, split: str, number: int) -> Path:
    """Where a shard lies."""
    return folder / f"{what}-{split}-{number:05d}.npz"


def write_shard(folder: Path, what: str, split: str, number: int) -> None:
    """Render and write one shard, unless it is there already."""
    path = shard_path(folder, what, split, number)
    if path.exists():
        return
    seed = [number, 0 if split == "train" else 1, list(MAKERS).index(what)]
    arrays = MAKERS[what](np.random.default_rng(seed), split)
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
    unfinished.rename(path)


def main(what: str, split: str, first: int, last: int, folder: Path) -> None:
    cv2.setNumThreads(1)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, last):
        write_shard(folder, what, split, number)


if __name__ == "__main__":
    _, what, split, first, last, folder = sys.argv
    main(what, split, int(first), int(last), Path(folder))
