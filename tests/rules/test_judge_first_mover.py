"""A position read from the board does not say whose turn it is: the first mover does."""

import pytest

from rules.arbiter import judge, new_table
from rules.event import BoardFound, MoveSeen
from rules.fen import START_FEN, parse_fen
from rules.iccs import parse_iccs
from rules.profile import DEFAULT_EDITION, find_profile

CORNERS = {"a0": (0.0, 9.0), "i0": (8.0, 9.0), "i9": (8.0, 0.0), "a9": (0.0, 0.0)}
MIDDLE_GAME = "rnbakabr1/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 1"


def _kinds_and_fens(start: str, given: bool, move: str) -> list[tuple[str, object]]:
    position = parse_fen(start)
    table = new_table(find_profile(DEFAULT_EDITION), position if given else None)
    table, found = judge(table, BoardFound(0.0, CORNERS, "bottom", position, 0.1, 0.99))
    table, moved = judge(table, MoveSeen(2.0, parse_iccs(move), 1.0, 1.5, 0.99))
    return [(record.to_json()["kind"], record.to_json().get("fen")) for record in [*found, *moved]]


def test_black_may_have_the_first_move_of_a_position_that_was_read() -> None:
    said = _kinds_and_fens(MIDDLE_GAME, False, "b9c7")
    after = "r1bakabr1/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 w - - 1 2"
    assert said == [
        ("board_found", MIDDLE_GAME),
        ("board_found", MIDDLE_GAME.replace(" w ", " b ")),
        ("move", after),
    ]


@pytest.mark.parametrize(("start", "given"), [(START_FEN, False), (MIDDLE_GAME, True)])
def test_elsewhere_moving_first_is_out_of_turn(start: str, given: bool) -> None:
    assert "incident" in [kind for kind, _ in _kinds_and_fens(start, given, "b9c7")]
