"""Repetition: how often the present position has stood, and the plies that lead round (clause 23)."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.move import Move
from rules.piece import Side
from rules.position import Position


@dataclass(frozen=True, slots=True)
class Line:
    """A start and the plies from it, with every position in between."""

    positions: tuple[Position, ...]
    """One more than `moves`."""
    moves: tuple[Move, ...]


def make_line(start: Position, moves: Sequence[Move]) -> Line:
    """Play the moves from `start`."""
    positions = [start]
    for move in moves:
        positions.append(positions[-1].play(move))
    return Line(tuple(positions), tuple(moves))


def occurrences(line: Line) -> list[int]:
    """Numbers of plies after which the last position stood, itself included; a capture is not counted (23.2)."""
    last = line.positions[-1]
    found = []
    for ply in range(len(line.positions) - 1, -1, -1):
        position = line.positions[ply]
        if position.board == last.board and position.side == last.side:
            reached_by_capture = ply > 0 and bool(line.positions[ply - 1].board[line.moves[ply - 1].to_point])
            if not reached_by_capture or ply == len(line.positions) - 1:
                found.append(ply)
        if ply > 0 and line.positions[ply - 1].board[line.moves[ply - 1].to_point]:
            # Nothing before a capture can stand again.
            break
    return found[::-1]


def round_trip(line: Line, times: int) -> range | None:
    """The plies (from 0) between the first and last of the latest `times` times the position stood; None if fewer."""
    stood = occurrences(line)
    return range(stood[-times], stood[-1]) if len(stood) >= times else None


def alternating_window(line: Line, rounds: int, side: Side) -> list[int] | None:
    """The plies (from 0) of the last `rounds` rounds where 23.4 may apply to `side`; None where it cannot.

    It may where nothing was taken, and what stood after its moves stood there again: two thirds as many at most.
    """
    plies = 2 * rounds
    total = len(line.moves)
    if total < plies or line.positions[-1].plies_without_capture < plies:
        return None
    window = list(range(total - plies, total))
    boards = {line.positions[ply + 1].board for ply in window if line.positions[ply].side == side}
    return window if len(boards) <= rounds * 2 // 3 else None
