"""Every remedy of clauses 5.9, 5.10 and 29.2, by edition, side, order of press and happening, and clock time."""

import itertools
from typing import Any

import pytest

from rules.arbiter import Table
from rules.event import ClockEvent, ClockEventKind, PieceBetween, PiecesDisturbed, PiecesRestored, TableEvent
from rules.incident import Record
from rules.piece import BLACK, RED, SIDE_NAMES, Side, other, piece_of_letter
from rules.point import parse_point
from rules.profile import EDITIONS
from tests.table_events import fold, found, of_kind, seen

SIDES = (RED, BLACK)
MOVE = {RED: "h2e2", BLACK: "h9g7"}
BEGUN_S = {RED: 4.0, BLACK: 24.0}
"""When that side has moved."""
PLENTY_S = 600.0

# --- 5.9: disturbed pieces

ORDERS = ("own_time", "at_press", "after_press")
"""Put back before the press; pressed while they lie; pushed when it was the opponent's time already."""
CLOCKS = {"under": 179.9, "at": 180.0, "over": 180.1}
"""The opponent's time then, s: three minutes, just less, just more."""
LOSS, ADD, RESTORE = "loss", "add_time", "restore"
REMEDIES_2020 = {
    ("own_time", "under"): ("notice", RESTORE),
    ("own_time", "at"): ("notice", RESTORE),
    ("own_time", "over"): ("notice", RESTORE),
    ("at_press", "under"): ("breach", LOSS),
    ("at_press", "at"): ("breach", ADD),
    ("at_press", "over"): ("breach", ADD),
    ("after_press", "under"): ("breach", LOSS),
    ("after_press", "at"): ("breach", ADD),
    ("after_press", "over"): ("breach", ADD),
}
REMEDIES_2011 = {
    (order, clock): ("notice" if order == "own_time" else "doubt", RESTORE) for order in ORDERS for clock in CLOCKS
}
"""The trial edition has them put back and no more; the arbiter looks whose time it was."""
REMEDIES = {
    "2020": REMEDIES_2020,
    "2020-quick": REMEDIES_2020,
    "2011-national": REMEDIES_2011,
    "2011-provincial": REMEDIES_2011,
}
DISTURBANCES = list(itertools.product(EDITIONS, SIDES, ORDERS, CLOCKS))


def _press(by: Side, t: float, side: Side, opponent_s: float, uncertainty_s: float = 0.0) -> ClockEvent:
    """A press, after which the clock shows that time for the opponent of `side` and plenty for `side`."""
    red_s, black_s = (PLENTY_S, opponent_s) if side == RED else (opponent_s, PLENTY_S)
    return ClockEvent(t, ClockEventKind.PRESS, by, red_s, black_s, uncertainty_s)


def _until(side: Side, opponent_s: float) -> list[TableEvent]:
    """The game until `side` is on move, its own time running."""
    first = [found(), _press(BLACK, 1.0, side, opponent_s)]
    return first if side == RED else [*first, seen(MOVE[RED], 4.0), _press(RED, 4.2, side, opponent_s)]


def _pushed(t: float, side: Side | None) -> PiecesDisturbed:
    return PiecesDisturbed(t, (parse_point("a0"), parse_point("b0")), (), side, t)


def _disturbed(
    edition: str, side: Side, order: str, opponent_s: float, uncertainty_s: float = 0.0, seen_hand: bool = True
) -> tuple[Table, list[Record]]:
    """`side` pushes pieces; `seen_hand`: whether the eye saw whose hand it was."""
    t = BEGUN_S[side]
    who = side if seen_hand else None
    move, press = seen(MOVE[side], t), _press(side, t + 0.2, side, opponent_s, uncertainty_s)
    acts: dict[str, list[TableEvent]] = {
        "own_time": [_pushed(t - 2.0, who), PiecesRestored(t - 1.0), move, press],
        "at_press": [_pushed(t - 2.0, who), move, press],
        "after_press": [move, press, _pushed(t + 0.2, who)],
    }
    return fold([*_until(side, opponent_s), *acts[order]], edition)


def _last(records: list[Record], kind: str) -> dict[str, Any]:
    incidents = [one for one in of_kind(records, "incident") if one["incident"] == kind]
    return incidents[-1]


@pytest.mark.parametrize(("edition", "side", "order", "clock"), DISTURBANCES)
def test_what_disturbing_pieces_costs(edition: str, side: Side, order: str, clock: str) -> None:
    table, records = _disturbed(edition, side, order, CLOCKS[clock])
    severity, action = REMEDIES[edition][order, clock]
    incident = _last(records, "disturbed_pieces")
    remedy = incident["remedy"]
    assert (incident["severity"], incident["clause"], incident["side"]) == (severity, "5.9", SIDE_NAMES[side])
    assert remedy["action"] == action
    if action == ADD:
        assert (remedy["side"], remedy["seconds"], remedy["opponent_s"]) == (
            SIDE_NAMES[other(side)], 180, CLOCKS[clock],
        )  # fmt: skip
    results = [(r["result"], r["termination"], r["clause"], r["status"]) for r in of_kind(records, "result")]
    won = "0-1" if side == RED else "1-0"
    assert results == ([(won, "disturbed_pieces", "5.9", "proposed")] if action == LOSS else [])
    # A foul of 8.1 in the opponent's time only, and once however often it was told.
    assert table.fouls(side) == (severity == "breach") and table.fouls(other(side)) == 0
    updates = [one["updates"] is not None for one in of_kind(records, "incident")]
    assert updates == ([False, True] if order == "at_press" else [False])


def test_every_remedy_of_5_9_is_reached_for_every_edition_side_order_and_time() -> None:
    assert all(set(table) == set(itertools.product(ORDERS, CLOCKS)) for table in REMEDIES.values())
    assert set(REMEDIES) == set(EDITIONS)
    reached = {(side, *REMEDIES[edition][order, clock]) for edition, side, order, clock in DISTURBANCES}
    wanted = [("notice", RESTORE), ("doubt", RESTORE), ("breach", ADD), ("breach", LOSS)]
    assert reached == {(side, *remedy) for side in SIDES for remedy in wanted}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("order", ["at_press", "after_press"])
@pytest.mark.parametrize(
    ("opponent_s", "severity", "action"),
    [
        (179.4, "breach", LOSS), (179.6, "doubt", ADD), (180.0, "breach", ADD), (180.4, "doubt", ADD),
        (180.6, "breach", ADD),
    ],
)  # fmt: skip
def test_where_the_clock_is_not_known_to_the_second_the_milder_one_is_offered_in_doubt(
    side: Side, order: str, opponent_s: float, severity: str, action: str
) -> None:
    """A clock read to half a second; what it shows itself is what counts, so that three minutes are three minutes."""
    _, records = _disturbed("2020", side, order, opponent_s, 0.5)
    incident = _last(records, "disturbed_pieces")
    assert (incident["severity"], incident["remedy"]["action"]) == (severity, action)
    assert incident["remedy"].get("if_opponent_has_less") == (LOSS if severity == "doubt" else None)


@pytest.mark.parametrize(("edition", "side", "order"), list(itertools.product(EDITIONS, SIDES, ORDERS)))
def test_nobodys_hand_is_nobodys_breach(edition: str, side: Side, order: str) -> None:
    table, records = _disturbed(edition, side, order, 20.0, seen_hand=False)
    incident = _last(records, "disturbed_pieces")
    assert (incident["severity"], incident["side"], incident["remedy"]["action"]) == ("doubt", None, RESTORE)
    assert of_kind(records, "result") == [] and table.fouls(RED) == table.fouls(BLACK) == 0


@pytest.mark.parametrize(("edition", "side"), list(itertools.product(EDITIONS, SIDES)))
def test_without_a_clock_the_arbiter_has_to_look_at_the_time(edition: str, side: Side) -> None:
    moves = [seen(MOVE[RED], 4.0)] if side == RED else [seen(MOVE[RED], 4.0), seen(MOVE[BLACK], 24.0)]
    _, records = fold([found(), *moves, _pushed(BEGUN_S[side] + 0.2, side)], edition)
    incident = _last(records, "disturbed_pieces")
    action = ADD if edition.startswith("2020") else RESTORE
    assert (incident["severity"], incident["remedy"]["action"]) == ("doubt", action)


@pytest.mark.parametrize("side", SIDES)
def test_one_piece_off_the_board_is_a_disturbance(side: Side) -> None:
    one = PiecesDisturbed(BEGUN_S[side] + 0.3, (parse_point("a3"),), (parse_point("a3"),), side, BEGUN_S[side] + 0.2)
    moved = [seen(MOVE[side], BEGUN_S[side]), _press(side, BEGUN_S[side] + 0.2, side, 170.0)]
    _, records = fold([*_until(side, 170.0), *moved, one])
    remedy = _last(records, "disturbed_pieces")["remedy"]
    assert (remedy["action"], remedy["off_board"], remedy["restore"]) == (LOSS, ["a3"], True)


def _tells_of_a_foul(incident: dict[str, Any]) -> bool:
    """Whether it is told, in both languages or in neither."""
    told = {"zh": "，并记犯规一次" in incident["text"]["zh"], "en": ", and a foul is counted" in incident["text"]["en"]}
    assert told["zh"] == told["en"]
    return told["zh"]


@pytest.mark.parametrize(("edition", "side", "order", "clock"), DISTURBANCES)
def test_a_foul_by_disturbing_pieces_is_told_where_the_game_goes_on(
    edition: str, side: Side, order: str, clock: str
) -> None:
    table, records = _disturbed(edition, side, order, CLOCKS[clock])
    incident = _last(records, "disturbed_pieces")
    assert incident["remedy"].get("foul", False) == (table.fouls(side) == 1)
    assert _tells_of_a_foul(incident) == (table.fouls(side) == 1 and incident["remedy"]["action"] != LOSS)


# --- 5.10 and 29.2: between points

PLACED = {RED: ("C", "b2", ("b4", "b5")), BLACK: ("c", "b7", ("b5", "b4"))}
BETWEEN_ORDERS = ("pressed_first", "pressed_then", "not_pressed", "no_clock")
"""The press heard before the eye was sure; after; not at all; there is no clock."""
NAME, STRAIGHTEN = "opponent_names_point", "straighten"
SLOW = {
    "pressed_first": ("breach", "5.10", NAME),
    "pressed_then": ("breach", "5.10", NAME),
    "not_pressed": None,
    "no_clock": ("doubt", "5.10", NAME),
}
QUICK = {
    "pressed_first": ("breach", "29.2", NAME),
    "pressed_then": ("breach", "29.2", NAME),
    "not_pressed": ("breach", "29.2", STRAIGHTEN),
    "no_clock": ("breach", "29.2", STRAIGHTEN),
}
BETWEEN_REMEDIES = {"2020": SLOW, "2020-quick": QUICK, "2011-national": SLOW, "2011-provincial": SLOW}
BETWEENS = list(itertools.product(EDITIONS, SIDES, BETWEEN_ORDERS, CLOCKS))


def _between(edition: str, side: Side, order: str, opponent_s: float) -> tuple[Table, list[Record]]:
    letter, home, names = PLACED[side]
    t = BEGUN_S[side]
    piece = piece_of_letter(letter)
    assert piece is not None
    points = tuple(parse_point(name) for name in names)
    lies = PieceBetween(t, piece, parse_point(home), (1.0, 4.5), points, t - 0.6)
    early, late = _press(side, t - 0.1, side, opponent_s), _press(side, t + 0.5, side, opponent_s)
    acts: dict[str, list[TableEvent]] = {
        "pressed_first": [early, lies],
        "pressed_then": [lies, late],
        "not_pressed": [lies],
        "no_clock": [lies],
    }
    before = _until(side, opponent_s)
    if order == "no_clock":
        before = [event for event in before if not isinstance(event, ClockEvent)]
    return fold([*before, *acts[order], TableEvent(t + 1.0)], edition)


@pytest.mark.parametrize(("edition", "side", "order", "clock"), BETWEENS)
def test_what_a_piece_between_points_costs(edition: str, side: Side, order: str, clock: str) -> None:
    table, records = _between(edition, side, order, CLOCKS[clock])
    wanted = BETWEEN_REMEDIES[edition][order]
    if wanted is None:
        assert of_kind(records, "incident") == []
        return
    severity, clause, action = wanted
    incident = _last(records, "between_points")
    remedy = incident["remedy"]
    assert (incident["severity"], incident["clause"], incident["side"]) == (severity, clause, SIDE_NAMES[side])
    assert (remedy["action"], remedy["foul"]) == (action, clause == "29.2")
    _, home, names = PLACED[side]
    assert remedy["candidates"] == [{"point": name, "move": home + name, "legal": True} for name in names]
    assert table.fouls(side) == (clause == "29.2") and table.fouls(other(side)) == 0
    assert _tells_of_a_foul(incident) == (clause == "29.2")
    assert of_kind(records, "result") == []


def test_every_remedy_of_5_10_and_29_2_is_reached_for_every_edition_side_order_and_time() -> None:
    assert set(BETWEEN_REMEDIES) == set(EDITIONS)
    assert all(set(table) == set(BETWEEN_ORDERS) for table in BETWEEN_REMEDIES.values())
    reached = {(side, BETWEEN_REMEDIES[edition][order]) for edition, side, order, _ in BETWEENS}
    wanted = [
        None, ("breach", "5.10", NAME), ("doubt", "5.10", NAME), ("breach", "29.2", NAME),
        ("breach", "29.2", STRAIGHTEN),
    ]  # fmt: skip
    assert reached == {(side, remedy) for side in SIDES for remedy in wanted}


@pytest.mark.parametrize("side", SIDES)
def test_told_to_straighten_it_and_pressed_all_the_same_it_is_one_foul(side: Side) -> None:
    table, records = _between("2020-quick", side, "pressed_then", 600.0)
    first, then = of_kind(records, "incident")
    assert first["remedy"]["action"] == STRAIGHTEN and then["remedy"]["action"] == NAME  # type: ignore[index]
    assert then["updates"] == table.entries[0].seq and table.fouls(side) == 1


@pytest.mark.parametrize(("edition", "side"), list(itertools.product(EDITIONS, SIDES)))
def test_the_third_foul_is_put_to_the_arbiter_as_a_loss(edition: str, side: Side) -> None:
    """Disturbed pieces in the opponent's time count among the fouls of 8.1 where the edition says so."""
    events = _until(side, PLENTY_S)
    t = BEGUN_S[side]
    events += [seen(MOVE[side], t), _press(side, t + 0.2, side, PLENTY_S)]
    for number, names in enumerate((("a0", "b0"), ("c0", "d0"), ("g0", "i0"))):
        points = tuple(parse_point(name) for name in names)
        at = t + 1.0 + 4.0 * number
        events += [PiecesDisturbed(at, points, (), side, at), PiecesRestored(at + 2.0)]
    table, records = fold(events, edition)
    counted = edition.startswith("2020")
    assert table.fouls(side) == (3 if counted else 0)
    results = [(r["result"], r["termination"]) for r in of_kind(records, "result")]
    assert results == ([("0-1" if side == RED else "1-0", "fouls")] if counted else [])
