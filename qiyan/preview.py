"""What a camera sees before recording, and whether the clock is heard; started by the pages as

    python -m qiyan.preview SOURCE FOLDER TABLE_FILE [CLOCK PROTOCOL RED]

Writes live.jpg and live.json into the folder twice a second, and reads the pieces now and then.
"""

import logging
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.errors import CalibrationError
from calibration.find_board import find_board, fit_to_lines
from calibration.grid import Grid
from calibration.store import load_grid, save_grid
from models.network import Nets, load_nets
from qiyan import log
from qiyan.enrolling import at_the_start, enrol_set
from qiyan.live_picture import BETWEEN_PICTURES_S, write_live
from qiyan.preview_clock import PreviewClock
from rules.fen import START_FEN, format_fen, parse_fen
from rules.piece import EMPTY, letter_of
from rules.point import Point, format_point
from vision.frame import Frame, Image
from vision.pieces.read import read_board
from vision.source import FrameSource, SourceLost, open_source

logger = logging.getLogger(__name__)

FIND_AGAIN_NAME = "find.again"
"""A file of this name asks for the board to be searched anew."""
READ_EVERY_S = 4.0
SEARCH_EVERY_S = 2.0
LEAST_CONFIDENCE = 0.5


@dataclass(slots=True)
class Preview:
    """One camera being set up."""

    source: str
    folder: Path
    table_file: Path
    clock: PreviewClock | None = None
    grid: Grid | None = None
    _grid_changed: float = -1.0
    _searched: float = -1e9
    _read: float = -1e9
    _pieces: dict[str, Any] | None = None
    _nets: Nets | None = None
    _enrolled: bool = False
    """Whether the set was learnt on the grid as it is now."""

    def run(self) -> None:
        """Look until the source ends or the process is stopped."""
        opened = open_source(self.source)
        try:
            self._follow(opened)
        finally:
            opened.close()

    def _follow(self, opened: FrameSource) -> None:
        shown = -1e9
        for item in opened.items():
            if isinstance(item, SourceLost):
                logger.warning("no picture: %s", item.why)
            if not isinstance(item, Frame):
                continue
            now = time.monotonic()
            wait = shown + BETWEEN_PICTURES_S - now
            if wait > 0:
                if opened.live:
                    continue
                time.sleep(wait)  # a file is played at the pace of the pictures shown
            shown = time.monotonic()
            self._show(item.image)

    def _show(self, image: Image) -> None:
        if self._searched < 0:
            # Searching takes some seconds the first time: the person sees at once that the camera works.
            self._write(image)
        self._follow_grid(image)
        now = time.monotonic()
        if self.grid is not None and now - self._read >= READ_EVERY_S:
            self._pieces = self._read_pieces(image, self.grid)
            self._read = time.monotonic()
            if not self._enrolled and not self._pieces["wrong"]:
                self._enrol(image, self.grid)
        self._write(image)

    def _write(self, image: Image) -> None:
        clock = None if self.clock is None else self.clock.facts
        facts = {"by": "preview", "pieces": self._pieces, "clock": clock, "enrolled": self._enrolled}
        write_live(self.folder, image, self.grid, facts)

    def _follow_grid(self, image: Image) -> None:
        again = self.folder / FIND_AGAIN_NAME
        if again.exists():
            again.unlink()
            self.grid, self._searched = None, -1e9
        elif self._table_changed():
            self._load()
        if self.grid is None and time.monotonic() - self._searched >= SEARCH_EVERY_S:
            found = find_board(image)
            self._searched = time.monotonic()
            if found is not None and found.confidence >= LEAST_CONFIDENCE:
                turned = self._turned(image, found)
                if self._table_changed():
                    self._load()  # somebody set the corners by hand while we searched: theirs count
                else:
                    self._keep(turned)

    def _table_changed(self) -> bool:
        return self._table_time() != self._grid_changed

    def _table_time(self) -> float:
        return self.table_file.stat().st_mtime if self.table_file.exists() else -1.0

    def _load(self) -> None:
        self._grid_changed = self._table_time()
        self._enrolled = False
        try:
            self.grid = load_grid(self.table_file) if self.table_file.exists() else None
        except CalibrationError as error:
            logger.warning("the grid cannot be read: %s", error)
            self.grid = None
        self._read = -1e9

    def _keep(self, grid: Grid) -> None:
        """Store the grid and show it from now on."""
        save_grid(self.table_file, grid, self.source)
        self._grid_changed = self._table_time()
        self.grid = grid
        self._read = -1e9

    def _enrol(self, image: Image, grid: Grid) -> None:
        """Learn the set from the start position, as `qiyan calibrate` does."""
        start = at_the_start(image, fit_to_lines(image, grid))
        if start is None or self._table_changed():
            return
        try:
            enrol_set(image, start, self.table_file)
            self._keep(start)
            self._enrolled = True
        except (OSError, CalibrationError) as error:
            logger.warning("the set cannot be enrolled: %s", error)

    def _turned(self, image: Image, grid: Grid) -> Grid:
        """The grid with Red where the pieces say."""
        return read_board(image, grid, self._loaded_nets()).grid

    def _read_pieces(self, image: Image, grid: Grid) -> dict[str, Any]:
        reading = read_board(image, grid, self._loaded_nets())
        position = reading.position
        expected = parse_fen(START_FEN)
        wrong = [
            {
                "point": format_point(Point(point)),
                "expected": _letter(expected.board[point]),
                "seen": _letter(position.board[point]),
            }
            for point in range(90)
            if expected.board[point] != position.board[point]
        ]
        return {
            "fen": format_fen(position),
            "confidence": round(reading.confidence, 3),
            "doubts": [format_point(doubt.point) for doubt in reading.doubts],
            "wrong": wrong,
        }

    def _loaded_nets(self) -> Nets:
        if self._nets is None:
            self._nets = load_nets()
        return self._nets


def _letter(piece: int) -> str | None:
    return None if piece == EMPTY else letter_of(piece)


def main(arguments: list[str]) -> int:
    """Run the preview."""
    source, folder, table_file, *clock = arguments
    log.set_up(0)
    try:
        heard = PreviewClock(clock[0], clock[1] or None, clock[2] or None) if clock else None
        Preview(source, Path(folder), Path(table_file), heard).run()
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
