"""What the eye raises.

VisionError
 |- SourceError         a camera, video or folder cannot be opened or read
 |- EnrolmentFileError  the file with a set's enrolment cannot be used
"""


class VisionError(Exception):
    """Anything the vision package raises on purpose."""


class SourceError(VisionError):
    """The source of pictures cannot be opened or read; the message names it and says what to do."""


class EnrolmentFileError(VisionError):
    """The file with a set's enrolment cannot be used; the message names it."""
