"""Decisions on their way to the recorder: what cannot be meant is put aside, and nothing else is lost by it."""

import json
from pathlib import Path

import pytest

from qiyan import inbox

GOOD = {"of": 3, "ruling": "upheld", "by": "arb", "change": {"note": "seen"}}


@pytest.mark.parametrize(
    "text",
    [
        '{"ruling":"corrected","change":["x"]}',
        '{"ruling":"corrected","change":"fen"}',
        '{"ruling":"upheld","of":"abc"}',
        '{"ruling":"upheld","of":{"a":1}}',
        '{"ruling":"upheld","of":true}',
        '{"ruling":"upheld","by":["a"]}',
        '{"ruling":"corrected","change":{"ply":true,"iccs":"h2e2"}}',
        '{"ruling":"corrected","change":{"ply":1e400}}',
        '{"ruling":"corrected","change":{"times":{"red_s":NaN}}}',
        '{"ruling":"corrected","change":{"fen":["a"]}}',
        '{"ruling":"corrected","change":{"undo":"3"}}',
        '{"ruling":["upheld"]}',
        '{"of":3}',
        "{",
        "[" * 100_000,
        '\ufeff{"ruling":"noted"}',
    ],
)
def test_a_file_that_is_no_decision_is_put_aside_and_the_others_are_taken(
    text: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / inbox.FOLDER
    folder.mkdir()
    (folder / "00000001-x.json").write_text(text, encoding="utf-8")
    inbox.leave(tmp_path, GOOD)
    assert [data for _, data in inbox.waiting(tmp_path)] == [GOOD]
    assert (folder / "00000001-x.bad").is_file()
    assert "00000001-x.bad" in caplog.text


def test_signs_that_cannot_be_written_are_left_out(tmp_path: Path) -> None:
    inbox.leave(tmp_path, GOOD)
    path, _ = inbox.waiting(tmp_path)[0]
    path.write_text(r'{"ruling":"noted","by":"a\ud800b","change":{"note":"x\ud800\n"}}', encoding="utf-8")
    ((_, decision),) = inbox.waiting(tmp_path)
    assert (decision["by"], decision["change"]) == ("a b", {"note": "x"})
    json.dumps(decision, ensure_ascii=False).encode()


def test_a_file_of_somebody_else_does_not_keep_decisions_out(tmp_path: Path) -> None:
    folder = tmp_path / inbox.FOLDER
    folder.mkdir()
    for name in ("note.json", "a-1.json", "²-x.json"):
        (folder / name).write_text("{}", encoding="utf-8")
    inbox.leave(tmp_path, GOOD)
    inbox.leave(tmp_path, {**GOOD, "ruling": "dismissed"})
    assert [data["ruling"] for _, data in inbox.waiting(tmp_path)] == ["upheld", "dismissed"]
