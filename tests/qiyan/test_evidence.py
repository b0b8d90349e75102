"""Evidence: clips that reach from before to after an incident, named at once, written when the time has come."""

from pathlib import Path

import cv2
import numpy as np

from qiyan.evidence import Evidence, EvidenceConfig
from vision.frame import Frame


class _Log:
    """What the journal is told of files."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

    def add_file(self, path: str, sha256: str) -> None:
        self.files[path] = sha256

    def drop_file(self, path: str) -> None:
        del self.files[path]


def _incident(kind: str, t: float, severity: str = "breach", **more: object) -> dict[str, object]:
    return {"kind": "incident", "incident": kind, "t": t, "points": [], "severity": severity, **more}


def _frames(count: int, fps: float) -> list[Frame]:
    return [Frame(i, i / fps, np.full((90, 160, 3), i % 256, np.uint8)) for i in range(count)]


def test_an_incident_gets_two_stills_and_a_clip_from_five_seconds_before_to_three_after(tmp_path: Path) -> None:
    log = _Log()
    evidence = Evidence(tmp_path, log)
    names: list[str] = []
    for frame in _frames(200, 10.0):
        evidence.see(frame, None)
        if frame.index == 100:
            names = evidence.attach(7, _incident("touch_move", frame.t))
            assert names == [f"evidence/000007-touch_move{end}" for end in ("-before.jpg", "-after.jpg", ".webm")]
    evidence.close()
    assert sorted(log.files) == sorted(names)
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
    log = _Log()
    evidence = Evidence(tmp_path, log)
    for frame in _frames(5, 10.0):
        evidence.see(frame, None)
    names = evidence.attach(1, {**_incident("take_back", 0.4), "points": ["e4"]})
    evidence.close()
    assert sorted(log.files) == sorted(names) and all((tmp_path / name).stat().st_size for name in names)


def test_without_a_picture_there_is_no_evidence(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path, _Log())
    assert evidence.attach(1, _incident("flag_fall", 0.0)) == []
    evidence.close()


def test_beyond_its_room_the_oldest_notices_go_then_doubts_and_never_a_breach(tmp_path: Path) -> None:
    log = _Log()
    evidence = Evidence(tmp_path, log, EvidenceConfig(most_gb=0.0))
    kinds = {1: "doubt", 2: "breach", 3: "notice", 4: "notice", 5: "breach"}
    updates = {5: 4}
    for frame in _frames(10, 10.0):
        evidence.see(frame, None)
        if frame.index in kinds:
            incident = _incident("touch_move", frame.t, kinds[frame.index], updates=updates.get(frame.index))
            evidence.attach(frame.index, incident)
    evidence.close()
    left = {int(Path(path).name[:6]) for path in log.files}
    assert left == {2, 4, 5}, "what a breach updates is part of it"
    assert {int(path.name[:6]) for path in (tmp_path / "evidence").iterdir()} == left


def test_room_is_kept_over_a_break_and_notices_go_before_older_doubts(tmp_path: Path) -> None:
    log = _Log()
    first = Evidence(tmp_path, log)
    entries = [_incident("unannounced_adjust", 0.1, "doubt", seq=1), _incident("touch_move", 0.2, "notice", seq=2)]
    for frame in _frames(5, 10.0):
        first.see(frame, None)
    for number, entry in enumerate(entries, 1):
        entry["evidence"] = first.attach(number, entry)
    first.close()
    taken = sum(path.stat().st_size for path in (tmp_path / "evidence").iterdir())
    again = Evidence(tmp_path, log, EvidenceConfig(most_gb=taken * 1.2e-9), entries)
    for frame in _frames(5, 10.0):
        again.see(frame, None)
    again.attach(3, _incident("take_back", 0.3))
    again.close()
    assert {int(Path(path).name[:6]) for path in log.files} == {1, 3}
