"""Scenes of incidents at the pieces: touched, taken back, put between points, disturbed."""

from dataclasses import replace

from qiyan.simulator.scene import Maker, NoSuchScene, Scene, tolerated
from qiyan.simulator.script import (
    Action,
    Adjust,
    Expect,
    Knock,
    LiftBack,
    PlaceBetween,
    Press,
    PutOn,
    Restore,
    TakeBack,
    Wait,
)
from rules.legality import legal_moves
from rules.point import file_of, format_point, rank_of


def touch_own(scene: Scene) -> list[Action]:
    """An own piece that can move is lifted and put back, another is played."""
    touched = scene.some_move().from_point
    move = scene.some_move(but=(touched,))
    point = format_point(touched)
    return [
        LiftBack(scene.mover, point),
        Wait(0.4),
        scene.playing(move),
        Expect("touch_move", scene.mover, (point,), "5.1"),
        Expect("unannounced_adjust", scene.mover, (point,), "5.6", "touch", required=False),
    ]


def touch_enemy(scene: Scene) -> list[Action]:
    """An enemy piece that can be taken is lifted and put back, and it is not taken."""
    captures = [m for m in legal_moves(scene.position) if scene.position.piece_at(m.to_point)]
    if not captures:
        raise NoSuchScene("nothing can be taken")
    target = captures[int(scene.rng.integers(len(captures)))].to_point
    other_moves = [m for m in legal_moves(scene.position) if m.to_point != target]
    if not other_moves:
        raise NoSuchScene("every move takes it")
    move = other_moves[int(scene.rng.integers(len(other_moves)))]
    point = format_point(target)
    return [
        LiftBack(scene.mover, point),
        Wait(0.4),
        scene.playing(move),
        Expect("touch_move", scene.mover, (point,), "5.2"),
        Expect("unannounced_adjust", scene.mover, (point,), "5.6", "touch", required=False),
    ]


def adjust_unannounced(scene: Scene) -> list[Action]:
    """A piece is straightened in own time, and then it is the one that moves."""
    move = scene.some_move()
    point = format_point(move.from_point)
    shift = scene.shift(0.13, 0.2)
    return [
        Adjust(scene.mover, point, shift),
        Wait(2.5),
        scene.playing(move),
        Expect("unannounced_adjust", scene.mover, (point,), "5.6", "touch"),
    ]


def take_back_to_another(scene: Scene) -> list[Action]:
    """A released piece is taken up again and put on another point."""
    moves = [m for m in legal_moves(scene.position) if not scene.position.piece_at(m.to_point)]
    pairs = [(a, b) for a in moves for b in moves if a.from_point == b.from_point and a.to_point != b.to_point]
    if not pairs:
        raise NoSuchScene("no piece with two quiet moves")
    first, second = pairs[int(scene.rng.integers(len(pairs)))]
    play = replace(scene.playing(first), press=False, manner="carry")
    scene.next_position = scene.position.play(second)
    to = format_point(second.to_point)
    return [
        play,
        TakeBack(scene.mover, format_point(first.to_point), to, press=True),
        Expect("take_back", scene.mover, (), "5.7", "undone", lasts_s=5.0),
    ]


def take_back_home(scene: Scene) -> list[Action]:
    """A released move is undone and another piece is played."""
    quiet = [m for m in legal_moves(scene.position) if not scene.position.piece_at(m.to_point)]
    if not quiet:
        raise NoSuchScene("no quiet move")
    first = quiet[int(scene.rng.integers(len(quiet)))]
    move = scene.some_move(but=(first.from_point,))
    home = format_point(first.from_point)
    return [
        replace(scene.playing(first), press=False),
        TakeBack(scene.mover, format_point(first.to_point), home),
        Expect("take_back", scene.mover, (), "5.7", "undone", lasts_s=6.0),
        scene.playing(move),
        Expect("touch_move", scene.mover, (), "5.1", "release", required=False),
    ]


def between(scene: Scene) -> list[Action]:
    """A piece is let go half way between two points and the clock pressed; the opponent puts it on one."""
    steps = [
        (a, b)
        for a in legal_moves(scene.position)
        for b in legal_moves(scene.position)
        if a.from_point == b.from_point
        and a.to_point != b.to_point
        and abs(file_of(a.to_point) - file_of(b.to_point)) + abs(rank_of(a.to_point) - rank_of(b.to_point)) == 1
        and not scene.position.piece_at(a.to_point)
        and not scene.position.piece_at(b.to_point)
    ]
    if not steps:
        raise NoSuchScene("no two neighbouring targets")
    first, second = steps[int(scene.rng.integers(len(steps)))]
    names = (format_point(first.to_point), format_point(second.to_point))
    scene.next_position = scene.position.play(first)
    home = format_point(first.from_point)
    return [
        PlaceBetween(home, names, float(scene.rng.uniform(0.42, 0.5))),
        Expect("between_points", scene.mover, names, "5.10", "press", lasts_s=3.0),
        Wait(3.0),
        PutOn(scene.waiting, home, names[0]),
        *tolerated("touch_move", "unannounced_adjust", "take_back", "board_differs"),
    ]


def disturbed_before_press(scene: Scene) -> list[Action]:
    """Pieces are brushed off their points in own time and put back before the press."""
    points = scene.row()
    play = replace(scene.playing(scene.some_move(but=points)), press=False)
    names = tuple(format_point(p) for p in points)
    return [
        play,
        Knock(scene.mover, names),
        Expect("disturbed_pieces", scene.mover, names, "5.9", "accident", lasts_s=5.0),
        Wait(1.5),
        Restore(scene.mover),
        *tolerated("touch_move", "unannounced_adjust", "board_differs", "out_of_turn"),
        Press(scene.mover, 0.3),
    ]


def disturbed_after_press(scene: Scene) -> list[Action]:
    """After the press the presser brushes pieces off; they are restored in the opponent's time."""
    return _disturbed_late(scene, off=False)


def knocked_off_board(scene: Scene) -> list[Action]:
    """One piece falls beside the board; the opponent has less than three minutes."""
    scene.red_s = scene.black_s = 150.0
    return _disturbed_late(scene, off=True)


def _disturbed_late(scene: Scene, off: bool) -> list[Action]:
    points = scene.row()
    play = scene.playing(scene.some_move(but=points))
    names = tuple(format_point(p) for p in points)
    return [
        play,
        Wait(0.5),
        Knock(scene.mover, names, off_board=names[:1] if off else ()),
        Expect("disturbed_pieces", scene.mover, names, "5.9", "accident", lasts_s=5.0),
        Wait(2.0),
        Restore(scene.mover),
        *tolerated("touch_move", "unannounced_adjust", "board_differs", "out_of_turn", "take_back"),
    ]


MAKERS: dict[str, Maker] = {
    "touch_own": touch_own,
    "touch_enemy": touch_enemy,
    "adjust_unannounced": adjust_unannounced,
    "take_back_to_another": take_back_to_another,
    "take_back_home": take_back_home,
    "between": between,
    "disturbed_before_press": disturbed_before_press,
    "disturbed_after_press": disturbed_after_press,
    "knocked_off_board": knocked_off_board,
}
