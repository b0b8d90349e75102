"""Training that stops and goes on: weights, their running average, and the optimiser's state on disk."""

import copy
from pathlib import Path

import torch
from torch import nn


class Average:
    """A net whose weights are the running average of those of the net in training."""

    def __init__(self, net: nn.Module, keep: float) -> None:
        self.net = copy.deepcopy(net).eval()
        self.keep = keep
        self.updates = 0

    def update(self, net: nn.Module) -> None:
        """Take in the weights after one more step; early on the average follows quickly."""
        self.updates += 1
        keep = min(self.keep, self.updates / (self.updates + 10.0))
        with torch.no_grad():
            for ours, theirs in zip(self.net.state_dict().values(), net.state_dict().values(), strict=True):
                if ours.dtype.is_floating_point:
                    ours.mul_(keep).add_(theirs, alpha=1.0 - keep)
                else:
                    ours.copy_(theirs)


def save_checkpoint(
    path: Path, net: nn.Module, average: Average, optimiser: torch.optim.Optimizer, step: int, spent_s: float
) -> None:
    """Write all of it, whole or not at all."""
    state = {
        "net": net.state_dict(),
        "average": average.net.state_dict(),
        "updates": average.updates,
        "optimiser": optimiser.state_dict(),
        "step": step,
        "spent_s": spent_s,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    torch.save(state, unfinished)
    unfinished.rename(path)


def load_checkpoint(
    path: Path, net: nn.Module, average: Average, optimiser: torch.optim.Optimizer | None
) -> tuple[int, float]:
    """Steps and seconds trained so far; (0, 0) where there is no checkpoint."""
    if not path.exists():
        return 0, 0.0
    state = torch.load(path, weights_only=True)
    net.load_state_dict(state["net"])
    average.net.load_state_dict(state["average"])
    average.updates = state["updates"]
    if optimiser is not None:
        optimiser.load_state_dict(state["optimiser"])
    return state["step"], state["spent_s"]
