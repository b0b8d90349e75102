"""A move: one ply, from a point to a point."""

from dataclasses import dataclass

from rules.point import POINT_NAMES, Point


@dataclass(frozen=True, slots=True)
class Move:
    """One ply; a capture when `to_point` is occupied. Nothing is said about its legality."""

    from_point: Point
    to_point: Point

    def __str__(self) -> str:
        """ICCS, such as ``h2e2``."""
        return POINT_NAMES[self.from_point] + POINT_NAMES[self.to_point]
