"""An arm in space: hand, forearm with sleeve, upper arm and body, as capsules, for a hand that grips somewhere."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qiyan.simulator.capsules import Limbs
from qiyan.simulator.hand_pose import BONES, RADII, blend
from qiyan.simulator.person import Person

F64 = NDArray[np.float64]

SKIN, SLEEVE, BODY, HAIR, WATCH = range(5)
FOREARM = 5.6
"""Wrist to elbow, cells."""
UPPER_ARM = 6.4
SITS_BACK = 8.6
"""How far from the outermost rank the shoulders of a player are who sits back, cells."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a hand is and how it holds its fingers at one moment."""

    grip: tuple[float, float, float]
    """The point between the fingertips, cells."""
    pose_a: str = "open"
    pose_b: str = "open"
    share: float = 0.0
    """0 is pose_a, 1 pose_b."""
    lean: float = 0.0
    """0 sits upright, 1 leans with the head over the board."""
    twist_deg: float = 0.0
    """How far the hand is turned at the wrist."""


def facing(side: int) -> F64:
    """(2,) unit vector, which way somebody looks: 0 Red, 1 Black, 2 a spectator at Red's left, 3 at Red's right."""
    return np.array([(0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)][side])


def shoulder_of(side: int, left_hand: bool, lean: float) -> F64:
    """(3,) cells, where somebody's shoulder is."""
    ahead = facing(side)
    right = np.array([ahead[1], -ahead[0]])
    half = 4.5 if side < 2 else 4.0
    xy = np.array([4.0, 4.5]) - ahead * (half + SITS_BACK - 4.5 * lean) + right * (-2.7 if left_hand else 2.7)
    return np.array([xy[0], xy[1], 5.2 - 0.4 * lean])


def build_arm(side: int, person: Person, reach: Reach, left_hand: bool) -> Limbs:
    """The capsules of one arm of the player of `side`."""
    grip = np.array(reach.grip)
    shoulder = shoulder_of(side, left_hand, reach.lean)
    ahead = grip[:2] - shoulder[:2]
    ahead = ahead / max(float(np.hypot(*ahead)), 1e-6)
    # A wrist bends: the hand points more straight ahead than the line from the shoulder does.
    ahead = ahead + 0.35 * facing(side)
    ahead = ahead / float(np.hypot(*ahead))
    twist = np.deg2rad(reach.twist_deg)
    ahead = np.array(
        [ahead[0] * np.cos(twist) - ahead[1] * np.sin(twist), ahead[0] * np.sin(twist) + ahead[1] * np.cos(twist)]
    )
    thumb = np.array([-ahead[1], ahead[0]]) * (-1.0 if left_hand else 1.0)
    local = blend(reach.pose_a, reach.pose_b, reach.share) * person.size
    joints = np.column_stack([grip[:2] + local[:, :1] * ahead + local[:, 1:2] * thumb, grip[2] + local[:, 2]])
    # The finger radii fix how low a joint can lie: no finger goes through the table.
    joints[:, 2] = np.maximum(joints[:, 2], -0.35 + 0.4 * RADII)
    wrist = joints[0]
    shoulder = _drawn_along(wrist, shoulder)
    elbow = _elbow(wrist, shoulder, side, left_hand)
    starts = [joints[a] for a, _ in BONES]
    ends = [joints[b] for _, b in BONES]
    radii = RADII * person.size
    radius_start = [radii[a] for a, _ in BONES]
    radius_end = [radii[b] for _, b in BONES]
    material = [SKIN] * len(BONES)

    def add(start: F64, end: F64, r_start: float, r_end: float, kind: int) -> None:
        starts.append(start)
        ends.append(end)
        radius_start.append(r_start)
        radius_end.append(r_end)
        material.append(kind)

    # Two capsules side by side make the wrist flat; under a sleeve no more of the arm is drawn than shows.
    breadth = np.append(thumb, 0.0) * 0.17 * person.size
    bare = min(person.sleeve_end + 0.06, 1.0)
    bare_end = wrist + (elbow - wrist) * bare
    for shift in (breadth, -breadth):
        add(
            wrist + shift, bare_end + shift * (1.0 - bare), 0.40 * person.size, (0.44 + 0.34 * bare) * person.size, SKIN
        )
    if person.watch:
        at = wrist + (elbow - wrist) * 0.08
        add(at - breadth * 1.6, at + breadth * 1.6, 0.36, 0.36, WATCH)
    cuff = wrist + (elbow - wrist) * min(person.sleeve_end, 1.0)
    if person.sleeve_end < 1.0:
        # Cloth hangs wider than the arm and bunches at the cuff.
        wide = (0.72 + 0.30 * person.sleeve_end) * person.size
        add(cuff, cuff + (elbow - cuff) * 0.10, wide, wide, SLEEVE)
        add(cuff + (elbow - cuff) * 0.08, elbow, wide - 0.05, 1.06 * person.size, SLEEVE)
    past = 0.0 if person.sleeve_end < 1.0 else min(person.sleeve_end - 1.0, 0.8)
    add(elbow, elbow + (shoulder - elbow) * past, 0.82, 0.86, SKIN) if past else None
    add(elbow + (shoulder - elbow) * past, shoulder, 1.06, 1.25, SLEEVE)
    return Limbs(
        np.array(starts), np.array(ends), np.array(radius_start), np.array(radius_end), np.array(material, np.int32)
    )


def build_body(side: int, lean: float, sway: tuple[float, float]) -> Limbs:
    """Trunk and head of the player of `side`, sitting back (lean 0) or over the board (lean 1)."""
    towards = 1.0 if side == 0 else -1.0
    y = 4.5 - towards * (4.5 + SITS_BACK)
    hips = np.array([4.0, y - towards * 1.0, -6.0])
    neck = np.array([4.0 + sway[0], y + towards * (6.5 * lean + sway[1]), 6.6 - 1.4 * lean])
    head = neck + np.array([0.0, towards * (0.5 + 1.1 * lean), 2.3 - 0.9 * lean])
    across = np.array([2.6, 0.0, 0.0])
    chest = neck * 0.75 + hips * 0.25
    return Limbs(
        np.array([hips - 0.3 * across, hips + 0.3 * across, neck - across, neck, head]),
        np.array(
            [
                chest - 0.35 * across,
                chest + 0.35 * across,
                neck + across,
                head,
                head + np.array([0, towards * 0.4, 0.5]),
            ]
        ),
        np.array([2.2, 2.2, 1.5, 0.9, 1.75]),
        np.array([2.2, 2.2, 1.5, 0.9, 1.7]),
        np.array([BODY, BODY, BODY, SKIN, HAIR], np.int32),
    )


def _drawn_along(wrist: F64, shoulder: F64) -> F64:
    """The shoulder, drawn after a hand that reaches farther than the arm is long."""
    line = wrist - shoulder
    far = float(np.linalg.norm(line))
    longest = (FOREARM + UPPER_ARM) * 0.96
    return shoulder if far <= longest else wrist - line * (longest / far)


def _elbow(wrist: F64, shoulder: F64, side: int, left_hand: bool) -> F64:
    """The elbow of an arm of fixed lengths: it falls outwards and down."""
    line = shoulder - wrist
    far = float(np.linalg.norm(line))
    unit = line / max(far, 1e-6)
    along = (far * far + FOREARM**2 - UPPER_ARM**2) / (2.0 * max(far, 1e-6))
    along = float(np.clip(along, 0.5, FOREARM))
    aside = float(np.sqrt(max(FOREARM**2 - along**2, 0.0)))
    ahead = facing(side)
    outward = -0.8 if left_hand else 0.8
    bend = np.array([outward * ahead[1], -outward * ahead[0], -0.6])
    bend = bend - unit * float(bend @ unit)
    bend = bend / max(float(np.linalg.norm(bend)), 1e-6)
    elbow: F64 = wrist + unit * along + bend * aside
    elbow[2] = max(elbow[2], 0.7)
    return elbow
