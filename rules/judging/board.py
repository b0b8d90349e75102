"""The board found, at the start or again."""

from dataclasses import replace

from rules.event import BoardFound, MoveSeen
from rules.fen import START_FEN, format_fen, parse_fen
from rules.incident import BoardFoundRecord, IncidentKind, Json, Severity
from rules.judging.report import Report
from rules.judging.sitting import Sitting
from rules.judging.table import Table
from rules.piece import EMPTY, letter_of, other, side_of
from rules.point import POINTS, Point, format_point
from rules.position import Position

_USUAL = parse_fen(START_FEN)
"""Here Red has the first move, whoever is seen to move first."""


def on_board_found(sitting: Sitting, event: BoardFound) -> None:
    """The board was found and read."""
    table = sitting.table
    official = table.position
    if official is None:
        sitting.change(start=event.position, found=event)
        _say_found(sitting, event, event.position)
        return
    same = official.board == event.position.board
    if same and table.cleared:
        sitting.change(cleared=False)
    if not same and not table.line and not table.start_given and table.result is None:
        # Nothing was played from what was read first: the later reading is the start.
        sitting.change(start=event.position, found=event)
        _say_found(sitting, event, event.position)
        return
    if table.start_given and not table.board_seen:
        _say_found(sitting, event, official)
    if not same and table.result is None and not table.cleared:
        _report_other_position(sitting, event, official)


def turn_is_unknown(table: Table) -> bool:
    """Whether nobody has moved yet on a board read in the middle of a game: it does not show whose turn it is."""
    start = table.start
    if start is None or table.found is None or table.line or table.start_given:
        return False
    return start.board != _USUAL.board


def learn_whose_turn(sitting: Sitting, event: MoveSeen) -> None:
    """Whose turn it was is known by who moves first."""
    start, found = sitting.table.start, sitting.table.found
    if start is None or found is None or not turn_is_unknown(sitting.table):
        return
    piece = start.piece_at(event.move.from_point)
    if piece == EMPTY:
        return
    mover = side_of(piece)
    # Touches of both sides were kept till now; those of the other were made in the opponent's time.
    own = tuple(touch for touch in sitting.table.turn.touches if touch.hand_side != other(mover))
    sitting.change_turn(touches=own)
    if mover == start.side:
        return
    start = replace(start, side=mover)
    sitting.change(start=start)
    _say_found(sitting, replace(found, t=event.t), start)


def _say_found(sitting: Sitting, event: BoardFound, position: Position) -> None:
    sitting.change(board_seen=True)
    fen = format_fen(position)
    sitting.say(BoardFoundRecord(event.t, event.corners_px, event.red_side, fen, event.residual_px))


def _report_other_position(sitting: Sitting, event: BoardFound, official: Position) -> None:
    """The board is found again and does not show the official position."""
    seen = event.position
    points = tuple(Point(p) for p in range(POINTS) if official.board[p] != seen.board[p])
    differences = tuple((p, official.piece_at(p), seen.piece_at(p)) for p in points)
    if set(differences) <= set(sitting.table.differences):
        return
    sitting.change(differences=differences)
    remedy: Json = {
        "action": "restore_record",
        "differences": [
            {"point": format_point(p), "record": _letter(was), "seen": _letter(now)} for p, was, now in differences
        ],
        "probability": round(event.confidence, 3),
    }
    pieces = tuple(was for _, was, _ in differences if was != EMPTY)
    sitting.report(
        Report(IncidentKind.BOARD_DIFFERS, Severity.DOUBT, None, points, "5.8.2", event.t, remedy, pieces=pieces)
    )


def _letter(piece: int) -> str:
    return "" if piece == EMPTY else letter_of(piece)
