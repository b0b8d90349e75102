"""A game with its clock on a pty, without pictures: every move carries both times, and its mover's after the press.

The same with a camera and the real `qiyan record` is tests/soak/clock_game.py.
"""

import time
from pathlib import Path
from typing import Any

import pytest

from clock_bridge.control import parse_control
from clock_bridge.feed import ClockFeed, open_clock
from clock_bridge.pty_clock import PtyClock
from clock_bridge.reading import Display
from clock_bridge.software_clock import SoftwareClock
from qiyan.game_so_far import fold
from rules.arbiter import judge, new_table
from rules.event import MoveSeen, TableEvent
from rules.pgn import format_pgn
from rules.profile import find_profile
from tests.table_events import found, seen

MOVES = ["h2e2", "h9g7", "h0g2", "i9h9"]
THINKS_S, PRESSES_AFTER_S = 0.7, 0.3
Times = tuple[int, int]
"""What the displays show, left and right, s."""


class Player:
    """Plays on the clock and remembers what it showed."""

    def __init__(self, clock: PtyClock) -> None:
        self._clock = clock
        self.at_moves: list[Times] = []
        self.after_presses: list[Times] = []

    def see(self) -> None:
        self._clock.act(lambda clock, t: self.at_moves.append(_shown(clock, t)))

    def press(self) -> None:
        def press(clock: SoftwareClock, t: float) -> None:
            clock.press(clock.turn, t)
            self.after_presses.append(_shown(clock, t))

        self._clock.act(press)


def _shown(clock: SoftwareClock, t: float) -> Times:
    return clock.shown_s(Display.LEFT, t), clock.shown_s(Display.RIGHT, t)


def judged(feed: ClockFeed, moves: list[MoveSeen]) -> list[dict[str, Any]]:
    """The entries of events.jsonl for a clock and what was seen on the board."""
    table, entries = new_table(find_profile("2020")), []
    for seen_event in [found(t=0.0), *moves, TableEvent(moves[-1].t + 1.0)]:
        for event in [*feed.poll(seen_event.t), seen_event]:
            table, records = judge(table, event)
            entries += [record.to_json() for record in records]
    return entries


def play(trace: Path) -> tuple[Player, list[MoveSeen]]:
    """A game in real time, its clock's bytes kept in `trace`."""
    clock, began_s = PtyClock(SoftwareClock(parse_control("10m+5s"))), time.monotonic()
    feed, player, moves = open_clock(clock.device, record=trace, origin_s=began_s), Player(clock), []

    def wait(seconds: float) -> None:
        end_s = time.monotonic() + seconds
        while time.monotonic() < end_s:
            feed.poll(time.monotonic() - began_s)
            time.sleep(0.02)

    wait(0.6)
    clock.act(lambda each, t: each.start(t))
    wait(0.8)
    for iccs in MOVES:
        wait(THINKS_S)
        player.see()
        moves.append(seen(iccs, time.monotonic() - began_s))
        wait(PRESSES_AFTER_S)
        player.press()
    wait(0.6)
    feed.close()
    clock.close()
    return player, moves


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Player, list[MoveSeen]]:
    trace = tmp_path_factory.mktemp("clock") / "clock.jsonl"
    return trace, *play(trace)


@pytest.mark.parametrize("red", ["left", "right"])
def test_each_move_carries_both_times_and_red_right_swaps_them(
    game: tuple[Path, Player, list[MoveSeen]], red: str
) -> None:
    trace, player, moves = game
    entries = judged(open_clock(str(trace), red=red), moves)
    told = [entry for entry in entries if entry["kind"] == "move"]
    assert [entry["iccs"] for entry in told] == MOVES
    for entry, shown in zip(told, player.at_moves, strict=True):
        names = ("red_s", "black_s") if red == "left" else ("black_s", "red_s")
        left_s, right_s = (entry["clock"][name] for name in names)
        # What is counted on from the last reading lies within the second that the display shows.
        assert abs(left_s - shown[0]) <= 1
        assert abs(right_s - shown[1]) <= 1
    presses = [entry["side"] for entry in entries if entry["kind"] == "clock" and entry["event"] == "press"]
    sides = ["red", "black"] if red == "left" else ["black", "red"]
    assert presses == sides * 2


def test_the_record_has_the_movers_time_after_each_press(game: tuple[Path, Player, list[MoveSeen]]) -> None:
    trace, player, moves = game
    record = fold(judged(open_clock(str(trace)), moves)).game()
    assert [ply.clock_s for ply in record.plies] == [shown[ply % 2] for ply, shown in enumerate(player.after_presses)]
    assert format_pgn(record).count("%clk") == len(MOVES)
