"""Evidence of an incident during which the recording was killed: cut again from a film, told as lost of a camera."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from qiyan.commands.verify import command as verify_command
from qiyan.evidence import Evidence, EvidenceConfig
from qiyan.evidence_fate import Fate
from qiyan.journal import Journal, absent_evidence, verify
from rules.event import PiecesDisturbed
from rules.piece import RED
from rules.point import parse_point
from tests.qiyan.recorded_table import GreyFilm, RecordedTable, seen_game

ILLEGAL = {5: "h2e2", 10: "a9c7"}


class KilledEvidence(Evidence):
    """That of a process that ends before it was written."""

    def close(self) -> None:
        """Nothing is done any more."""
        self._writer.close()


def _made(journal: Journal, kind: type[Evidence] = Evidence, most_gb: float = 4.0) -> Evidence:
    return kind(journal.path.parent, journal, EvidenceConfig(most_gb=most_gb), journal.read_entries())


def _killed_in_an_incident(folder: Path, live: bool) -> tuple[RecordedTable, list[str]]:
    table = RecordedTable(folder, GreyFilm(live=live))
    table.record(seen_game(ILLEGAL), killed_at=15, evidence=lambda journal: _made(journal, KilledEvidence))
    (incident,) = table.entries("incident")
    assert len(incident["evidence"]) == 4 and not (folder / "evidence").exists()
    return table, incident["evidence"]


def test_the_clip_of_a_film_is_cut_again(tmp_path: Path) -> None:
    table, names = _killed_in_an_incident(tmp_path, live=False)
    assert {fate for _, _, fate in absent_evidence(tmp_path)} == {Fate.AWAITED}
    table.record(seen_game(ILLEGAL), evidence=_made)
    assert all((tmp_path / name).stat().st_size for name in names)
    assert absent_evidence(tmp_path) == [] and verify(tmp_path) is None
    written = {name: (tmp_path / name).stat().st_mtime_ns for name in names}
    table.record(seen_game(ILLEGAL), evidence=_made)
    assert {name: (tmp_path / name).stat().st_mtime_ns for name in names} == written, "what is there is left alone"


def test_a_file_that_somebody_deleted_is_made_again(tmp_path: Path) -> None:
    table, names = _killed_in_an_incident(tmp_path, live=False)
    table.record(seen_game(ILLEGAL), evidence=_made)
    (tmp_path / names[2]).unlink()
    assert "missing" in str(verify(tmp_path))
    table.record(seen_game(ILLEGAL), evidence=_made)
    assert (tmp_path / names[2]).is_file() and verify(tmp_path) is None


def test_the_clip_of_a_camera_is_told_as_lost(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    table, names = _killed_in_an_incident(tmp_path, live=True)
    table.record({}, evidence=_made)
    assert "lost" in caplog.text
    times = [entry["t"] for entry in table.entries("move", "incident", "system")]
    assert times == sorted(times)
    assert [(path, fate) for _, path, fate in absent_evidence(tmp_path)] == [(name, Fate.LOST) for name in names]
    result = CliRunner().invoke(verify_command, [str(tmp_path)])
    assert result.exit_code == 0 and "all whole" in result.output
    assert result.output.count("is lost") == 4, "a note, for the record itself is whole"


def test_what_was_removed_to_save_space_stays_away_and_is_noted(tmp_path: Path) -> None:
    table = RecordedTable(tmp_path)
    shown = seen_game({5: "h2e2"})
    shown[10] = PiecesDisturbed(1.0, (parse_point("c3"), parse_point("e3")), (), RED, 0.9)
    table.record(shown, evidence=lambda journal: _made(journal, most_gb=0.0))
    (incident,) = table.entries("incident")
    assert incident["severity"] != "breach"
    for _ in range(2):
        assert {fate for _, _, fate in absent_evidence(tmp_path)} == {Fate.REMOVED} and verify(tmp_path) is None
        assert list((tmp_path / "evidence").iterdir()) == []
        table.record(shown, evidence=lambda journal: _made(journal, most_gb=0.0))


def test_a_film_that_is_ended_before_the_incident_keeps_owing_its_clip(tmp_path: Path) -> None:
    table, names = _killed_in_an_incident(tmp_path, live=False)
    table.source.frame_count = 6
    table.record(seen_game(ILLEGAL), evidence=_made)
    assert {fate for _, _, fate in absent_evidence(tmp_path)} == {Fate.AWAITED}
    table.source.frame_count = 30
    table.record(seen_game(ILLEGAL), evidence=_made)
    assert all((tmp_path / name).stat().st_size for name in names)
