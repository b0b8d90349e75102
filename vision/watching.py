"""One frame of a table that was found: evidence, explanation, and what is told of it."""

from dataclasses import replace

import numpy as np

from rules.event import BoardCleared, PiecesDisturbed, TableEvent, ViewChanged, ViewState
from rules.piece import other, side_of
from vision.accepting import accept, convincing, rests_on_little, unseen_patience_s
from vision.belief import EMPTY_LOOK, F64, SAME, evidence, update
from vision.carried import carried_away, same_piece
from vision.change import Mask
from vision.covering import covered
from vision.decode import Reading, decode, decode_doubted
from vision.disorder import Scene, find_disorder, put_right
from vision.episode import follow_hands, hidden_since, settle
from vision.hypotheses import LAWFUL, Hypothesis, Story
from vision.observation import Glance, Observation, observe
from vision.pieces.nets import PieceNets
from vision.placing import lies_between
from vision.registration import lies_where_it_lay
from vision.relearn import changed_by_light, learn_light
from vision.remember import follow_light, remember_points, remember_view
from vision.setup import PipelineConfig
from vision.state import Watched
from vision.stood import keep
from vision.stray import find_strays
from vision.touching import look_for_touches
from vision.unseen import leads_out_of_sight, learn_edge, outside_picture, tell_outside, with_unseen_rivals


def watch(
    config: PipelineConfig, state: Watched, t: float, look: Glance, nets: PieceNets | None
) -> tuple[Watched, list[TableEvent]]:
    """What one more frame tells of a table whose window is aligned."""
    position = state.position
    hands_before = state.resting if t - state.belief.t <= config.observation.rest.most_apart_s else ()
    scene, looks, quiet_s = state.scene, state.table.looks, _quiet_s(state)
    seen = observe(t, look, state.previous, scene, looks, config.observation, hands_before, state.lying, quiet_s)
    belief = update(state.belief, seen, config.belief)
    settled = belief.settled(config.belief)
    weighed = evidence(belief, position.board, config.belief)
    emptied = settled & (weighed[:, EMPTY_LOOK] - weighed[:, SAME] > config.decode.vacated_nats)
    emptied &= np.frombuffer(position.board, dtype=np.uint8) > 0
    state = replace(
        state,
        belief=belief,
        previous=seen.half,
        hands=seen.hands,
        resting=seen.resting,
        lying=seen.lying,
        episodes=follow_hands(state.episodes, seen, emptied & seen.hands.present, config.observation.alike),
        quiet_since=_quiet_since(state, seen),
        glimpses=keep(state.glimpses, t, seen.half, seen.hands.present),
    )
    outside = outside_picture(config, state)
    state, events = _blocked(config, state, seen, outside)
    last = state.plies[-1] if state.plies else None
    reading = decode(weighed, settled, position, last, config.decode, belief.changed_t())
    reading, weighed = _carried(config, state, seen, settled, reading, weighed)
    reading = _from_under_a_hand(config, state, seen, settled, reading)
    if not state.side_known and reading.best.story is not Story.NOTHING:
        state, reading = _whose_turn(config, state, reading, weighed, settled)
    state, reading = _instead_of_doubted(config, state, reading, weighed, settled, outside, seen.hands.present)
    state, touches = look_for_touches(config, state, seen, settled, weighed, nets)
    events.extend(touches)
    state = learn_light(state, seen, settled, config.observation.alike)
    if reading.best.story is Story.NOTHING and not reading.unexplained:
        state, more = _as_recorded(config, state, seen, settled)
    else:
        state, more = _changed(config, state, seen, reading, weighed, settled, outside)
    return state, [*events, *more]


def _carried(
    config: PipelineConfig, state: Watched, seen: Observation, settled: Mask, reading: Reading, weighed: F64
) -> tuple[Reading, F64]:
    """What nothing explains, read again with points counted empty whose piece is seen elsewhere."""
    if not reading.unexplained or seen.hands.present:
        return reading, weighed
    strange, altered = (settled & (weighed[:, SAME] < b) for b in (config.decode.poor_nats, config.decode.altered_nats))
    board, scene = state.position.board, state.scene
    known = carried_away(scene.reference, seen.window, board, weighed, strange, altered, state.episodes, config.carried)
    if known is weighed:
        return reading, weighed
    last = state.plies[-1] if state.plies else None
    return decode(known, settled, state.position, last, config.decode, state.belief.changed_t()), known


def _from_under_a_hand(
    config: PipelineConfig, state: Watched, seen: Observation, settled: Mask, reading: Reading
) -> Reading:
    """A move from a point that a resting hand hides is seen whole once its piece is known again where it went."""
    best = reading.best
    if best.story is not Story.MOVE or reading.seen_whole or reading.unexplained or not seen.hands.present:
        return reading
    move = best.moves[0]
    if not settled[move.to_point] or reading.margin_nats < config.decode.min_margin_nats:
        return reading
    stood_s = seen.t - float(state.belief.since[move.to_point])
    whole = same_piece(state.scene.reference, seen.window, move, stood_s, config.carried)
    return replace(reading, seen_whole=whole)


def _whose_turn(
    config: PipelineConfig, state: Watched, reading: Reading, weighed: F64, settled: Mask
) -> tuple[Watched, Reading]:
    """Of a position read in the middle of a game the first move tells who was to move."""
    turned = replace(state.position, side=other(state.position.side))
    as_other = decode(weighed, settled, turned, None, config.decode)
    if as_other.best.story not in LAWFUL or reading.best.story in LAWFUL:
        return state, reading
    return replace(state, position=turned), as_other


def _instead_of_doubted(
    config: PipelineConfig,
    state: Watched,
    reading: Reading,
    weighed: F64,
    settled: Mask,
    outside: Mask,
    hands_about: bool,
) -> tuple[Watched, Reading]:
    """What nothing else explains may show that plies told with a doubt were others."""
    t = state.belief.t
    changed_t = state.belief.changed_t()
    lawful = reading.best.story in LAWFUL or reading.best.story is Story.NOTHING
    if lawful and not reading.unexplained and reading.late_s <= config.decode.order_s:
        return state, reading
    first = next((number for number, ply in enumerate(state.plies) if ply.doubted), len(state.plies))
    doubted = state.plies[max(first, len(state.plies) - _MOST_DOUBTED) :]
    if not doubted or not doubted[0].doubted:
        return state, reading
    # What breaks the rules is told as soon as no hand is about: that is not to happen between two times of asking.
    if (lawful or hands_about) and t - state.rewound_t < _REWOUND_EVERY_S:
        return state, reading
    state = replace(state, rewound_t=t)
    other_plies = decode_doubted(weighed, settled, state.position, doubted, config.decode, changed_t, outside)
    if other_plies is None or (lawful and not reading.unexplained and other_plies.late_s >= reading.late_s):
        return state, reading
    return state, other_plies


def _quiet_since(state: Watched, seen: Observation) -> float | None:
    if seen.hands.present or not bool(seen.still.all()):
        return None
    return seen.t if state.quiet_since is None else state.quiet_since


def _quiet_s(state: Watched) -> float:
    """For how long, up to the last frame believed, no hand was about and nothing moved."""
    return 0.0 if state.quiet_since is None else state.belief.t - state.quiet_since


def _blocked(
    config: PipelineConfig, state: Watched, seen: Observation, outside: Mask
) -> tuple[Watched, list[TableEvent]]:
    """Tell when much of the board, or of the time, has been hidden for long, or what lies outside the picture.

    When it is seen again, that is told as well.
    """
    hides_much = float((seen.hands.hidden & ~outside).mean()) >= config.blocked_share
    hides_much |= state.missed >= config.missed_share * (_MISSED_LESS if state.blocked_told else 1.0)
    if not hides_much and not _hides_a_move(state):
        told = state.blocked_told
        clear = replace(state, blocked_since=None, blocked_told=False, view_anew=state.view_anew or told)
        clear, events = tell_outside(clear, seen.t, outside)
        return clear, [ViewChanged(seen.t, ViewState.CLEAR), *events] if told else events
    since = seen.t if state.blocked_since is None else state.blocked_since
    state = replace(state, blocked_since=since)
    if state.blocked_told or seen.t - since < config.blocked_s:
        return state, []
    return replace(state, blocked_told=True), [ViewChanged(seen.t, ViewState.BLOCKED)]


def _hides_a_move(state: Watched) -> bool:
    """Whether something has changed while a hand lay elsewhere, as it does still: a move may end under it."""
    since = state.waiting_since
    return since is not None and bool(hidden_since(state.episodes, since).any())


def _as_recorded(
    config: PipelineConfig, state: Watched, seen: Observation, settled: Mask
) -> tuple[Watched, list[TableEvent]]:
    """Nothing new: follow slow changes, and after a quiet while take the whole view for the scene."""
    state = replace(state, waiting_since=None)
    events: list[TableEvent] = []
    if state.disorder.points and settled[list(state.disorder.points)].all():
        disorder, events = put_right(state.disorder, seen.t)
        state = replace(state, disorder=disorder)
    if _quiet_s(state) >= config.absorb_s and seen.t - state.absorbed_t >= config.absorb_s:
        state = remember_view(state, seen)
        return replace(
            state, absorbed_t=seen.t, unaccounted=False, episodes=settle(state.episodes, seen.visible)
        ), events
    shaded = seen.visible & (seen.likeness < config.observation.alike)
    shaded &= seen.t - np.fmax(state.belief.since, state.belief.seen_other) >= _SHADED_S
    if shaded.any():
        # Nothing has changed there but the light: a piece's shadow came or went with a move.
        return remember_points(state, seen, shaded), events
    since_s = seen.t - max(state.followed_t, state.absorbed_t)
    if since_s < config.adapt_every_s:
        return state, events
    rate = min(0.5, config.adapt_per_s * since_s)
    state = follow_light(state, seen, seen.likeness < config.observation.alike, rate)
    return replace(state, followed_t=seen.t), events


def _changed(
    config: PipelineConfig,
    state: Watched,
    seen: Observation,
    reading: Reading,
    weighed: F64,
    settled: Mask,
    outside: Mask,
) -> tuple[Watched, list[TableEvent]]:
    """Something is otherwise than on record: a move, or disorder, or not yet clear."""
    since = seen.t if state.waiting_since is None else state.waiting_since
    state = replace(state, waiting_since=since)
    waited_s = seen.t - since
    lit = changed_by_light(state, reading.unexplained)
    if lit.any():
        return remember_points(state, seen, lit), []
    unsure = rests_on_little(config, state, seen, reading, settled)
    if unsure and waited_s < unseen_patience_s(config, state.belief):
        return state, []
    out_of_sight = leads_out_of_sight(config, state, seen, reading, settled, outside)
    convinces = convincing(config, reading, waited_s, float(seen.gain.min())) and not _upset(config, state, reading)
    between = convinces and _lies_between(config, state, seen, reading.best)
    if between:
        reading = replace(reading, coherent=False)
    elif out_of_sight or convinces:
        unsettled = ~settled & (seen.likeness < config.observation.alike)
        reading = with_unseen_rivals(reading, settled) if out_of_sight else reading
        told, more = accept(state, reading, seen, unsettled, unsure or out_of_sight or bool(reading.unexplained))
        return (learn_edge(told, seen, outside) if out_of_sight else told), more
    if not reading.coherent:
        # What no story explains is all that looks otherwise, and not what the best of them leaves.
        strange = np.flatnonzero(settled & (weighed[:, SAME] < config.decode.poor_nats))
        nothing = Hypothesis(Story.NOTHING, 0, (), state.position.board)
        reading = replace(reading, best=nothing, unexplained=tuple(strange.tolist()))
    if state.quiet_since is None:
        return state, []
    under = covered(seen)
    in_sight = tuple(point for point in reading.unexplained if not under[point])
    scene = Scene(
        seen.t,
        state.position.board,
        replace(reading, unexplained=in_sight),
        weighed,
        settled & ~under,
        find_strays(seen, state.table.looks, config.disorder.stray),
        state.episodes,
        seen.t - max(state.quiet_since, since),
        state.position.side if state.side_known else None,
        state.unaccounted,
    )
    disorder, events = find_disorder(state.disorder, scene, config.disorder)
    if any(map(_changes_much, events)) and not lies_where_it_lay(state.scene.half, seen.half, state.position.board):
        # It is the board, or the camera, that is elsewhere: it is searched anew.
        return replace(state, lost=True), [ViewChanged(seen.t, ViewState.LOST)]
    return replace(state, disorder=disorder), events


def _changes_much(event: TableEvent) -> bool:
    """Whether so much of the board is told to be otherwise that the board itself may have moved."""
    return isinstance(event, BoardCleared) or (isinstance(event, PiecesDisturbed) and len(event.points) >= _MANY)


def _upset(config: PipelineConfig, state: Watched, reading: Reading) -> bool:
    """Whether so much is unexplained that pieces may be swept away at this moment."""
    return len(reading.unexplained) > config.upset_points and _quiet_s(state) < config.upset_quiet_s


def _lies_between(config: PipelineConfig, state: Watched, seen: Observation, best: Hypothesis) -> bool:
    """Whether the one piece that was moved stands on no point."""
    if len(best.moves) != 1 or best.withdrawn:
        return False
    move = best.moves[0]
    side = side_of(state.position.board[move.from_point])
    return lies_between(state.scene.reference, seen.window, move, side, state.table.looks, config.placing)


_MISSED_LESS = 0.5
"""The share of frames that show nothing has to fall to this before that is over: else it would come and go."""
_MANY = 4
"""So many pieces off their points at once, or more."""
_MOST_DOUBTED = 6
"""So many plies from a doubted one on can turn out to have been others."""
_REWOUND_EVERY_S = 0.5
"""How often that is looked into: it takes as long as a few frames."""
_SHADED_S = 1.5
"""A point that stands on record and has only looked otherwise for this long is learned as it looks now; hands and
their shadows seldom lie still over it for so long."""
