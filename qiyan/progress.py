"""What the person at the terminal sees while a recording runs."""

import time
from collections.abc import Sequence
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from qiyan.recorder import Eye
from rules.fen import parse_fen
from rules.piece import RED, kind_of, side_of
from vision.frame import Frame

_GLYPHS = {RED: " 帅仕相马车炮兵", 1: " 将士象马车炮卒"}
_REFRESH_S = 0.5


class PlainProgress:
    """One line for each thing worth knowing: for pipes, logs and terminals that cannot be redrawn."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def on_entries(self, entries: Sequence[dict[str, Any]]) -> None:
        """Print what a person would want to know."""
        for entry in entries:
            line = describe(entry)
            if line:
                self._console.print(f"{clock_text(entry['t'])}  {line}", highlight=False, markup=False, soft_wrap=True)

    def on_frame(self, frame: Frame, eye: Eye) -> None:
        """Plain output does not follow frames."""

    def close(self) -> None:
        """Nothing to let go of."""


class LiveProgress:
    """The board and the last moves, redrawn in place."""

    def __init__(self, console: Console, title: str, frame_count: int | None) -> None:
        self._title = title
        self._frame_count = frame_count
        self._fen: str | None = None
        self._lines: list[str] = []
        self._moves: list[str] = []
        self._frames = 0
        self._t = 0.0
        self._drawn_at = 0.0
        self._began = time.monotonic()
        self._live = Live(console=console, auto_refresh=False, transient=False)
        self._live.start()

    def on_entries(self, entries: Sequence[dict[str, Any]]) -> None:
        """Take what changed and draw it at once."""
        for entry in entries:
            if entry["kind"] in ("board_found", "move"):
                self._fen = entry["fen"]
            if entry["kind"] == "move":
                self._moves.append(entry["chinese"] or entry["iccs"])
            elif entry["kind"] == "move_withdrawn":
                del self._moves[entry["ply"] - 1 :]
            line = describe(entry)
            if line and entry["kind"] != "move":
                self._lines = [*self._lines[-5:], f"{clock_text(entry['t'])}  {line}"]
        self._draw()

    def on_frame(self, frame: Frame, eye: Eye) -> None:
        """Follow the time."""
        self._frames += 1
        self._t = frame.t
        if time.monotonic() - self._drawn_at >= _REFRESH_S:
            self._draw()

    def close(self) -> None:
        """Leave the last picture standing."""
        self._draw()
        self._live.stop()

    def _draw(self) -> None:
        self._drawn_at = time.monotonic()
        pace = self._t / max(1e-6, self._drawn_at - self._began)
        done = f" / {self._frame_count}" if self._frame_count else ""
        head = f"{self._title}   {clock_text(self._t)}   frame {self._frames}{done}   {pace:.1f}x"
        grid = Table.grid(padding=(0, 3))
        grid.add_row(board_text(self._fen) if self._fen else Text("looking for the board ..."), self._move_list())
        self._live.update(Group(Text(head, style="bold"), grid, *map(Text, self._lines)), refresh=True)

    def _move_list(self) -> Table:
        table = Table.grid(padding=(0, 1))
        pairs = [self._moves[i : i + 2] for i in range(0, len(self._moves), 2)]
        for number, pair in list(enumerate(pairs, 1))[-10:]:
            table.add_row(f"{number}.", *pair)
        return table


def board_text(fen: str) -> Text:
    """The position as a small coloured board, Red at the bottom."""
    position = parse_fen(fen)
    text = Text()
    for rank in range(9, -1, -1):
        for file in range(9):
            piece = position.board[rank * 9 + file]
            if piece:
                red = side_of(piece) == RED
                text.append(_GLYPHS[side_of(piece)][kind_of(piece)], "bold red" if red else "bold green")
            else:
                text.append("＋", "dim")
        text.append(f" {rank}\n", "dim")
    text.append("ａｂｃｄｅｆｇｈｉ", "dim")
    return text


def describe(entry: dict[str, Any]) -> str:
    """One line for a person; empty where the entry is not worth one."""
    kind = entry["kind"]
    if kind == "move":
        shown = entry["chinese"] or "?"
        mark = "" if entry["legal"] else "  (against the rules)"
        return f"{(entry['ply'] + 1) // 2}{'.' if entry['ply'] % 2 else '...'} {shown}  {entry['iccs']}{mark}"
    if kind == "move_withdrawn":
        return f"withdrawn from ply {entry['ply']} on: {entry['why'].replace('_', ' ')}"
    if kind == "incident":
        return f"! {entry['text']['zh']} / {entry['text']['en']} [{entry['severity']}]"
    if kind == "result":
        return f"= {entry['result']} {entry['termination']} ({entry['status']})"
    if kind == "board_found":
        return f"board found, Red at the {entry['red_side']}: {entry['fen']}"
    if kind == "view":
        at = f" at {' '.join(entry['points'])}: outside the picture" if entry.get("points") else ""
        return f"view: {entry['state'].replace('_', ' ')}{at}"
    if kind == "system" and entry["event"] != "started":
        return f"recording: {entry['event'].replace('_', ' ')}" + (f" ({entry['why']})" if "why" in entry else "")
    return ""


def clock_text(t: float) -> str:
    """Seconds as m:ss.s."""
    return f"{int(t // 60):3d}:{t % 60:04.1f}"
