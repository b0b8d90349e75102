"""The point net: what lies at a point, whose it is, and where exactly."""

import torch
from torch import Tensor, nn
from torch.nn import functional

OUTPUTS = 8
"""3 logits of PointState, 2 logits of the side, then x, y and radius of the disc in cells."""


def conv(fan_in: int, fan_out: int, kernel: int, stride: int) -> nn.Sequential:
    """Convolution, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(fan_in, fan_out, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(fan_out), nn.ReLU()
    )


class PointNet(nn.Module):  # type: ignore[misc]
    """(N, 3, 48, 48) BGR of 0..255 -> (N, 8)."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            conv(3, 24, 5, 2),  # 24 x 24
            conv(24, 32, 3, 2),  # 12 x 12
            conv(32, 48, 3, 1),
            conv(48, 64, 3, 2),  # 6 x 6
            conv(64, 64, 3, 1),
        )
        self.hidden = nn.Linear(64 * 36, 96)
        self.drop = nn.Dropout(0.1)
        self.state_and_place = nn.Linear(96, OUTPUTS - 2)
        self.side = nn.Sequential(nn.Linear(96 + 128, 48), nn.ReLU(), nn.Linear(48, 2))

    def forward(self, x: Tensor) -> Tensor:
        x = self.features(conditioned(x))
        hidden = self.drop(functional.relu(self.hidden(x.flatten(1))))
        out = self.state_and_place(hidden)
        side = self.side(torch.cat([hidden, x.mean(dim=(2, 3)), x.amax(dim=(2, 3))], dim=1))
        return torch.cat([out[:, :3], side, out[:, 3:]], dim=1)


def conditioned(x: Tensor) -> Tensor:
    """Each patch by its own brightness and contrast; colour apart from brightness, and as strong as it."""
    x = x - x.mean(dim=(1, 2, 3), keepdim=True)
    x = x / (x.square().mean(dim=(1, 2, 3), keepdim=True).sqrt() + 8.0)
    b, g, r = x[:, 0:1], x[:, 1:2], x[:, 2:3]
    return torch.cat([(b + g + r) / 3.0, 3.0 * (r - g), 3.0 * (b - g)], dim=1)
