"""Evidence: clips that reach from before to after an incident, named at once, written when the time has come."""

import multiprocessing
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.corners import grid_from_corners
from calibration.grid import Grid
from qiyan.evidence import Evidence, EvidenceConfig
from qiyan.evidence_fate import Fate
from vision.frame import Frame

_RIM = np.array([[x, y] for x in (-1.6, 9.6) for y in (-1.6, 10.6)])


class _Log:
    """What the journal is told of files."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.gone: dict[str, Fate] = {}

    def add_file(self, path: str, sha256: str) -> None:
        self.files[path] = sha256

    def drop_file(self, path: str) -> None:
        del self.files[path]
        self.gone[path] = Fate.REMOVED

    def lose_file(self, path: str) -> None:
        self.gone[path] = Fate.LOST

    def fate_of(self, path: str) -> Fate:
        return Fate.WRITTEN if path in self.files else self.gone.get(path, Fate.AWAITED)


def _incident(kind: str, t: float, severity: str = "breach", **more: object) -> dict[str, object]:
    return {"kind": "incident", "incident": kind, "t": t, "points": [], "severity": severity, **more}


def _frames(count: int, fps: float) -> list[Frame]:
    return [Frame(i, i / fps, np.full((90, 160, 3), i % 256, np.uint8)) for i in range(count)]


def _shades(path: Path) -> list[float]:
    """Mean grey of every frame of a clip, below the time that is written into it."""
    clip, shades = cv2.VideoCapture(str(path)), []
    while True:
        ok, image = clip.read()
        if not ok:
            return shades
        shades.append(float(image[60:].mean()))


def _shade(path: Path) -> float:
    image = cv2.imread(str(path))
    assert image is not None
    return float(image[60:].mean())


def _kept(folder: Path, incidents: dict[int, dict[str, object]], frames: list[Frame]) -> dict[int, list[str]]:
    """The names of the evidence of incidents, each told at the frame of its number."""
    log = _Log()
    evidence = Evidence(folder, log)
    names = {}
    for frame in frames:
        if frame.index in incidents:
            names[frame.index] = evidence.attach(frame.index, incidents[frame.index])
        evidence.see(frame, None)
    evidence.close()
    assert sorted(log.files) == sorted(name for each in names.values() for name in each)
    return names


def test_an_incident_gets_two_stills_and_a_clip_from_five_seconds_before_to_three_after(tmp_path: Path) -> None:
    names = _kept(tmp_path, {100: _incident("touch_move", 10.0)}, _frames(200, 10.0))[100]
    assert names == [f"evidence/000100-touch_move{end}" for end in ("-before.jpg", "-after.jpg", ".webm")]
    shades = _shades(tmp_path / names[2])
    assert len(shades) == 8 * 8 + 1
    assert abs(shades[0] - 50) < 8 and abs(shades[-1] - 130) < 8
    assert 50 <= _shade(tmp_path / names[0]) < 100 and abs(_shade(tmp_path / names[1]) - 100) < 3


def test_a_clip_is_about_when_it_happened_however_late_that_was_told(tmp_path: Path) -> None:
    names = _kept(tmp_path, {170: _incident("board_differs", 17.0, t_happened=6.0)}, _frames(200, 10.0))[170]
    shades = _shades(tmp_path / names[2])
    assert abs(shades[0] - 10) < 8 and abs(shades[-1] - 90) < 8
    assert _shade(tmp_path / names[0]) < 62, "as it was before"
    assert abs(_shade(tmp_path / names[1]) - 170) < 3, "as the eye saw it when it was sure"


def test_what_happened_before_the_pictures_in_memory_is_shown_from_there_to_when_it_was_told(tmp_path: Path) -> None:
    names = _kept(tmp_path, {250: _incident("board_differs", 25.0, t_happened=2.0)}, _frames(255, 10.0))[250]
    shades = _shades(tmp_path / names[2])
    assert abs(shades[0] - 50) < 8 and abs(shades[-1] - 250) < 8


def test_a_clip_begins_before_what_its_incident_updates(tmp_path: Path) -> None:
    told = {90: _incident("unannounced_adjust", 9.0, "notice", t_happened=8.0)}
    told |= {150: _incident("touch_move", 15.0, t_happened=14.0, updates=90)}
    names = _kept(tmp_path, told, _frames(200, 10.0))[150]
    shades = _shades(tmp_path / names[2])
    assert abs(shades[0] - 30) < 8 and abs(shades[-1] - 170) < 8


def test_the_still_before_has_no_hand_in_it(tmp_path: Path) -> None:
    frames = [Frame(i, i / 10.0, np.full((90, 160, 3), 40, np.uint8)) for i in range(100)]
    for frame in frames:
        if frame.index % 20 < 15:
            frame.image[:, frame.index % 20 * 8 :][:, :50] = 200  # a hand that passes
    names = _kept(tmp_path, {50: _incident("take_back", 5.0)}, frames)[50]
    assert _shade(tmp_path / names[0]) < 45


def _grid_at(y: float) -> Grid:
    return grid_from_corners({"a0": (90, y), "i0": (250, y), "i9": (250, y - 180), "a9": (90, y - 180)}, (340, 270))


def test_the_still_of_the_moment_shows_the_hand_at_the_point_and_not_elsewhere(tmp_path: Path) -> None:
    grid, log = _grid_at(225.0), _Log()
    evidence = Evidence(tmp_path, log)
    names: list[str] = []
    for i in range(120):
        image = np.full((270, 340, 3), 90, np.uint8)
        if 40 <= i < 50:
            image[150:, 240:] = 200  # over a piece beside it, and longer
        if 52 <= i < 56:
            image[180:240, 130:190] = 150  # over e0, some tenths of a second later than it was dated
        if i == 80:
            more = {"t_happened": 7.5, "remedy": {"t_touched": 4.9}}
            names = evidence.attach(1, {**_incident("touch_move", 8.0, **more), "points": ["e0"]})
        evidence.see(Frame(i, i / 10.0, image), grid)
    evidence.close()
    assert [Path(name).name for name in names[3:]] == ["000001-touch_move-moment.jpg"]
    assert sorted(log.files) == sorted(names)
    moment = cv2.imread(str(tmp_path / names[3]))
    assert moment is not None
    x, y = (grid.to_px(np.array([[4.0, 0.0]]))[0] - np.floor(grid.to_px(_RIM).min(axis=0))).astype(int)
    assert abs(float(moment[y - 3 : y + 3, x - 3 : x + 3].mean()) - 150) < 8
    assert len(_shades(tmp_path / names[2])) == 8 * 10.5 + 1, "from the first picture: it was touched at 4.9 s"


def _touch_evidence(folder: Path, images: list[np.ndarray], fps: float) -> list[str]:
    """Of a piece on e0 touched at 3 s, where another move was released at 6 s and that was told at the end."""
    evidence, names = Evidence(folder, _Log()), []
    for i, image in enumerate(images):
        if i == len(images) - 1:
            more = {"t_happened": 6.0, "remedy": {"t_touched": 3.0}}
            names = evidence.attach(1, {**_incident("touch_move", i / fps, **more), "points": ["e0"]})
        evidence.see(Frame(i, i / fps, image), _grid_at(225.0))
    evidence.close()
    return names


def test_the_ring_is_thick_and_the_badge_red_at_the_touch_and_only_the_ring_when_it_happened(tmp_path: Path) -> None:
    names = _touch_evidence(tmp_path, [np.full((270, 340, 3), 90, np.uint8) for _ in range(72)], 8.0)
    film = cv2.VideoCapture(str(tmp_path / names[2]))
    rings, badges = [], []
    while (read := film.read())[0]:
        red = (read[1][..., 2].astype(int) - read[1][..., 1]) > 80
        rings.append(int(red[40:].sum()))
        badges.append(int(red[:29].sum()))
    thin = rings[8]
    for t, thick, touch in ((2.0, 0, 0), (3.5, 1, 1), (4.5, 0, 0), (5.5, 0, 0), (6.5, 1, 0), (7.5, 0, 0)):
        assert (rings[int(t * 8)] > 1.2 * thin) is bool(thick), t
        assert (badges[int(t * 8)] > 500) is bool(touch), t
    moment, before = (cv2.imread(str(tmp_path / name)) for name in (names[3], names[0]))
    assert moment is not None and before is not None
    assert tuple(moment[2, 2] // 100) == (0, 0, 1) and before[2, 2].max() < 50


def test_the_still_of_a_touch_shows_the_piece_off_its_point_rather_than_a_hand_over_it(tmp_path: Path) -> None:
    x, y = (int(value) for value in _grid_at(225.0).to_px(np.array([[4.0, 0.0]]))[0])
    images = []
    for i in range(90):
        image = np.full((270, 340, 3), (60, 110, 160), np.uint8)
        lifted = 36 <= i < 39
        cv2.circle(image, (x, y - 8 * lifted), 8, (180, 220, 230), cv2.FILLED)
        if 30 <= i < 45:
            cv2.rectangle(image, (x - 9, y - 40), (x + 9, y + 9 - 12 * lifted), (80, 100, 120), cv2.FILLED)
        images.append(image)
    names = _touch_evidence(tmp_path, images, 10.0)
    kept = cv2.imread(str(tmp_path / names[3]))
    assert kept is not None
    corner = np.floor(_grid_at(225.0).to_px(_RIM).min(axis=0)).astype(int)
    bare = kept[y + 4 - corner[1], x - corner[0]].astype(int)
    assert np.abs(bare - (60, 110, 160)).max() < 25, "the bare board below the lifted piece"


def test_the_evidence_of_an_earlier_version_is_cut_again_without_the_still_of_the_moment(tmp_path: Path) -> None:
    log = _Log()
    told = {**_incident("take_back", 1.0, seq=1), "points": ["e4"]}
    names = [f"evidence/000001-take_back{end}" for end in ("-before.jpg", "-after.jpg", ".webm")]
    evidence = Evidence(tmp_path, log, None, [{**told, "evidence": names}])
    for frame in _frames(20, 10.0):
        evidence.see(frame, None)
    evidence.attach_again(1, told)
    evidence.close()
    assert sorted(log.files) == sorted(names)


def test_rings_stay_on_their_points_when_the_camera_was_moved(tmp_path: Path) -> None:
    grids = [_grid_at(225.0), _grid_at(215.0)]
    evidence = Evidence(tmp_path, _Log())
    names: list[str] = []
    for i in range(60):
        if i == 50:
            names = evidence.attach(1, {**_incident("take_back", 5.0), "points": ["e0"]})
        evidence.see(Frame(i, i / 10.0, np.full((270, 340, 3), 90, np.uint8)), grids[i >= 40])
    evidence.close()
    for name, grid in zip(names[:2], grids, strict=True):
        image = cv2.imread(str(tmp_path / name))
        assert image is not None
        rows, columns = np.nonzero(image[..., 2].astype(int) - image[..., 1] > 60)
        place = grid.to_px(np.array([[4.0, 0.0]]), grid.face_height)[0] - np.floor(grid.to_px(_RIM).min(axis=0))
        assert np.abs(place - (columns.mean(), rows.mean())).max() < 2.0


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


def _left_without_room(folder: Path, severities: dict[int, str], updates: dict[int, int]) -> set[int]:
    """Numbers of the incidents whose evidence is left where there is room for none of it."""
    log = _Log()
    evidence = Evidence(folder, log, EvidenceConfig(most_gb=0.0))
    for frame in _frames(10, 10.0):
        evidence.see(frame, None)
        if frame.index in severities:
            incident = _incident("touch_move", frame.t, severities[frame.index], updates=updates.get(frame.index))
            evidence.attach(frame.index, incident)
    evidence.close()
    return {int(Path(path).name[:6]) for path in log.files}


def test_beyond_its_room_the_oldest_notices_go_then_doubts_and_never_a_breach(tmp_path: Path) -> None:
    kinds = {1: "doubt", 2: "breach", 3: "notice", 4: "notice", 5: "breach"}
    left = _left_without_room(tmp_path, kinds, {5: 4})
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


def _writer_is_killed() -> None:
    """The kernel ends the process that writes clips, as when memory runs out."""
    deadline = time.monotonic() + 20.0
    while not (workers := multiprocessing.active_children()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    for worker in workers:
        worker.kill()
        worker.join()


def test_a_writer_that_dies_is_replaced_and_nothing_is_lost(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    log = _Log()
    evidence = Evidence(tmp_path, log)
    names: list[str] = []
    for frame in _frames(200, 10.0):
        evidence.see(frame, None)
        if frame.index in (20, 22, 120):
            names += evidence.attach(frame.index, _incident("take_back", frame.t))
        if frame.index == 60:
            _writer_is_killed()
    evidence.close()
    assert sorted(log.files) == sorted(names) and all((tmp_path / name).stat().st_size for name in names)
    assert "the process that writes evidence ended" in caplog.text


def test_a_file_that_goes_as_soon_as_it_is_written_ends_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Thief(_Log):
        def add_file(self, path: str, sha256: str) -> None:
            super().add_file(path, sha256)
            (tmp_path / path).unlink()

    log = Thief()
    evidence = Evidence(tmp_path, log)
    for frame in _frames(60, 10.0):
        evidence.see(frame, None)
        if frame.index == 5:
            names = evidence.attach(5, _incident("take_back", frame.t))
    evidence.close()
    assert sorted(log.files) == sorted(names) and "gone" in caplog.text


def test_all_that_a_breach_goes_back_to_is_kept_with_it(tmp_path: Path) -> None:
    kinds = {1: "notice", 2: "doubt", 3: "breach", 4: "doubt"}
    assert _left_without_room(tmp_path, kinds, {2: 1, 3: 2}) == {1, 2, 3}


def test_a_doubt_that_was_upheld_is_kept_also_over_a_break_and_one_that_no_longer_is_goes(tmp_path: Path) -> None:
    log = _Log()
    first = Evidence(tmp_path, log)
    entries = [_incident("take_back", 0.1 * seq, "doubt", seq=seq) for seq in (1, 2, 3)]
    for frame in _frames(5, 10.0):
        first.see(frame, None)
    for entry in entries:
        entry["evidence"] = first.attach(int(str(entry["seq"])), entry)
    first.close()
    known = {"kind": "decision", "of": 2, "ruling": "upheld", "change": None}
    again = Evidence(tmp_path, log, EvidenceConfig(most_gb=0.0), [*entries, known])
    again.rule({"of": 3, "ruling": "upheld", "change": None})
    again.rule({"of": 1, "ruling": "upheld", "change": None})
    again.rule({"of": 1, "ruling": "noted", "change": {"undo": 7}})
    for frame in _frames(5, 10.0):
        again.see(frame, None)
    again.attach(9, _incident("take_back", 0.3))
    again.close()
    assert {int(Path(path).name[:6]) for path in log.files} == {2, 3, 9}
