"""The errors of calibration.

CalibrationError            base of them all; a ValueError
├── CornersError            the corners given do not make a board
├── TableFileError          the table's file cannot be used; names the file and the key
└── DistanceError           too little to fit a camera or a height to
"""


class CalibrationError(ValueError):
    """Something about the board in the picture is not as it must be."""


class CornersError(CalibrationError):
    """The corners given do not make a board."""


class TableFileError(CalibrationError):
    """The table's file cannot be used."""


class DistanceError(CalibrationError):
    """Too little was measured to fit a camera or a height to."""
