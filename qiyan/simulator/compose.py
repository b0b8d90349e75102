"""From the things on the table to light on the sensor: the still picture, and over it whatever moves."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from qiyan.simulator.box import Box, apart, around, whole
from qiyan.simulator.camera import Camera
from qiyan.simulator.capsules import Limbs
from qiyan.simulator.clock_body import ClockFace
from qiyan.simulator.light import Lamp, blur_reach_px, darken, fill, glare_map, shadow_of_hull, shadow_of_limbs
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
MOSTLY = 0.6
"""With this share of the picture to be painted anew, all of it is."""
Someone = tuple[str, Person, Limbs]
"""What tells the limbs from others, whose they are, and where."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """Limbs as they were painted."""

    key: bytes
    """Other limbs, or the same elsewhere, have another."""
    layer: Layer | None
    shadows: list[list[F64]]
    """Per lamp the outlines of their shadows, px."""
    boxes: list[Box]
    """What of the picture they can change."""


class Painter:
    """Paints frames of one look through one camera: of each frame only what differs from the one before."""

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
        self._still: list[DiscPlace] = []
        self._face: ClockFace | None = None
        self._moving: list[DiscPlace] = []
        self._people: dict[str, _Seen] = {}
        self._image: U8 | None = None
        self._lit_by: object = None
        self._last_px: dict[str, F64] = {}
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
    ) -> tuple[U8, list[Box]]:
        """(h, w, 3) the light on the sensor, before the sensor's own doings; and where it differs from the last."""
        changed = self._settle(still, face)
        shift = self._motion_px(people, t)
        seen = {name: self._see(name, person, limbs, shift.get(name)) for name, person, limbs in people}
        for place in set(moving) ^ set(self._moving):
            changed.append(self.scenery.disc_box(place, max(0.0, place.xyz[2])))
        for name in seen.keys() | self._people.keys():
            now, before = seen.get(name), self._people.get(name)
            if now is None or before is None or now.key != before.key:
                changed += [box for one in (now, before) if one is not None for box in one.boxes]
        self._moving, self._people = list(moving), seen
        every = whole(self.look.size_wh)
        dirty = apart(box for box in changed if box is not None)
        area = sum(box.shape[0] * box.shape[1] for box in dirty)
        flicker = 1.0
        if self.look.lighting.flicker:
            flicker += self.look.lighting.flicker * float(np.sin(2 * np.pi * 100.0 * t + 0.7))
        lit_by = (light, exposure, round(flicker, 3))
        if self._image is None or lit_by != self._lit_by or area > MOSTLY * every.shape[0] * every.shape[1]:
            dirty = [every]
        if self._image is None:
            self._image = np.zeros((*every.shape, 3), np.uint8)
        self._lit_by = lit_by
        for box in dirty:
            self._image[box.part] = self._paint_box(box, moving, list(seen.values()), light, exposure, flicker)
        return self._image, dirty

    def _settle(self, still: list[DiscPlace], face: ClockFace) -> list[Box | None]:
        """Bring the still picture up to date; what of it changed."""
        scenery = self.scenery
        if self._settled is None:
            self._settled = scenery.settle(still, face)
            self._still, self._face = list(still), face
            return [whole(self.look.size_wh)]
        changed = [scenery.disc_box(place) for place in set(still) ^ set(self._still)]
        if face != self._face:
            changed.append(scenery.clock_box)
        self._still, self._face = list(still), face
        boxes = apart(box for box in changed if box is not None)
        for box in boxes:
            scenery.settle_anew(self._settled, box, still, face)
        return list(boxes)

    def _see(self, name: str, person: Person, limbs: Limbs, motion_px: F64 | None) -> _Seen:
        """The limbs' picture and shadows; those of the frame before where they have not moved."""
        smear = np.zeros(2) if motion_px is None or float(np.hypot(*motion_px)) < 2.0 else np.round(motion_px)
        key = limbs.start.tobytes() + limbs.end.tobytes() + smear.tobytes()
        before = self._people.get(name)
        if before is not None and before.key == key:
            return before
        scenery, size_wh = self.scenery, self.look.size_wh
        ambient = self._ambient_share()
        layer = paint_limbs(self.camera, limbs, person, scenery.light_xyz, ambient, self._grain, 0.5)
        layer = None if layer is None else _blurred(layer, smear)
        lamps = self.look.lighting.lamps
        shadows = [shadow_of_limbs(self.camera, lamp, limbs) for lamp in lamps]
        boxes = []
        if layer is not None:
            h, w = layer.alpha.shape
            at = Box(layer.left_px, layer.top_px, layer.left_px + w, layer.top_px + h).grown(0, size_wh)
            boxes += [at] if at is not None else []
        for lamp, outlines in zip(lamps, shadows, strict=True):
            reach = blur_reach_px(self._hand_blur_px(lamp))
            under = around(np.concatenate(outlines), reach, size_wh) if outlines else None
            boxes += [under] if under is not None else []
        return _Seen(key, layer, shadows, boxes)

    def _hand_blur_px(self, lamp: Lamp) -> float:
        return max(2.5 * lamp.soft, 0.12 * HAND_SHADOW_CELLS) * self.scenery.cell_px

    def _paint_box(
        self, box: Box, moving: list[DiscPlace], people: list[_Seen], light: Light, exposure: float, flicker: float
    ) -> U8:
        """One part of the picture as everything in it makes it."""
        settled, scenery = self._settled, self.scenery
        assert settled is not None
        albedo, lights = settled.albedo[box.part].copy(), [one[box.part].copy() for one in settled.lights]
        self._dynamic_shadows(lights, box, moving, people)
        sprites = [sprite for place in moving if (sprite := scenery.sprite(place)) is not None]
        for sprite in sorted(sprites, key=lambda s: -s.depth):
            scenery.lay_disc(albedo, lights, box, sprite)
        for one in people:
            if one.layer is not None:
                self._lay(albedo, lights, box, one.layer)
        return self._lit(albedo, lights, box, light, exposure, flicker)

    def _dynamic_shadows(self, lights: list[U8], box: Box, moving: list[DiscPlace], people: list[_Seen]) -> None:
        cell = self.scenery.cell_px
        for number, (lamp, one) in enumerate(zip(self.look.lighting.lamps, lights, strict=True)):
            for place in moving:
                its = self.scenery.disc_box(place, max(0.0, place.xyz[2]))
                if its is None or not its.meets(box):
                    continue
                blur_px = lamp.soft * (1.0 + max(0.0, place.xyz[2])) * cell
                outline = shadow_of_hull(self.camera, lamp, self.scenery.disc_outline(place.xyz))
                self._darken(one, box, lamp, blur_px, [outline])
            hands = [
                outline
                for person in people
                if any(b.meets(box) for b in person.boxes)
                for outline in person.shadows[number]
            ]
            if hands:
                self._darken(one, box, lamp, self._hand_blur_px(lamp), hands)

    def _darken(self, light: U8, box: Box, lamp: Lamp, blur_px: float, outlines: list[F64]) -> None:
        """Take the shadows of some outlines out of the light of a box."""
        wide = box.grown(blur_reach_px(blur_px), self.look.size_wh)
        if wide is None:
            return
        mask = np.zeros(wide.shape, np.uint8)
        for outline in outlines:
            fill(mask, outline, wide)
        if mask.any():
            darken(light, mask, lamp, blur_px, box.within(wide))

    def _lay(self, albedo: U8, lights: list[U8], box: Box, layer: Layer) -> None:
        h, w = layer.alpha.shape
        its = Box(layer.left_px, layer.top_px, layer.left_px + w, layer.top_px + h)
        here = its.common(box)
        if here is None:
            return
        inner, outer = here.within(its), here.within(box)
        alpha = layer.alpha[inner]
        under = albedo[outer].astype(np.float32)
        colour = layer.bgr[inner] * self.scenery.vignette[here.part]
        albedo[outer] = (under + (colour - under) * alpha[..., None]).astype(np.uint8)
        for one, full in zip(lights, self.scenery.lamp_maps, strict=True):
            lit = one[outer].astype(np.float32)
            # A limb's own shading holds the lamp's share already: it gets the lamp in full.
            one[outer] = (lit + (full[here.part] - lit) * alpha).astype(np.uint8)

    def _ambient_share(self) -> float:
        lighting = self.look.lighting
        lamp = sum(float(np.mean(one.bgr)) for one in lighting.lamps)
        around = float(np.mean(lighting.ambient_bgr))
        return 0.35 + 0.5 * around / max(around + lamp, 1e-6)

    def _motion_px(self, people: list[Someone], t: float) -> dict[str, F64]:
        """How far each limb's far end moves in the picture while the shutter is open, px."""
        share = self.look.sensor.shutter_s / max(t - self._last_t, 1e-3)
        moved = {}
        for name, _, limbs in people:
            here = self.camera.to_px(limbs.end[:8].mean(axis=0)[None])[0]
            before = self._last_px.get(name, here)
            if t > self._last_t:
                moved[name] = (here - before) * share
            self._last_px[name] = here
        self._last_t = t
        return moved

    def _lit(self, albedo: U8, lights: list[U8], box: Box, light: Light, exposure: float, flicker: float) -> U8:
        lighting = self.look.lighting
        level = np.arange(256, dtype=np.float32) * (LAMP_FULL / 255.0)
        channels = []
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
            weight = cv2.merge([lights[0]] * 3)
            glare = np.ascontiguousarray(self._glare[box.part])
            out = cv2.add(out, cv2.multiply(glare, weight, scale=shine * LAMP_FULL / 255.0))
        return np.asarray(out, dtype=np.uint8)


def _blurred(layer: Layer, motion_px: F64) -> Layer:
    """The layer smeared along its motion."""
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
