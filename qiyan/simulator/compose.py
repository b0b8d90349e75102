"""From the things on the table to light on the sensor: the still picture, and over it whatever moves."""

import cv2
import numpy as np
from numpy.typing import NDArray

from qiyan.simulator.camera import Camera
from qiyan.simulator.capsules import Limbs
from qiyan.simulator.clock_body import ClockFace
from qiyan.simulator.light import darken, glare_map, shadow_of_hull, shadow_of_limbs
from qiyan.simulator.limb_paint import Layer, paint_limbs
from qiyan.simulator.look import Look
from qiyan.simulator.moment import Light
from qiyan.simulator.person import Person
from qiyan.simulator.scenery import DiscPlace, Scenery, Settled
from qiyan.simulator.textures import smooth_noise

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

UNIT = 128.0
"""Light 1.0 in eight bits; twice as bright is clipped."""
LAMP_FULL = 1.35
"""Lamp maps hold this at 255."""
HAND_SHADOW_CELLS = 0.3
"""Hands are higher than pieces: their shadows are at least this soft."""
Someone = tuple[int, Person, Limbs]


class Painter:
    """Paints frames of one look through one camera."""

    def __init__(self, look: Look, camera: Camera) -> None:
        self.look = look
        self.camera = camera
        self.scenery = Scenery(look, camera)
        rng = np.random.default_rng((look.seed, 3))
        shape = (look.size_wh[1], look.size_wh[0])
        fine = smooth_noise(shape, (2.0, 2.0), rng)
        folds = smooth_noise(shape, (26.0, 26.0), rng)
        self._grain: F32 = (0.35 * fine + 0.5 * folds).astype(np.float32)
        self._glare = glare_map(camera, look.lighting, 0.0)
        self._settled: Settled | None = None
        self._settled_for: object = None
        self._last_px: dict[int, F64] = {}
        self._last_t = 0.0

    def paint(
        self,
        still: list[DiscPlace],
        moving: list[DiscPlace],
        face: ClockFace,
        people: list[Someone],
        light: Light,
        exposure: float,
        t: float,
    ) -> U8:
        """(h, w, 3) the light on the sensor, before the sensor's own doings."""
        settled = self._settle(still, face)
        albedo, lights = settled.albedo.copy(), [one.copy() for one in settled.lights]
        self._dynamic_shadows(lights, moving, people)
        sprites = [sprite for place in moving if (sprite := self.scenery.sprite(place)) is not None]
        for sprite in sorted(sprites, key=lambda s: -s.depth):
            self.scenery.lay_disc(albedo, lights, sprite)
        shift = self._motion_px(people, t)
        ambient = self._ambient_share()
        for number, (_, person, limbs) in enumerate(people):
            layer = paint_limbs(self.camera, limbs, person, self.scenery.light_xyz, ambient, self._grain, 0.5)
            if layer is not None:
                self._lay(albedo, lights, _blurred(layer, shift.get(number)))
        return self._lit(albedo, lights, light, exposure, t)

    def _settle(self, still: list[DiscPlace], face: ClockFace) -> Settled:
        key = (tuple(still), face)
        if self._settled is None or key != self._settled_for:
            self._settled = self.scenery.settle(still, face)
            self._settled_for = key
        return self._settled

    def _dynamic_shadows(self, lights: list[U8], moving: list[DiscPlace], people: list[Someone]) -> None:
        cell = self.scenery.cell_px
        for lamp, one in zip(self.look.lighting.lamps, lights, strict=True):
            discs, hands = np.zeros(one.shape, np.uint8), np.zeros(one.shape, np.uint8)
            for place in moving:
                shadow_of_hull(discs, self.camera, lamp, self.scenery.disc_outline(place.xyz))
            for _, _, limbs in people:
                shadow_of_limbs(hands, self.camera, lamp, limbs)
            if moving:
                height = max(place.xyz[2] for place in moving)
                darken(one, discs, lamp, (lamp.soft * (1.0 + height)) * cell)
            if hands.any():
                darken(one, hands, lamp, max(2.5 * lamp.soft, 0.12 * HAND_SHADOW_CELLS) * cell)

    def _lay(self, albedo: U8, lights: list[U8], layer: Layer) -> None:
        h, w = layer.alpha.shape
        part = np.s_[layer.top_px : layer.top_px + h, layer.left_px : layer.left_px + w]
        alpha = layer.alpha[..., None]
        under = albedo[part].astype(np.float32)
        albedo[part] = (under + (layer.bgr * self.scenery.vignette[part] - under) * alpha).astype(np.uint8)
        for one, whole in zip(lights, self.scenery.lamp_maps, strict=True):
            here = one[part].astype(np.float32)
            # A limb's own shading holds the lamp's share already: it gets the lamp in full.
            one[part] = (here + (whole[part] - here) * layer.alpha).astype(np.uint8)

    def _ambient_share(self) -> float:
        lighting = self.look.lighting
        lamp = sum(float(np.mean(one.bgr)) for one in lighting.lamps)
        around = float(np.mean(lighting.ambient_bgr))
        return 0.35 + 0.5 * around / max(around + lamp, 1e-6)

    def _motion_px(self, people: list[Someone], t: float) -> dict[int, F64]:
        """How far each limb's far end moves in the picture while the shutter is open, px."""
        share = self.look.sensor.shutter_s / max(t - self._last_t, 1e-3)
        moved = {}
        for number, (_, _, limbs) in enumerate(people):
            here = self.camera.to_px(limbs.end[:8].mean(axis=0)[None])[0]
            before = self._last_px.get(number, here)
            if t > self._last_t:
                moved[number] = (here - before) * share
            self._last_px[number] = here
        self._last_t = t
        return moved

    def _lit(self, albedo: U8, lights: list[U8], light: Light, exposure: float, t: float) -> U8:
        lighting = self.look.lighting
        level = np.arange(256, dtype=np.float32) * (LAMP_FULL / 255.0)
        channels = []
        flicker = 1.0
        if lighting.flicker:
            flicker += lighting.flicker * float(np.sin(2 * np.pi * 100.0 * t + 0.7))
        for c in range(3):
            total: U8 | None = None
            for number, (lamp, one) in enumerate(zip(lighting.lamps, lights, strict=True)):
                base = lighting.ambient_bgr[c] * light.ambient if number == 0 else 0.0
                gain = lamp.bgr[c] * light.lamps[number] * flicker
                table = np.clip((base + gain * level) * UNIT, 0, 255).astype(np.uint8)
                here = np.asarray(cv2.LUT(one, table), dtype=np.uint8)
                total = here if total is None else np.asarray(cv2.add(total, here), dtype=np.uint8)
            if total is None:
                base = lighting.ambient_bgr[c] * light.ambient
                total = np.full(albedo.shape[:2], min(255.0, base * UNIT), np.uint8)
            channels.append(total)
        gain = exposure * self.look.sensor.exposure
        out = cv2.multiply(albedo, cv2.merge(channels), scale=gain / UNIT)
        if self._glare is not None:
            shine = light.lamps[0] * gain * flicker
            first = np.asarray(lights[0])
            weight = cv2.merge([first] * 3)
            out = cv2.add(out, cv2.multiply(self._glare, weight, scale=shine * LAMP_FULL / 255.0))
        return np.asarray(out, dtype=np.uint8)


def _blurred(layer: Layer, motion_px: F64 | None) -> Layer:
    """The layer smeared along its motion."""
    if motion_px is None:
        return layer
    length = float(np.hypot(*motion_px))
    if length < 2.0:
        return layer
    size = int(min(length, 41.0)) | 1
    kernel = np.zeros((size, size), np.float32)
    unit = motion_px / length * (size / 2 - 0.5)
    middle = size // 2
    a = (round(float(middle - unit[0])), round(float(middle - unit[1])))
    b = (round(float(middle + unit[0])), round(float(middle + unit[1])))
    cv2.line(kernel, a, b, 1.0, 1, cv2.LINE_AA)
    kernel /= kernel.sum()
    alpha = cv2.filter2D(layer.alpha, -1, kernel)
    colour = cv2.filter2D(layer.bgr * layer.alpha[..., None], -1, kernel)
    return Layer(
        layer.left_px,
        layer.top_px,
        (colour / np.maximum(alpha, 0.01)[..., None]).astype(np.float32),
        alpha.astype(np.float32),
    )
