"""The players as the camera sees them: skin, sleeves, bodies."""

from dataclasses import dataclass

Bgr = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Person:
    """One player's arms."""

    skin_bgr: Bgr = (132.0, 158.0, 208.0)
    sleeve_bgr: Bgr = (70.0, 52.0, 44.0)
    sleeve_end: float = 0.12
    """Where the sleeve ends: 0 at the wrist, 1 at the elbow; over 1 is a short sleeve."""
    sleeve_pattern: float = 0.3
    """Depth of the cloth's folds and weave, 0..1."""
    stripe_bgr: Bgr | None = None
    """A second colour in stripes round the sleeve; None where it is plain."""
    glove_bgr: Bgr | None = None
    """None for a bare hand."""
    size: float = 1.0
    """Size of the hand beside a middle one."""
    left_handed: bool = False
    hair_bgr: Bgr = (28.0, 26.0, 30.0)
    watch: bool = False
