"""The arbiter's word in the fold: upheld, dismissed, corrected; and the fold is the same whenever it is replayed."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qiyan import game_so_far
from qiyan.codec import event_from_json, event_to_json
from rules.arbiter import Table, judge, new_table, wake_at
from rules.event import (
    BetweenResolved,
    BoardCleared,
    BoardDiffers,
    ClockEvent,
    ClockEventKind,
    Decision,
    MoveSeen,
    PieceBetween,
    PiecesDisturbed,
    PiecesRestored,
    PieceTouched,
    PliesWithdrawn,
    RecordDoubt,
    TableEvent,
    TouchStrength,
    ViewChanged,
    ViewState,
    WithdrawnWhy,
)  # fmt: skip
from rules.fen import format_fen, parse_fen
from rules.legality import legal_moves
from rules.piece import BLACK, RED, make_piece
from rules.point import Point
from rules.profile import EDITIONS, RuleProfile, custom_profile, find_profile
from tests.strategies import moves, points
from tests.table_events import check, clock, fold, found, incidents, of_kind, press, seen


def decided(t: float, of: int | None = None, ruling: str = "corrected", **change: object) -> Decision:
    return Decision(t, of, ruling, "arbiter", dict(change) or None)


def test_a_doubt_counts_once_it_is_upheld() -> None:
    illegal = [found(), seen("h2e4", 2.0, 0.8)]
    _, records = fold(illegal)
    assert incidents(records)[0][1] == "doubt" and of_kind(records, "result") == []
    _, records = fold([*illegal, decided(9.0, 4, "upheld")])
    assert of_kind(records, "result")[0]["termination"] == "illegal_move"


def test_a_dismissed_breach_takes_its_proposal_with_it() -> None:
    flag = clock(ClockEventKind.FLAG, 5.0, RED, 0.0, 300.0)
    table, records = fold([found(), flag, decided(9.0, 4, "dismissed")])
    assert [r["result"] for r in of_kind(records, "result")] == ["0-1", "*"]
    assert not table.entries[0].counts


TWO_ILLEGAL = [
    found(), seen("h2e4", 2.0), PliesWithdrawn(4.0, 1, WithdrawnWhy.TAKEN_BACK), seen("h2d4", 6.0),
]  # fmt: skip


def _proposed(table: Table) -> str | None:
    return None if table.proposed is None else table.proposed.result


def _illegal_seqs(edition: RuleProfile) -> list[int]:
    said = fold(TWO_ILLEGAL, edition)[1]
    return [seq for seq, record in enumerate(said, 2) if record.to_json().get("incident") == "illegal_move"]


@pytest.mark.parametrize(
    ("to_lose", "dismissed", "proposed"),
    [(2, (), "0-1"), (2, (0,), None), (2, (1,), None), (1, (0,), "0-1"), (1, (1,), "0-1"), (1, (0, 1), None)],
)
def test_what_is_proposed_is_counted_again_after_every_ruling(
    to_lose: int, dismissed: tuple[int, ...], proposed: str | None
) -> None:
    edition = custom_profile({"illegal_moves_to_lose": to_lose})
    seqs = _illegal_seqs(edition)
    rulings = [decided(9.0 + n, seqs[which], "dismissed") for n, which in enumerate(dismissed)]
    table, records = fold([*TWO_ILLEGAL, *rulings], edition)
    assert _proposed(table) == proposed
    assert [r["result"] for r in of_kind(records, "result")][-1] == (proposed or "*")
    if dismissed:
        undone = decided(20.0, seqs[dismissed[-1]], "noted", undo=99)
        assert _proposed(fold([*TWO_ILLEGAL, *rulings, undone], edition)[0]) == "0-1"


def test_a_loss_that_was_covered_by_another_is_proposed_again() -> None:
    flag = clock(ClockEventKind.FLAG, 1.0, BLACK, 300.0, 0.0)
    table, records = fold([found(), flag, seen("h2e4", 2.0)])
    assert _proposed(table) == "0-1"
    seq = next(n for n, record in enumerate(records, 2) if record.to_json().get("incident") == "illegal_move")
    _, records = fold([found(), flag, seen("h2e4", 2.0), decided(9.0, seq, "dismissed")])
    results = [(r["result"], r["termination"]) for r in of_kind(records, "result")]
    assert results == [("1-0", "time"), ("0-1", "illegal_move"), ("*", "withdrawn"), ("1-0", "time")]


def test_an_upheld_suicide_loses() -> None:
    faces = [found("4k4/4r4/9/9/9/9/9/9/4R4/4K4 w - - 0 1"), seen("e1d1", 2.0, 0.8)]
    table, records = fold(faces)
    assert _proposed(table) is None
    seq = next(n for n, record in enumerate(records, 2) if record.to_json().get("incident") == "suicide")
    assert _proposed(fold([*faces, decided(9.0, seq, "upheld")])[0]) == "0-1"


def test_a_flag_has_fallen_though_the_record_is_put_right() -> None:
    fallen = [found(), seen("h2e2", 2.0), clock(ClockEventKind.FLAG, 5.0, BLACK, 300.0, 0.0)]
    table, _ = fold([*fallen, decided(9.0, ply=1, iccs="b2e2")])
    assert _proposed(table) == "1-0" and table.entries[0].counts


def test_the_number_of_an_incident_may_come_from_the_journal() -> None:
    table, _ = judge(new_table(find_profile("2020")), found())
    table, _ = judge(table, seen("h2e4", 2.0), seq=41)
    table, _ = judge(table, decided(9.0, 42, "dismissed"))
    assert [entry.dismissed for entry in table.entries] == [True]


def test_a_corrected_move_replays_what_followed() -> None:
    played = [found(), seen("h2e2", 2.0), seen("h9g7", 5.0), seen("h0g2", 8.0)]
    table, records = fold([*played, decided(9.0, ply=1, iccs="b2e2")])
    assert [m["iccs"] for m in of_kind(records, "move")] == ["h2e2", "h9g7", "h0g2", "b2e2", "h9g7", "h0g2"]
    assert of_kind(records, "move_withdrawn")[0] | {"t": 0} == {
        "t": 0, "kind": "move_withdrawn", "ply": 1, "why": "corrected",
    }  # fmt: skip
    straight, _ = fold([found(), seen("b2e2", 2.0), seen("h9g7", 5.0), seen("h0g2", 8.0)])
    assert table.position == straight.position


def test_a_missed_move_can_be_put_in_and_a_wrong_one_taken_out() -> None:
    table, _ = fold([found(), seen("h2e2", 2.0), decided(9.0, ply=2, iccs="h9g7"), decided(10.0, ply=2)])
    assert [str(ply.move) for ply in table.line] == ["h2e2"]
    table, _ = fold([found(), seen("h2e2", 2.0), decided(9.0, ply=2, iccs="h9g7"), seen("h0g2", 11.0)])
    assert [ply.legal for ply in table.line] == [True, True, True]


def test_a_corrected_position_is_played_on_from() -> None:
    fen = "4k4/9/9/9/9/9/9/9/9/R3K4 w - - 0 1"
    table, records = fold([found(), seen("h2e2", 2.0), decided(9.0, fen=fen), seen("a0a9", 12.0)])
    assert table.ply == 2 and format_fen(table.line[1].before) == fen
    assert of_kind(records, "decision")[0]["change"] == {"fen": fen}


@pytest.mark.parametrize(
    ("placement", "zh", "en"),
    [
        (
            "rnbakabnr/9/1c5c1/p1p1p1p1p/4K4/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
            "红帅多于一副棋所有",
            "more pieces of a kind",
        ),
        ("9/9/9/9/9/9/9/9/9/9", "缺红帅，缺黑将", "red: no general (K); black: no general (k)"),
        ("4k4/9/9/9/9/9/9/9/9/R2K4P", "红兵在其不可到之点（i0）", "a soldier where soldiers never come (P) at i0"),
        ("4k4/9/9/9/9/9/9/9/9/4K4", "将帅照面（e0、e9）", "the generals face each other at e0 e9"),
    ],
)
def test_an_impossible_position_is_taken_and_told(placement: str, zh: str, en: str) -> None:
    fen = f"{placement} w - - 0 1"
    table, records = fold([found(), seen("h2e2", 2.0), decided(9.0, fen=fen)])
    assert table.position == parse_fen(fen)
    [incident] = of_kind(records, "incident")
    assert incident["incident"] == "record_doubt" and incident["remedy"]["set_by"] == 4  # type: ignore[index]
    assert zh in incident["text"]["zh"] and en in incident["text"]["en"]  # type: ignore[index]


@pytest.mark.parametrize(
    "change",
    [{"fen": "nonsense"}, {"ply": 1, "iccs": "z9"}, {"ply": 9, "iccs": "h2e2"}, {"point": "q4"}, {"ply": "1"},
     {"result": "2-0"}, {"ply": 1, "iccs": "a5a6"}],
)  # fmt: skip
def test_a_change_that_cannot_be_read_keeps_the_position(change: dict[str, object]) -> None:
    table, _ = fold([found(), decided(9.0, **change)])
    assert table.position == fold([found()])[0].position and table.ply == 0


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"ply": 2, "iccs": "e4e5"}, "no_piece_there"),
        ({"ply": 2, "iccs": "h9h9"}, "unreadable"),
        ({"ply": 99, "iccs": "h2e2"}, "no_such_ply"),
        ({"ply": 0}, "no_such_ply"),
        ({"ply": True}, "unreadable"),
        ({"ply": "2", "iccs": "b9c7"}, "unreadable"),
        ({"result": ["1-0"]}, "unreadable"),
        ({"draw_offer": "green"}, "unreadable"),
        ({"ply": 3, "iccs": "b0c2", "was": None}, "record_changed"),
        ({"ply": 2, "was": "b9c7"}, "record_changed"),
    ],
)
def test_what_cannot_be_put_right_stands_and_the_arbiter_is_told(change: dict[str, object], problem: str) -> None:
    played = [found(), seen("h2e2", 2.0), seen("h9g7", 5.0), seen("h0g2", 8.0)]
    table, records = fold([*played, decided(9.0, **change)])
    assert [str(ply.move) for ply in table.line] == ["h2e2", "h9g7", "h0g2"]
    assert of_kind(records, "move_withdrawn") == []
    told = of_kind(records, "incident")[-1]
    assert told["incident"] == "record_doubt" and told["remedy"]["problem"] == problem  # type: ignore[index]
    assert told["remedy"]["decision"] == 6  # type: ignore[index]
    text = told["text"]
    assert isinstance(text, dict) and not any(gap in text[k] for k in text for gap in ("None", "?", "{"))


def test_a_ply_that_still_is_the_one_looked_at_is_put_right() -> None:
    played = [found(), seen("h2e2", 2.0), seen("h9g7", 5.0)]
    changes = [{"ply": 3, "iccs": "h0g2", "was": None}, {"ply": 1, "iccs": "b2e2", "was": "h2e2"}]
    table, _ = fold([*played, *(decided(9.0 + n, **change) for n, change in enumerate(changes))])
    assert [str(ply.move) for ply in table.line] == ["b2e2", "h9g7", "h0g2"]


def test_plies_that_a_correction_makes_impossible_are_told() -> None:
    played = [found(), seen("h2e2", 2.0), seen("h9g7", 5.0), seen("e2e6", 8.0)]
    table, records = fold([*played, decided(9.0, ply=1, iccs="a0a1")])
    assert [str(ply.move) for ply in table.line] == ["a0a1", "h9g7"]
    told = of_kind(records, "incident")[-1]
    assert told["remedy"]["problem"] == "plies_lost" and told["remedy"]["moves"] == ["e2e6"]  # type: ignore[index]


def test_the_arbiter_ends_the_game_and_opens_it_again() -> None:
    ended = [found(), seen("h2e2", 2.0), decided(9.0, result="1/2-1/2", clause="4.2.1"), seen("h9g7", 12.0)]
    table, records = fold(ended)
    assert table.ply == 1 and of_kind(records, "result")[0] | {"t": 0} == {
        "t": 0, "kind": "result", "result": "1/2-1/2", "termination": "decision", "clause": "4.2.1", "status": "final",
    }  # fmt: skip
    table, _ = fold([*ended, decided(13.0, result="*"), seen("h9g7", 15.0)])
    assert table.ply == 2


def test_the_record_of_an_ended_game_can_be_put_right() -> None:
    ended = [found(), seen("h2e2", 2.0), seen("h9g7", 5.0), decided(9.0, result="1-0")]
    table, records = fold([*ended, decided(10.0, ply=1, iccs="b2e2")])
    assert [str(ply.move) for ply in table.line] == ["b2e2", "h9g7"] and table.result is not None
    assert [r["result"] for r in of_kind(records, "result")] == ["1-0"]


TIMED = [
    found(), seen("h2e2", 1.0), press(RED, 2.2, 595.0, 600.0), seen("h9g7", 5.0), press(BLACK, 5.2, 595.0, 602.0),
    press(RED, 8.0, 596.0, 602.0), seen("h0g2", 8.4), seen("b9c7", 11.0),
]  # fmt: skip
"""The first move is made before the clock is heard, the third is known after its press, the fourth is not pressed."""


@pytest.mark.parametrize("waiting", [[], [press(BLACK, 89.0, 590.0, 530.0)]])
@pytest.mark.parametrize("corrected", [{"ply": 1, "iccs": "b2e2"}, {"ply": 2, "iccs": "b7e7"}])
def test_a_corrected_record_keeps_its_clock(waiting: list[ClockEvent], corrected: dict[str, object]) -> None:
    _, before = fold(TIMED)
    _, after = fold([*TIMED, *waiting, decided(90.0, **corrected), decided(95.0, **corrected)])
    was, now = (game_so_far.fold(record.to_json() for record in records) for records in (before, after))
    assert was.clocks_s == [595.0, 602.0, 596.0, 599.2]
    assert now.clocks_s == [*was.clocks_s[:3], 530.0 if waiting else 599.2]
    shown = [move["clock"] for move in was.moves]
    assert shown[0] is None and [move["clock"] for move in now.moves] == shown


def test_a_press_that_waits_for_its_move_is_not_that_of_a_corrected_one() -> None:
    _, records = fold([*TIMED, press(BLACK, 12.0, 596.0, 601.0), press(RED, 14.0, 597.0, 601.0),
                       decided(14.2, ply=1, iccs="b2e2"), seen("i0h0", 14.5)])  # fmt: skip
    so_far = game_so_far.fold(record.to_json() for record in records)
    assert so_far.clocks_s == [595.0, 602.0, 596.0, 601.0, 597.0]


def test_the_natural_limit_is_reported_when_the_audit_reaches_it() -> None:
    start = "3k5/9/9/9/9/9/9/9/9/4K3R w - - 118 70"
    _, records = fold([found(start), seen("i0i1", 2.0), seen("d9d8", 5.0), seen("i1i2", 8.0)])
    assert incidents(records) == [("natural_limit", "notice", None, (), "4.2.4")]
    incident = of_kind(records, "incident")[0]
    assert incident["remedy"]["may_claim"] == ["red", "black"] and incident["ply"] == 2  # type: ignore[index]
    assert of_kind(records, "result")[0]["result"] == "1/2-1/2"


def test_a_claimants_checks_count_only_up_to_ten() -> None:
    start = "3k5/9/9/9/9/9/9/9/9/4K3R w - - 90 70"
    played = ["i0i9", *["d9d8", "i9i8", "d8d9", "i8i9"] * 8]
    _, records = fold([found(start), *(seen(iccs, 10.0 + 5 * n) for n, iccs in enumerate(played))])
    limits = [i for i in of_kind(records, "incident") if i["incident"] == "natural_limit"]
    assert limits[0]["remedy"]["may_claim"] == ["black"]  # type: ignore[index]


LONG = "3k5/9/9/9/9/9/9/9/9/4K3R w - - {} 70"


def test_a_true_claim_of_the_natural_limit_is_a_draw_and_a_false_one_a_foul() -> None:
    _, records = fold([found(LONG.format(120)), decided(3.0, limit_claim="red")])
    assert of_kind(records, "result")[0]["termination"] == "natural_limit"
    table, records = fold([found(LONG.format(100)), decided(3.0, limit_claim="red")])
    assert incidents(records) == [("natural_limit", "breach", "red", (), "22.2")]
    assert of_kind(records, "incident")[0]["remedy"]["seconds"] == -300  # type: ignore[index]
    assert table.fouls(RED) == 1 and of_kind(records, "result") == []
    _, records = fold([found(LONG.format(100)), decided(3.0, limit_claim="red"), decided(4.0, limit_claim="red")])
    assert [(r["result"], r["clause"]) for r in of_kind(records, "result")] == [("0-1", "4.1.11")]


@pytest.mark.parametrize(("plies", "said"), [(1, "0 rounds without"), (2, "1 round without"), (4, "2 rounds without")])
def test_rounds_are_counted_in_english_as_english_does(plies: int, said: str) -> None:
    _, records = fold([found(LONG.format(plies)), decided(3.0, limit_claim="red")])
    assert str(of_kind(records, "incident")[0]["text"]["en"]).startswith(said)  # type: ignore[index]


def test_offers_of_a_draw_are_counted_and_judged() -> None:
    _, records = fold([found(), decided(3.0, draw_offer="red")])
    assert of_kind(records, "decision")[0]["finding"] == {"allowed": False, "clause": "4.3"}
    offers = [decided(3.0 + n, draw_offer="red") for n in range(3)]
    table, records = fold([found(LONG.format(0)), decided(2.0, draw_offer="black"), *offers], "2020-quick")
    findings = [d["finding"]["clause"] for d in of_kind(records, "decision")]  # type: ignore[index]
    assert findings == ["22.1", "4.2.1", "4.2.1", "4.2.1"] and table.offers == (3, 1)
    _, records = fold([found(LONG.format(0)), *offers], "2020-quick")
    assert of_kind(records, "decision")[-1]["finding"] == {"allowed": False, "clause": "22.1"}


def test_a_board_where_neither_can_win_is_a_proposed_draw() -> None:
    _, records = fold([found("3k5/9/9/9/9/9/9/9/9/4Kc3 w - - 0 1"), seen("e0f0", 2.0)])
    assert [(r["result"], r["clause"]) for r in of_kind(records, "result")] == [("1/2-1/2", "4.2.2")]


SIDES = st.sampled_from([RED, BLACK])
TIMES = st.floats(0, 900, allow_nan=False)


@st.composite
def table_events(draw: st.DrawFn) -> list[TableEvent]:
    """A table where anything may happen in any order, mostly legal moves."""
    position = found().position
    events: list[TableEvent] = [found()] if draw(st.booleans()) else []
    t = 1.0
    for _ in range(draw(st.integers(0, 25))):
        t += draw(st.floats(0, 8))
        choice = draw(st.integers(0, 30))
        if choice < 14:
            legal = legal_moves(position)
            move = draw(st.sampled_from(legal)) if legal and choice < 12 else draw(moves())
            events.append(MoveSeen(t, move, t - 0.8, t - 0.2, draw(st.sampled_from([0.6, 0.99]))))
            if position.board[move.from_point]:
                position = position.play(move)
            continue
        events.append(draw(_other_events(t)))
    return events


def _other_events(t: float) -> st.SearchStrategy[TableEvent]:
    some_points = st.lists(points(), max_size=3, unique=True).map(tuple)
    changes = st.sampled_from(
        [None, {"result": "1-0"}, {"result": "*"}, {"ply": 1, "iccs": "h2e2"}, {"ply": 2}, {"point": "e4"},
         {"draw_offer": "red"}, {"limit_claim": "black"},
         {"fen": "4k4/9/9/9/9/9/9/9/9/R3K4 w - - 0 1"}, {"fen": "?"}]
    )  # fmt: skip
    rulings = st.sampled_from(["upheld", "dismissed", "noted", "corrected"])
    clocks = st.builds(
        ClockEvent, st.just(t), st.sampled_from(ClockEventKind), st.none() | SIDES, st.none() | TIMES,
        st.none() | TIMES, st.just(0.5),
    )  # fmt: skip
    return st.one_of(
        clocks,
        st.just(TableEvent(t)),
        st.just(BoardCleared(t)),
        st.just(PiecesRestored(t)),
        st.just(found(t=t)),
        st.builds(PliesWithdrawn, st.just(t), st.integers(1, 9), st.sampled_from(WithdrawnWhy)),
        st.builds(PieceTouched, st.just(t), points(), st.sampled_from(TouchStrength), st.just(t - 0.5), SIDES),
        st.builds(
            PieceBetween, st.just(t), st.sampled_from([make_piece(RED, 6), make_piece(BLACK, 4)]),
            st.none() | points(), st.just((1.0, 4.5)), some_points,
        ),
        st.builds(BetweenResolved, st.just(t), st.none() | points()),
        st.builds(PiecesDisturbed, st.just(t), some_points, some_points, st.none() | SIDES, st.just(t - 0.3)),
        st.builds(BoardDiffers, st.just(t), st.just(((Point(20), make_piece(RED, 7), None),)), st.just(0.9)),
        st.builds(RecordDoubt, st.just(t), st.integers(1, 9), st.lists(moves(), max_size=2).map(tuple), st.just(0.6)),
        st.builds(ViewChanged, st.just(t), st.sampled_from(ViewState)),
        st.builds(Decision, st.just(t), st.none() | st.integers(1, 30), rulings, st.just("arbiter"), changes),
    )  # fmt: skip


@settings(max_examples=30)
@given(table_events(), st.sampled_from(sorted(EDITIONS)))
def test_the_fold_is_the_same_when_it_is_replayed(events: list[TableEvent], edition: str) -> None:
    table, records = fold(events, edition)
    journal = [json.loads(json.dumps(event_to_json(event))) for event in events]
    again, said = fold([event_from_json(data) for data in journal], edition)
    assert again == table and said == records
    due = wake_at(table)
    if due is not None:
        _, woken = judge(table, TableEvent(due))
        check(woken)
        assert woken


@settings(max_examples=30)
@given(table_events())
def test_who_follows_the_records_has_the_official_game(events: list[TableEvent]) -> None:
    table, records = fold(events)
    line: list[str] = []
    for record in (r.to_json() for r in records):
        if record["kind"] == "move":
            assert record["ply"] == len(line) + 1
            line.append(str(record["iccs"]))
        elif record["kind"] == "move_withdrawn":
            del line[int(str(record["ply"])) - 1 :]
    assert line == [str(ply.move) for ply in table.line]
    so_far = game_so_far.fold(record.to_json() for record in records)
    assert [move["iccs"] for move in so_far.moves] == line
    if table.position is not None:
        # Played by the formats' own walk, from the start or from the last position that the arbiter set.
        assert so_far.game().final_position().board == table.position.board


def test_the_start_position_may_be_given() -> None:
    start = parse_fen("4k4/9/9/9/9/9/9/9/9/R3K4 w - - 0 1")
    table = new_table(find_profile("2020"), start)
    assert table.position == start
    table, records = judge(table, found())
    check(records)
    assert [r.to_json()["kind"] for r in records] == ["board_found", "incident"]
    table, records = judge(new_table(find_profile("2020"), start), found(format_fen(start)))
    assert [r.to_json()["kind"] for r in records] == ["board_found"]


def test_times_that_the_arbiter_sets_are_the_official_ones_until_the_clock_says_others() -> None:
    played = [found(), clock(ClockEventKind.START, 1.0, RED), seen("h2e2", 4.0), press(RED, 4.5, 590.0, 600.0)]
    given = decided(10.0, times={"red_s": 770.0})
    table, records = fold([*played, given])
    assert of_kind(records, "decision")[-1]["change"] == {"times": {"red_s": 770.0}}
    assert (table.clock.red_s, table.clock.black_s, table.clock.running) == (770.0, 594.5, BLACK)
    _, records = fold([*played, given, seen("h9g7", 20.2)])
    assert of_kind(records, "move")[-1]["clock"] == {"red_s": 770.0, "black_s": 584.5, "age_s": 10.2}
    table, _ = fold([*played, given, press(BLACK, 30.0, 590.0, 574.0)])
    assert (table.clock.red_s, table.clock.black_s) == (590.0, 574.0)


def test_times_set_where_there_is_no_clock_stand_without_one() -> None:
    table, records = fold([found(), decided(1.0, times={"red_s": 600, "black_s": 600}), seen("h2e2", 4.0)])
    assert (table.clock.red_s, table.clock.black_s, table.clock.heard) == (600.0, 600.0, False)
    assert of_kind(records, "move")[-1]["clock"] is None


@pytest.mark.parametrize(
    "times", [None, {}, [600], {"red_s": -1}, {"red_s": True}, {"red": 5}, {"black_s": "1:00"}, {"red_s": float("nan")}]
)
def test_times_that_cannot_be_read_change_nothing_and_are_told(times: object) -> None:
    table, said = judge(fold([found(), clock(ClockEventKind.START, 1.0, RED)])[0], decided(2.0, times=times))
    assert (table.clock.red_s, table.clock.black_s) == (600.0, 600.0)
    assert [record.to_json().get("incident") for record in said][-1] == "record_doubt"
