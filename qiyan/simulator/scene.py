"""A position in a game where something is about to happen, for those who write happenings."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qiyan.simulator.random_play import choose_move
from qiyan.simulator.script import QUICK, Action, Expect, Play
from rules.fen import START_FEN
from rules.iccs import format_iccs
from rules.move import Move
from rules.piece import Side, other, side_of
from rules.point import file_of, rank_of
from rules.position import Position


class NoSuchScene(Exception):
    """The position does not offer what the happening needs: another is tried."""


@dataclass(slots=True)
class Scene:
    """A position in a game where something is about to happen, and the means to make it up."""

    position: Position
    rng: np.random.Generator
    base_s: float = 900.0
    red_s: float | None = None
    black_s: float | None = None
    start_fen: str = START_FEN
    last: Move | None = None
    """The ply by which the position came about."""
    came_by_capture: bool = False
    """Whether the position came about by a capture: it then counts for no repetition."""
    next_position: Position | None = None
    """Where the play goes on from; None where it ends here."""

    @property
    def mover(self) -> Side:
        """Who is to move."""
        return self.position.side

    @property
    def waiting(self) -> Side:
        """The other one."""
        return other(self.position.side)

    def some_move(self, but: tuple[int, ...] = ()) -> Move:
        """A legal move, not from the points `but`."""
        move = choose_move(self.position, self.rng, None, but)
        if move is None:
            raise NoSuchScene("no legal move")
        return move

    def playing(self, move: Move, **manner: object) -> Play:
        """The ply as an action; the play goes on after it."""
        self.next_position = self.position.play(move)
        capture = str(self.rng.choice(["take_first", "swap"]))
        return Play(format_iccs(move), QUICK, capture=capture, **manner)  # type: ignore[arg-type]

    def own_points(self) -> list[int]:
        """Where the mover's pieces stand."""
        return [p for p, piece in enumerate(self.position.board) if piece and side_of(piece) == self.mover]

    def row(self) -> tuple[int, ...]:
        """Two or three pieces of the mover that lie near each other."""
        own = self.own_points()
        groups = []
        for p in own:
            near = [
                q for q in own if q != p and abs(file_of(q) - file_of(p)) <= 2 and abs(rank_of(q) - rank_of(p)) <= 1
            ]
            near.sort(key=lambda q: abs(file_of(q) - file_of(p)) + abs(rank_of(q) - rank_of(p)))
            if len(near) >= 2:
                groups.append((p, near[0], near[1]))
        if not groups:
            raise NoSuchScene("no pieces near each other")
        group = groups[int(self.rng.integers(len(groups)))]
        return group if self.rng.random() < 0.6 else group[:2]

    def shift(self, least: float, most: float) -> tuple[float, float]:
        """A push along a line of the board, cells."""
        size, sign = float(self.rng.uniform(least, most)), float(self.rng.choice([-1.0, 1.0]))
        return (size * sign, 0.03) if self.rng.random() < 0.5 else (0.03, size * sign)


def tolerated(*names: str) -> list[Action]:
    """Reports that may come about as well after an accident, and need not."""
    return [Expect(name, None, (), "", "accident", False, 30.0) for name in names]


Maker = Callable[[Scene], list[Action]]
"""Makes the actions of a happening; NoSuchScene where the position does not allow it."""
