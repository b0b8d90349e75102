"""How each action of a script is acted out on the stage."""

from collections.abc import Callable
from typing import Any

from qiyan.simulator import acting_accidents, acting_play
from qiyan.simulator.look import Look
from qiyan.simulator.script import Action, Script
from qiyan.simulator.stage import Stage, set_stage


def act_out(look: Look, script: Script) -> Stage:
    """The whole script as paths in time; the film lasts until `stage.now`."""
    stage = set_stage(look, script)
    for action in script.actions:
        _player_of(action)(stage, action)
    latest = max(track.keys[-1].t for track in stage.hands.values())
    stage.now = max(stage.now, min(latest, stage.now + 3.0)) + script.tail_s
    return stage


def _player_of(action: Action) -> Callable[[Stage, Any], None]:
    actors: dict[type, Callable[[Stage, Any], None]] = {**acting_play.ACTORS, **acting_accidents.ACTORS}
    return actors[type(action)]
