"""Colour on limbs: skin with nails and knuckles, cloth with folds, shaded by the light."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from qiyan.simulator.arm import BODY, HAIR, SKIN, SLEEVE, WATCH
from qiyan.simulator.camera import Camera
from qiyan.simulator.capsules import Limbs, Relief, crease_shade, draw_relief, smooth_normals
from qiyan.simulator.hand_pose import TIP_BONES
from qiyan.simulator.person import Person

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
NEAR_CELLS = 3.0
"""Capsules nearer to the lens than this are not drawn: nobody holds an arm against the camera."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A part of the picture to lay over the rest."""

    left_px: int
    top_px: int
    bgr: F32
    """(h, w, 3) 0..255."""
    alpha: F32
    """(h, w) 0..1."""


def paint_limbs(
    camera: Camera, limbs: Limbs, person: Person, light_xyz: F64, ambient: float, grain: F32, shine: float
) -> Layer | None:
    """Draw a person's limbs; None where they are out of the picture.

    light_xyz : (3,) unit vector towards the light, world axes
    ambient   : share of the light that comes from everywhere, 0..1
    grain     : (h, w) noise of mean 0, at least as large as the picture, for skin and cloth
    """
    start, depth_a = camera.project(limbs.start)
    end, depth_b = camera.project(limbs.end)
    ahead = (depth_a > NEAR_CELLS) & (depth_b > NEAR_CELLS)
    if not ahead.any():
        return None
    limbs = Limbs(
        limbs.start[ahead], limbs.end[ahead], limbs.radius_start[ahead], limbs.radius_end[ahead], limbs.material[ahead]
    )
    scale_a, scale_b = camera.focal_px / depth_a[ahead], camera.focal_px / depth_b[ahead]
    middle = float(np.median(np.concatenate([depth_a[ahead], depth_b[ahead]])))
    px_per_cell = camera.focal_px / middle
    start3 = np.column_stack([start[ahead], (middle - depth_a[ahead]) * px_per_cell])
    end3 = np.column_stack([end[ahead], (middle - depth_b[ahead]) * px_per_cell])
    radius = np.column_stack([limbs.radius_start * scale_a, limbs.radius_end * scale_b])
    relief = draw_relief(start3, end3, radius, limbs, camera.size_wh)
    if relief is None:
        return None
    shade, gloss = _shade(relief, camera, light_xyz, ambient, px_per_cell)
    kinds = np.flatnonzero(ahead)
    bgr = _colours(relief, person, grain, kinds, px_per_cell)
    bgr *= shade[..., None]
    skin = relief.material == SKIN
    bgr += (gloss * (38.0 * shine) * skin)[..., None]
    return Layer(relief.left_px, relief.top_px, np.clip(bgr, 0, 255), relief.cover)


def _shade(relief: Relief, camera: Camera, light_xyz: F64, ambient: float, px_per_cell: float) -> tuple[F32, F32]:
    nx, ny, nz = smooth_normals(relief, 0.07 * px_per_cell)
    light = camera.matrix() @ light_xyz
    lit = np.clip(nx * light[0] + ny * light[1] - nz * light[2], 0.0, 1.0)
    shade = ambient + (1.0 - ambient) * lit
    shade *= 0.72 + 0.28 * nz
    shade *= crease_shade(relief, 0.16 * px_per_cell)
    half = light + np.array([0.0, 0.0, -1.0])
    half = half / np.linalg.norm(half)
    gloss = np.clip(nx * half[0] + ny * half[1] - nz * half[2], 0.0, 1.0) ** 14
    return (1.12 * shade).astype(np.float32), gloss.astype(np.float32)


def _colours(relief: Relief, person: Person, grain: F32, kinds: NDArray[np.int64], px_per_cell: float) -> F32:
    h, w = relief.cover.shape
    skin_bgr = np.array(person.glove_bgr or person.skin_bgr, np.float32)
    cloth = np.array(person.sleeve_bgr, np.float32)
    table = np.zeros((5, 3), np.float32)
    table[SKIN], table[SLEEVE], table[BODY] = skin_bgr, cloth, cloth * 0.8
    table[HAIR], table[WATCH] = np.array(person.hair_bgr, np.float32), (60.0, 60.0, 62.0)
    bgr = table[relief.material]
    grain_here = grain[:h, :w]
    cloth_here = (relief.material == SLEEVE) | (relief.material == BODY)
    if person.stripe_bgr is not None:
        band = ((relief.along * 9.0).astype(np.int32) % 3 == 0) & cloth_here
        bgr[band] = np.array(person.stripe_bgr, np.float32)
    weave = np.where(cloth_here, person.sleeve_pattern, 0.05).astype(np.float32)
    bgr *= (1.0 + weave * grain_here)[..., None]
    if person.glove_bgr is None:
        _skin_details(bgr, relief, kinds, skin_bgr)
    return bgr


def _skin_details(bgr: F32, relief: Relief, kinds: NDArray[np.int64], skin_bgr: F32) -> None:
    """Redder fingertips and knuckles, paler nails."""
    box_x, box_y, box_w, box_h = cv2.boundingRect((relief.material == SKIN).view(np.uint8) * (relief.cover > 0))
    part = np.s_[box_y : box_y + box_h, box_x : box_x + box_w]
    if box_w == 0:
        return
    bone = _BONE_KIND[kinds[np.minimum(relief.capsule[part], len(kinds) - 1)]]
    along, bgr = relief.along[part], bgr[part]
    skin = relief.material[part] == SKIN
    finger = skin & (bone >= _FINGER)
    flush = np.where(finger, np.square(along - np.float32(0.5)) * np.float32(0.5), np.float32(0.0))
    flush = np.asarray(cv2.blur(flush, (5, 5)), dtype=np.float32)
    bgr[..., 2] *= 1.0 + 0.25 * flush
    bgr[..., 0] *= 1.0 - 0.55 * flush
    bgr[..., 1] *= 1.0 - 0.40 * flush
    nail = (bone == _TIP) & skin & (along > 0.60) & (along < 0.98)
    nail &= np.square(relief.normal_x[part]) + np.square(relief.normal_y[part]) < 0.62**2
    pale = skin_bgr * 0.45 + np.array([150.0, 165.0, 225.0], np.float32) * 0.55
    mask = cv2.blur(nail.astype(np.float32), (3, 3))[..., None] * np.float32(0.7)
    bgr += (pale - bgr) * mask


_FINGER, _TIP = 1, 2
_BONE_KIND = np.zeros(256, dtype=np.uint8)
"""What of a hand each capsule is: its fingers, of them the tips, or the rest."""
_BONE_KIND[[bone for bone in range(20) if bone % 4 != 0]] = _FINGER
_BONE_KIND[list(TIP_BONES)] = _TIP
