"""PGN, DhtmlXQ, the record sheet and XQF: written, read, and read by another library."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cchess
import pytest
from cchess.read_txt import read_from_txt
from hypothesis import given
from hypothesis import strategies as st

from rules.dhtmlxq import format_dhtmlxq, parse_dhtmlxq
from rules.errors import RulesError
from rules.fen import parse_fen
from rules.game import START, Game, Ply, Result
from rules.iccs import parse_iccs
from rules.move import Move
from rules.pgn import format_clock, format_pgn, parse_pgn, read_games
from rules.position import Position
from rules.record_sheet import format_sheet, parse_sheet
from rules.xqf import parse_xqf
from tests.rules.xqf_writer import write_xqf
from tests.shared_data import needs_data
from tests.shared_games import shared_games
from tests.strategies import games

OPENING = ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "h7h3"]


def game_of(*iccs: str, **rest: object) -> Game:
    """A game from the usual start."""
    return Game(plies=tuple(Ply(parse_iccs(text)) for text in iccs), **rest)  # type: ignore[arg-type]


CLOCKED = Game(
    plies=tuple(Ply(parse_iccs(iccs), 3600.0 - 7 * i, "好棋" if i == 2 else "") for i, iccs in enumerate(OPENING)),
    result=Result.DRAW,
    headers={"Event": '"中立杯"象棋赛', "Red": "许银川", "Black": "吕钦", "RedTeam": "广东", "TimeControl": "60m+30s"},
    comment="开局",
)

texts = st.text('棋评abc 12\n，。"\\[]():', max_size=12).map(str.strip)


@st.composite
def whole_games(draw: Callable[..., object]) -> Game:
    """A game with names, comments and clocks."""
    start, moves = draw(games(30))  # type: ignore[misc]
    plies = [
        Ply(move, draw(st.none() | st.integers(0, 20000).map(float)), draw(texts))  # type: ignore[arg-type]
        for move in moves
    ]
    names = draw(st.dictionaries(st.sampled_from(["Event", "Red", "Black", "Site"]), texts.filter(bool)))
    headers = {name: " ".join(value.split()) for name, value in names.items()}  # type: ignore[attr-defined]
    return Game(start, tuple(plies), draw(st.sampled_from(Result)), headers, draw(texts))  # type: ignore[arg-type]


# --- PGN


def test_pgn_looks_as_the_field_writes_it() -> None:
    assert format_pgn(CLOCKED) == (
        '[Game "Chinese Chess"]\n[Event "\\"中立杯\\"象棋赛"]\n[Site "?"]\n[Date "?"]\n[Round "?"]\n'
        '[RedTeam "广东"]\n[Red "许银川"]\n[BlackTeam "?"]\n[Black "吕钦"]\n[Result "1/2-1/2"]\n'
        '[TimeControl "60m+30s"]\n[Format "ICCS"]\n'
        '[FEN "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"]\n\n'
        "{开局} 1. h2e2 {[%clk 1:00:00]} 1... h9g7 {[%clk 0:59:53]} 2. h0g2\n"
        "{[%clk 0:59:46] 好棋} 2... i9h9 {[%clk 0:59:39]} 3. i0h0 {[%clk 0:59:32]}\n"
        "3... h7h3 {[%clk 0:59:25]} 1/2-1/2\n"
    )


@given(whole_games(), st.sampled_from(["iccs", "wxf", "chinese", "chinese-short"]))
def test_pgn_survives_a_round_trip(game: Game, notation: str) -> None:
    assert parse_pgn(format_pgn(game, notation)) == game


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("notation", ["iccs", "wxf", "chinese"])
def test_pgn_reads_the_encodings_in_use(encoding: str, notation: str) -> None:
    assert parse_pgn(format_pgn(CLOCKED, notation).encode(encoding)) == CLOCKED


@pytest.mark.parametrize(
    "movetext",
    [
        "1. H2-E2 H9-G7 2. H0-G2 I9-H9 *",
        "1.h2e2 h9g7 2.h0g2 i9h9",
        "1. 炮二平五 馬８進７ 2. 马二进三 車９平８ 1-0",
        "1．炮二平五　马8进7\n２．马二进三　车9平8",
        "1. C2.5 H8+7 2. H2+3 R9.8",
        "{開局}\n 1. 炮二平五\n{评}\n 1. 马8进7\n(1. ... 马2进3 {变 (着)} 2. 马二进三)\n2. 马二进三!? $1 车9平8 ; 完",
        "1. 炮二平五 h9g7 2. H2+3 车9平8",
    ],
)
def test_pgn_reads_forms_found_in_the_wild(movetext: str) -> None:
    game = parse_pgn(f'[Game "Chinese Chess"]\n[Red "甲"]\n\n{movetext}\n')
    assert [str(move) for move in game.moves()] == OPENING[:4]
    assert not game.faults()


@pytest.mark.parametrize(
    ("movetext", "moves", "faulty"),
    [
        ("1. h2e2 h9g7 2. e2e9 i9h9 3. h0g2 *", ["h2e2", "h9g7", "e2e9", "i9h9", "h0g2"], {3}),
        ("1. 炮二平五 马8进7 2. 车一进五 车9平8 3. 马二进三 *", ["h2e2", "h9g7", "i0i5", "i9h9", "h0g2"], {3}),
        ("1. 炮二平五 马8进7 2. 马三进五 车9平8 3. 马二进三 *", ["h2e2", "h9g7", "i9h9", "h0g2"], {3}),
        ("1. h2e2 e5e6 2. h0g2 *", ["h2e2", "h0g2"], {2}),
    ],
)
def test_a_bad_move_in_the_middle_does_not_lose_the_rest(movetext: str, moves: list[str], faulty: set[int]) -> None:
    game = parse_pgn(f'[Red "甲"]\n\n{movetext}')
    assert [str(move) for move in game.moves()] == moves
    assert faulty <= {ply for ply, _ in game.faults()}


def test_illegal_and_out_of_turn_moves_survive_in_every_notation() -> None:
    game = game_of("h2e2", "a0b2", "e2e6", "e6e5", "i0h5")
    for notation in ("iccs", "wxf", "chinese"):
        assert parse_pgn(format_pgn(game, notation)).moves() == game.moves()


def test_black_may_begin() -> None:
    start = parse_fen("3k5/9/9/9/9/9/9/9/9/4K4 b - - 3 40")
    game = Game(start, (Ply(parse_iccs("d9d8")), Ply(parse_iccs("e0e1"))))
    assert "40... d9d8 41. e0e1 *" in format_pgn(game)
    assert parse_pgn(format_pgn(game)) == game


def test_several_games_of_one_file() -> None:
    text = format_pgn(CLOCKED) + "\n" + format_pgn(game_of("h2e2"), "chinese")
    assert [len(game.plies) for game in read_games(text)] == [6, 1]


def test_a_move_that_cannot_be_read_stays_in_the_record() -> None:
    game = parse_pgn("1. 炮二平五 墨污7 2. 马二进三")
    assert game.faults() == [(2, "cannot be read: '墨污7'")]
    assert "墨污7" in format_pgn(game) and "墨污7" in format_sheet(game)


@pytest.mark.parametrize(
    ("clock_s", "text"), [(0, "0:00:00"), (-3, "0:00:00"), (59.9, "0:00:59"), (3600, "1:00:00"), (36000.5, "10:00:00")]
)
def test_clocks_show_whole_seconds(clock_s: float, text: str) -> None:
    assert format_clock(clock_s) == text


# --- DhtmlXQ, the record sheet


def without_clocks(game: Game) -> Game:
    """What a format keeps that has no place for clocks."""
    return replace(game, plies=tuple(replace(ply, clock_s=None) for ply in game.plies))


@given(whole_games())
def test_dhtmlxq_survives_a_round_trip(game: Game) -> None:
    assert parse_dhtmlxq(format_dhtmlxq(game)) == without_clocks(game)


def test_dhtmlxq_has_the_archives_figures() -> None:
    text = format_dhtmlxq(game_of("h2e2", "h9g7"))
    assert "[DhtmlXQ_binit]0919293949596979891777062646668600102030405060708012720323436383[/DhtmlXQ_binit]" in text
    assert "[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]" in text
    assert parse_dhtmlxq(text).start == START


def test_dhtmlxq_comments_may_hold_its_own_signs() -> None:
    said = "一||二\n[/DhtmlXQ_comment1] 三"
    game = Game(plies=(Ply(parse_iccs("h2e2"), comment=said),))
    assert parse_dhtmlxq(format_dhtmlxq(game)).plies[0].comment == "一｜｜二\n［/DhtmlXQ_comment1] 三"


def test_dhtmlxq_keeps_what_follows_a_bad_move() -> None:
    game = parse_dhtmlxq("[DhtmlXQ_movelist]7747 4455 9900 7967[/DhtmlXQ_movelist]")
    assert [str(move) for move in game.moves()] == ["h2e2", "h0g2"]
    assert [ply for ply, _ in game.faults()] == [2, 3, 4]


@given(whole_games(), st.booleans())
def test_record_sheet_keeps_the_moves(game: Game, short: bool) -> None:
    read = parse_sheet(format_sheet(game, short))
    assert (read.start, read.moves(), read.result) == (game.start, game.moves(), game.result)
    assert read.comment == " ".join(game.comment.split())


def test_record_sheet_has_two_columns() -> None:
    assert format_sheet(CLOCKED).splitlines() == [
        "象棋对局记录",
        '赛事："中立杯"象棋赛',
        "用时：60m+30s",
        "红方：许银川（广东）",
        "黑方：吕钦",
        "说明：开局",
        "",
        "回合  红方          黑方",
        "1     炮二平五      马8进7",
        "2     马二进三      车9平8",
        "3     车一平二      炮8进4",
        "",
        "结果：和棋",
        "余时：红方 0:59:32　黑方 0:59:25",
    ]
    assert "1     炮25          马87" in format_sheet(CLOCKED, short=True)


# --- XQF

PUBLIC_EXAMPLE = (
    "1820f0ff00000000 2f38f00000000000 6763f00000000000 5760f00000000000 293bf00000000000 2c4af00000000000 "
    "2b27f00000000000 2236f00000000000 2133f00000000000 182af00000000000 2b2ff00000000000 2422f00000000000 "
    "276bf00000000000 606df00000000000 336df00000000000 5e5ef00000000000 716f000000000000"
)
"""Steps of the example in the public description of XQF 1.0 (XQStudio, 2001): Liu Dahua - Lü Qin, 1997."""


def public_example() -> bytes:
    """The whole file of that example."""
    header = bytearray(0x400)
    header[:3] = b"XQ\x0a"
    header[0x10:0x30] = bytes.fromhex(
        "50463c32281e140a00480c533f2b17030913 1d27313b454f59114d061a2e4256".replace(" ", "")
    )
    header[0x33] = 2
    header[0x40] = 0
    header[0x110:0x11F] = b"\x0e" + "1997年11月16日".encode("gb2312")
    header[0x130:0x137] = b"\x06" + "柳大华".encode("gb2312")
    return bytes(header) + bytes.fromhex(PUBLIC_EXAMPLE.replace(" ", ""))


def test_xqf_reads_the_example_of_its_description() -> None:
    game = parse_xqf(public_example())
    tokens = (
        "兵七进一 马8进7 兵三进一 炮2平3 相七进五 马2进1 马八进七 车1平2 "
        "车九平八 车2进4 炮八平九 车2平8 炮二进五 炮3平8 马二进三 车9平8"
    )
    assert game.start == START
    assert game.moves() == parse_pgn(tokens).moves()
    assert not game.faults()
    assert game.result is Result.BLACK_WINS
    assert game.headers == {"Date": "1997年11月16日", "Red": "柳大华"}


@pytest.mark.parametrize("version", [10, 11, 12, 18])
def test_xqf_of_every_version_is_read(version: int) -> None:
    game = without_clocks(replace(CLOCKED, headers={"Event": "赛", "Red": "许银川"}))
    assert parse_xqf(write_xqf(game, version)) == game


@given(whole_games(), st.sampled_from([10, 11, 18]))
def test_xqf_from_any_start_is_read(game: Game, version: int) -> None:
    read = parse_xqf(write_xqf(replace(game, headers={}), version))
    assert (read.moves(), read.start.board) == (game.moves(), game.start.board)
    assert (read.result, read.comment) == (game.result, game.comment)
    assert [ply.comment for ply in read.plies] == [ply.comment for ply in game.plies]


@pytest.mark.parametrize("version", [10, 11, 18])
def test_xqf_reads_as_another_library_reads_it(version: int, tmp_path: Path) -> None:
    rng = random.Random(version)
    for number in range(25):
        game = _sample(rng)
        path = tmp_path / f"{number}.xqf"
        path.write_bytes(write_xqf(game, version))
        theirs = cchess.Game.read_from(str(path))
        assert theirs.dump_iccs_moves()[0] == [str(move) for move in game.moves()]
        assert parse_xqf(path.read_bytes()).moves() == game.moves()
        assert parse_xqf(path.read_bytes()).start.board == game.start.board


def _sample(rng: random.Random) -> Game:
    from tests.strategies import random_game

    return Game(START, tuple(map(Ply, random_game(START, rng, 60)[0])), rng.choice(list(Result)))


def test_xqf_cut_off_anywhere_reads_or_is_refused() -> None:
    whole = public_example()
    for size in range(0, len(whole), 3):
        try:
            game = parse_xqf(whole[:size])
        except RulesError:
            continue
        assert game.moves() == parse_xqf(whole).moves()[: len(game.moves())]


# --- anything at all

READERS = [parse_pgn, parse_dhtmlxq, parse_sheet]


@pytest.mark.parametrize("read", READERS)
@given(
    source=st.text(max_size=60) | st.text('[]{}()"\\ Red1.炮二平五马８进h2e;%$', max_size=60) | st.binary(max_size=80)
)
def test_any_text_or_bytes_parse_or_raise_our_error(read: Callable[[str | bytes], Game], source: str | bytes) -> None:
    try:
        game = read(source)
    except RulesError:
        return
    assert isinstance(game.final_position(), Position)


@given(st.binary(max_size=200), st.sampled_from([10, 11, 12, 18, 255]))
def test_any_bytes_after_an_xqf_header_parse_or_raise_our_error(body: bytes, version: int) -> None:
    header = bytearray(public_example()[:0x400])
    header[2] = version
    header[3:16] = bytes(range(13))
    try:
        game = parse_xqf(bytes(header) + body)
    except RulesError:
        return
    assert isinstance(game.final_position(), Position)


# --- real games, read by another library


@needs_data
def test_real_games_read_the_same_in_cchess(tmp_path: Path) -> None:
    for record in shared_games()[::60]:
        check_against_cchess(record["start_fen"], [parse_iccs(iccs) for iccs in record["iccs"]], tmp_path)


def check_against_cchess(start_fen: str, moves: list[Move], folder: Path) -> None:
    """Write the game as PGN and DhtmlXQ and have cchess read both."""
    game = Game(parse_fen(start_fen), tuple(map(Ply, moves)))
    expected = [str(move) for move in moves]
    path = folder / "game.pgn"
    # cchess reads 前卒进1 as the foremost soldier of the whole board, so only ICCS is asked of it.
    path.write_text(format_pgn(game), encoding="utf-8")
    assert cchess.Game.read_from(str(path)).dump_iccs_moves()[0] == expected
    assert parse_pgn(path.read_bytes()) == parse_pgn(format_pgn(game, "chinese")) == game
    fields = format_dhtmlxq(game)
    binit, movelist = (fields.split(f"[DhtmlXQ_{name}]")[1].split("[/")[0] for name in ("binit", "movelist"))
    assert read_from_txt(movelist, binit).dump_iccs_moves()[0] == expected
    assert parse_dhtmlxq(fields) == game
