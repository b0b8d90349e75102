"""The processes that the pages start: many tables in one process tree, and what is told when one falls."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from qiyan.web.children import RECORDER_LOG
from qiyan.web.tables import HallSpec, TableSpec, from_file
from tests.qiyan.web_server import serving

START_S = 40.0
"""For a recorder to load its nets on a busy machine."""


def _until(holds: Callable[[], Any], within_s: float = START_S) -> Any:
    deadline = time.monotonic() + within_s
    while not (found := holds()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return found


def test_each_table_of_a_file_is_recorded_by_a_process_of_its_own(tmp_path: Path) -> None:
    for number in (1, 2):
        _write_video(tmp_path / f"{number}.avi", shade=60 * number)
    (tmp_path / "hall.toml").write_text(
        "".join(
            f'[[table]]\nname = "{number}"\nsource = "{tmp_path}/{number}.avi"\nout = "t{number}"\nrecord = true\n'
            for number in (1, 2)
        )
    )
    with serving(from_file(tmp_path / "hall.toml")) as pages:
        pages.client.open_account(pages.hall)
        # Neither shows a board: both recorders say so at the end of their film, and are started again.
        for table in pages.hall.tables.values():
            trouble = _until(lambda table=table: pages.hall.trouble(table))
            assert trouble["code"] == "recorder_fell" and "no board was found" in trouble["detail"]
            assert (table.spec.folder / RECORDER_LOG).exists()
        look = pages.client.json("/table/look/1")
        assert look["recording"] is True and look["trouble"]["code"] == "recorder_fell"
        assert pages.client.post("/table/stop/1", {})[0] == 200
        look = pages.client.json("/table/look/1")
        assert look["recording"] is False and look["trouble"] is None


def test_a_table_without_a_camera_cannot_be_recorded(tmp_path: Path) -> None:
    with serving(HallSpec((TableSpec("1", tmp_path / "t1"),), tmp_path / "pages")) as pages:
        pages.client.open_account(pages.hall)
        assert pages.client.post("/table/start/1", {}) == (409, {"error": "no_camera_set", "detail": ""})


def _write_video(path: Path, shade: int) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (320, 240))
    for _ in range(5):
        writer.write(np.full((240, 320, 3), shade, np.uint8))
    writer.release()
