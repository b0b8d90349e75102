"""Names that are set on the pages reach the record's files at once, whoever writes them."""

import time
from pathlib import Path

from click.testing import CliRunner

from qiyan.commands.export import command as export
from qiyan.names import save_names
from qiyan.record_files import PGN_NAME, SHEET_NAME, RecordFiles
from rules.pgn import parse_pgn
from tests.qiyan.web_server import FedRecording, serving, spec_of

GIVEN = {"Event": "春季赛", "Red": "赵一"}


def _recording(folder: Path) -> FedRecording:
    fed = FedRecording(folder)
    fed.system("resumed", settings={"names": GIVEN, "notation": "wxf"})
    fed.board()
    fed.play("h2e2", "h9g7")
    return fed


def _headers(folder: Path) -> dict[str, str]:
    return parse_pgn((folder / PGN_NAME).read_bytes()).headers


def test_names_set_in_the_middle_of_a_game_reach_its_files(tmp_path: Path) -> None:
    fed = _recording(tmp_path / "t1")
    files = RecordFiles(fed.folder, fed.journal.read_entries(), GIVEN)
    assert _headers(fed.folder)["Red"] == "赵一"
    save_names(fed.folder, {"Red": "赵鑫鑫", "Black": "钱二"})
    files.on_frame(None, None)  # type: ignore[arg-type]
    headers = _headers(fed.folder)
    assert (headers["Event"], headers["Red"], headers["Black"]) == ("春季赛", "赵鑫鑫", "钱二")
    assert "赵鑫鑫" in (fed.folder / SHEET_NAME).read_text(encoding="utf-8")
    files.on_entries(fed.play("h0g2"))
    assert _headers(fed.folder)["Red"] == "赵鑫鑫"
    files.close()
    fed.close()


def test_names_set_after_the_game_reach_its_files_in_their_notation(tmp_path: Path) -> None:
    fed = _recording(tmp_path / "t1")
    fed.system("ended")
    with serving(spec_of(tmp_path, "1")) as pages:
        pages.client.open_account(pages.hall)
        assert pages.client.json("/state/1")["names"] == GIVEN
        assert pages.client.post("/table/names/1", {"Red": "赵鑫鑫"})[0] == 200
        assert _headers(fed.folder)["Red"] == "赵鑫鑫" and _headers(fed.folder)["Event"] == "春季赛"
        assert "C2=5" in (fed.folder / PGN_NAME).read_text(encoding="utf-8")
        pgn = parse_pgn(pages.client.get("/pgn/1.pgn")[1])
        assert pgn.headers["Red"] == "赵鑫鑫" and pgn.headers["Event"] == "春季赛"
    assert '[Red "赵鑫鑫"]' in CliRunner().invoke(export, [str(fed.folder), "--to", "pgn"]).output
    fed.close()


def test_looking_for_names_costs_a_frame_next_to_nothing(tmp_path: Path) -> None:
    fed = _recording(tmp_path / "t1")
    files = RecordFiles(fed.folder, fed.journal.read_entries(), GIVEN)
    began = time.process_time()
    for _ in range(1000):
        files.on_frame(None, None)  # type: ignore[arg-type]
    assert time.process_time() - began < 0.2
    files.close()
    fed.close()
