"""Folding events to the game, as any consumer of events.jsonl does."""

from typing import Any

import pytest

from qiyan.game_so_far import GameSoFar, fold
from rules.fen import START_FEN, format_fen


def _move(ply: int, iccs: str, t: float, clock: dict[str, float] | None = None) -> dict[str, Any]:
    side = "red" if ply % 2 else "black"
    times = {"t": t, "t_lifted": t - 0.9, "t_placed": t - 0.5}
    return {"kind": "move", "ply": ply, "iccs": iccs, "side": side, **times, "clock": clock}


def _press(side: str, t: float, red_s: float, black_s: float) -> dict[str, Any]:
    shown = {"red_s": red_s, "black_s": black_s, "uncertainty_s": 0.4}
    return {"kind": "clock", "event": "press", "side": side, "t": t, **shown}


FOUND = {"kind": "board_found", "t": 0.0, "fen": START_FEN}


def test_withdrawn_plies_no_longer_stand() -> None:
    withdrawn = {"kind": "move_withdrawn", "ply": 2, "why": "corrected", "t": 9.0}
    game = fold([FOUND, _move(1, "h2e2", 1.0), _move(2, "h9g7", 4.0), withdrawn, _move(2, "b9c7", 9.0)])
    assert [str(move) for move in game.game().moves()] == ["h2e2", "b9c7"]


@pytest.mark.parametrize("pressed_first", [True, False])
def test_a_move_carries_its_movers_clock_after_the_press(pressed_first: bool) -> None:
    move, press = _move(1, "h2e2", 3.4, {"red_s": 900.0, "black_s": 900.0}), _press("red", 3.2, 905.0, 900.0)
    game = fold([FOUND, press, move] if pressed_first else [FOUND, move, press])
    assert game.game().plies[0].clock_s == 905.0


def test_a_press_does_not_end_a_later_move() -> None:
    early = _press("red", 1.0, 905.0, 900.0)
    game = fold([FOUND, early, _move(1, "h2e2", 9.0, {"red_s": 899.0, "black_s": 900.0})])
    assert game.game().plies[0].clock_s == 899.0


def test_a_proposed_result_is_no_result() -> None:
    game = GameSoFar()
    assert not game.apply({"kind": "result", "result": "1-0", "status": "proposed", "t": 1.0})
    assert game.apply({"kind": "result", "result": "1/2-1/2", "status": "final", "t": 2.0})
    assert game.game().result.value == "1/2-1/2"


SET = "rnbakabr1/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABN1 w - - 0 2"
"""Not where h2e2 and h9g7 lead: both chariots on file i are missing."""


def _set(fen: str) -> dict[str, Any]:
    return {"kind": "decision", "of": None, "ruling": "corrected", "by": "Li", "change": {"fen": fen}, "t": 8.0}


def _with_fen(ply: int, iccs: str, t: float, fen: str) -> dict[str, Any]:
    return {**_move(ply, iccs, t), "fen": fen}


AFTER_ONE = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1"
AFTER_TWO = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2"
PLAYED = [FOUND, _with_fen(1, "h2e2", 1.0, AFTER_ONE), _with_fen(2, "h9g7", 4.0, AFTER_TWO)]


def test_the_game_begins_with_the_position_that_the_arbiter_set() -> None:
    so_far = fold([*PLAYED, _set(SET), _with_fen(3, "a0a1", 12.0, "-")])
    game = so_far.game()
    assert format_fen(game.start) == SET and [str(move) for move in game.moves()] == ["a0a1"]
    assert f"{START_FEN} h2e2 h9g7" in game.comment and len(so_far.moves) == 3


@pytest.mark.parametrize(
    "back", [_set(AFTER_TWO), {"kind": "move_withdrawn", "ply": 2, "why": "corrected", "t": 9.0}, _set("nonsense")]
)
def test_a_position_set_back_or_withdrawn_was_never_set(back: dict[str, Any]) -> None:
    first = [] if back["kind"] == "decision" and back["change"]["fen"] == "nonsense" else [_set(SET)]
    game = fold([*PLAYED, *first, back]).game()
    assert format_fen(game.start) == START_FEN and game.comment == ""


def test_a_position_set_before_the_first_move_is_the_start() -> None:
    game = fold([FOUND, _set(SET)]).game()
    assert format_fen(game.start) == SET and game.comment == ""
