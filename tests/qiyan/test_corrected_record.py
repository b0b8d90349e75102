"""A wrong record that the arbiter puts right while it is made: every reader of it has the same game afterwards.

A film is recorded whose third ply the eye misreads, or from whose board a piece is taken away; the decision comes from
the console by HTTP into the running recorder, and play goes on. The readers share no code: qiyan's own fold, one that
only follows the lines of events.jsonl, and one that reads game.pgn alone and plays its moves with another program.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyffish
import pytest

from models.network import load_nets
from qiyan.eye import PipelineEye
from qiyan.game_so_far import fold
from qiyan.journal import Journal
from qiyan.record_files import RecordFiles
from qiyan.recorder import Recorder
from qiyan.simulator.games import OPENING, play_script
from qiyan.simulator.looks import named_look
from qiyan.simulator.script import Remove, Script, Wait
from qiyan.simulator.table import Table
from qiyan.simulator.true_grid import true_grid
from rules.event import MoveSeen, TableEvent
from rules.fen import START_FEN, format_fen, parse_fen
from rules.iccs import parse_iccs
from rules.piece import RED
from rules.position import Position
from rules.profile import DEFAULT_EDITION, find_profile
from rules.record_sheet import parse_sheet
from tests.accuracy.kept_film import KeptFilm
from tests.qiyan.web_server import Pages, serving, spec_of
from vision import pipeline
from vision.frame import Frame
from vision.source import SourceItem

MOVES = OPENING[:8]
WRONG = "h0i2"
"""What the eye makes of the third ply, h0g2."""
TAKEN = "a3"


class MisreadingEye(PipelineEye):
    """Takes the third ply for another one."""

    def step(self, frame: Frame, position: Position | None, heard: Sequence[TableEvent]) -> list[TableEvent]:
        """What happened, with a mistake in it."""
        events = super().step(frame, position, heard)
        return [
            replace(event, move=parse_iccs(WRONG))
            if isinstance(event, MoveSeen) and str(event.move) == MOVES[2]
            else event
            for event in events
        ]


@dataclass
class Follower:
    """Knows nothing but the lines of events.jsonl, each read once, when it has come."""

    path: Path
    boards: list[str] = field(default_factory=list)
    """Every position: 90 letters from a9 to i0, dots where nothing stands, then the side to move."""
    moves: list[str] = field(default_factory=list)
    result: str = "*"
    incidents: list[dict[str, Any]] = field(default_factory=list)
    _read: int = 0

    def look(self) -> None:
        """Take what was written since."""
        with self.path.open(encoding="utf-8") as file:
            file.seek(self._read)
            lines = file.read()
            whole = lines[: lines.rfind("\n") + 1]
            self._read += len(whole.encode())
        for line in whole.splitlines():
            self._take(json.loads(line))

    def _take(self, event: dict[str, Any]) -> None:
        kind = event["kind"]
        if kind == "board_found" and not self.moves:
            self.boards = [_board(event["fen"])]
        elif kind == "move":
            self.moves.append(event["iccs"])
            self.boards.append(_played(self.boards[-1], event["iccs"]))
        elif kind == "move_withdrawn":
            del self.moves[event["ply"] - 1 :]
            del self.boards[event["ply"] :]
        elif kind == "decision" and "fen" in (event["change"] or {}):
            self.boards[-1] = _board(event["change"]["fen"])
        elif kind == "result" and (event["status"] == "final" or event["result"] == "*"):
            self.result = event["result"]
        elif kind == "incident":
            self.incidents.append(event)


def _board(fen: str) -> str:
    placement, side = fen.split()[:2]
    return re.sub(r"\d", lambda digit: "." * int(digit[0]), placement.replace("/", "")) + side


def _played(board: str, iccs: str) -> str:
    start, end = ((9 - int(iccs[k + 1])) * 9 + "abcdefghi".index(iccs[k]) for k in (0, 2))
    signs = list(board)
    signs[end], signs[start] = signs[start], "."
    signs[90] = "b" if signs[90] == "w" else "w"
    return "".join(signs)


def _read_pgn(text: str) -> tuple[str, list[str], str]:
    """(start FEN, moves, result) of a PGN in ICCS."""
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.MULTILINE))
    body = re.sub(r"\{[^}]*\}", " ", text.split("\n\n", 1)[1]).split()
    assert body[-1] == tags["Result"]
    return tags["FEN"], [word for word in body if re.fullmatch("[a-i][0-9][a-i][0-9]", word)], tags["Result"]


def _other_program(start: str, moves: list[str]) -> str:
    """The position that Fairy-Stockfish reaches; its ranks are 1 to 10."""
    counted = [re.sub(r"\d", lambda rank: str(int(rank[0]) + 1), move) for move in moves]
    position = start
    for move in counted:
        assert move in pyffish.legal_moves("xiangqi", position, []), (position, move)
        position = pyffish.get_fen("xiangqi", position, [move])
    return position


Act = tuple[Callable[[Follower], bool], Callable[[Follower], dict[str, Any]]]
"""When the arbiter decides, by what has been told so far, and what is sent then."""


class Film(KeptFilm):
    """Frames between which the arbiter looks and decides."""

    def __init__(self, table: Table, path: Path, pages: Pages, follower: Follower, acts: list[Act]) -> None:
        super().__init__(table, path)
        self.pages, self.follower, self.acts = pages, follower, acts

    def items(self) -> Iterator[SourceItem]:
        """Every frame."""
        for item in super().items():
            yield item
            self.follower.look()
            if self.acts and self.acts[0][0](self.follower):
                decision = self.acts.pop(0)[1](self.follower)
                status, answer = self.pages.client.post("/arbiter/decide/1", {"ruling": "corrected", **decision})
                assert status == 200, answer


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("films")


def _record(script: Script, eye_kind: type[PipelineEye], acts: list[Act], films: Path, folder: Path) -> Follower:
    """Record the film with the arbiter's acts, and compare what all its readers know; the one of the events."""
    look = replace(named_look("club", 3), size_wh=(960, 540), fps=8.0)
    table = Table(look, script)
    setup = pipeline.Setup(nets=load_nets(), grid=true_grid(look, table.camera), start=parse_fen(START_FEN))
    with serving(spec_of(folder, "1")) as pages:
        pages.client.open_account(pages.hall)
        journal = Journal(folder / "t1")
        files = RecordFiles(journal.path.parent, (), {})
        follower = Follower(folder / "t1" / "events.jsonl")
        source = Film(table, films / f"{script.note}.film", pages, follower, acts)
        profile = find_profile(DEFAULT_EDITION)
        recorder = Recorder(
            source, eye_kind(setup), None, journal, folder / "t1", profile, parse_fen(START_FEN), {}, [files]
        )
        try:
            recorder.run()
        finally:
            journal.close()
        assert acts == [], "the arbiter never came to decide"
        follower.look()
        official = recorder._table.position
        assert official is not None
        _agree(follower, folder / "t1", format_fen(official))
        _pages_agree(follower, pages)
    return follower


def _agree(follower: Follower, folder: Path, official: str) -> None:
    """The judge's table, events.jsonl by qiyan's fold and by its follower, game.pgn and game.txt: one game."""
    assert follower.boards[-1] == _board(official)
    entries = [json.loads(line) for line in (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    so_far = fold(entries)
    assert [move["iccs"] for move in so_far.moves] == follower.moves
    game = so_far.game()
    assert _board(format_fen(game.final_position())) == follower.boards[-1]
    start, moves, result = _read_pgn((folder / "game.pgn").read_text(encoding="utf-8"))
    assert moves == follower.moves[len(follower.moves) - len(moves) :]
    assert _board(start) == follower.boards[len(follower.boards) - 1 - len(moves)]
    assert _board(_other_program(start, moves)) == follower.boards[-1]
    assert result == follower.result == game.result.value
    sheet = parse_sheet((folder / "game.txt").read_text(encoding="utf-8"))
    assert [str(move) for move in sheet.moves()] == moves and sheet.result.value == result


def _pages_agree(follower: Follower, pages: Pages) -> None:
    """What the overlay is told, and the PGN that it offers."""
    state = pages.client.json("/state/1")
    assert [move["iccs"] for move in state["moves"]] == follower.moves
    assert _board(state["fen"]) == follower.boards[-1]
    assert (state["result"] or {"result": "*"})["result"] == follower.result
    start, moves, result = _read_pgn(pages.client.get("/pgn/1.pgn")[1].decode())
    assert _board(_other_program(start, moves)) == follower.boards[-1] and result == follower.result


def _opening() -> Script:
    return replace(play_script(MOVES, 5, "quick"), note="opening")


def _corrected_move(number: int, iccs: str) -> Callable[[Follower], dict[str, Any]]:
    return lambda _: {"change": {"ply": number, "iccs": iccs}}


def _misread(follower: Follower) -> bool:
    return follower.moves[2:3] == [WRONG]


def test_a_corrected_move(films: Path, tmp_path: Path) -> None:
    follower = _record(_opening(), MisreadingEye, [(_misread, _corrected_move(3, MOVES[2]))], films, tmp_path)
    assert follower.moves == MOVES and len(follower.boards) == 9
    assert all(incident["severity"] != "breach" for incident in follower.incidents)


def test_a_corrected_move_and_a_result(films: Path, tmp_path: Path) -> None:
    acts: list[Act] = [
        (_misread, _corrected_move(3, MOVES[2])),
        (lambda f: len(f.moves) == 6, lambda _: {"change": {"result": "1/2-1/2", "clause": "4.2.1"}}),
    ]
    follower = _record(_opening(), MisreadingEye, acts, films, tmp_path)
    assert follower.moves == MOVES[:6] and follower.result == "1/2-1/2"


def test_a_move_corrected_after_the_result(films: Path, tmp_path: Path) -> None:
    acts: list[Act] = [
        (_misread, lambda _: {"change": {"result": "0-1"}}),
        (lambda f: f.result == "0-1", _corrected_move(3, MOVES[2])),
    ]
    follower = _record(_opening(), MisreadingEye, acts, films, tmp_path)
    assert follower.moves == MOVES[:3] and follower.result == "0-1"


def _taken_away() -> Script:
    first, then = (play_script(MOVES[k : k + 4], 5, "quick").actions for k in (0, 4))
    return Script((*first, Remove(RED, TAKEN), Wait(9.0), *then), seed=5, note="taken")


def _is_gone(follower: Follower) -> bool:
    return any(incident["incident"] == "board_differs" for incident in follower.incidents)


def _declare(follower: Follower) -> dict[str, Any]:
    incident = next(one for one in follower.incidents if one["incident"] == "board_differs")
    assert incident["points"] == [TAKEN]
    board = list(follower.boards[-1])
    board[(9 - 3) * 9] = "."
    ranks = ["".join(board[k : k + 9]) for k in range(0, 90, 9)]
    placement = re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(ranks))
    return {"of": incident["seq"], "change": {"fen": f"{placement} {board[90]} - - 0 3"}}


def test_a_corrected_position(films: Path, tmp_path: Path) -> None:
    follower = _record(_taken_away(), PipelineEye, [(_is_gone, _declare)], films, tmp_path)
    assert follower.moves == MOVES and follower.boards[-1].count("P") == 4
    pgn = (tmp_path / "t1" / "game.pgn").read_text(encoding="utf-8")
    assert _read_pgn(pgn)[1] == MOVES[4:], "no PGN can say that a piece vanished: it begins with the position set"
    assert " ".join(MOVES[:4]) in pgn, "what led to it is told beside it"


def test_a_corrected_position_and_a_result(films: Path, tmp_path: Path) -> None:
    acts: list[Act] = [(_is_gone, _declare), (lambda f: len(f.moves) == 7, lambda _: {"change": {"result": "1-0"}})]
    follower = _record(_taken_away(), PipelineEye, acts, films, tmp_path)
    assert follower.moves == MOVES[:7] and follower.result == "1-0"
