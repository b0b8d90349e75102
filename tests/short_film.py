"""The beginning of a sample video, for tests that need real pictures but not all of them."""

from pathlib import Path

import cv2


def cut_film(video: Path, length_s: float, path: Path) -> Path:
    """Write the first `length_s` seconds of `video` to `path`, which is returned."""
    capture = cv2.VideoCapture(str(video))
    fps, size_wh = capture.get(cv2.CAP_PROP_FPS), (int(capture.get(3)), int(capture.get(4)))
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, size_wh)
    for _ in range(int(length_s * fps)):
        writer.write(capture.read()[1])
    writer.release()
    return path
