"""Trains the kind net from the shards of discs on disk; stops and goes on at any time.

    python -m models.training.train_kind --minutes 30
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from models import preprocess
from models.labels import KIND_LETTERS
from models.training.checkpoint import Average, load_checkpoint, save_checkpoint
from models.training.kind_net import FlatNet, KindNet

U8 = NDArray[np.uint8]
Rng = np.random.Generator


@dataclass(frozen=True)
class TrainConfig:
    """How the kind net is trained."""

    batch: int = 256
    learning_rate: float = 2e-3
    learning_rate_steps: float = 4_500.0
    """After as many steps the rate has halved; more keeps it high for longer."""
    weight_decay: float = 2e-3
    average: float = 0.9995
    """Share of the old in the running average of the weights; the average is what is tested and exported."""
    label_smoothing: float = 0.05
    reload_steps: int = 250
    """Steps between looks for new shards, tests and checkpoints."""
    most_shards: int = 300
    """In memory at once; the newest are taken."""
    recent_share: float = 0.4
    """Of each batch taken from the newest quarter: what was rendered last is what was found wanting."""
    centre_error: float = 0.045
    """Deviation of the found centre, in disc radii."""
    radius_error: float = 0.05
    inverted: float = 0.06
    """Share of discs shown as negatives."""


def load_shards(folder: Path, split: str, most: int, known: dict[Path, tuple[U8, U8]]) -> tuple[U8, U8]:
    """Crops and kinds of the newest shards; `known` keeps those already read."""
    paths = sorted(folder.glob(f"discs-{split}-*.npz"))[-most:]
    for path in set(known) - set(paths):
        del known[path]
    for path in paths:
        if path not in known:
            with np.load(path) as shard:
                known[path] = (shard["crops"], shard["kinds"])
    return np.concatenate([known[p][0] for p in paths]), np.concatenate([known[p][1] for p in paths])


def net_inputs(crops: U8, rng: Rng, config: TrainConfig, flat: bool = False) -> torch.Tensor:
    """(N, 48, 48) stored crops -> what the net sees, at any turn and with the errors of the disc finder."""
    count = len(crops)
    radius = preprocess.CROP_PX / 2.0 * np.exp(rng.normal(0.0, config.radius_error, count).clip(-0.12, 0.12))
    centre = rng.normal(0.0, config.centre_error, (count, 2)).clip(-0.15, 0.15) * radius[:, None]
    middle = (crops.shape[-1] - 1) / 2.0
    turn = rng.uniform(0.0, 2.0 * np.pi, count).astype(np.float32)
    oval = rng.normal(0.0, 0.04, count).astype(np.float32)
    if flat:
        at = (np.arange(preprocess.CROP_PX, dtype=np.float32) + 0.5) / (preprocess.CROP_PX / 2.0) - 1.0
        x, y = np.meshgrid(at, at)
        cos, sin = np.cos(turn)[:, None, None], np.sin(turn)[:, None, None]
        unit = np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1)
    else:
        unit = preprocess.polar_positions(turn)
    stretch = np.stack([1.0 + oval, 1.0 - oval], axis=-1) * radius[:, None].astype(np.float32)
    where = unit * stretch[:, None, None, :] + (centre + middle).astype(np.float32)[:, None, None, :]
    seen = preprocess.sample(crops, where)
    if flat:
        seen = seen - seen.mean(axis=(1, 2), keepdims=True)
        seen = np.clip(seen / (seen.std(axis=(1, 2), keepdims=True) + 2.0), -3.0, 3.0)
    else:
        seen = preprocess.normalise(seen)
    seen *= np.where(rng.random(count) < config.inverted, -1.0, 1.0).astype(np.float32)[:, None, None]
    return torch.from_numpy(seen.astype(np.float32)[:, None])


def test(net: nn.Module, crops: U8, kinds: U8, config: TrainConfig, flat: bool) -> tuple[float, str]:
    """Share right on the test fonts, and the commonest confusions."""
    net.eval()
    with torch.inference_mode():
        inputs = net_inputs(crops, np.random.default_rng(1), config, flat)
        answers = torch.cat([net(part) for part in inputs.split(500)]).argmax(1).numpy()
    table = np.zeros((len(KIND_LETTERS),) * 2, np.int64)
    np.add.at(table, (kinds, answers), 1)
    wrong = table.copy()
    np.fill_diagonal(wrong, 0)
    worst = np.argsort(wrong.ravel())[::-1][:4]
    pairs = " ".join(
        f"{KIND_LETTERS[i // len(KIND_LETTERS)]}>{KIND_LETTERS[i % len(KIND_LETTERS)]}:{wrong.ravel()[i]}"
        for i in worst
    )
    return float((answers == kinds).mean()), pairs


def train(folder: Path, checkpoint: Path, minutes: float, config: TrainConfig, flat: bool = False) -> None:
    """Train for so many minutes from where the checkpoint left off."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    net: nn.Module = FlatNet() if flat else KindNet()
    net = net.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay)
    average = Average(net, config.average)
    step, spent_s = load_checkpoint(checkpoint, net, average, optimiser)
    rng = np.random.default_rng(step)
    known: dict[Path, tuple[U8, U8]] = {}
    test_crops, test_kinds = load_shards(folder, "test", 1, {})
    started, mean_loss = time.monotonic(), 0.0
    crops, kinds = load_shards(folder, "train", config.most_shards, known)
    while time.monotonic() - started < 60.0 * minutes:
        chosen = rng.integers(0, len(crops), config.batch)
        recent = rng.random(config.batch) < config.recent_share
        chosen[recent] = rng.integers(3 * len(crops) // 4, len(crops), recent.sum())
        inputs = net_inputs(crops[chosen], rng, config, flat).contiguous(memory_format=torch.channels_last)
        wanted = torch.from_numpy(kinds[chosen].astype(np.int64))
        net.train()
        for group in optimiser.param_groups:
            group["lr"] = config.learning_rate * min(1.0, (step + 1) / 200.0) * 0.5 ** (
                step / config.learning_rate_steps
            )
        with torch.autocast("cpu", torch.bfloat16):
            logits = net(inputs).float()
        loss = functional.cross_entropy(logits, wanted, label_smoothing=config.label_smoothing)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        average.update(net)
        step += 1
        mean_loss += (float(loss.detach()) - mean_loss) * 0.02
        if step % config.reload_steps == 0:
            now = time.monotonic()
            right, pairs = test(average.net, test_crops, test_kinds, config, flat)
            total = spent_s + now - started
            print(
                f"step {step} {total / 60.0:.1f} min shards {len(known)} loss {mean_loss:.3f} "
                f"test fonts {100.0 * right:.2f} % {pairs}",
                flush=True,
            )
            save_checkpoint(checkpoint, net, average, optimiser, step, total)
            crops, kinds = load_shards(folder, "train", config.most_shards, known)
    save_checkpoint(checkpoint, net, average, optimiser, step, spent_s + time.monotonic() - started)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--shards", type=Path, default=Path("work/train/discs"))
    parser.add_argument("--checkpoint", type=Path, default=Path("work/train/kind.pt"))
    parser.add_argument("--flat", action="store_true", help="the comparison net on the plain crop")
    options = parser.parse_args()
    train(options.shards, options.checkpoint, options.minutes, TrainConfig(), options.flat)
