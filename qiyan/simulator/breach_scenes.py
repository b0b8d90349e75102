"""Scenes of moves and presses that break a rule, and of a board that differs from the record."""

from dataclasses import replace

from qiyan.simulator.scene import Maker, NoSuchScene, Scene, tolerated
from qiyan.simulator.script import NATURAL, Action, Exchange, Expect, Play, Press, Remove, Wait
from rules.fen import parse_fen
from rules.iccs import format_iccs, parse_iccs
from rules.legality import in_check, legal_moves, pseudo_legal_moves
from rules.move import Move
from rules.piece import KING, RED, Side, kind_of, other, side_of
from rules.point import POINTS, Point, file_of, format_point, rank_of
from rules.position import Position


def illegal_move(scene: Scene) -> list[Action]:
    """A piece goes where it cannot."""
    wrong = _wrong_moves(scene.position)
    if not wrong:
        raise NoSuchScene("nothing to do wrong")
    move = wrong[int(scene.rng.integers(len(wrong)))]
    points = (format_point(move.from_point), format_point(move.to_point))
    return [scene.playing(move), Expect("illegal_move", scene.mover, points, "4.1.8")]


def suicide(scene: Scene) -> list[Action]:
    """A move that leaves the own general to be taken."""
    legal = set(legal_moves(scene.position))
    fatal = [m for m in pseudo_legal_moves(scene.position) if m not in legal]
    if not fatal:
        raise NoSuchScene("no move is suicide")
    move = fatal[int(scene.rng.integers(len(fatal)))]
    play = scene.playing(move)
    scene.next_position = None
    return [play, Expect("suicide", scene.mover, (), "4.1.3"), Wait(4.0)]


def out_of_turn(scene: Scene) -> list[Action]:
    """The side not on move moves a piece."""
    theirs = Position(scene.position.board, scene.waiting)
    moves = [m for m in legal_moves(theirs) if not theirs.piece_at(m.to_point)]
    if not moves:
        raise NoSuchScene("no move")
    move = moves[int(scene.rng.integers(len(moves)))]
    if scene.last is not None and move.from_point == scene.last.to_point:
        raise NoSuchScene("to move the piece again that was released last is to take it back")
    scene.next_position = theirs.play(move)
    return [
        Play(format_iccs(move), NATURAL, press=False, side=scene.waiting),
        Expect("out_of_turn", scene.waiting, (), "5.8", "release", lasts_s=5.0),
        *tolerated("clock_not_pressed", "clock_before_move"),
    ]


def clock_before_move(scene: Scene) -> list[Action]:
    """The clock is pressed with no move made; the move follows some seconds later."""
    play = replace(scene.playing(scene.some_move()), press=False)
    return [
        Press(scene.mover),
        Expect("clock_before_move", scene.mover, (), "4.1.9", "press", lasts_s=14.0),
        Wait(2.0),
        play,
    ]


def clock_not_pressed(scene: Scene) -> list[Action]:
    """A move is made and the clock forgotten."""
    play = replace(scene.playing(scene.some_move()), press=False)
    return [
        play,
        Expect("clock_not_pressed", scene.mover, (), "21.5", "release", lasts_s=24.0),
        Wait(20.0),
        Press(scene.mover, 0.2),
    ]


def flag_fall(scene: Scene) -> list[Action]:
    """Somebody's time runs out in thought."""
    scene.base_s = 45.0
    side = scene.mover
    scene.red_s, scene.black_s = (24.0, 600.0) if side == RED else (600.0, 24.0)
    scene.next_position = None
    return [Wait(30.0), Expect("flag_fall", side, (), "21.3", "now", lasts_s=6.0)]


def repetition(scene: Scene) -> list[Action]:
    """Both go to and fro until the position stands for the third time."""
    position = scene.position
    if scene.came_by_capture:
        raise NoSuchScene("the first time would not count")
    there = _shuttle(position)
    back = Position(position.board, scene.waiting)
    answer = _shuttle(back)
    if scene.last is not None and answer == _reversed(scene.last):
        raise NoSuchScene("the position before the last ply would stand for the third time sooner")
    moves = [there, answer, _reversed(there), _reversed(answer)] * 2
    out: list[Action] = []
    for move in moves:
        if move not in legal_moves(position):
            raise NoSuchScene("the shuttle is not free")
        out.append(Play(format_iccs(move), NATURAL, manner="slide"))
        position = position.play(move)
    scene.next_position = position
    return [*out, Expect("repetition", None, (), "23", "release", lasts_s=6.0)]


def natural_limit(scene: Scene) -> list[Action]:
    """The sixtieth round without a capture is completed; the game is taken up shortly before."""
    scene.start_fen = "3ak4/4a4/4b4/9/9/2R6/9/4B4/4A4/3AK4 w - - 117 90"
    scene.position = parse_fen(scene.start_fen)
    out: list[Action] = []
    for text in ("c4c5", "e7g5", "c5c4", "g5e7"):
        out.append(Play(text, NATURAL))
        scene.position = scene.position.play(parse_iccs(text))
    scene.next_position = None
    return [*out[:3], Expect("natural_limit", None, (), "22.2", "release", lasts_s=6.0), Wait(3.0)]


def piece_gone(scene: Scene) -> list[Action]:
    """A piece is taken off the board with no move."""
    own = scene.own_points()
    bare = [p for p in own if _legal_without(scene.position, p)]
    if not bare:
        raise NoSuchScene("nothing can be missing")
    point = bare[int(scene.rng.integers(len(bare)))]
    scene.next_position = None
    name = format_point(point)
    return [
        Remove(scene.mover, name),
        Expect("board_differs", None, (name,), "5.8.2", "accident", lasts_s=14.0),
        *tolerated("touch_move", "unannounced_adjust", "disturbed_pieces"),
        Wait(10.0),
    ]


def pieces_exchanged(scene: Scene) -> list[Action]:
    """Two own pieces change places."""
    own = scene.own_points()
    pairs = [
        (a, b)
        for a in own
        for b in own
        if a < b and scene.position.piece_at(a) != scene.position.piece_at(b) and rank_of(a) == rank_of(b)
    ]
    if not pairs:
        raise NoSuchScene("no pair")
    a, b = pairs[int(scene.rng.integers(len(pairs)))]
    names = (format_point(a), format_point(b))
    scene.next_position = None
    return [
        Exchange(scene.mover, *names),
        Expect("board_differs", None, names, "5.8.2", "accident", lasts_s=20.0),
        *tolerated("touch_move", "unannounced_adjust", "disturbed_pieces", "illegal_move", "take_back"),
        Wait(10.0),
    ]


def _wrong_moves(position: Position) -> list[Move]:
    """Moves to empty points at most three away that the piece cannot make, and after which play could go on."""
    allowed = set(pseudo_legal_moves(position))
    out = []
    for a in range(POINTS):
        piece = position.piece_at(a)
        if not piece or side_of(piece) != position.side or kind_of(piece) == KING:
            continue
        for b in range(POINTS):
            far = max(abs(file_of(a) - file_of(b)), abs(rank_of(a) - rank_of(b)))
            move = Move(Point(a), Point(b))
            if not position.piece_at(b) and 1 <= far <= 3 and move not in allowed and _goes_on(position.play(move)):
                out.append(move)
    return out


def _goes_on(position: Position) -> bool:
    """Whether neither general stands to be taken, and there is a move."""
    return not in_check(position, other(position.side)) and bool(legal_moves(position))


def _legal_without(position: Position, point: int) -> bool:
    """Whether the piece there can be missing without the general in check."""
    if kind_of(position.piece_at(point)) == KING:
        return False
    board = bytearray(position.board)
    board[point] = 0
    return not in_check(position.with_board(bytes(board)), position.side)


def _shuttle(position: Position) -> Move:
    """A quiet move whose way back is legal as well."""
    for move in legal_moves(position):
        after = position.play(move)
        if position.piece_at(move.to_point) or in_check(after, after.side):
            continue
        if kind_of(position.piece_at(move.from_point)) not in (KING,) and _reversed(move) in legal_moves(
            Position(after.board, Side(position.side))
        ):
            return move
    raise NoSuchScene("no shuttle")


def _reversed(move: Move) -> Move:
    return Move(move.to_point, move.from_point)


MAKERS: dict[str, Maker] = {
    "illegal_move": illegal_move,
    "suicide": suicide,
    "out_of_turn": out_of_turn,
    "clock_before_move": clock_before_move,
    "clock_not_pressed": clock_not_pressed,
    "flag_fall": flag_fall,
    "repetition": repetition,
    "natural_limit": natural_limit,
    "piece_gone": piece_gone,
    "pieces_exchanged": pieces_exchanged,
}
