"""Scenes after which the record can only be in doubt, whoever looks."""

from qiyan.simulator.incident_scenes import between
from qiyan.simulator.scene import Maker, Scene, tolerated
from qiyan.simulator.script import QUICK, Action, Expect, Play, PutOn, Wait
from rules.iccs import format_iccs


def between_not_named(scene: Scene) -> list[Action]:
    """A piece lies between points, and the opponent plays on without naming one."""
    actions = between(scene)
    lying = actions[: next(k for k, action in enumerate(actions) if isinstance(action, PutOn))]
    position = scene.next_position
    assert position is not None
    reply = Scene(position, scene.rng).some_move()
    scene.next_position = None
    return [
        *lying,
        Play(format_iccs(reply), QUICK),
        Expect("record_doubt", None, (), "", "release", lasts_s=8.0),
        *tolerated("board_differs"),
        Wait(3.0),
    ]


MAKERS: dict[str, Maker] = {"between_not_named": between_not_named}
