"""What is where at one moment of the film: pieces, hands, light, camera."""

from dataclasses import dataclass

import numpy as np

from qiyan.simulator.arm import Reach
from qiyan.simulator.camera import Camera
from qiyan.simulator.motion import Track, ease
from qiyan.simulator.scenery import DiscPlace
from qiyan.simulator.stage import HandName, Stage

SLIGHT_MOTION_CELLS = 0.02
"""A living hand is never quite still."""
SLIGHT_EVERY_S = 0.35


@dataclass(frozen=True, slots=True)
class Light:
    """Gains of the light at one moment."""

    ambient: float
    lamps: tuple[float, ...]
    tint: tuple[float, float, float]


def places_at(stage: Stage, t: float) -> tuple[list[DiscPlace], list[DiscPlace]]:
    """The pieces that lie still at `t`, and those on their way or in the air."""
    still: list[DiscPlace] = []
    moving: list[DiscPlace] = []
    for index, body in enumerate(stage.pieces):
        before, after, share = body.track.at(t)
        in_motion = before.xyz != after.xyz and 0.0 < share < 1.0
        x, y, z = (a + (b - a) * share for a, b in zip(before.xyz, after.xyz, strict=True))
        z += after.arc * 4.0 * share * (1.0 - share)
        turn = before.turn + (after.turn - before.turn) * share
        place = DiscPlace(index, body.piece, (x, y, z), turn)
        (moving if in_motion or z > 0.01 else still).append(place)
    return still, moving


def now_and_then(t: float) -> float:
    """The time in steps: who sits quiet moves a little now and then, and costs nothing to paint between."""
    return SLIGHT_EVERY_S * float(np.floor(t / SLIGHT_EVERY_S))


def reach_at(track: Track, t: float, phase: float) -> Reach:
    """A hand at `t`; `phase` makes its small motions its own."""
    before, after, share = track.at(t)
    x, y, z = (a + (b - a) * share for a, b in zip(before.xyz, after.xyz, strict=True))
    z += after.arc * 4.0 * share * (1.0 - share)
    if before.xyz == after.xyz and before.pose in ("open", "flat"):
        then = now_and_then(t)
        x += SLIGHT_MOTION_CELLS * float(np.sin(1.7 * then + phase))
        y += SLIGHT_MOTION_CELLS * float(np.sin(1.1 * then + 2.0 * phase))
    lean = before.lean + (after.lean - before.lean) * share
    turn = before.turn + (after.turn - before.turn) * share
    return Reach((x, y, z), before.pose or "open", after.pose or "open", share, lean, turn)


def hands_at(stage: Stage, t: float) -> dict[HandName, Reach]:
    """Every hand at `t`."""
    return {name: reach_at(track, t, 1.3 * i) for i, (name, track) in enumerate(stage.hands.items())}


def light_at(stage: Stage, t: float) -> Light:
    """The light at `t`: each change starts from where the one before it has come to."""
    lamps = len(stage.look.lighting.lamps)
    now = Light(1.0, (1.0,) * lamps, (1.0, 1.0, 1.0))
    for start, seconds, ambient, gains, tint in stage.lights:
        if t < start:
            break
        share = 1.0 if seconds <= 0.0 else ease((t - start) / seconds)
        wanted = (*gains, *(1.0,) * lamps)[:lamps]
        now = Light(
            now.ambient + (ambient - now.ambient) * share,
            tuple(a + (b - a) * share for a, b in zip(now.lamps, wanted, strict=True)),
            (
                now.tint[0] + (tint[0] - now.tint[0]) * share,
                now.tint[1] + (tint[1] - now.tint[1]) * share,
                now.tint[2] + (tint[2] - now.tint[2]) * share,
            ),
        )
    return now


QUIET_S = 0.5
"""So long after and before a motion the table is not yet quiet."""


def is_quiet(stage: Stage, t: float) -> bool:
    """Whether nothing moves about `t` but what always does a little: a time at which frames tell nothing new."""
    first, last = t - QUIET_S, t + QUIET_S
    tracks = [*stage.hands.values(), *stage.leans, *(body.track for body in stage.pieces)]
    if any(track.moves_within(first, last) for track in tracks):
        return False
    lights = any(start - QUIET_S < t < start + seconds + QUIET_S for start, seconds, *_ in stage.lights)
    return not lights and not any(start - QUIET_S < t < start + shake + QUIET_S for start, _, _, shake in stage.bumps)


def camera_at(stage: Stage, camera: Camera, t: float) -> tuple[Camera, tuple[float, float, float]]:
    """The camera after the bumps so far, and how it shakes at `t`: (dx px, dy px, degrees)."""
    shake = (0.0, 0.0, 0.0)
    for start, shift, turn, seconds in stage.bumps:
        if t < start:
            break
        yaw, pitch = (float(np.rad2deg(s / camera.focal_px)) for s in shift)
        camera = camera.turned(-yaw, pitch, turn)
        age = t - start
        if age < seconds:
            swing = (1.0 - age / seconds) ** 2
            size = float(np.hypot(*shift))
            shake = (
                size * swing * float(np.sin(41.0 * age + 1.0)),
                size * swing * float(np.sin(33.0 * age)),
                turn * swing * float(np.sin(37.0 * age + 2.0)),
            )
    return camera, shake
