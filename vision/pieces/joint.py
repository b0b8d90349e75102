"""All kinds of a position read together: like faces are one kind, and no set has more than its pieces.

One side's discs are grouped by likeness; every group takes one kind. Over the numbers of pieces used so far a forward
and a backward pass sum over all ways to give kinds to groups, exactly, so the probabilities are those of the model.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64
from rules.piece import FULL_SET, KINDS

I64 = NDArray[np.int64]

_OVER_NATS = -5.0
"""For each piece more than a set has: strangers' pieces and spares are rarer than misread signs."""
_NO_KING_NATS = -3.0
"""For a side with pieces but no general: captured, fallen, or a layout for practice."""
_SHAPE = tuple(FULL_SET[kind] + 1 for kind in KINDS)
"""Counts of each kind used so far; a full count stays full and every further piece costs."""

_SAME_SHARE = 0.65
"""Where between the likeness of strangers and of twins the bar for one group lies."""
_LIKENESS_PER_NAT = 0.04
"""Likeness that outweighs a nat of quarrel between two groups' readings."""
_LEAST_TWINS = 0.75
"""Likeness of a disc to its best match from which a picture is sharp enough for grouping."""
_MIN_GAP = 0.12
"""Least distance of the two for grouping at all: in a blurred picture everything is alike."""
_GROUP_POWER = 0.5
"""How evidence grows with the size of a group: members look alike, so the net errs on them alike."""


@dataclass(frozen=True, slots=True)
class KindReading:
    """What the joint reading says of one side's discs."""

    kinds: tuple[int, ...]
    """Most probable kinds together, 1..7, one per disc."""
    marginals: F64
    """(N, 7) probability of each kind for each disc."""
    log_weight: float
    """Log of the sum over all assignments: evidence for this reading's side and turn of the board."""
    certainty: float
    """Probability that all kinds are right together, by the model."""


def group_alike(alike: F64, side: I64, kind_nats: F64) -> list[list[int]]:
    """Group discs that look like one kind.

    alike     : (N, N) mutual likeness
    side      : (N,) 0 or 1; groups may hold both sides, but no more of a side than a set has of one kind
    kind_nats : (N, 7) log-probabilities by the signs; discs that the net reads differently are joined less easily
    returns   : lists of disc numbers
    """
    count = len(alike)
    groups = [[i] for i in range(count)]
    if count < 3:
        return groups
    off = alike[np.triu_indices(count, 1)]
    nearest = np.where(np.eye(count, dtype=bool), -1.0, alike).max(axis=1)
    strangers, twins = float(np.median(off)), float(np.quantile(nearest, 0.7))
    if twins - strangers < _MIN_GAP or twins < _LEAST_TWINS:
        return groups
    bar = strangers + _SAME_SHARE * (twins - strangers)
    while len(groups) > 1:
        best, pair = bar, None
        for a, b in combinations(range(len(groups)), 2):
            linked = float(alike[np.ix_(groups[a], groups[b])].mean())
            if linked <= best:
                continue
            first, second = kind_nats[groups[a]].mean(axis=0), kind_nats[groups[b]].mean(axis=0)
            quarrel = float(first.max() + second.max() - (first + second).max())
            linked -= _LIKENESS_PER_NAT * quarrel
            if linked > best and _fits_a_set([*groups[a], *groups[b]], side):
                best, pair = linked, (a, b)
        if pair is None:
            break
        groups[pair[0]] += groups.pop(pair[1])
    return groups


def _fits_a_set(members: list[int], side: I64) -> bool:
    red = sum(1 for i in members if side[i] == 0)
    return max(red, len(members) - red) <= max(FULL_SET.values())


def share_evidence(kind_nats: F64, groups: list[list[int]]) -> F64:
    """(N, 7) log-probabilities of the net, averaged over each group and raised with its size."""
    shared = kind_nats.copy()
    for members in groups:
        mean = kind_nats[members].mean(axis=0)
        shared[members] = mean * len(members) ** (_GROUP_POWER - 1.0)
    return shared


def read_kinds(group_nats: list[F64], sizes: list[int], discs: list[list[int]]) -> KindReading:
    """Give kinds to one side's groups.

    group_nats : for each group (7,) log weight of each kind: signs and placement
    sizes      : discs in each group
    discs      : which discs, numbered 0.. within the side
    """
    total = sum(sizes)
    if not group_nats:
        return KindReading((), np.zeros((0, 7)), _NO_KING_NATS, 1.0)
    start = np.full(_SHAPE, -np.inf)
    start[(0,) * 7] = 0.0
    forward, best = [start], [start]
    for nats, size in zip(group_nats, sizes, strict=True):
        options = [_take(forward[-1], kind, size) + nats[kind] for kind in range(7)]
        forward.append(np.logaddexp.reduce(options))
        best.append(np.maximum.reduce([_take(best[-1], kind, size) + nats[kind] for kind in range(7)]))
    end = np.zeros(_SHAPE)
    end[0] += _NO_KING_NATS
    log_weight = float(np.logaddexp.reduce((forward[-1] + end).ravel()))
    backward = end
    marginals, kinds = np.zeros((total, 7)), [0] * total
    # The best path backwards, with the marginals on the way.
    after_best = end
    chosen_after: list[int] = []
    for number in range(len(sizes) - 1, -1, -1):
        nats, size = group_nats[number], sizes[number]
        given = [_untake(backward, kind, size) + nats[kind] for kind in range(7)]
        log_p = np.array([np.logaddexp.reduce((forward[number] + g).ravel()) for g in given]) - log_weight
        marginals[discs[number]] = np.exp(log_p) / np.exp(log_p).sum()
        scores = [float((best[number] + _untake(after_best, kind, size)).max()) + nats[kind] for kind in range(7)]
        kind = int(np.argmax(scores))
        chosen_after.append(kind)
        after_best = _untake(after_best, kind, size) + nats[kind]
        backward = np.logaddexp.reduce(given)
        for disc in discs[number]:
            kinds[disc] = kind + 1
    best_weight = float(after_best[(0,) * 7])
    return KindReading(tuple(kinds), marginals, log_weight, float(np.exp(min(0.0, best_weight - log_weight))))


def _take(weights: F64, kind: int, size: int) -> F64:
    """Log weights over the counts after `size` more pieces of a kind; what is beyond a set costs."""
    out = np.full_like(weights, -np.inf)
    limit = weights.shape[kind]
    source, target = np.moveaxis(weights, kind, 0), np.moveaxis(out, kind, 0)
    for before in range(limit):
        after, cost = _count_after(before, size, limit)
        target[after] = np.logaddexp(target[after], source[before] + cost)
    return out


def _untake(weights: F64, kind: int, size: int) -> F64:
    """Log weights of what follows, seen from the counts before `size` pieces of a kind are taken."""
    out = np.empty_like(weights)
    limit = weights.shape[kind]
    source, target = np.moveaxis(weights, kind, 0), np.moveaxis(out, kind, 0)
    for before in range(limit):
        after, cost = _count_after(before, size, limit)
        target[before] = source[after] + cost
    return out


def _count_after(before: int, size: int, limit: int) -> tuple[int, float]:
    full = limit - 1
    return min(before + size, full), max(0, before + size - full) * _OVER_NATS
