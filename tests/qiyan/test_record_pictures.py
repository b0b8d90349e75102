"""`qiyan record` on folders of pictures: a handful of them is enough."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from qiyan.commands.record import command
from qiyan.simulator.looks import named_look
from qiyan.simulator.script import Script, Wait
from qiyan.simulator.table import Table
from tests.shared_data import DATA, needs_data

SEQUENCES = (
    ("jf_static_arm", []),
    ("jf_pair_b9c7", ["b9c7"]),
    ("jf_game_fragment", ["f3f2", "b0c0", "c0c3"]),
    ("jf_static_48", []),
    ("jf_static_51", []),
    ("hd_static_063", []),
)
"""The sequences whose camera stands still, with their moves."""


def _record(source: Path, out: Path) -> tuple[int, list[dict[str, Any]]]:
    done = CliRunner().invoke(command, ["--source", str(source), "--out", str(out)])
    lines = (out / "events.jsonl").read_text(encoding="utf-8").splitlines()
    return done.exit_code, [json.loads(line) for line in lines]


def _moves(events: list[dict[str, Any]]) -> list[str]:
    """Those that still stand at the end."""
    moves: list[str] = []
    for event in events:
        if event["kind"] == "move":
            moves.append(event["iccs"])
        elif event["kind"] == "move_withdrawn":
            del moves[event["ply"] - 1 :]
    return moves


@needs_data
@pytest.mark.parametrize(("name", "moves"), SEQUENCES)
def test_each_sequence_of_a_fixed_camera_gives_its_moves(name: str, moves: list[str], tmp_path: Path) -> None:
    text = (DATA / "real" / "sequences.jsonl").read_text(encoding="utf-8")
    sequence = next(one for one in map(json.loads, text.splitlines()) if one["name"] == name)
    folder = tmp_path / name
    folder.mkdir()
    for number, frame in enumerate(sequence["frames"]):
        (folder / f"{number:03d}.jpg").symlink_to(DATA / "real" / frame)
    status, events = _record(folder, tmp_path / "out")
    assert status == 0
    assert _moves(events) == moves
    found = next(event for event in events if event["kind"] == "board_found")
    assert found["fen"].split()[0] == _labelled(sequence["frames"][0])


def _labelled(image: str) -> str:
    text = (DATA / "real" / "labels.jsonl").read_text(encoding="utf-8")
    return str(next(label["fen"] for label in map(json.loads, text.splitlines()) if label["image"] == image))


USUAL = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
HORSE_OUT = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
HORSE_OUT_CANNON_IN = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR"


def _folder(tmp_path: Path, *boards: str, times: int = 1) -> Path:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number, board in enumerate(boards):
        table = Table(named_look("club"), Script((Wait(1.0),), start_fen=f"{board} w - - 0 1"))
        for again in range(times):
            cv2.imwrite(str(folder / f"{number}_{again}.png"), np.asarray(table.frame(0.0)))
    return folder


def test_a_position_near_the_usual_one_is_not_taken_for_it(tmp_path: Path) -> None:
    status, events = _record(_folder(tmp_path, HORSE_OUT, HORSE_OUT_CANNON_IN), tmp_path / "out")
    assert status == 0
    assert [event["fen"].split()[0] for event in events if event["kind"] == "board_found"] == [HORSE_OUT]
    assert _moves(events) == ["h2e2"]


def test_a_long_look_at_a_position_near_the_usual_one_makes_no_other_of_it(tmp_path: Path) -> None:
    status, events = _record(_folder(tmp_path, HORSE_OUT, times=12), tmp_path / "out")
    assert status == 0
    assert [event["fen"].split()[0] for event in events if event["kind"] == "board_found"] == [HORSE_OUT]
    assert _moves(events) == []


def test_plies_played_before_the_first_picture_are_told(tmp_path: Path) -> None:
    played = USUAL.replace("1C5C1", "1C2C4"), HORSE_OUT_CANNON_IN
    status, events = _record(_folder(tmp_path, *played), tmp_path / "out")
    assert status == 0
    assert [event["fen"].split()[0] for event in events if event["kind"] == "board_found"] == [USUAL]
    assert _moves(events) == ["h2e2", "h9g7"]


@pytest.mark.parametrize("board", [USUAL, USUAL.replace("RNBAKABNR", "R1BAKABNR")])
def test_one_clear_picture_is_enough_be_it_of_a_handicap(board: str, tmp_path: Path) -> None:
    status, events = _record(_folder(tmp_path, board), tmp_path / "out")
    assert status == 0
    assert [event["fen"].split()[0] for event in events if event["kind"] == "board_found"] == [board]
    assert _moves(events) == []
