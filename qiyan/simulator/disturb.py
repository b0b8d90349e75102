"""Troubles of an ordinary game, strewn into a script: none of them is an incident."""

from dataclasses import replace

import numpy as np

from qiyan.simulator.script import Action, Bump, Hover, Lean, LightTo, Play, RestHand, Script, Spectate
from rules.piece import RED, Side
from rules.point import FILES, RANKS, format_point, point

TROUBLES = (
    "light drift",
    "bump",
    "hover",
    "slow slide",
    "resting hand",
    "light switch",
    "held",
    "lean",
    "off centre",
    "spectator",
)


def disturbed(script: Script, kinds: tuple[str, ...] = TROUBLES, every: int = 5) -> Script:
    """The script with one trouble about every `every` plies."""
    rng = np.random.default_rng((script.seed, 29))
    actions: list[Action] = []
    ply = 0
    for action in script.actions:
        if isinstance(action, Play):
            ply += 1
            if ply % every == every // 2:
                kind = kinds[int(rng.integers(len(kinds)))]
                before, action = _trouble(kind, action, Side((ply + 1) % 2), rng)
                actions.extend(before)
        actions.append(action)
    return replace(script, actions=tuple(actions))


def _trouble(kind: str, play: Play, mover: Side, rng: np.random.Generator) -> tuple[list[Action], Play]:
    """What happens before a ply, and the ply as it is then played."""
    if kind == "light drift":
        gain = float(rng.uniform(0.6, 1.35))
        tint = tuple(float(v) for v in rng.uniform(0.94, 1.06, 3))
        return [LightTo(gain, (gain, gain), float(rng.uniform(4.0, 12.0)), (tint[0], tint[1], tint[2]))], play
    if kind == "light switch":
        gain = float(rng.choice([0.55, 0.7, 1.0, 1.3]))
        return [LightTo(gain, (gain, float(rng.choice([0.0, 1.0]))), 0.0)], play
    if kind == "bump":
        shift = rng.uniform(6.0, 20.0) * np.array([np.cos(a := rng.uniform(0, 6.28)), np.sin(a)])
        return [
            Bump((float(shift[0]), float(shift[1])), float(rng.normal(0.0, 0.8)), float(rng.uniform(0.2, 0.7)))
        ], play
    if kind == "hover":
        near = format_point(point(int(rng.integers(FILES)), int(rng.integers(2, RANKS - 2))))
        return [Hover(mover, near, float(rng.uniform(1.5, 5.0)), float(rng.uniform(0.5, 1.0)))], play
    if kind == "slow slide":
        return [], replace(play, manner="slow" if play.manner == "slide" else play.manner)
    if kind == "held":
        return [], replace(play, hold_s=float(rng.uniform(1.5, 6.0)), manner="carry")
    if kind == "off centre":
        a, r = float(rng.uniform(0.0, 6.28)), float(rng.uniform(0.12, 0.2))
        return [], replace(play, offset=(r * float(np.cos(a)), r * float(np.sin(a))), exact=True)
    if kind == "lean":
        return [Lean(mover, float(rng.uniform(1.0, 4.0)), float(rng.uniform(0.5, 1.0)))], play
    if kind == "spectator":
        near = format_point(point(int(rng.integers(FILES)), int(rng.integers(RANKS))))
        return [Spectate(int(rng.integers(2, 4)), near, float(rng.uniform(1.0, 4.0)))], play
    towards = 1.0 if mover == RED else -1.0
    x = float(rng.uniform(0.5, 7.5))
    y = 4.5 - towards * float(rng.uniform(2.0, 4.5))
    return [RestHand(mover, (x, y), float(rng.uniform(5.0, 20.0)), "flat", 0.62)], play
