"""The card of a net: what it takes, what it answers, what it was trained on, how well it does."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Card:
    """Kept as JSON beside the .onnx of the same name."""

    name: str
    input: str
    """Shape, type, colour order and scale."""
    outputs: str
    """Shape and order of what comes out."""
    sha256: str
    """Of the .onnx file."""
    data: str
    """What it was trained on."""
    licence: str
    training: str
    """Time, steps and machine."""
    scores: dict[str, float]
    """Name of a measure -> value."""
    limits: str
    """Where it fails."""
    measured_by: str = ""
    """The command that measured the scores, run on the .onnx of this hash."""


def card_path(model: Path) -> Path:
    """Where the card of a .onnx file lies."""
    return model.with_suffix(".json")


def read_card(model: Path) -> Card:
    """The card of a .onnx file."""
    return Card(**json.loads(card_path(model).read_text(encoding="utf-8")))


def write_card(model: Path, card: Card) -> None:
    """Write the card beside the .onnx file."""
    card_path(model).write_text(json.dumps(asdict(card), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def file_sha256(path: Path) -> str:
    """Hash of a file's content."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
