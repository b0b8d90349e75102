"""Finding the board in a picture."""

from calibration.corners import grid_from_corners

__all__ = ["grid_from_corners"]
