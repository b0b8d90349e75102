"""FEN: tolerant reading, canonical writing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import FenError
from rules.fen import START_FEN, format_fen, parse_fen
from rules.piece import BLACK, RED
from rules.position import Position
from tests.strategies import any_positions, positions

PLACEMENT = START_FEN.split()[0]


@pytest.mark.parametrize(
    "text",
    [
        PLACEMENT,
        f"{PLACEMENT} w",
        f"{PLACEMENT} r",
        f"{PLACEMENT} R - - 0 1",
        f"{PLACEMENT} w - -",
        f"{PLACEMENT} w - - 0",
        f"{PLACEMENT} w 0 1",
        f"  {PLACEMENT}   w - - 0 0\n",
        PLACEMENT.translate(str.maketrans("NBnb", "HEhe")) + " w - - 0 1",
        PLACEMENT.replace("9", "54") + " w - - 0 1",
    ],
)
def test_forms_found_in_the_wild_are_the_start_position(text: str) -> None:
    assert format_fen(parse_fen(text)) == START_FEN


def test_side_and_counters_are_read() -> None:
    position = parse_fen("4k4/9/9/9/9/9/9/9/9/4K4 b - - 17 42")
    assert (position.side, position.plies_without_capture, position.round_number) == (BLACK, 17, 42)
    assert parse_fen("4k4/9/9/9/9/9/9/9/9/4K4").side == RED


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4k4",
        "4k4/9/9/9/9/9/9/9/9",
        "4k4/9/9/9/9/9/9/9/9/9/4K4 w",
        "4k5/9/9/9/9/9/9/9/9/4K4 w",
        "4k3/9/9/9/9/9/9/9/9/4K4 w",
        "4q4/9/9/9/9/9/9/9/9/4K4 w",
        "4k4/0/9/9/9/9/9/9/9/4K4 w",
        "4k4/9/9/9/9/9/9/9/9/4K4 x",
        "4k4/9/9/9/9/9/9/9/9/4K4 w KQkq - 0 1",
        "4k4/9/9/9/9/9/9/9/9/4K4 w - - -1 1",
        "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1 extra",
        "4k4/９/9/9/9/9/9/9/9/4K4 w",
    ],
)
def test_what_is_no_fen_is_refused_with_the_text(text: str) -> None:
    with pytest.raises(FenError) as caught:
        parse_fen(text)
    assert repr(text) in str(caught.value)


@given(any_positions())
def test_any_position_survives_a_round_trip(position: Position) -> None:
    assert parse_fen(format_fen(position)) == position


@given(positions())
def test_writing_what_was_read_gives_the_same_text(position: Position) -> None:
    text = format_fen(position)
    assert format_fen(parse_fen(text)) == text


@given(st.one_of(st.text(), st.text("rnbakcpRNBAKCPheHE123456789/ w-b", max_size=90)))
def test_any_text_parses_or_raises_our_error(text: str) -> None:
    try:
        position = parse_fen(text)
    except FenError:
        return
    assert parse_fen(format_fen(position)) == position
