"""From checkpoints to the .onnx files and cards that ship.

    python -m models.training.export kind work/train/kind.pt models/kind.onnx "rendered discs, test fonts=0.88"

What is written after the paths goes into the card as scores.
"""

import sys
from pathlib import Path

import onnx
import torch
from torch import nn

from models.card import Card, file_sha256, write_card
from models.preprocess import ANGLES, PATCH_PX, RADII
from models.training.kind_net import KindNet
from models.training.point_net import PointNet

MACHINE = "2 shared CPU cores, one thread of PyTorch in bfloat16"
LICENCE = "MIT, as the project; trained only on pictures rendered by the project"
DATA = (
    "Rendered by models/training from models/glyph_sheets (free fonts, licences in its index.json); "
    "fonts of split `test` left out. No photograph was trained on."
)


def load_average(net: nn.Module, checkpoint: Path) -> tuple[nn.Module, str]:
    """The averaged weights of a checkpoint, and how long it was trained."""
    if not checkpoint.exists():
        return net.eval(), "not trained yet"
    state = torch.load(checkpoint, weights_only=True)
    net.load_state_dict(state["average"])
    return net.eval(), f"{state['step']} steps, {state['spent_s'] / 60.0:.0f} minutes on {MACHINE}"


def export_net(net: nn.Module, example: torch.Tensor, name: str, path: Path) -> None:
    """Write a net with a free batch size."""
    torch.onnx.export(
        net, (example,), str(path), input_names=[name], output_names=["out"],
        dynamic_axes={name: {0: "n"}, "out": {0: "n"}}, opset_version=17, dynamo=False,
    )  # fmt: skip
    onnx.checker.check_model(str(path))


def export_kind(checkpoint: Path, path: Path, scores: dict[str, float]) -> None:
    """The kind net with its card."""
    net, training = load_average(KindNet(), checkpoint)
    export_net(net, torch.zeros(2, 1, RADII, ANGLES), "discs", path)
    card = Card(
        "kind",
        f"discs: (N, 1, {RADII}, {ANGLES}) float32, a grey disc unwrapped and normalised by models.preprocess.unwrap",
        "out: (N, 7) logits of the kinds K A B N R C P, side unknown",
        file_sha256(path), DATA, LICENCE, training, scores,
        "Cursive hands far from the fonts; discs under 20 px across; heavy glare.",
    )  # fmt: skip
    write_card(path, card)


def export_point(checkpoint: Path, path: Path, scores: dict[str, float]) -> None:
    """The point net with its card."""
    net, training = load_average(PointNet(), checkpoint)
    export_net(net, torch.zeros(2, 3, PATCH_PX, PATCH_PX), "patches", path)
    card = Card(
        "point",
        f"patches: (N, 3, {PATCH_PX}, {PATCH_PX}) float32, BGR 0..255, 1.5 cells of the plane of the faces",
        "out: (N, 8): 3 logits empty/piece/covered, 2 logits red/black, disc centre x, y from the middle and radius, "
        "in cells",
        file_sha256(path), DATA, LICENCE, training, scores,
        "Sides without colour (dark against light discs) are a guess in a single patch.",
    )  # fmt: skip
    write_card(path, card)


if __name__ == "__main__":
    _, what, source, target, *named = sys.argv
    scores = {name: float(value) for name, value in (pair.split("=") for pair in named)}
    {"kind": export_kind, "point": export_point}[what](Path(source), Path(target), scores)
