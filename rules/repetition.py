"""Repetition: how often the present position has stood, and the plies that lead round (clause 23)."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.move import Move
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


def alternating_window(line: Line, rounds: int) -> range | None:
    """The last `rounds` rounds where 23.4 may apply: no capture, and both sides moving to and fro."""
    plies = 2 * rounds
    total = len(line.moves)
    if total < plies or line.positions[-1].plies_without_capture < plies:
        return None
    window = range(total - plies, total)
    # To and fro: positions of the window stand again, though none of them for the third time.
    boards = {line.positions[ply].board for ply in window}
    return window if len(boards) <= plies * 2 // 3 else None
