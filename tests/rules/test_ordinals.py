"""English ordinals, and where the messages use them."""

import pytest

from rules.ordinals import ordinal
from tests.table_events import fold, found, of_kind, seen


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st"),
     (102, "102nd"), (111, "111th")],
)  # fmt: skip
def test_an_ordinal(number: int, text: str) -> None:
    assert ordinal(number) == text


def test_a_position_that_stands_again_is_counted_in_words_people_say() -> None:
    moves = ["a0a1", "a9a8", "a1a0", "a8a9"] * 2
    _, records = fold([found(), *(seen(iccs, 3.0 * n + 3) for n, iccs in enumerate(moves))])
    [incident] = of_kind(records, "incident")
    assert "for the 3rd time" in incident["text"]["en"]  # type: ignore[index]
    assert "同一局面第3次出现" in incident["text"]["zh"]  # type: ignore[index]
