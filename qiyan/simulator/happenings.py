"""Scripts of incidents and of their harmless look-alikes, each within a little ordinary play."""

import numpy as np

from qiyan.simulator import breach_scenes, doubt_scenes, incident_scenes, look_alike_scenes, stress_scenes
from qiyan.simulator.games import play_script
from qiyan.simulator.random_play import choose_move, position_after, random_moves
from qiyan.simulator.scene import NoSuchScene, Scene
from qiyan.simulator.script import NATURAL, Action, Play, Script
from rules.fen import START_FEN, format_fen
from rules.iccs import format_iccs, parse_iccs
from rules.piece import EMPTY
from rules.position import Position

MAKERS = {
    **incident_scenes.MAKERS,
    **breach_scenes.MAKERS,
    **doubt_scenes.MAKERS,
    **look_alike_scenes.MAKERS,
    **stress_scenes.MAKERS,
}
"""Name of the happening -> what makes its actions."""
INCIDENTS = (*incident_scenes.MAKERS, *breach_scenes.MAKERS)
DOUBTS = (*doubt_scenes.MAKERS,)
HARMLESS = (*look_alike_scenes.MAKERS, *stress_scenes.MAKERS)
BEFORE_PLIES = 4
AFTER_PLIES = 4
_TRIES = 300


def happening_script(
    name: str, seed: int, before: int | None = None, after: int = AFTER_PLIES, shown: int | None = None
) -> Script:
    """A short game with the happening in it; the seed decides everything.

    before : plies of the game before the happening; None for some
    after  : plies after it
    shown  : how many of those before it are acted out: the film begins in the middle of the game; None for all
    """
    rng = np.random.default_rng((seed, 31))
    for attempt in range(_TRIES):
        plies = BEFORE_PLIES + int(rng.integers(0, 6)) + attempt // 10 if before is None else before
        moves = random_moves(seed * 1000 + attempt, plies)
        last = parse_iccs(moves[-1]) if moves else None
        scene = Scene(position_after(moves), rng, last=last, came_by_capture=_ends_with_capture(moves))
        try:
            actions = MAKERS[name](scene)
        except NoSuchScene:
            continue
        tail = _going_on(scene.next_position, after, rng)
        first: tuple[Action, ...] = ()
        if scene.start_fen != START_FEN:
            start_fen = scene.start_fen
        else:
            unseen = 0 if shown is None else max(0, len(moves) - shown)
            start_fen = format_fen(position_after(moves[:unseen]))
            first = play_script(moves[unseen:], seed, "quick", start_fen).actions
        every = (*first, *actions, *tail)
        return Script(every, start_fen, scene.base_s, 0.0, scene.red_s, scene.black_s, seed, note=name)
    raise NoSuchScene(f"no position found for {name!r} with seed {seed}")


def _ends_with_capture(moves: list[str]) -> bool:
    return bool(moves) and position_after(moves[:-1]).piece_at(parse_iccs(moves[-1]).to_point) != EMPTY


def _going_on(position: Position | None, plies: int, rng: np.random.Generator) -> list[Action]:
    """Ordinary play from there; none where the play ends."""
    out: list[Action] = []
    while position is not None and len(out) < plies:
        move = choose_move(position, rng)
        if move is None:
            break
        out.append(Play(format_iccs(move), NATURAL))
        position = position.play(move)
    return out
