"""Pieces of one side that changed places: each face reads as the other's sign, and matches its old face."""

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from rules.piece import Piece
from rules.point import Point
from vision.align import align, face_match, score_in_place
from vision.change import Mask
from vision.episode import Episodes, held_near
from vision.frame import Image
from vision.signs import Signs
from vision.touch import Touch


@dataclass(frozen=True, slots=True)
class ExchangeConfig:
    """When faces say that pieces changed places."""

    strange_score: float = 0.8
    """A face that matches so poorly where a piece stood is another one, or turned."""
    most_strange: int = 4
    """Where more pieces than this do it is the light: none are compared with each other."""
    own_score: float = 0.95
    """A piece put back matches its old face this well, if any light falls on it; below it may be another."""
    crossed_score: float = 0.75
    """Two pieces changed places where each old face matches the new one on the other's point this well, and"""
    crossed_lead: float = 0.02
    """better than the old face of that point by this much, and"""
    crossed_leads: float = 0.07
    """by this much for both together: in a coarse picture two signs differ by little more."""
    crossed_clear: tuple[float, float] = (0.9, 0.1)
    """Where one matches so well on the other's point, and better by this much than what stood there, it is there:"""
    crossed_least: float = 0.7
    """then the other, on the point that was left, has to match only so well."""
    read_nats: float = 1.5
    """The kind net knows two signs of this set where it read each of them rightly, before, by this much for both."""
    exchanged_nats: float = 1.5
    """Two pieces changed places where it now reads them the other way round by this much for both, and both faces match
    no worse on each other's points, noise aside. It has put right faces 4 to 11 ahead, and exchanged ones 3 to 14."""
    crossed_noise: float = 0.04
    """Noise of such a match: in the dark all signs match all."""
    lately_s: float = 0.6
    """What a hand has left so lately may not have been measured yet."""
    soon_s: float = 0.2
    """A piece that may be another is measured again after this long: what is not told in time is learned as it is."""
    fingers_s: float = 0.15
    """With fingers at a piece for this long it may have been taken away: two frames of ten a second."""


@dataclass(frozen=True, slots=True)
class Faces:
    """The faces before and after hands were at them."""

    then: Image
    """(TALL, WIDE, 3) evened window with the pieces as on record."""
    now: Image
    """The same, now."""
    board: bytes
    signs: Signs | None
    """None where there are no nets: then likeness alone tells."""


def find_exchanged(
    faces: Faces, points: Mask, new: Mask, episodes: Episodes, config: ExchangeConfig
) -> list[tuple[int, int]]:
    """Of the suspects, pieces that changed places: (point, point whose piece stands there now), for both.

    points, new : (90,) the suspects; points that were not looked at just now
    """
    if not new[points].any():
        return []
    taken = [
        int(p) for p in np.flatnonzero(points) if episodes.emptied[p] or held_near(episodes, p) >= config.fingers_s
    ]
    strange = _strange(faces, taken, episodes, config)
    if len(strange) > config.most_strange:
        return []
    pairs = [(a, b) for a, b in combinations(strange, 2) if (new[a] or new[b]) and _alike(faces.board, a, b)]
    own = {p: align(faces.then, faces.now, p).score for p in {point for pair in pairs for point in pair}}
    for a, b in pairs:
        read = None if faces.signs is None else _read_crossed(faces, faces.signs, a, b, config)
        if read is False or (read is None and max(own[a], own[b]) >= config.own_score):
            continue
        crossed = face_match(faces.then, faces.now, b, a), face_match(faces.then, faces.now, a, b)
        leads = crossed[0] - own[a], crossed[1] - own[b]
        if _crossed(crossed, leads, config) or (read and sum(leads) > -2.0 * config.crossed_noise):
            return [(a, b), (b, a)]
    return []


def _strange(faces: Faces, taken: list[int], episodes: Episodes, config: ExchangeConfig) -> list[int]:
    """Those of the pieces that may be others by their looks."""
    scores = {p: score_in_place(faces.then, faces.now, p) for p in taken}
    every = [p for p in taken if scores[p] < config.own_score]
    readable = faces.signs is not None
    if readable and len(every) <= config.most_strange:
        # Signs tell what likeness does not.
        return every
    return [p for p in every if scores[p] < config.strange_score or (readable and episodes.emptied[p])]


def _read_crossed(faces: Faces, signs: Signs, a: int, b: int, config: ExchangeConfig) -> bool | None:
    """Whether the signs on two points are read as each other's; None where the net does not tell them apart."""
    leads = _leads_nats(faces.board, signs, a, b), _leads_nats(faces.board, signs, b, a)
    then, now = (sum(both) for both in zip(*leads, strict=True))
    if then > -config.read_nats or abs(now) < config.exchanged_nats:
        return None
    return now > 0.0


def _leads_nats(board: bytes, signs: Signs, point: int, other: int) -> tuple[float, float]:
    """By how much the sign on a point read more like that of the piece of another point than its own: then, and now."""
    return signs.leads_nats(Point(point), Piece(board[point]), Piece(board[other]))


def _crossed(crossed: tuple[float, float], leads: tuple[float, float], config: ExchangeConfig) -> bool:
    """Whether the faces of two pieces, matched on each other's point, say that they changed places."""
    match, lead = config.crossed_clear
    if any(one >= match and by >= lead for one, by in zip(crossed, leads, strict=True)):
        return min(crossed) >= config.crossed_least
    both = min(crossed) >= config.crossed_score and min(leads) >= config.crossed_lead
    return both and sum(leads) >= config.crossed_leads


def may_be_another(faces: Faces, touch: Touch, episodes: Episodes, config: ExchangeConfig) -> bool:
    """Whether a piece looks more like another one of its side, at which a hand has just been, than like itself."""
    with np.errstate(invalid="ignore"):
        lately = ~(episodes.t - episodes.hidden_to > config.lately_s)
    unclear = ~np.isnan(episodes.hidden_from) & (lately | episodes.emptied)
    point = touch.point
    others = [int(p) for p in np.flatnonzero(unclear) if p != point and _alike(faces.board, int(p), point)]
    signs, as_its_own = faces.signs, touch.alignment.score >= config.own_score
    if signs is not None and any(_now_reads_as(faces, signs, point, one, as_its_own, config) for one in others):
        return True
    if as_its_own:
        return False
    hidden = np.isnan(episodes.hidden_to) | episodes.emptied
    return any(
        face_match(faces.then, faces.now, other, point) - touch.alignment.score
        >= (-config.crossed_noise if hidden[other] else config.crossed_lead)
        for other in others
    )


def ask_soon(episodes: Episodes, points: list[int], again_s: float, config: ExchangeConfig) -> Episodes:
    """The episodes, with points to be measured again in a moment, and not only after `again_s`."""
    examined = episodes.examined.copy()
    examined[points] = episodes.t - again_s + config.soon_s
    return replace(episodes, examined=examined)


def _now_reads_as(faces: Faces, signs: Signs, point: int, other: int, as_its_own: bool, config: ExchangeConfig) -> bool:
    """Whether the sign on a point was read rightly and is now read as that of the piece of another point.

    as_its_own : its face matches its old one; then it has to be read more clearly
    """
    then, now = _leads_nats(faces.board, signs, point, other)
    share = 1.0 if as_its_own else 0.5
    return then < -share * config.read_nats and now > share * config.exchanged_nats


def _alike(board: bytes, a: int, b: int) -> bool:
    """Whether pieces of one side and of two kinds should stand on two points."""
    return board[a] != board[b] and (board[a] < 8) == (board[b] < 8) and board[a] > 0 and board[b] > 0
