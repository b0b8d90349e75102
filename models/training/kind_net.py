"""The kind net: convolutions over the unwrapped disc, round its circle, then the best angle."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.labels import KIND_COUNT


class RoundConv(nn.Module):  # type: ignore[misc]
    """Convolution, batch norm, ReLU; padded round the circle along angles, with zeros along radii."""

    def __init__(self, fan_in: int, fan_out: int, kernel: tuple[int, int], stride: tuple[int, int], pad: int) -> None:
        super().__init__()
        self.around = kernel[1] // 2
        self.conv = nn.Conv2d(fan_in, fan_out, kernel, stride, (pad, 0), bias=False)
        self.norm = nn.BatchNorm2d(fan_out)

    def forward(self, x: Tensor) -> Tensor:
        x = torch.cat([x[..., -self.around :], x, x[..., : self.around]], dim=3)
        return functional.relu(self.norm(self.conv(x)))


class KindNet(nn.Module):  # type: ignore[misc]
    """(N, 1, 20, 80) unwrapped discs -> (N, 7) logits. A turn of the disc is a shift of the input."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            RoundConv(1, 16, (3, 5), (1, 2), 1),  # 20 x 40
            RoundConv(16, 32, (3, 3), (2, 2), 1),  # 10 x 20
            RoundConv(32, 48, (3, 3), (2, 1), 1),  # 5 x 20
            RoundConv(48, 64, (3, 3), (1, 2), 1),  # 5 x 10
            RoundConv(64, 96, (5, 5), (1, 1), 0),  # 1 x 10
        )
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(2 * 96, KIND_COUNT)

    def forward(self, x: Tensor) -> Tensor:
        x = self.features(x).flatten(2)
        return self.out(self.drop(torch.cat([x.amax(2), x.mean(2)], dim=1)))


class FlatNet(nn.Module):  # type: ignore[misc]
    """The same from the crop itself, for comparison: (N, 1, 40, 40) -> (N, 7)."""

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for fan_in, fan_out, kernel, stride in ((1, 24, 5, 2), (24, 40, 3, 2), (40, 64, 3, 1), (64, 96, 3, 2)):
            layers += [nn.Conv2d(fan_in, fan_out, kernel, stride, kernel // 2, bias=False)]
            layers += [nn.BatchNorm2d(fan_out), nn.ReLU()]
        self.features = nn.Sequential(*layers)
        self.hidden = nn.Linear(96 * 25, 96)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(96, KIND_COUNT)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(self.drop(functional.relu(self.hidden(self.features(x).flatten(1)))))
