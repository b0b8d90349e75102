"""A move that was seen, as a ply of the record."""

from dataclasses import replace

from rules.event import MoveSeen
from rules.fen import format_fen
from rules.incident import ClockShown, MoveRecord
from rules.judging.shown import chinese_or_none
from rules.judging.table import Ply, Table, Turn
from rules.legality import in_check, is_legal
from rules.piece import BLACK, RED, other, side_of


def make_ply(table: Table, event: MoveSeen, done_at: float) -> Ply:
    """The seen move as a ply after those in the record, whoever made it."""
    before = table.position
    assert before is not None
    piece = before.piece_at(event.move.from_point)
    side = side_of(piece)
    as_mover = before if side == before.side else replace(before, side=side)
    after = as_mover.play(event.move)
    return Ply(
        move=event.move,
        side=side,
        piece=piece,
        captured=before.piece_at(event.move.to_point),
        legal=side == before.side and is_legal(before, event.move),
        check=in_check(after, other(side)),
        before=before,
        after=after,
        t=event.t,
        t_lifted=event.t_lifted,
        t_placed=event.t_placed,
        done_at=done_at,
        confidence=event.confidence,
        clock=_clock_shown(table, done_at, event.t),
        turn=table.turn,
        t_before=event.t_before,
    )


def _clock_shown(table: Table, done_at: float, known_at: float) -> ClockShown | None:
    """What the clock showed when a move was made, counted on from its last reading."""
    clock = table.clock
    if clock.t is None:
        return None
    then = max(done_at, clock.t)
    red_s, black_s = clock.remaining_s(RED, then), clock.remaining_s(BLACK, then)
    return ClockShown(_tenths(red_s), _tenths(black_s), max(0.0, known_at - clock.t))


def _tenths(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)


def move_record(table: Table, ply: Ply) -> MoveRecord:
    """What is said of the ply, the last in the record."""
    return MoveRecord(
        t=ply.t,
        ply=table.ply,
        side=ply.side,
        move=ply.move,
        chinese=chinese_or_none(ply.before, ply.move),
        captured=ply.captured,
        fen=format_fen(ply.after),
        t_lifted=ply.t_lifted,
        t_placed=ply.t_placed,
        confidence=ply.confidence,
        legal=ply.legal,
        clock=ply.clock,
    )


def next_turn(table: Table, ply: Ply) -> Turn:
    """The turn after `ply`: a press of the next side may be known before its move is."""
    pressed, next_pressed = table.clock.presses[ply.side], table.clock.presses[other(ply.side)]
    since = ply.done_at if pressed is None else max(ply.done_at, pressed)
    if next_pressed is not None and next_pressed > since and table.clock.running == ply.side:
        return Turn(early_press=next_pressed, early_press_uncertainty_s=table.clock.uncertainty_s)
    return Turn()
