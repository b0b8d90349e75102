"""What does not move: room, table, board, clock and still pieces, drawn once and kept until something changes."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from qiyan.simulator.board_style import board_corners, draw_board
from qiyan.simulator.box import Box, around, whole
from qiyan.simulator.camera import Camera
from qiyan.simulator.clock_body import ClockFace, box_corners, draw_clock
from qiyan.simulator.discs import Face, Lying, Sprite, circle, draw_disc
from qiyan.simulator.light import Lamp, blur_reach_px, darken, fill, lamp_map, shadow_of_hull, vignette_map
from qiyan.simulator.look import Look
from qiyan.simulator.motion import Xyz
from qiyan.simulator.piece_style import draw_face
from qiyan.simulator.textures import make_surface
from rules.piece import RED, side_of

F64 = NDArray[np.float64]
F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]

BOARD_PX_PER_CELL = 84
"""Of the board's own picture; cells in the film are smaller."""
TABLE_PX_PER_CELL = 26
KEPT_SPRITES = 400
"""Pictures of discs in their places that are kept: about ten plies' worth."""


@dataclass(frozen=True, slots=True)
class DiscPlace:
    """A piece and where it is."""

    index: int
    piece: int
    xyz: Xyz
    turn: float


@dataclass(slots=True)
class Settled:
    """The still part of the picture."""

    albedo: U8
    """(h, w, 3) colours in even white light."""
    lights: list[U8]
    """(h, w) per lamp, how much of it arrives."""


class Scenery:
    """Draws and keeps the still things of one look as one camera sees them."""

    def __init__(self, look: Look, camera: Camera) -> None:
        self.look = look
        self.camera = camera
        rng = np.random.default_rng((look.seed, 1))
        self.vignette = vignette_map(look.size_wh, look.lighting.vignette)
        self.lamp_maps = [lamp_map(camera, lamp) for lamp in look.lighting.lamps]
        self._ground = self._draw_ground(rng)
        self._light_of_ground = [
            self._ground_light(lamp, light) for lamp, light in zip(look.lighting.lamps, self.lamp_maps, strict=True)
        ]
        self._faces: dict[int, Face] = {}
        self._boxes: dict[tuple[int, Xyz, float], Box | None] = {}
        self._sprites: dict[tuple[int, Xyz, float], Sprite | None] = {}
        self.cell_px = float(camera.cell_px(np.array([[4.0, 4.5, 0.0]]))[0])
        self.clock_box = self._clock_box()
        """The part of the picture where the clock stands; None where it is not seen."""
        self._clock_shown: tuple[ClockFace, U8] | None = None
        lamp0 = np.array(look.lighting.lamps[0].xyz) if look.lighting.lamps else np.array([0.0, 9.0, 20.0])
        towards = lamp0 - np.array([4.0, 4.5, 0.0])
        self.light_xyz = towards / np.linalg.norm(towards)

    def sprite(self, place: DiscPlace) -> Sprite | None:
        """The disc's picture; kept while the disc lies still."""
        key = (place.index, place.xyz, place.turn)
        if key not in self._sprites:
            if len(self._sprites) > KEPT_SPRITES:
                self._sprites.clear()
            lying = Lying(place.xyz, place.turn)
            face = self._face(place)
            self._sprites[key] = draw_disc(self.camera, self.look.pieces, face, lying, self.light_xyz)
        return self._sprites[key]

    def _face(self, place: DiscPlace) -> Face:
        """The top of a piece; every one of a set is a little different."""
        if place.index not in self._faces:
            style = self.look.pieces
            rng = np.random.default_rng((self.look.seed, 2, place.index))
            body = style.body_bgr
            if style.black_body_bgr is not None and side_of(place.piece) != RED:
                body = style.black_body_bgr
            self._faces[place.index] = Face(draw_face(style, place.piece, rng), body)
        return self._faces[place.index]

    def settle(self, discs: list[DiscPlace], face: ClockFace | None) -> Settled:
        """The picture with all still discs and the clock."""
        settled = Settled(self._ground.copy(), [light.copy() for light in self._light_of_ground])
        self.settle_anew(settled, whole(self.look.size_wh), discs, face)
        return settled

    def settle_anew(self, settled: Settled, box: Box, discs: list[DiscPlace], face: ClockFace | None) -> None:
        """Paint a part of the still picture anew, in place."""
        settled.albedo[box.part] = self._ground[box.part]
        for light, ground in zip(settled.lights, self._light_of_ground, strict=True):
            light[box.part] = ground[box.part]
        if face is not None:
            self._lay_clock(settled.albedo, box, face)
        near = [disc for disc in discs if (its := self.disc_box(disc)) is not None and its.meets(box)]
        self._contact(settled.albedo, box, near)
        self._shadows(settled.lights, box, near)
        sprites = [sprite for disc in near if (sprite := self.sprite(disc)) is not None]
        for sprite in sorted(sprites, key=lambda s: -s.depth):
            self.lay_disc(settled.albedo[box.part], [light[box.part] for light in settled.lights], box, sprite)

    def lay_disc(self, albedo: U8, lights: list[U8], box: Box, sprite: Sprite) -> None:
        """Lay a disc over the cut `box` of the picture, out of the shadows that fall on the board under it."""
        sh, sw = sprite.alpha.shape[:2]
        its = Box(sprite.left_px, sprite.top_px, sprite.left_px + sw, sprite.top_px + sh)
        here = its.common(box)
        if here is None:
            return
        inner = here.within(its)
        outer = here.within(box)
        alpha = sprite.alpha[inner]
        part = albedo[outer].astype(np.float32)
        colour = sprite.bgr[inner] * self.vignette[here.part]
        albedo[outer] = (part + (colour - part) * alpha).astype(np.uint8)
        for light, full in zip(lights, self.lamp_maps, strict=True):
            lit = light[outer].astype(np.float32)
            light[outer] = (lit + (full[here.part] - lit) * alpha[..., 0]).astype(np.uint8)

    def disc_box(self, place: DiscPlace, soft: float = 0.0) -> Box | None:
        """The part of the picture that a disc and its shadows can change; `soft`: more blur of them, cells."""
        key = (place.index, place.xyz, soft)
        if key not in self._boxes:
            if len(self._boxes) > KEPT_SPRITES:
                self._boxes.clear()
            outline = self.disc_outline(place.xyz)
            every = [self.camera.to_px(outline)]
            every += [shadow_of_hull(self.camera, lamp, outline) for lamp in self.look.lighting.lamps]
            blur = max((lamp.soft for lamp in self.look.lighting.lamps), default=0.0) * (1.0 + soft) * self.cell_px
            self._boxes[key] = around(np.concatenate(every), blur_reach_px(blur), self.look.size_wh)
        return self._boxes[key]

    def disc_outline(self, xyz: Xyz) -> F64:
        """(80, 3) cells, foot and top circles of a disc."""
        style = self.look.pieces
        return np.concatenate([circle(xyz, style.radius, 0.0), circle(xyz, style.radius, style.height)])

    def _contact(self, albedo: U8, box: Box, discs: list[DiscPlace]) -> None:
        """The dark seam where a disc meets the board."""
        blur_px = max(0.8, 0.07 * self.cell_px)
        wide = box.grown(blur_reach_px(blur_px), self.look.size_wh)
        if wide is None or not discs:
            return
        mask = np.zeros(wide.shape, np.uint8)
        for disc in discs:
            fill(mask, self.camera.to_px(circle(disc.xyz, self.look.pieces.radius * 1.10, 0.0)), wide, 110)
        soft = cv2.GaussianBlur(mask, (0, 0), blur_px)[box.within(wide)]
        keep = cv2.merge([cv2.subtract(np.full_like(soft, 255), soft)] * 3)
        part = albedo[box.part]
        np.copyto(part, cv2.multiply(part, keep, scale=1.0 / 255.0))

    def _shadows(self, lights: list[U8], box: Box, discs: list[DiscPlace]) -> None:
        for lamp, light in zip(self.look.lighting.lamps, lights, strict=True):
            blur_px = lamp.soft * self.cell_px
            wide = box.grown(blur_reach_px(blur_px), self.look.size_wh)
            if wide is None or not discs:
                continue
            mask = np.zeros(wide.shape, np.uint8)
            for disc in discs:
                fill(mask, shadow_of_hull(self.camera, lamp, self.disc_outline(disc.xyz)), wide)
            darken(light[box.part], mask, lamp, blur_px, box.within(wide))

    def _clock_box(self) -> Box | None:
        style = self.look.clock
        if style is None:
            return None
        corners = [box_corners(style, z) for z in (-self.look.board.thick, style.high + 0.6)]
        return around(self.camera.to_px(np.concatenate(corners)), 0.5 * self.cell_px, self.look.size_wh)

    def _lay_clock(self, albedo: U8, box: Box, face: ClockFace) -> None:
        """Lay the clock's part of the picture over the cut `box`, where it is seen there."""
        here = None if self.clock_box is None else self.clock_box.common(box)
        if here is None or self.clock_box is None or self.look.clock is None:
            return
        if self._clock_shown is None or self._clock_shown[0] != face:
            cut = self._ground[self.clock_box.part].copy()
            draw_clock(cut, self.camera, self.look.clock, face, -self.look.board.thick, self.clock_box.origin)
            self._clock_shown = face, cut
        albedo[here.part] = self._clock_shown[1][here.within(self.clock_box)]

    def _draw_ground(self, rng: np.random.Generator) -> U8:
        look, camera = self.look, self.camera
        w, h = look.size_wh
        floor = np.empty((h, w, 3), np.float32)
        floor[:] = np.array(look.table.floor_bgr, np.float32)
        grey = make_surface("stone", (128.0, 128.0, 128.0), (512, 512), 40.0, rng) / 128.0
        fx, fy = camera.plane_maps(-16.0)
        floor *= cv2.remap(grey, (fx * 9) % 511, (fy * 9) % 511, cv2.INTER_LINEAR)
        image: F32 = np.asarray(cv2.GaussianBlur(floor, (0, 0), 3.0), dtype=np.float32)
        thick = look.board.thick
        tile = make_surface(look.table.surface, look.table.bgr, (1024, 1024), float(TABLE_PX_PER_CELL), rng)
        tx, ty = camera.plane_maps(-thick)
        px = np.float32(TABLE_PX_PER_CELL)
        table = cv2.remap(tile, tx * px, ty * px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        side = look.table.side_room
        on_table = (tx > -side) & (tx < 8 + side) & (ty > -3.6) & (ty < 12.6)
        cover = np.asarray(cv2.GaussianBlur(on_table.astype(np.float32), (0, 0), 0.8), dtype=np.float32)[..., None]
        image += (table - image).astype(np.float32) * cover
        self._board_walls(image)
        s = float(BOARD_PX_PER_CELL)
        board = draw_board(look.board, s, rng)
        bx, by = camera.plane_maps(0.0)
        margin, tall = look.board.margin, 9.0 + look.board.river - 1.0
        u, v = (bx + margin) * s - 0.5, (tall + margin - by) * s - 0.5
        # Averaging first keeps thin lines from breaking up where the film shows the board smaller.
        shrink = max(1.0, s / float(camera.cell_px(np.array([[4.0, 4.5, 0.0]]))[0]))
        if shrink > 1.15:
            board = cv2.GaussianBlur(board, (0, 0), 0.42 * shrink).astype(np.float32)
        laid = cv2.remap(board, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        inside = (u > -0.5) & (v > -0.5) & (u < board.shape[1] - 0.5) & (v < board.shape[0] - 0.5)
        cover = np.asarray(cv2.GaussianBlur(inside.astype(np.float32), (0, 0), 0.6), dtype=np.float32)[..., None]
        image += (laid - image).astype(np.float32) * cover
        ground: U8 = np.clip(image * self.vignette, 0, 255).astype(np.uint8)
        return ground

    def _board_walls(self, image: F32) -> None:
        look, camera = self.look, self.camera
        flat = board_corners(look.board)
        low = np.column_stack([flat, np.full(4, -look.board.thick)])
        high = np.column_stack([flat, np.zeros(4)])
        px_low, px_high = camera.to_px(low), camera.to_px(high)
        for i, level in enumerate((0.62, 0.75, 0.7, 0.55)):
            j = (i + 1) % 4
            quad = np.array([px_low[i], px_low[j], px_high[j], px_high[i]])
            tone = [c * level for c in look.board.ground_bgr]
            cv2.fillConvexPoly(image, np.round(quad * 16).astype(np.int32), tone, cv2.LINE_AA, 4)

    def _ground_light(self, lamp: Lamp, light: U8) -> U8:
        """The lamp's light on table and board: the board and the clock throw their shadows on the table."""
        out = light.copy()
        mask = np.zeros(light.shape, np.uint8)
        thick = self.look.board.thick
        flat = board_corners(self.look.board)
        outline = np.concatenate([np.column_stack([flat, np.full(4, z)]) for z in (0.0, thick)])
        all_px = whole(self.look.size_wh)
        fill(mask, shadow_of_hull(self.camera, lamp, outline), all_px)
        if self.look.clock is not None:
            boxes = np.concatenate([box_corners(self.look.clock, z) for z in (-thick, self.look.clock.high)])
            fill(mask, shadow_of_hull(self.camera, lamp, boxes), all_px)
        darken(out, mask, lamp, max(1.5, 2 * lamp.soft * float(self.camera.cell_px(np.array([[4.0, 4.5, 0.0]]))[0])))
        board = np.zeros(light.shape, np.uint8)
        px = self.camera.to_px(np.column_stack([flat, np.zeros(4)]))
        cv2.fillConvexPoly(board, np.round(px * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        share = board.astype(np.float32) / 255.0
        mixed: U8 = (out + (light - out.astype(np.float32)) * share).astype(np.uint8)
        return mixed
