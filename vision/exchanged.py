"""Pieces of one side that changed places: each face matches the other's old one, on the other's point."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from vision.align import align, face_match, score_in_place
from vision.change import Mask
from vision.episode import Episodes, held_near
from vision.frame import Image
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
    fingers_s: float = 0.15
    """With fingers at a piece for this long it may have been taken away: two frames of ten a second."""


def find_exchanged(
    reference: Image, window: Image, points: Mask, new: Mask, board: bytes, episodes: Episodes, config: ExchangeConfig
) -> list[tuple[int, int]]:
    """Of the suspects, pieces that changed places: (point, point whose piece stands there now), for both.

    points, new : (90,) the suspects; points that were not looked at just now
    """
    if not new[points].any():
        return []
    taken = [p for p in np.flatnonzero(points) if episodes.emptied[p] or held_near(episodes, p) >= config.fingers_s]
    strange = [int(p) for p in taken]
    strange = [p for p in strange if score_in_place(reference, window, p) < config.strange_score]
    if len(strange) > config.most_strange:
        return []
    pairs = [(a, b) for a, b in combinations(strange, 2) if (new[a] or new[b]) and _alike(board, a, b)]
    own = {p: align(reference, window, p).score for p in {point for pair in pairs for point in pair}}
    for a, b in pairs:
        if max(own[a], own[b]) >= config.own_score:
            continue
        crossed = face_match(reference, window, b, a), face_match(reference, window, a, b)
        leads = crossed[0] - own[a], crossed[1] - own[b]
        if _crossed(crossed, leads, config):
            return [(a, b), (b, a)]
    return []


def _crossed(crossed: tuple[float, float], leads: tuple[float, float], config: ExchangeConfig) -> bool:
    """Whether the faces of two pieces, matched on each other's point, say that they changed places."""
    match, lead = config.crossed_clear
    if any(one >= match and by >= lead for one, by in zip(crossed, leads, strict=True)):
        return min(crossed) >= config.crossed_least
    both = min(crossed) >= config.crossed_score and min(leads) >= config.crossed_lead
    return both and sum(leads) >= config.crossed_leads


def may_be_another(
    reference: Image, window: Image, touch: Touch, board: bytes, episodes: Episodes, config: ExchangeConfig
) -> bool:
    """Whether a piece looks more like another one of its side, at which a hand has just been, than like itself."""
    if touch.alignment.score >= config.own_score:
        return False
    hidden = ~np.isnan(episodes.hidden_from) & (np.isnan(episodes.hidden_to) | episodes.emptied)
    others = [int(p) for p in np.flatnonzero(hidden) if p != touch.point and _alike(board, int(p), touch.point)]
    least = touch.alignment.score + config.crossed_lead
    return any(face_match(reference, window, other, touch.point) >= least for other in others)


def _alike(board: bytes, a: int, b: int) -> bool:
    """Whether pieces of one side and of two kinds should stand on two points."""
    return board[a] != board[b] and (board[a] < 8) == (board[b] < 8) and board[a] > 0 and board[b] > 0
