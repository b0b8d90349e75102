"""Evidence: clips that reach from before to after an incident, named at once, written when the time has come."""

from pathlib import Path

import cv2
import numpy as np

from qiyan.evidence import Evidence
from vision.frame import Frame


def _frames(count: int, fps: float) -> list[Frame]:
    return [Frame(i, i / fps, np.full((90, 160, 3), i % 256, np.uint8)) for i in range(count)]


def test_an_incident_gets_two_stills_and_a_clip_from_five_seconds_before_to_three_after(tmp_path: Path) -> None:
    written: dict[str, str] = {}
    evidence = Evidence(tmp_path, written.__setitem__)
    names: list[str] = []
    for frame in _frames(200, 10.0):
        evidence.see(frame, None)
        if frame.index == 100:
            names = evidence.attach(7, {"incident": "touch_move", "t": frame.t, "points": []})
            assert names == [f"evidence/000007-touch_move{end}" for end in ("-before.jpg", "-after.jpg", ".webm")]
    evidence.close()
    assert sorted(written) == sorted(names)
    clip = cv2.VideoCapture(str(tmp_path / names[2]))
    shades = []
    while True:
        ok, image = clip.read()
        if not ok:
            break
        shades.append(float(image[60:].mean()))  # below the time that is written into the picture
    assert abs(shades[0] - 50) < 8 and abs(shades[-1] - 130) < 8
    before = cv2.imread(str(tmp_path / names[0]))
    assert before is not None and abs(float(before[60:].mean()) - 50) < 8


def test_a_clip_cut_off_by_the_end_is_written_with_what_there_is(tmp_path: Path) -> None:
    written: dict[str, str] = {}
    evidence = Evidence(tmp_path, written.__setitem__)
    for frame in _frames(5, 10.0):
        evidence.see(frame, None)
    names = evidence.attach(1, {"incident": "take_back", "t": 0.4, "points": ["e4"]})
    evidence.close()
    assert sorted(written) == sorted(names) and all((tmp_path / name).stat().st_size for name in names)


def test_without_a_picture_there_is_no_evidence(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path, lambda path, sha256: None)
    assert evidence.attach(1, {"incident": "flag_fall", "t": 0.0, "points": []}) == []
    evidence.close()
