"""Which explanation of the evidence leads, and by how much."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rules.move import Move
from rules.piece import EMPTY
from rules.point import POINTS
from rules.position import Position
from vision.belief import BLACK_LOOK, EMPTY_LOOK, RED_LOOK, SAME, look_of
from vision.change import Mask
from vision.hypotheses import PRIOR_NATS, Hypothesis, Ply, Story, hypotheses
from vision.lawful_lines import shortest_lines

F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DecodeConfig:
    """When an explanation is good enough."""

    min_margin_nats: float = 3.0
    """Log-odds of the best explanation over the best that leaves another board; more is surer and later."""
    open_order_nats: float = 1.0
    """Lead of several plies whose order is open."""
    order_s: float = 0.5
    """One order of several plies fits the times at which points changed better than another by at least this."""
    altered_nats: float = -1.0
    """A point below this looks altered, be it by another piece of the same side."""
    poor_nats: float = -2.5
    """Evidence at a point below this is not explained."""
    fits_best_nats: float = 1.0
    """It is explained all the same where it fits better than every other look by this; a point left empty only has to
    fit better by this than what stood there."""
    vacated_nats: float = 2.0
    """A point seems left when empty is likelier than as before by this much."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The outcome of weighing all explanations."""

    best: Hypothesis
    margin_nats: float
    """Lead over the best explanation that leaves another board."""
    rivals: tuple[Hypothesis, ...]
    """The best few others that leave another board, best first."""
    unexplained: tuple[int, ...]
    """Settled points that the best does not explain."""
    seen_whole: bool
    """Whether every point that the best changes is settled."""
    coherent: bool
    """Whether every point that the best changes looks as it says."""
    late_s: float = 0.0
    """By how much several plies contradict the times between which their points changed, s."""

    @property
    def probability(self) -> float:
        """Probability of the best against its rivals."""
        return float(1.0 / (1.0 + np.exp(-self.margin_nats)))


_KEPT_RIVALS = 3


def decode(
    evidence: F64,
    settled: Mask,
    position: Position,
    last: Ply | None,
    config: DecodeConfig,
    changed_t: F64 | None = None,
) -> Reading:
    """Weigh every explanation.

    evidence  : (90, 4) log likelihoods of vision.belief, relative to `position.board`
    settled   : (90,) points whose evidence counts
    changed_t : (90, 2) between which times each point changed first, s; tells the order of several plies
    """
    counted = np.where(settled[:, None], evidence, 0.0)
    poor = np.flatnonzero(counted[:, SAME] < config.poor_nats)
    if len(poor) == 0:
        nothing = Hypothesis(Story.NOTHING, 0, (), position.board)
        return Reading(nothing, np.inf, (), (), True, True)
    pieces = np.frombuffer(position.board, dtype=np.uint8)
    left = counted[:, EMPTY_LOOK] - counted[:, SAME] > config.vacated_nats
    came = np.maximum(counted[:, RED_LOOK], counted[:, BLACK_LOOK]) - counted[:, SAME] > 0.0
    vacated = frozenset(np.flatnonzero(left & (pieces > 0)).tolist())
    appeared = frozenset(np.flatnonzero(came & (counted[:, SAME] < config.poor_nats)).tolist())
    reading = _weigh(counted, settled, position, last, vacated, appeared, False, config)
    if reading.unexplained:
        deep = _weigh(counted, settled, position, last, vacated, appeared, True, config)
        if len(deep.unexplained) < len(reading.unexplained):
            reading = deep
    if len(reading.unexplained) and len(vacated) >= 2:
        altered = frozenset(np.flatnonzero(counted[:, SAME] < config.altered_nats).tolist())
        points = vacated | appeared | altered
        return _several(counted, settled, position, position, points, 0, changed_t, config) or reading
    if changed_t is None or len(reading.best.moves) < 2:
        return reading
    return replace(reading, late_s=_late_s(reading.best, position, changed_t))


def decode_doubted(
    evidence: F64,
    settled: Mask,
    position: Position,
    doubted: Sequence[Ply],
    config: DecodeConfig,
    changed_t: F64 | None = None,
    outside: Mask | None = None,
) -> Reading | None:
    """Lawful plies in place of the last ones on record, all of them `doubted`, that explain everything seen.

    outside : (90,) points outside the picture; a ply told to lead to one of them may have led to another
    """
    counted = np.where(settled[:, None], evidence, 0.0)
    told: set[int] = {point for ply in doubted for point in (ply.move.from_point, ply.move.to_point)}
    unseen: set[int] = set() if outside is None else set(np.flatnonzero(outside & ~settled).tolist())
    if not settled[list(told - unseen)].all():
        return None
    unseen = unseen if told & unseen else set()
    told |= unseen
    altered = frozenset(np.flatnonzero(counted[:, SAME] < config.altered_nats).tolist())
    if changed_t is not None:
        changed_t = _with_told(changed_t, doubted)
    before, withdrawn = doubted[0].before, len(doubted)
    return _several(counted, settled, position, before, altered | told, withdrawn, changed_t, config, frozenset(unseen))


def _with_told(changed_t: F64, plies: Sequence[Ply]) -> F64:
    """The times of the change of points, with those learned anew when a ply was told: they changed before that."""
    out = changed_t.copy()
    for ply in reversed(plies):
        for point in (ply.move.from_point, ply.move.to_point):
            out[point] = ply.since_t, ply.told_t
    return out


def _several(
    counted: F64,
    settled: Mask,
    position: Position,
    before: Position,
    points: frozenset[int],
    withdrawn: int,
    changed_t: F64 | None,
    config: DecodeConfig,
    unseen: frozenset[int] = frozenset(),
) -> Reading | None:
    """Plies from `before` on that explain everything; in doubt where their order is open.

    unseen : points outside the picture that they may lead to; rather than over others that look as ever
    """
    fits = counted[:, _LOOKS] >= config.poor_nats
    fits[np.arange(POINTS), list(position.board)] = counted[:, SAME] >= config.poor_nats
    lines = shortest_lines(before, fits, points, 1 if withdrawn else _LEAST_SEVERAL, _order(changed_t))
    found = [Hypothesis(Story.SEVERAL_PLIES, withdrawn, moves, after.board) for after, moves in lines]
    if not found:
        return None
    late_s = [0.0 if changed_t is None else _late_s(one, position, changed_t) for one in found]
    in_view = [_passed(one, position, unseen) if unseen else 0 for one in found]
    ranked = sorted(range(len(found)), key=lambda number: (late_s[number], in_view[number]))
    others = tuple(found[number] for number in ranked[1 : 1 + _KEPT_RIVALS])
    told_apart = not others or late_s[ranked[1]] - late_s[ranked[0]] > config.order_s
    margin = config.min_margin_nats if told_apart and not withdrawn else config.open_order_nats
    best = found[ranked[0]]
    ends = {point for move in best.moves for point in (move.from_point, move.to_point)}
    whole = all(settled[point] for point in ends - unseen)
    return Reading(best, margin, others, (), whole, True, late_s[ranked[0]])


def _passed(line: Hypothesis, recorded: Position, unseen: frozenset[int]) -> int:
    """How many points in view the line comes to that look as recorded in the end."""
    ends = [move.to_point for move in line.moves]
    return sum(line.board[point] == recorded.board[point] and point not in unseen for point in ends)


def _late_s(line: Hypothesis, recorded: Position, changed_t: F64) -> float:
    """By how much a line contradicts the times; a point that it leaves as recorded may look so since any time."""
    times = changed_t.copy()
    times[np.frombuffer(line.board, np.uint8) == np.frombuffer(recorded.board, np.uint8), 0] = -np.inf
    return out_of_order_s(line.moves, times)


def _order(changed_t: F64 | None) -> list[int]:
    """The rank of each point by when it was left, as far as that was seen."""
    if changed_t is None:
        return [0] * POINTS
    seen_t = np.where(np.isfinite(changed_t[:, 1]), changed_t[:, 1], changed_t[:, 0])
    ranks: list[int] = np.argsort(np.argsort(seen_t)).tolist()
    return ranks


_LEAST_SEVERAL = 3
"""One ply and two are weighed against the others before."""


def out_of_order_s(moves: Sequence[Move], changed_t: F64) -> float:
    """By how much the moves contradict the times between which their points changed, s.

    A point that several of them touch was last seen as before until the last of them, and first seen otherwise from
    the first of them on.
    """
    touched = [point for move in moves for point in (move.from_point, move.to_point)]
    total_s, t = 0.0, -np.inf
    for number, move in enumerate(moves):
        ends = (move.from_point, move.to_point)
        for point in ends:
            if point not in touched[2 * number + 2 :]:
                t = max(t, float(changed_t[point, 0]))
        for point in ends:
            if point not in touched[: 2 * number]:
                total_s += max(0.0, t - float(changed_t[point, 1]))
    return total_s


def _weigh(
    counted: F64,
    settled: Mask,
    position: Position,
    last: Ply | None,
    vacated: frozenset[int],
    appeared: frozenset[int],
    deep: bool,
    config: DecodeConfig,
) -> Reading:
    best_of_board: dict[bytes, tuple[float, Hypothesis]] = {}
    for hypothesis in hypotheses(position, last, vacated, appeared, deep):
        score = PRIOR_NATS[hypothesis.story] + _gain(counted, position.board, hypothesis.board)
        known = best_of_board.get(hypothesis.board)
        if known is None or score > known[0]:
            best_of_board[hypothesis.board] = (score, hypothesis)
    ranked = sorted(best_of_board.values(), key=lambda pair: -pair[0])
    score, best = ranked[0]
    margin = score - ranked[1][0] if len(ranked) > 1 else np.inf
    changed = _changed(position.board, best.board)
    fit = counted[:, SAME].copy()
    for point in changed:
        look = look_of(best.board[point])
        fit[point] = counted[point, look]
        if _lead(counted[point], position.board[point], best.board[point], config) >= config.fits_best_nats:
            # A mark on the board that a piece has covered so far looks odd, but nothing else fits better.
            fit[point] = max(fit[point], config.poor_nats)
    unexplained = tuple(np.flatnonzero(fit < config.poor_nats).tolist())
    whole = all(bool(settled[point]) for point in changed)
    coherent = not set(changed) & set(unexplained)
    return Reading(best, margin, tuple(h for _, h in ranked[1 : 1 + _KEPT_RIVALS]), unexplained, whole, coherent)


def _lead(seen: F64, before: int, after: int, config: DecodeConfig) -> float:
    """By how much what was seen of a point fits what stands on it `after` better than anything else."""
    if after != EMPTY:
        return float(seen[look_of(after)] - np.delete(seen, look_of(after)).max())
    # For the other side to stand where a piece has just left more plies would have to have gone by.
    another = seen[_OTHER_LOOK[look_of(before)]] - config.fits_best_nats
    return float(seen[EMPTY_LOOK] - max(seen[SAME], seen[look_of(before)], another))


def _gain(counted: F64, before: bytes, after: bytes) -> float:
    """How much likelier the evidence is if `after` stands on the points than if nothing changed."""
    gained = 0.0
    for point in _changed(before, after):
        gained += counted[point, look_of(after[point])] - counted[point, SAME]
    return gained


@lru_cache(maxsize=4096)
def _changed(before: bytes, after: bytes) -> tuple[int, ...]:
    """Kept: all explanations of two plies are weighed frame after frame."""
    return tuple(point for point in range(POINTS) if before[point] != after[point])


_OTHER_LOOK = {RED_LOOK: BLACK_LOOK, BLACK_LOOK: RED_LOOK}
_LOOKS = [look_of(piece) for piece in range(16)]
"""The column of the evidence for each piece newly come."""
