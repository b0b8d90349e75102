"""The disk that the evidence of one recording may take, and whose files go first where it takes more."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from qiyan.evidence_fate import Fate

logger = logging.getLogger(__name__)

_GOES_FIRST = ("notice", "doubt")
"""Severities whose evidence may go, in this order."""
_GRAVITY = (*_GOES_FIRST, "breach")


class FileLog(Protocol):
    """Where the hashes of the evidence's files are noted; the journal."""

    def add_file(self, path: str, sha256: str) -> None:
        """A file was written; `path` is relative to the recording's folder."""

    def drop_file(self, path: str) -> None:
        """A file is removed to save space."""

    def lose_file(self, path: str) -> None:
        """A file that was announced will not come."""

    def fate_of(self, path: str) -> Fate:
        """What became of a file that was announced."""


class EvidenceRoom:
    """Knows the files of every incident, and what became of the incident: that of a breach or of a doubt that was
    upheld stays, with all that it goes back to."""

    def __init__(self, folder: Path, log: FileLog, most_gb: float) -> None:
        self._folder = folder
        self._log = log
        self._most_gb = most_gb
        self._severities: dict[int, str] = {}
        """Of incidents by their number: how grave the gravest is that any of its updates made of it."""
        self._updates: dict[int, int] = {}
        """Number of an incident -> the one that it updates."""
        self._upheld: set[int] = set()
        self._files: dict[int, dict[str, int]] = {}
        """Number of the incident -> its files and their sizes, bytes."""

    def know(self, seq: int, incident: dict[str, Any]) -> None:
        """Note how grave an incident is, and with it all that it goes back to."""
        if incident.get("updates") is not None:
            self._updates[seq] = incident["updates"]
        for number in self._back_from(seq):
            known = self._severities.get(number, _GOES_FIRST[0])
            self._severities[number] = max(known, incident["severity"], key=_GRAVITY.index)

    def rule(self, decision: dict[str, Any]) -> None:
        """Note what the arbiter made of an incident; the last word counts."""
        if decision["ruling"] == "upheld":
            self._upheld.add(decision["of"])
        elif decision["ruling"] == "dismissed" or "undo" in (decision["change"] or {}):
            self._upheld.discard(decision["of"])

    def add(self, seq: int, path: str) -> None:
        """A file lies in the folder, `path` relative to the recording's."""
        try:
            size = (self._folder / path).stat().st_size
        except OSError as error:
            logger.error("an evidence file is gone as soon as it was written: %s", error)
            return
        self._files.setdefault(seq, {})[path] = size

    def save(self) -> None:
        """Remove what may go until the rest fits."""
        most = self._most_gb * 1e9
        taken = sum(sum(sizes.values()) for sizes in self._files.values())
        stays = {number for seq in self._upheld for number in self._back_from(seq)}
        for severity in _GOES_FIRST:
            for seq in sorted(seq for seq in self._files if self._severities.get(seq) == severity):
                if taken <= most:
                    return
                if seq not in stays:
                    taken -= self._remove(seq)

    def _remove(self, seq: int) -> int:
        """Remove the files of an incident; how much room that makes, bytes."""
        logger.warning("evidence takes more than %g GB: that of entry %d is removed", self._most_gb, seq)
        sizes = self._files.pop(seq)
        for path in sizes:
            self._log.drop_file(path)
            (self._folder / path).unlink(missing_ok=True)
        return sum(sizes.values())

    def _back_from(self, seq: int) -> Iterator[int]:
        """An incident and, one after the other, those that it goes back to; each is told after the one it updates."""
        yield seq
        while (earlier := self._updates.get(seq)) is not None and earlier < seq:
            yield earlier
            seq = earlier
