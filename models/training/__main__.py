"""`make train`: render, train both nets, export them. Stops and goes on at any time; fixed seeds.

Rendering runs as a process of its own beside the training and keeps ahead of it. All that is not the .onnx files and
their cards stays in work/train, which is not part of the project.
"""

import argparse
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from models.network import KIND_MODEL, POINT_MODEL
from models.training import evaluate, export, shards, train_kind, train_point

DISC_SHARDS = 250
BOARD_SHARDS = 60
FIRST_SHARDS = 4
"""Rendered before the training starts; the rest while it runs."""


def render_beside(what: str, count: int, folder: Path) -> subprocess.Popen[bytes]:
    """A process that renders shards until there are `count`."""
    for number in range(FIRST_SHARDS):
        shards.write_shard(folder, what, "train", number)
    shards.write_shard(folder, what, "test", 0)
    command = [sys.executable, "-m", "models.training.shards", what, "train", "0", str(count), str(folder)]
    return subprocess.Popen(command)


def train_all(folder: Path, kind_minutes: float, point_minutes: float) -> None:
    """Both nets, one after the other, then their export, and scores for their cards."""
    with ExitStack() as running:
        for what, count in (("boards", BOARD_SHARDS), ("discs", DISC_SHARDS)):
            (folder / what).mkdir(parents=True, exist_ok=True)
            process = running.enter_context(render_beside(what, count, folder / what))
            running.callback(process.terminate)
        point, kind = folder / "point.pt", folder / "kind.pt"
        train_point.train(folder / "boards", point, point_minutes, train_point.TrainConfig())
        train_kind.train(folder / "discs", kind, kind_minutes, train_kind.TrainConfig())
    export.export_point(point, POINT_MODEL, {})
    export.export_kind(kind, KIND_MODEL, {})
    evaluate.main(["--write-cards"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("work/train"))
    parser.add_argument("--kind-minutes", type=float, default=90.0)
    parser.add_argument("--point-minutes", type=float, default=30.0)
    options = parser.parse_args()
    train_all(options.folder, options.kind_minutes, options.point_minutes)
