"""What hands did to pieces that stand on their points again: told as touches, or as pieces disturbed."""

from dataclasses import replace

import numpy as np

from rules.event import PiecesDisturbed, TableEvent
from vision.belief import F64, SAME
from vision.change import Mask
from vision.disorder import exchanged, push_aside
from vision.episode import settle
from vision.exchanged import Faces, ask_soon, find_exchanged, may_be_another
from vision.fine import fine_view
from vision.observation import Observation
from vision.pieces.nets import PieceNets
from vision.remember import remember_points
from vision.setup import PipelineConfig
from vision.signs import Signs
from vision.state import Watched
from vision.touch import UNTOUCHED, Look, examine, off_middle_cells, suspects, tell


def look_for_touches(
    config: PipelineConfig, state: Watched, seen: Observation, settled: Mask, weighed: F64, nets: PieceNets | None
) -> tuple[Watched, list[TableEvent]]:
    """Pieces that were touched and stand where they stood."""
    points = suspects(state.belief, state.episodes, state.position.board, settled, weighed, config.touch)
    strange = settled & (weighed[:, SAME] < config.decode.poor_nats)
    if not points.any() or np.count_nonzero(strange) > config.upset_points:
        # While pieces are swept away one may lie where another stood.
        return state, []
    board = state.position.board
    with np.errstate(invalid="ignore"):
        new = ~(seen.t - state.episodes.examined < config.touch.again_s)
    if not (points & new).any():
        return state, []
    reference = state.scene.reference
    fine = fine_view(state.table.window, seen.picture, seen.gain)
    signs = None if nets is None else Signs(nets, state.table.looks.radius_px, state.fine, fine)
    faces = Faces(reference, seen.window, board, signs)
    crossed = find_exchanged(faces, points, new, state.episodes, config.exchange)
    if crossed:
        disorder, news = exchanged(state.disorder, crossed, board, state.episodes, seen.t, config.disorder)
        done = np.zeros(90, dtype=np.bool_)
        done[[point for point, _ in crossed]] = True
        state = replace(state, episodes=settle(state.episodes, done), disorder=disorder)
        return remember_points(state, seen, done), news
    pieces = np.frombuffer(board, dtype=np.uint8) > 0
    steady = pieces & seen.visible & np.isnan(state.episodes.hidden_from)
    if not steady.any():
        # An arm has lain over all of them: those that look as ever were not touched.
        steady = pieces & seen.visible & (seen.likeness >= UNTOUCHED)
    then = Look(reference, state.fine)
    now = Look(seen.window, fine)
    touched, untouched, episodes = examine(then, now, points, steady, strange, state.episodes, seen.t, config.touch)
    # It is told apart from an exchange once the other piece is seen as well.
    waiting = [
        touch.point for touch in touched if not touch.itself and may_be_another(faces, touch, episodes, config.exchange)
    ]
    touched = [touch for touch in touched if touch.point not in waiting]
    episodes = ask_soon(episodes, waiting, config.touch.again_s, config.exchange)
    pushed = [touch.point for touch in touched if touch.alignment.size_cells >= config.disorder.brushed_cells]
    # Pieces pushed in one go may come to stand on their middles; straightened ones all do.
    if all(off_middle_cells(seen.window, point) < config.disorder.brushed_cells for point in pushed):
        pushed = []
    disorder, disturbed = push_aside(state.disorder, pushed, episodes, seen.t, config.disorder)
    events = [
        tell(touch, episodes, seen.t, config.touch)
        for touch in touched
        if not any(isinstance(event, PiecesDisturbed) and touch.point in event.points for event in disturbed)
    ]
    otherwise = np.zeros(90, dtype=np.bool_)
    otherwise[[touch.point for touch in touched]] = True
    state = replace(state, episodes=settle(episodes, untouched | otherwise), disorder=disorder)
    # The others look as they did, or the hand's shadow still lies on them.
    return (remember_points(state, seen, otherwise) if touched else state), [*events, *disturbed]
