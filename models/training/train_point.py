"""Trains the point net from the shards of boards on disk; stops and goes on at any time.

    python -m models.training.train_point --minutes 30
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from models.labels import PointState
from models.training.boards import NO_SIDE
from models.training.checkpoint import Average, load_checkpoint, save_checkpoint
from models.training.point_net import PointNet

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Rng = np.random.Generator


@dataclass(frozen=True)
class TrainConfig:
    """How the point net is trained."""

    batch: int = 192
    learning_rate: float = 2e-3
    learning_rate_steps: float = 2_500.0
    """After as many steps the rate has halved."""
    weight_decay: float = 2e-3
    average: float = 0.9995
    side_weight: float = 1.0
    place_weight: float = 0.4
    place_unit_cells: float = 0.05
    """Errors in x, y and radius are counted in this; larger ones cost in proportion, smaller ones squared."""
    covered_share: float = 0.12
    """Of each batch: more than there are, since they are the rarest."""
    recent_share: float = 0.4
    """Of each batch taken from the newest fifth: what was rendered last is what was found wanting."""
    tint: float = 0.08
    """Deviation of the gain of each colour channel, drawn anew each time a patch is seen."""
    reload_steps: int = 250
    most_shards: int = 60


@dataclass(frozen=True)
class Examples:
    """All patches in memory."""

    patches: U8
    states: U8
    sides: U8
    discs: F32


def load_shards(folder: Path, split: str, most: int, known: dict[Path, Examples]) -> Examples:
    """The newest shards; `known` keeps those already read."""
    paths = sorted(folder.glob(f"boards-{split}-*.npz"))[-most:]
    for path in set(known) - set(paths):
        del known[path]
    for path in paths:
        if path not in known:
            with np.load(path) as shard:
                known[path] = Examples(shard["patches"], shard["states"], shard["sides"], shard["discs"])
    parts = [known[path] for path in paths]
    return Examples(*(np.concatenate([getattr(part, name) for part in parts]) for name in Examples.__annotations__))


def flip(patches: F32, discs: F32, rng: Rng) -> tuple[F32, F32]:
    """One of the eight ways to lay a square, the same for the whole batch; the disc's centre moves along.

    patches : (N, 48, 48, 3)
    """
    discs = discs.copy()
    if rng.random() < 0.5:
        patches, discs = patches[:, :, ::-1], discs * np.array([-1, 1, 1], np.float32)
    if rng.random() < 0.5:
        patches, discs = patches[:, ::-1], discs * np.array([1, -1, 1], np.float32)
    if rng.random() < 0.5:
        patches, discs = patches.transpose(0, 2, 1, 3), discs[:, [1, 0, 2]]
    return patches, discs


def choose(examples: Examples, rng: Rng, config: TrainConfig) -> NDArray[np.int64]:
    """Numbers of the patches of one batch."""
    covered = np.flatnonzero(examples.states == PointState.COVERED)
    count = round(config.batch * config.covered_share)
    total = len(examples.states)
    any_kind = rng.integers(0, total, config.batch - count)
    recent = rng.random(len(any_kind)) < config.recent_share
    any_kind[recent] = rng.integers(total - total // 5, total, recent.sum())
    return np.concatenate([any_kind, covered[rng.integers(0, len(covered), count)]])


def to_tensor(patches: F32) -> torch.Tensor:
    """(N, 48, 48, 3) -> (N, 3, 48, 48) as the net takes it, colours last in memory."""
    return torch.from_numpy(np.ascontiguousarray(patches)).permute(0, 3, 1, 2)


def test(net: PointNet, examples: Examples) -> str:
    """Scores on boards with signs of the test fonts."""
    net.eval()
    with torch.inference_mode():
        parts = np.array_split(examples.patches, 20)
        out = torch.cat([net(to_tensor(part.astype(np.float32))) for part in parts]).numpy()
    states = examples.states
    answers = out[:, :3].argmax(1)
    piece = states == PointState.PIECE
    sided = examples.sides != NO_SIDE
    side = out[sided, 3:5].argmax(1) == examples.sides[sided]
    error = out[piece, 5:8] - examples.discs[piece]
    place = float(np.sqrt((error[:, :2] ** 2).sum(1).mean()))
    return (
        f"state {100 * (answers == states).mean():.2f} % "
        f"(empty {100 * (answers == 0)[states == 0].mean():.2f} piece {100 * (answers == 1)[piece].mean():.2f} "
        f"covered {100 * (answers == 2)[states == 2].mean():.2f}) side {100 * side.mean():.2f} % "
        f"place {place:.4f} (median {np.median(np.hypot(error[:, 0], error[:, 1])):.4f}) "
        f"radius {np.sqrt((error[:, 2] ** 2).mean()):.4f} cells"
    )


def loss_of(out: torch.Tensor, states: U8, sides: U8, discs: F32, config: TrainConfig) -> torch.Tensor:
    """State of all, side where it shows, place and size where there is a disc."""
    state = functional.cross_entropy(out[:, :3], torch.from_numpy(states.astype(np.int64)), label_smoothing=0.02)
    wanted = torch.from_numpy(np.where(sides == NO_SIDE, -100, sides.astype(np.int64)))
    side = functional.cross_entropy(out[:, 3:5], wanted, ignore_index=-100, label_smoothing=0.02)
    piece = torch.from_numpy(states == PointState.PIECE)
    unit = config.place_unit_cells
    place = functional.smooth_l1_loss(out[piece, 5:8] / unit, torch.from_numpy(discs)[piece] / unit)
    return state + config.side_weight * side + config.place_weight * place


def train(folder: Path, checkpoint: Path, minutes: float, config: TrainConfig) -> None:
    """Train for so many minutes from where the checkpoint left off."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    net = PointNet().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay)
    average = Average(net, config.average)
    step, spent_s = load_checkpoint(checkpoint, net, average, optimiser)
    rng = np.random.default_rng(step)
    known: dict[Path, Examples] = {}
    tests = load_shards(folder, "test", 1, {})
    examples = load_shards(folder, "train", config.most_shards, known)
    started, mean_loss = time.monotonic(), 0.0
    while time.monotonic() - started < 60.0 * minutes:
        chosen = choose(examples, rng, config)
        patches, discs = flip(examples.patches[chosen].astype(np.float32), examples.discs[chosen], rng)
        patches = patches * np.exp(rng.normal(0.0, config.tint, (config.batch, 1, 1, 3))).astype(np.float32)
        net.train()
        for group in optimiser.param_groups:
            group["lr"] = config.learning_rate * min(1.0, (step + 1) / 200.0) * 0.5 ** (
                step / config.learning_rate_steps
            )
        with torch.autocast("cpu", torch.bfloat16):
            out = net(to_tensor(patches)).float()
        loss = loss_of(out, examples.states[chosen], examples.sides[chosen], discs.astype(np.float32), config)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        average.update(net)
        step += 1
        mean_loss += (float(loss.detach()) - mean_loss) * 0.02
        if step % config.reload_steps == 0:
            total = spent_s + time.monotonic() - started
            scores = test(average.net, tests)
            print(f"step {step} {total / 60.0:.1f} min shards {len(known)} loss {mean_loss:.3f} {scores}", flush=True)
            save_checkpoint(checkpoint, net, average, optimiser, step, total)
            examples = load_shards(folder, "train", config.most_shards, known)
    save_checkpoint(checkpoint, net, average, optimiser, step, spent_s + time.monotonic() - started)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--shards", type=Path, default=Path("work/train/boards"))
    parser.add_argument("--checkpoint", type=Path, default=Path("work/train/point.pt"))
    options = parser.parse_args()
    train(options.shards, options.checkpoint, options.minutes, TrainConfig())
