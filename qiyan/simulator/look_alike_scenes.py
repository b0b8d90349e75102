"""Scenes that look like an incident and are none."""

from dataclasses import replace

from qiyan.simulator.scene import Maker, NoSuchScene, Scene, tolerated
from qiyan.simulator.script import (
    Action,
    Adjust,
    Expect,
    Hover,
    Knock,
    Lean,
    LiftBack,
    LightTo,
    RestHand,
    Stop,
    Sweep,
    Wait,
)
from rules.legality import legal_moves
from rules.piece import side_of
from rules.point import format_point


def hover_long(scene: Scene) -> list[Action]:
    """A hand hovers over a piece for ten seconds, and another one moves."""
    over = format_point(scene.some_move().from_point)
    return [Hover(scene.mover, over, 10.0, float(scene.rng.uniform(0.35, 0.8)), 0.25), scene.playing(scene.some_move())]


def touch_what_cannot_move(scene: Scene) -> list[Action]:
    """A piece with no legal move is lifted and put back: that obliges to nothing."""
    able = {m.from_point for m in legal_moves(scene.position)}
    unable = [p for p in scene.own_points() if p not in able]
    if not unable:
        raise NoSuchScene("every piece can move")
    point = format_point(unable[int(scene.rng.integers(len(unable)))])
    return [
        LiftBack(scene.mover, point),
        Wait(0.5),
        scene.playing(scene.some_move()),
        Expect("unannounced_adjust", scene.mover, (point,), "5.6", "touch", required=False, lasts_s=20.0),
    ]


def straighten_two_then_move(scene: Scene) -> list[Action]:
    """Two pieces are straightened, then the first of them moves."""
    move = scene.some_move()
    others = [p for p in scene.own_points() if p != move.from_point]
    second = others[int(scene.rng.integers(len(others)))]
    names = (format_point(move.from_point), format_point(second))
    return [
        Adjust(scene.mover, names[0], scene.shift(0.06, 0.12)),
        Adjust(scene.mover, names[1], scene.shift(0.06, 0.12)),
        Wait(0.8),
        scene.playing(move),
        Expect("unannounced_adjust", scene.mover, names, "5.6", "touch", required=False, lasts_s=20.0),
    ]


def lean_over(scene: Scene) -> list[Action]:
    """A player leans over the board to look."""
    return [Lean(scene.mover, float(scene.rng.uniform(3.0, 8.0)), 1.0), scene.playing(scene.some_move())]


def knock_by_a_hair(scene: Scene) -> list[Action]:
    """The sleeve shifts one piece by a hair on the way to another."""
    move = scene.some_move()
    others = [p for p in scene.own_points() if p != move.from_point]
    point = format_point(others[int(scene.rng.integers(len(others)))])
    return [
        Knock(scene.mover, (point,), float(scene.rng.uniform(0.02, 0.04)), settles=True),
        scene.playing(move),
    ]


def captured_beside_edge(scene: Scene) -> list[Action]:
    """A captured piece is laid close to the board's outermost line."""
    captures = [m for m in legal_moves(scene.position) if scene.position.piece_at(m.to_point)]
    if not captures:
        raise NoSuchScene("nothing can be taken")
    move = captures[int(scene.rng.integers(len(captures)))]
    return [replace(scene.playing(move), lay_near=True)]


def off_centre_but_clear(scene: Scene) -> list[Action]:
    """A piece is put 0.3 cell off its point, nearer to it than to any other."""
    play = scene.playing(scene.some_move())
    offset = (0.3, 0.0) if scene.rng.random() < 0.5 else (0.0, -0.3)
    return [replace(play, offset=offset, exact=True), Wait(1.0)]


def press_at_once(scene: Scene) -> list[Action]:
    """The clock is pressed 0.3 s after the release."""
    play = scene.playing(scene.some_move())
    return [replace(play, pace=replace(play.pace, press_s=0.3))]


def hand_while_light_flickers(scene: Scene) -> list[Action]:
    """A hand is over the board while the light goes down and up."""
    flashes: list[Action] = []
    for _ in range(4):
        gain = float(scene.rng.uniform(0.55, 0.8))
        flashes += [LightTo(gain, (gain, gain), 0.05), Wait(0.35), LightTo(1.0, (1.0, 1.0), 0.05), Wait(0.4)]
    over = format_point(scene.some_move().from_point)
    rest = RestHand(scene.mover, (4.0, 4.5), 4.0, "open", 0.8)
    return [rest, Wait(0.6), *flashes, Hover(scene.mover, over, 1.5), scene.playing(scene.some_move())]


def hand_on_a_third(scene: Scene) -> list[Action]:
    """The waiting side's hand rests over a third of the board while the play goes on."""
    towards = 1.0 if scene.waiting == 0 else -1.0
    rest = RestHand(scene.waiting, (2.0, 4.5 - towards * 2.5), 20.0, "flat", 0.62)
    hidden = Expect("record_doubt", None, (), "", "accident", False, 60.0)
    return [rest, Wait(1.0), scene.playing(scene.some_move()), hidden]


def held_in_the_air(scene: Scene) -> list[Action]:
    """A piece is held over the board for half a minute before it is put down."""
    return [replace(scene.playing(scene.some_move()), hold_s=30.0, manner="carry")]


def slow_slide(scene: Scene) -> list[Action]:
    """A piece is slid slowly over points it might stop on."""
    long_ones = [
        m
        for m in legal_moves(scene.position)
        if not scene.position.piece_at(m.to_point) and abs(m.to_point - m.from_point) in (3, 4, 5, 27, 36, 45)
    ]
    if not long_ones:
        raise NoSuchScene("no long way is free")
    move = long_ones[int(scene.rng.integers(len(long_ones)))]
    return [replace(scene.playing(move), manner="slow")]


def announced_to_opponent(scene: Scene) -> list[Action]:
    """The waiting side straightens one of its own pieces by a hair while the other thinks."""
    theirs = [p for p, piece in enumerate(scene.position.board) if piece and side_of(piece) == scene.waiting]
    point = format_point(theirs[int(scene.rng.integers(len(theirs)))])
    return [
        Adjust(scene.waiting, point, scene.shift(0.05, 0.09)),
        Expect("unannounced_adjust", scene.waiting, (point,), "5.6", "touch", required=False, lasts_s=20.0),
        scene.playing(scene.some_move()),
    ]


def swept_at_the_end(scene: Scene) -> list[Action]:
    """The clock is stopped and the pieces are swept together: no move is in that."""
    play = scene.playing(scene.some_move())
    scene.next_position = None
    return [
        play,
        Stop(),
        Wait(1.5),
        Sweep(scene.mover),
        Expect("board_differs", None, (), "", "now", required=False, lasts_s=30.0),
        *tolerated("disturbed_pieces"),
        Wait(4.0),
    ]


MAKERS: dict[str, Maker] = {
    "hover_long": hover_long,
    "touch_what_cannot_move": touch_what_cannot_move,
    "straighten_two_then_move": straighten_two_then_move,
    "lean_over": lean_over,
    "knock_by_a_hair": knock_by_a_hair,
    "captured_beside_edge": captured_beside_edge,
    "off_centre_but_clear": off_centre_but_clear,
    "press_at_once": press_at_once,
    "hand_while_light_flickers": hand_while_light_flickers,
    "hand_on_a_third": hand_on_a_third,
    "held_in_the_air": held_in_the_air,
    "slow_slide": slow_slide,
    "announced_to_opponent": announced_to_opponent,
    "swept_at_the_end": swept_at_the_end,
}
