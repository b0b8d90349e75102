"""When an explanation of what is seen is taken, how sure it is, and what is told of it then."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rules.event import BoardFound, PliesWithdrawn, RecordDoubt, TableEvent, WithdrawnWhy
from rules.legality import legal_moves
from rules.move import Move
from rules.piece import other
from rules.position import Position
from vision.belief import Belief
from vision.change import Mask
from vision.decode import Reading
from vision.disorder import Disorder
from vision.episode import settle
from vision.hypotheses import LAWFUL, Hypothesis, Ply, Story
from vision.observation import Observation
from vision.remember import remember_change, weigh_anew
from vision.setup import PipelineConfig
from vision.state import Watched
from vision.telling import Past, move_seen, placed_at, played, why_withdrawn


def _single_pictures(config: PipelineConfig, belief: Belief) -> bool:
    return belief.gap_s >= config.belief.picture_gap_s


def unseen_patience_s(config: PipelineConfig, belief: Belief) -> float:
    """How long an explanation waits that rests on little, s."""
    return config.unseen_picture_patience_s if _single_pictures(config, belief) else config.unseen_patience_s


def rests_on_little(config: PipelineConfig, state: Watched, seen: Observation, reading: Reading, settled: Mask) -> bool:
    """Whether more may have happened than the best explanation says: it waits, and is then told with a doubt."""
    best = reading.best
    if best.story in _UNLAWFUL and (seen.hands.present or _may_have_moved_unseen(state.position, settled)):
        # A captured piece that is held, or the reply to a move made under a hand, looks so until the hand goes.
        return True
    if reading.late_s > config.decode.order_s:
        # Another ply between them was not seen, or they were played out of turn.
        return True
    came_back = best.story is Story.SEVERAL_PLIES and comes_back(best.moves)
    if came_back and (_only_just(state.belief, best) or _may_have_moved_unseen(state.position, settled)):
        # So looks a captured piece that is taken away first, or plies of which a hand still hides some.
        return True
    if best.story is Story.NOTHING or not _single_pictures(config, state.belief):
        return False
    # Between single pictures several plies go by, and hands hide now one of their points, now another.
    as_before = np.frombuffer(state.position.board, np.uint8) == np.frombuffer(best.board, np.uint8)
    was_other = seen.hands.hidden & ~np.isnan(state.belief.seen_other)
    return bool((was_other & as_before).any()) or (seen.hands.present and best.story is not Story.MOVE)


def _only_just(belief: Belief, best: Hypothesis) -> bool:
    """Whether a point of the moves has only just come to look as it does."""
    points = [point for move in best.moves for point in (move.from_point, move.to_point)]
    with np.errstate(invalid="ignore"):
        return bool(belief.gap_s <= _FILM_GAP_S and (belief.t - belief.since[points] < _STOOD_S).any())


def comes_back(moves: Sequence[Move]) -> bool:
    """Whether a piece returns to where it was."""
    been: dict[int, frozenset[int]] = {}
    for move in moves:
        before = been.pop(move.from_point, frozenset()) | {int(move.from_point)}
        if move.to_point in before:
            return True
        been[move.to_point] = before
    return False


def _may_have_moved_unseen(position: Position, settled: Mask) -> bool:
    """Whether a side has a move from one hidden point to another."""
    ways = (legal_moves(position), legal_moves(replace(position, side=other(position.side))))
    return any(not settled[move.from_point] and not settled[move.to_point] for way in ways for move in way)


def convincing(config: PipelineConfig, reading: Reading, waited_s: float, light: float = 1.0) -> bool:
    """Whether an explanation is taken now.

    light : of the frame, as a share of the remembered light
    """
    if reading.best.story is Story.NOTHING or not reading.seen_whole or not reading.coherent:
        return False
    lawful_s = config.dark_patience_s if light < config.dark_light else config.patience_s
    patience_s = lawful_s if reading.best.story in LAWFUL else config.lawless_patience_s
    if reading.unexplained and waited_s < patience_s:
        return False
    if reading.margin_nats >= config.decode.min_margin_nats:
        return True
    return reading.margin_nats >= config.doubt_margin_nats and waited_s >= config.doubt_patience_s


def accept(
    state: Watched, reading: Reading, seen: Observation, unsettled: Mask, unsure: bool
) -> tuple[Watched, list[TableEvent]]:
    """Tell the plies of the best explanation, with a doubt where it is `unsure`, and remember the board as it is.

    unsettled : (90,) points that look otherwise than remembered since too short a time to be explained
    """
    best = reading.best
    hands_left_t = seen.t if state.quiet_since is None else state.quiet_since
    past = Past(state.belief, state.episodes, hands_left_t, state.glimpses, state.scene.half, seen.half)
    unsure = unsure or _order_is_open(state, best)
    doubted = unsure or reading.margin_nats < _SURE_NATS or best.story is Story.SEVERAL_PLIES
    most = _UNSURE_PROBABILITY if unsure else _SEVERAL_PROBABILITY if best.story is Story.SEVERAL_PLIES else 1.0
    probability = min(reading.probability, most)
    plies, position = list(state.plies), state.position
    events: list[TableEvent] = []
    if not state.side_known and position.side != state.given.side:
        grid = state.table.grid
        events.append(
            BoardFound(seen.t, grid.corners_px(), grid.red_side(), position, grid.residual_px, reading.probability)
        )
    if best.withdrawn:
        misread = best.story is Story.SEVERAL_PLIES
        why = WithdrawnWhy.CORRECTED if misread else why_withdrawn(plies[-1], state.episodes)
        stands = best.moves[-1].to_point if best.moves else plies[-1].move.from_point
        placed = placed_at(stands, past)
        events.append(PliesWithdrawn(seen.t, len(plies) - best.withdrawn + 1, why, placed))
        position = plies[-best.withdrawn].before
        del plies[-best.withdrawn :]
    for move in best.moves:
        since_t = float(state.belief.seen_same[[move.from_point, move.to_point]].max())
        plies.append(Ply(position, move, seen.t, probability, doubted, since_t))
        position = played(position, move)
        events.append(move_seen(seen.t, plies[-1], past))
    if doubted and best.moves:
        others = tuple(rival.moves[-1] for rival in reading.rivals if rival.moves)
        events.append(RecordDoubt(seen.t, len(plies), others, probability))
    changed = np.zeros(90, dtype=np.bool_)
    changed[[p for move in best.moves for p in (move.from_point, move.to_point)]] = True
    state = replace(
        state,
        position=position,
        plies=tuple(plies),
        side_known=True,
        waiting_since=None,
        episodes=settle(state.episodes, changed),
        disorder=Disorder(disturbed=state.disorder.disturbed, cleared=state.disorder.cleared),
    )
    # What has only just changed may be the next ply, which would be lost if it were taken for the scene.
    strange = unsettled & ~changed
    strange[list(reading.unexplained)] = True
    return weigh_anew(remember_change(state, seen, changed, strange)), events


def _order_is_open(state: Watched, best: Hypothesis) -> bool:
    """Whether a move lay under a hand since before the last ply was told: it may have been played before that."""
    if not state.plies:
        return False
    told_t = state.plies[-1].told_t
    from_t, to_t = state.episodes.hidden_from, state.episodes.hidden_to
    covered = (from_t < told_t - _OVERLAP_S) & (np.isnan(to_t) | (to_t > told_t))
    return any(bool(covered[move.from_point] and covered[move.to_point]) for move in best.moves)


_UNLAWFUL = frozenset({Story.OUT_OF_TURN, Story.ILLEGAL, Story.ILLEGAL_OUT_OF_TURN, Story.SUICIDE})
_FILM_GAP_S = 0.6
"""Frames further apart are single pictures, of which the next shows another position."""
_STOOD_S = 1.0
"""So long several plies at once have to stand: a capture is played through in that time."""
_SURE_NATS = 3.0
"""Below this lead a ply is told with a doubt."""
_UNSURE_PROBABILITY = 0.5
"""Of an explanation that leads, while more may have happened than it says."""
_SEVERAL_PROBABILITY = 0.9
"""Of each of several plies that nobody saw one by one."""
_OVERLAP_S = 1.0
"""A player's hand comes out over the board up to so long before the other's ply is told."""
