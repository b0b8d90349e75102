import numpy as np
import pytest

from rules.piece import CANNON, CHARIOT, FULL_SET, HORSE, KINDS, KING, SOLDIER
from vision.pieces.joint import group_alike, read_kinds, share_evidence
from vision.pieces.placement import START_KINDS, placement_nats, start_points


def nats(*best, strength=2.0):
    """Log-probabilities of one group: a little evidence for each of `best`."""
    out = np.zeros(7)
    for kind in best:
        out[kind - 1] += strength
    return out - np.log(np.exp(out).sum())


def test_a_set_has_no_three_chariots():
    groups = [nats(KING), nats(CHARIOT), nats(CHARIOT), nats(CHARIOT, CANNON)]
    reading = read_kinds(groups, [1] * 4, [[0], [1], [2], [3]])
    assert sorted(reading.kinds) == sorted((KING, CHARIOT, CHARIOT, CANNON))


def test_a_side_has_a_general():
    assert KING in read_kinds([nats(SOLDIER, KING), nats(SOLDIER)], [1, 1], [[0], [1]]).kinds


def test_a_full_set_is_read_as_it_is():
    kinds = [kind for kind in KINDS for _ in range(FULL_SET[kind])]
    reading = read_kinds([nats(kind) for kind in kinds], [1] * 16, [[i] for i in range(16)])
    assert list(reading.kinds) == kinds
    assert np.allclose(reading.marginals.sum(axis=1), 1.0)
    assert 0.0 < reading.certainty <= 1.0


def test_marginals_are_those_of_counting_all_ways():
    groups = [nats(KING, strength=1.0), nats(CHARIOT, strength=0.5)]
    reading = read_kinds(groups, [1, 1], [[0], [1]])
    weights = np.add.outer(groups[0], groups[1])
    weights[0, 0] -= 5.0
    weights[1:, 1:] -= 3.0
    p = np.exp(weights) / np.exp(weights).sum()
    assert np.allclose(reading.marginals[0], p.sum(axis=1))
    assert np.allclose(reading.marginals[1], p.sum(axis=0))


def test_no_pieces_is_a_reading_too():
    assert read_kinds([], [], []).kinds == ()


def test_like_faces_are_grouped_and_share_their_evidence():
    alike = np.full((4, 4), 0.5)
    alike[:2, :2] = alike[2:, 2:] = 0.95
    np.fill_diagonal(alike, 1.0)
    evidence = np.stack([nats(HORSE), nats(SOLDIER, strength=0.1), nats(CANNON), nats(CANNON)])
    groups = group_alike(alike, np.array([0, 0, 1, 1]), evidence)
    assert sorted(map(sorted, groups)) == [[0, 1], [2, 3]]
    assert share_evidence(evidence, groups)[1].argmax() == HORSE - 1


def test_faces_that_the_net_reads_surely_apart_are_not_grouped():
    alike = np.full((3, 3), 0.7)
    alike[0, 1] = alike[1, 0] = 0.93
    evidence = np.stack([nats(CHARIOT, strength=9.0), nats(SOLDIER, strength=9.0), nats(KING)])
    assert len(group_alike(alike, np.zeros(3, dtype=np.int64), evidence)) == 3


@pytest.mark.parametrize("side", [0, 1])
def test_pieces_at_the_start_are_taken_to_be_those_of_the_start(side):
    placed = placement_nats(side, 1.0)
    at = np.flatnonzero(start_points(side))
    assert len(at) == 16
    assert (placed[at].argmax(axis=1) + 1 == START_KINDS[side][at]).all()
    assert np.isfinite(placed).all()
