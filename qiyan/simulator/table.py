"""The simulated table: frames with their times, the clock's bytes, and the truth."""

from collections.abc import Iterator
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from qiyan.simulator.acting import act_out
from qiyan.simulator.arm import build_arm, build_body
from qiyan.simulator.board_style import board_corners
from qiyan.simulator.box import Box
from qiyan.simulator.camera import Camera, make_camera
from qiyan.simulator.capsules import Limbs
from qiyan.simulator.clock import GameClock, clock_trace
from qiyan.simulator.clock_body import ClockFace
from qiyan.simulator.compose import Painter
from qiyan.simulator.look import Look
from qiyan.simulator.moment import camera_at, hands_at, light_at, now_and_then, places_at
from qiyan.simulator.person import Person
from qiyan.simulator.script import Script
from qiyan.simulator.sensor import NoiseBank, compressed, develop, develop_reach_px
from qiyan.simulator.truth import make_truth
from rules.piece import RED

U8 = NDArray[np.uint8]
LEANS_OVER = 0.6
"""From here on a player leans over the board on purpose and is seen wherever the camera stands."""
EXPOSURE_STEP = 0.008
"""Cameras set their exposure in steps; these are of about one level in a middle grey."""


class Table:
    """One look, one script."""

    def __init__(self, look: Look, script: Script) -> None:
        self.look = look
        self.script = script
        self.stage = act_out(look, script)
        self.length_s = self.stage.now
        """Length of the film, s."""
        self._date_flag_falls()
        self._rng = np.random.default_rng((look.seed, script.seed, 11))
        self._noise = NoiseBank(look.size_wh, look.sensor, self._rng)
        self._exposure = 1.0
        self._shown_exposure = 1.0
        self._clean: U8 | None = None
        self._tint = (1.0, 1.0, 1.0)
        self._usual_level: float | None = None
        self._painters: dict[Camera, Painter] = {}

    @cached_property
    def camera(self) -> Camera:
        """The camera as it stands at the start."""
        return make_camera(self.look.view, self.look.size_wh, board_corners(self.look.board))

    @cached_property
    def clock(self) -> GameClock:
        """The clock on the table."""
        script = self.script
        increment = script.increment_s
        red = script.base_s if script.red_s is None else script.red_s
        black = script.base_s if script.black_s is None else script.black_s
        start = max(0.3, script.lead_s - 0.4)
        presses = tuple(sorted(self.stage.presses))
        first = RED if " w " in script.start_fen else 1 - RED
        return GameClock(
            red + increment, black + increment, increment, start, presses, tuple(self.stage.stops), type(RED)(first)
        )

    @cached_property
    def _body_keeps_clear(self) -> tuple[bool, bool]:
        """Whether a player sitting back stays out of the camera's view of the board; else he sits elsewhere."""
        board = board_corners(self.look.board)
        outline = self.camera.to_px(np.column_stack([board, np.zeros(4)])).astype(np.float32)
        clear = []
        for side in (0, 1):
            limbs = build_body(side, 0.3, (0.0, 0.0))
            px, depth = self.camera.project(np.concatenate([limbs.start, limbs.end]))
            radius = np.concatenate([limbs.radius_start, limbs.radius_end]) * self.camera.focal_px / depth
            inside = [
                cv2.pointPolygonTest(outline, (float(x), float(y)), True) + r
                for (x, y), r, d in zip(px, radius, depth, strict=True)
                if d > 0
            ]
            clear.append(bool(np.max(inside) < 0) and bool(depth.min() > 4.0))
        return clear[0], clear[1]

    @property
    def frame_count(self) -> int:
        """Frames of the whole film."""
        return int(self.length_s * self.look.fps)

    def frames(self) -> Iterator[tuple[U8, float]]:
        """Every frame with its time."""
        for number in range(self.frame_count):
            t = number / self.look.fps
            yield self.frame(t), t

    def frame(self, t: float) -> U8:
        """(h, w, 3) the picture at `t`. Call with rising times: exposure follows what was seen before."""
        stage, look = self.stage, self.look
        camera, shake = camera_at(stage, self.camera, t)
        painter = self._painters.get(camera)
        if painter is None:
            self._painters.clear()
            self._clean = None
            painter = self._painters[camera] = Painter(look, camera)
        still, moving = places_at(stage, t)
        state = self.clock.at(t)
        face = ClockFace(np.ceil(state.red_s), np.ceil(state.black_s), state.to_move == RED)
        light = light_at(stage, t)
        people = self.people(t)
        image, changed = painter.paint(still, moving, face, people, light, self._shown_exposure, t)
        if shake != (0.0, 0.0, 0.0):
            image, self._clean = _shaken(image, shake), None
            self._expose(image)
            image = develop(image, look.sensor, light.tint)
        else:
            self._expose(image)
            image = self._developed(image, changed, light.tint)
        image = self._noise.add(image, self._rng)
        return image if look.sensor.jpeg is None else compressed(image, look.sensor.jpeg)

    def people(self, t: float) -> list[tuple[str, Person, Limbs]]:
        """Everybody's bodies and arms at `t`, each with its name, as far as they can come into the picture."""
        stage, look = self.stage, self.look
        arms = []
        for (side, spare), reach in sorted(hands_at(stage, t).items(), key=lambda item: not item[0][1]):
            person = look.person(side)
            if side > 1 and not self._stands_by(side, t):
                continue
            limbs = build_arm(side, person, reach, person.left_handed != spare)
            arms.append((f"{'spare ' if spare else ''}arm {side}", person, limbs))
        bodies = []
        if look.bodies:
            for side in (0, 1):
                lean = self._lean(side, t)
                if not self._body_keeps_clear[side] and lean < LEANS_OVER:
                    continue
                then = now_and_then(t)
                sway = (0.12 * float(np.sin(0.6 * then + side)), 0.08 * float(np.sin(0.43 * then + 2 * side)))
                bodies.append((f"body {side}", look.person(side), build_body(side, lean, sway)))
        return [*bodies, *arms]

    def _developed(self, image: U8, changed: list[Box], tint: tuple[float, float, float]) -> U8:
        """The developed picture, developed anew only where it changed."""
        look = self.look
        if self._clean is None or self._tint != tint:
            self._clean, self._tint = develop(image, look.sensor, tint), tint
            return self._clean
        reach = develop_reach_px(look.sensor)
        for box in changed:
            seen = box.grown(reach, look.size_wh)
            from_px = None if seen is None else seen.grown(reach, look.size_wh)
            if seen is not None and from_px is not None:
                part = develop(np.ascontiguousarray(image[from_px.part]), look.sensor, tint)
                self._clean[seen.part] = part[seen.within(from_px)]
        return self._clean

    def clock_trace(self) -> list[tuple[float, bytes]]:
        """(t, bytes) of the clock's cable for the whole film."""
        return clock_trace(self.clock, self.length_s, np.random.default_rng((self.look.seed, self.script.seed, 13)))

    def truth(self) -> dict[str, object]:
        """What happened, as data."""
        after = None
        if self.stage.bumps:
            after, _ = camera_at(self.stage, self.camera, self.length_s)
        return make_truth(self.stage, self.camera, after, self.length_s)

    def _date_flag_falls(self) -> None:
        """A flag falls when the clock says so, which the acting does not know."""
        for incident in self.stage.incidents:
            if incident["incident"] == "flag_fall":
                fallen = self.clock.flag_t()
                assert fallen is not None
                incident |= {"t": fallen, "t_end": fallen + 6.0}

    def _stands_by(self, side: int, t: float) -> bool:
        """Whether a spectator of that side has a hand near the table."""
        keys = self.stage.hand(side).keys
        return len(keys) > 1 and keys[1].t < t < keys[-1].t

    def _lean(self, side: int, t: float) -> float:
        before, after, share = self.stage.leans[side].at(t)
        meant = before.xyz[0] + (after.xyz[0] - before.xyz[0]) * share
        reaching = max(hands_at(self.stage, t)[(side, spare)].lean for spare in (False, True))
        return max(meant, 0.5 * reaching)

    def _expose(self, image: U8) -> None:
        """Let the exposure follow the brightness, as far and as fast as this camera does."""
        sensor = self.look.sensor
        level = float(image[::8, ::8].mean()) / self._shown_exposure
        if self._usual_level is None:
            self._usual_level = level
        wanted = (self._usual_level / max(level, 1.0)) ** sensor.auto_exposure
        wanted = float(np.clip(wanted, 0.4, 3.0))
        step = 1.0 - float(np.exp(-1.0 / (self.look.fps * sensor.auto_s)))
        self._exposure += (wanted - self._exposure) * step
        if abs(self._exposure / self._shown_exposure - 1.0) > EXPOSURE_STEP:
            self._shown_exposure = self._exposure


def _shaken(image: U8, shake: tuple[float, float, float]) -> U8:
    h, w = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((w / 2, h / 2), shake[2], 1.0)
    matrix[:, 2] += np.array(shake[:2])
    return np.asarray(
        cv2.warpAffine(image, matrix, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), dtype=np.uint8
    )
