"""What may have happened on the board since it was last known: every explanation worth weighing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from math import inf

from rules.legality import legal_moves, pseudo_legal_moves
from rules.move import Move
from rules.piece import EMPTY, side_of
from rules.point import Point
from rules.position import Position


class Story(Enum):
    """Kinds of explanation."""

    NOTHING = "nothing"
    MOVE = "move"
    """A move that the rules allow."""
    SUICIDE = "suicide"
    """By its piece's way, but leaving the own general to be taken."""
    TWO_PLIES = "two plies"
    SEVERAL_PLIES = "several plies"
    """Three or more plies that the hands hid."""
    TAKEN_BACK = "taken back"
    CHANGED = "changed"
    """The last ply was another one: misread before, or taken back and played otherwise."""
    CHANGED_AND_REPLY = "changed and reply"
    OUT_OF_TURN = "out of turn"
    """A move of the side not to move, by its piece's way."""
    ILLEGAL = "illegal"
    """A piece of the side to move put where it cannot go."""
    ILLEGAL_OUT_OF_TURN = "illegal out of turn"


LAWFUL = frozenset({Story.MOVE, Story.TWO_PLIES, Story.SEVERAL_PLIES})
"""Stories in which the game goes on as it should."""
PRIOR_NATS: dict[Story, float] = {
    Story.NOTHING: 0.0,
    Story.MOVE: -1.0,
    Story.SUICIDE: -3.0,
    Story.TWO_PLIES: -4.0,
    Story.SEVERAL_PLIES: -8.0,
    Story.TAKEN_BACK: -3.0,
    Story.CHANGED: -4.0,
    Story.CHANGED_AND_REPLY: -7.0,
    Story.OUT_OF_TURN: -5.0,
    Story.ILLEGAL: -5.5,
    Story.ILLEGAL_OUT_OF_TURN: -8.0,
}
"""Log prior, relative: how often such a thing is seen for each time nothing happened between two looks."""


@dataclass(frozen=True, slots=True)
class Ply:
    """A ply on record that may still be undone."""

    before: Position
    move: Move
    told_t: float = 0.0
    """When it was told, s."""
    probability: float = 1.0
    """How sure it was then."""
    doubted: bool = False
    """Whether it was told with a doubt, so that a better explanation may take it back."""
    since_t: float = -inf
    """Until when its points were seen as before it, s."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One explanation of what is seen."""

    story: Story
    withdrawn: int
    """How many of the last plies on record it takes back."""
    moves: tuple[Move, ...]
    """What was played after that."""
    board: bytes
    """What then stands on the points."""


@lru_cache(maxsize=4)
def hypotheses(
    position: Position, last: Ply | None, vacated: frozenset[int], appeared: frozenset[int], deep: bool
) -> tuple[Hypothesis, ...]:
    """Every explanation of a change; kept, as the same are weighed frame after frame until one is taken.

    position : on record
    last     : the last ply, where it may be undone
    vacated  : points that a piece seems to have left
    appeared : points on which another look of piece has come
    deep     : with those of two plies, 1500 more
    """
    return tuple(_hypotheses(position, last, vacated, appeared, deep))


def _hypotheses(
    position: Position, last: Ply | None, vacated: frozenset[int], appeared: frozenset[int], deep: bool
) -> Iterator[Hypothesis]:
    yield Hypothesis(Story.NOTHING, 0, (), position.board)
    legal = _legal_moves(position)
    listed = set(legal)
    yield from (_played(Story.MOVE, 0, position, move) for move in legal)
    for move in pseudo_legal_moves(position):
        if move not in listed:
            listed.add(move)
            yield _played(Story.SUICIDE, 0, position, move)
    if last is not None:
        yield Hypothesis(Story.TAKEN_BACK, 1, (), last.before.board)
        others = [move for move in _legal_moves(last.before) if move != last.move]
        yield from (_played(Story.CHANGED, 1, last.before, move) for move in others)
    if deep:
        yield from _two_plies(Story.TWO_PLIES, 0, position, legal, vacated)
        if last is not None:
            yield from _two_plies(Story.CHANGED_AND_REPLY, 1, last.before, others, vacated)
    yield from _against_the_rules(position, vacated, appeared, listed)


@lru_cache(maxsize=256)
def _legal_moves(position: Position) -> tuple[Move, ...]:
    """Kept for the replies to every move of two positions, which are asked for whenever other points seem left."""
    return tuple(legal_moves(position))


def _played(story: Story, withdrawn: int, position: Position, move: Move) -> Hypothesis:
    return Hypothesis(story, withdrawn, (move,), position.play(move).board)


def _two_plies(
    story: Story, withdrawn: int, position: Position, first: Sequence[Move], vacated: frozenset[int]
) -> Iterator[Hypothesis]:
    """Pairs of move and reply of which at least one leaves a point that is seen empty."""
    for move in first:
        after = position.play(move)
        replies = _legal_moves(after)
        explains = move.from_point in vacated
        for reply in replies:
            if explains or reply.from_point in vacated:
                yield Hypothesis(story, withdrawn, (move, reply), after.play(reply).board)


def _on_own_piece(position: Position, move: Move) -> bool:
    """Nobody takes a piece of his own: what looks so are pieces pushed about."""
    piece, other = position.board[move.from_point], position.board[move.to_point]
    return other != EMPTY and side_of(other) == side_of(piece)


def _against_the_rules(
    position: Position, vacated: frozenset[int], appeared: frozenset[int], listed: set[Move]
) -> Iterator[Hypothesis]:
    other_side = set(pseudo_legal_moves(Position(position.board, side_of(position.side << 3 ^ 8))))
    for start in sorted(vacated):
        piece = position.board[start]
        if piece == EMPTY:
            continue
        for end in sorted(appeared - {start}):
            move = Move(Point(start), Point(end))
            if move in listed or _on_own_piece(position, move):
                continue
            if side_of(piece) == position.side:
                story = Story.ILLEGAL
            else:
                story = Story.OUT_OF_TURN if move in other_side else Story.ILLEGAL_OUT_OF_TURN
            yield _played(story, 0, position, move)
