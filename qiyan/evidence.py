"""Evidence: the last seconds of the table in memory, and a clip with stills for every incident."""

import logging
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.grid import Grid
from qiyan.clip import Clip
from qiyan.clip_writer import ClipWriter
from qiyan.evidence_fate import Fate
from qiyan.evidence_room import EvidenceRoom, FileLog
from qiyan.kept import Crop, Kept
from vision.frame import Frame, Image

logger = logging.getLogger(__name__)

FOLDER = "evidence"
_LEAST_FILES = 3
"""Two stills and a clip, which every incident has."""


@dataclass(frozen=True, slots=True)
class EvidenceConfig:
    """How much is kept, and how clips look."""

    ring_s: float = 20.0
    """How far back the pictures in memory reach."""
    pictures_per_s: float = 8.0
    """Pictures kept of each second; more is smoother and takes more memory."""
    before_s: float = 5.0
    """How long before what happened a clip begins, as far as the pictures in memory reach."""
    after_s: float = 3.0
    """How long after it happened a clip ends; it may have been told later than that."""
    side_px: int = 640
    """Longer side of the kept pictures; the board with a rim of `rim_cells`."""
    rim_cells: float = 1.6
    """What is shown around the board: hands come from there, and pieces are put there."""
    jpeg_quality: int = 85
    most_gb: float = 4.0
    """Disk that the evidence of one recording may take. Beyond it the oldest notices' files go, then the oldest
    doubts'; those of a breach or of a doubt that was upheld stay whatever they take."""


class Evidence:
    """Keeps pictures, cuts clips. All methods are called from the recorder's thread; files are written elsewhere."""

    def __init__(
        self,
        folder: Path,
        log: FileLog,
        config: EvidenceConfig | None = None,
        known: Iterable[dict[str, Any]] = (),
    ) -> None:
        """`known`: entries of the recording so far, where it goes on; `log` is called in the recorder's thread."""
        self._folder = folder
        self._log = log
        self._config = config or EvidenceConfig()
        self._ring: deque[Kept] = deque()
        self._due = -np.inf
        """When the next picture is kept, s."""
        self._crop: Crop | None = None
        self._grid: Grid | None = None
        self._open: list[Clip] = []
        self._writer = ClipWriter(folder)
        self._owed: dict[int, list[str]] = {}
        """Number of an incident that was told before a break -> its files, where they are still to be made."""
        self._happened: dict[int, float] = {}
        """Number of the incident -> when what it is about began, s."""
        self._room = EvidenceRoom(folder, log, self._config.most_gb)
        for entry in known:
            if entry["kind"] == "incident":
                self._room.know(entry["seq"], entry)
                self._date(entry["seq"], entry)
                for name in entry["evidence"]:
                    if (folder / name).is_file():
                        self._room.add(entry["seq"], name)
                if any(self._is_owed(name) for name in entry["evidence"]):
                    self._owed[entry["seq"]] = entry["evidence"]
            elif entry["kind"] == "decision":
                self.rule(entry)

    def see(self, frame: Frame, grid: Grid | None) -> None:
        """Keep a picture of the board, and finish the clips whose time has come."""
        config = self._config
        if frame.t >= self._due:
            # By a schedule: of ten frames a second eight are kept, not every other one.
            self._due = max(self._due, frame.t - 1.0 / config.pictures_per_s) + 1.0 / config.pictures_per_s
            if grid is not self._grid or self._crop is None:
                self._grid, self._crop = grid, _crop_of(frame.image, grid, config)
            kept = Kept(frame.t, _encode(frame.image, self._crop, config.jpeg_quality), self._crop, grid)
            self._ring.append(kept)
            while self._ring[0].t < frame.t - config.ring_s:
                self._ring.popleft()
            for clip in self._open:
                clip.pictures.append(kept)
        ready = [clip for clip in self._open if frame.t >= clip.whole_at]
        self._open = [clip for clip in self._open if frame.t < clip.whole_at]
        for clip in ready:
            self._writer.submit(clip)
        self._collect(wait=False)

    def _is_owed(self, name: str) -> bool:
        """Whether a file was announced and is not there, though nobody decided that it should not be."""
        fate = self._log.fate_of(name)
        return fate is not Fate.REMOVED and not (fate is Fate.WRITTEN and (self._folder / name).is_file())

    def attach_again(self, entry_seq: int, incident: dict[str, Any]) -> None:
        """An incident told before a break is met again: what its evidence lacks is made, or given up for lost."""
        names = self._owed.pop(entry_seq, None)
        if names is None:
            return
        known = _names_of(entry_seq, incident)
        # Recordings of earlier versions have no still of the moment.
        if self._ring and names == known[: max(_LEAST_FILES, len(names))]:
            logger.info("the clip of entry %d was not there: it is cut again", entry_seq)
            self._begin(entry_seq, incident, names)
        else:
            logger.warning("the clip of entry %d is lost: there are no pictures of it any more", entry_seq)
            self._lose(names)

    def _lose(self, names: Iterable[str]) -> None:
        for name in names:
            if self._is_owed(name):
                self._log.lose_file(name)

    def attach(self, entry_seq: int, incident: dict[str, Any]) -> list[str]:
        """Begin the evidence of an incident that gets `entry_seq`; the paths its files will have."""
        return self._begin(entry_seq, incident, _names_of(entry_seq, incident))

    def _begin(self, entry_seq: int, incident: dict[str, Any], names: list[str]) -> list[str]:
        """Begin the files `names` of an incident; none where there is no picture."""
        self._room.know(entry_seq, incident)
        began = self._date(entry_seq, incident)
        if not self._ring:
            return []
        happened, told = _happened(incident), float(incident["t"])
        # What began before the pictures in memory is seen at least from there to when it was told.
        ends = happened + self._config.after_s if happened >= self._ring[0].t else told
        first = began - self._config.before_s
        past = [kept for kept in self._ring if kept.t >= first] or [self._ring[-1]]
        points, rate = tuple(incident["points"]), self._config.pictures_per_s
        touched = touched_at(incident)
        self._open.append(Clip(began, happened, ends, told, points, past, rate, touched, tuple(names)))
        return names

    def _date(self, seq: int, incident: dict[str, Any]) -> float:
        """When what an incident is about began, with what it updates: a touch before the move that it forbids, s."""
        happened = _happened(incident)
        began = min(touched_at(incident), self._happened.get(incident.get("updates") or 0, happened))
        self._happened[seq] = began
        return began

    def rule(self, decision: dict[str, Any]) -> None:
        """The arbiter decided: what he upheld is kept."""
        self._room.rule(decision)

    def close(self) -> None:
        """Finish every clip with what there is."""
        for clip in self._open:
            self._writer.submit(clip)
        self._open = []
        self._collect(wait=True)
        self._writer.close()

    def _collect(self, wait: bool) -> None:
        for clip, files in self._writer.finished(wait):
            if not files:
                self._lose(clip.names)
            for path, sha256 in files:
                self._log.add_file(path, sha256)
                self._room.add(_seq_of(path), path)
            self._room.save()


def _happened(incident: dict[str, Any]) -> float:
    """When it happened, which is never after it was told, s."""
    told = float(incident["t"])
    return min(told, told if incident.get("t_happened") is None else float(incident["t_happened"]))


def touched_at(incident: dict[str, Any]) -> float:
    """When the hand was at the incident's points, which may be before what is told happened, s."""
    touched, happened = (incident.get("remedy") or {}).get("t_touched"), _happened(incident)
    return happened if touched is None else min(happened, float(touched))


def _names_of(seq: int, incident: dict[str, Any]) -> list[str]:
    """The stills before and after, the clip, and where points are named the still of the moment of an incident;
    relative to the recording's folder."""
    stem = f"{FOLDER}/{seq:06d}-{incident['incident']}"
    moment = [f"{stem}-moment.jpg"] if incident["points"] else []
    return [f"{stem}-before.jpg", f"{stem}-after.jpg", f"{stem}.webm", *moment]


def _seq_of(path: str) -> int:
    """The number of the incident that an evidence file belongs to."""
    return int(Path(path).name.split("-")[0])


def _crop_of(image: Image, grid: Grid | None, config: EvidenceConfig) -> Crop:
    """The part that is kept: the board with a rim around it, all of the picture while the board is not found."""
    height, width = image.shape[:2]
    x0, y0, x1, y1 = 0, 0, width, height
    if grid is not None:
        rim = config.rim_cells
        corners = np.array([[-rim, -rim], [8 + rim, -rim], [8 + rim, 9 + rim], [-rim, 9 + rim]])
        px = grid.to_px(corners)
        x0, y0 = np.clip(np.floor(px.min(axis=0)), 0, [width - 2, height - 2]).astype(int)
        x1, y1 = np.clip(np.ceil(px.max(axis=0)), [x0 + 2, y0 + 2], [width, height]).astype(int)
    scale = min(1.0, config.side_px / max(x1 - x0, y1 - y0))
    return int(x0), int(y0), int(x1 - x0), int(y1 - y0), float(scale)


def _encode(image: Image, crop: Crop, quality: int) -> bytes:
    x, y, w, h, scale = crop
    # Even sides: the video codec halves the colour planes.
    size = (max(2, int(w * scale) // 2 * 2), max(2, int(h * scale) // 2 * 2))
    part = image[y : y + h, x : x + w]
    if part.size == 0:
        part = image  # smaller than the picture that the board was found in
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])
