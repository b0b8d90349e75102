"""Scenes that are hard to see and break no rule: haste, arms in the way, a pushed camera, the end of a game."""

from dataclasses import replace

from qiyan.simulator.scene import Maker, NoSuchScene, Scene, tolerated
from qiyan.simulator.script import BLITZ, Action, Bump, Expect, LightTo, Play, PutAt, RestHand, Spectate, Stop, Wait
from rules.iccs import format_iccs
from rules.legality import legal_moves
from rules.move import Move
from rules.piece import KING, kind_of
from rules.point import Point, file_of, format_point, parse_point, rank_of
from rules.position import Position


def captures_on_one_point(scene: Scene) -> list[Action]:
    """Pieces are exchanged on one point, a ply a second."""
    row = _exchange(scene.position, 3) or _exchange(scene.position, 2)
    if row is None:
        raise NoSuchScene("no exchange")
    position = scene.position
    out: list[Action] = []
    for move in row:
        out.append(Play(format_iccs(move), BLITZ, capture="take_first" if scene.rng.random() < 0.5 else "swap"))
        position = position.play(move)
    scene.next_position = position
    return out


def blitz(scene: Scene) -> list[Action]:
    """Six plies, a move a second."""
    position, out = scene.position, list[Action]()
    for _ in range(6):
        scene.position = position
        move = scene.some_move()
        out.append(Play(format_iccs(move), BLITZ))
        position = position.play(move)
    scene.next_position = position
    return out


def two_plies_unseen(scene: Scene) -> list[Action]:
    """Two plies are made under an arm that lies over the board all the while."""
    first = scene.some_move()
    after = scene.position.play(first)
    towards = 1.0 if scene.waiting == 0 else -1.0
    x = (file_of(first.from_point) + file_of(first.to_point)) / 2
    y = (rank_of(first.from_point) + rank_of(first.to_point)) / 2 + 0.8 * towards
    rest = RestHand(scene.waiting, (float(x), float(y)), 9.0, "flat", 0.7)
    out: list[Action] = [rest, Wait(0.8), scene.playing(first)]
    scene.position = after
    out.append(replace(scene.playing(scene.some_move()), pace=BLITZ))
    return [*out, *_hidden()]


def sleeve_over_half(scene: Scene) -> list[Action]:
    """The mover's other arm lies across half the board for half a minute."""
    towards = 1.0 if scene.mover == 0 else -1.0
    rest = RestHand(scene.mover, (4.0 - 2.0 * towards, 4.5 + 2.5 * towards), 30.0, "flat", 0.62)
    return [rest, Wait(2.0), scene.playing(scene.some_move()), *_hidden()]


def spectator_points(scene: Scene) -> list[Action]:
    """A spectator's arm comes in from the side while a move is made."""
    near = format_point(scene.some_move().to_point)
    return [Spectate(2 + int(scene.rng.integers(2)), near, 3.0), Wait(0.6), scene.playing(scene.some_move())]


def light_off_and_on(scene: Scene) -> list[Action]:
    """The light goes out for some seconds and comes back; a move is made in the dusk."""
    return [
        LightTo(0.35, (0.12, 0.12), 0.0),
        Wait(3.0),
        scene.playing(scene.some_move()),
        Wait(1.5),
        LightTo(1.0, (1.0, 1.0), 0.0),
        Wait(1.0),
    ]


def camera_pushed(scene: Scene) -> list[Action]:
    """The camera is pushed by half a cell and turned, while nobody moves."""
    size = float(scene.rng.uniform(18.0, 34.0))
    turn = float(scene.rng.uniform(-2.5, 2.5))
    return [Wait(0.5), Bump((size, 0.5 * size), turn, 0.6), Wait(2.5), scene.playing(scene.some_move())]


def bump_during_move(scene: Scene) -> list[Action]:
    """The camera is bumped while a piece is in the air."""
    return [Bump((9.0, 7.0), 0.6, 1.2), scene.playing(scene.some_move())]


def kings_in_the_centre(scene: Scene) -> list[Action]:
    """The game is over: the clock is stopped and both generals are put in the middle of the board."""
    play = scene.playing(scene.some_move())
    after = scene.position.play(Move(*_points_of(play)))
    scene.next_position = None
    red, black = (
        next(p for p, piece in enumerate(after.board) if piece and kind_of(piece) == KING and piece >> 3 == side)
        for side in (0, 1)
    )
    middle = [(3.5, 4.5), (4.5, 4.5)]
    return [
        play,
        Stop(),
        Wait(2.0),
        PutAt(scene.mover, format_point(red), middle[0]),
        PutAt(scene.mover, format_point(black), middle[1]),
        Expect("board_differs", None, (), "", "now", required=False, lasts_s=30.0),
        *tolerated("disturbed_pieces", "between_points", "touch_move", "out_of_turn"),
        Wait(4.0),
    ]


def _hidden() -> list[Action]:
    """Of plies that an arm covers from beginning to end the record may rightly be in doubt."""
    return [Expect("record_doubt", None, (), "", "accident", False, 60.0)]


def _points_of(play: Play) -> tuple[Point, Point]:
    return parse_point(play.iccs[:2]), parse_point(play.iccs[2:])


def _exchange(position: Position, plies: int) -> list[Move] | None:
    """That many captures in a row on one point; None where there are none."""
    for first in legal_moves(position):
        if not position.piece_at(first.to_point):
            continue
        row, now = [first], position.play(first)
        while len(row) < plies:
            again = [m for m in legal_moves(now) if m.to_point == first.to_point]
            if not again:
                break
            row.append(again[0])
            now = now.play(again[0])
        if len(row) == plies and legal_moves(now):
            return row
    return None


MAKERS: dict[str, Maker] = {
    "captures_on_one_point": captures_on_one_point,
    "blitz": blitz,
    "two_plies_unseen": two_plies_unseen,
    "sleeve_over_half": sleeve_over_half,
    "spectator_points": spectator_points,
    "light_off_and_on": light_off_and_on,
    "camera_pushed": camera_pushed,
    "bump_during_move": bump_during_move,
    "kings_in_the_centre": kings_in_the_centre,
}
