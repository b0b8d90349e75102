"""What the eye raises.

VisionError
 |- SourceError    a camera, video or folder cannot be opened or read
"""


class VisionError(Exception):
    """Anything the vision package raises on purpose."""


class SourceError(VisionError):
    """The source of pictures cannot be opened or read; the message names it and says what to do."""
