"""Clocks of text lines and of JSON objects."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clock_bridge.errors import ProtocolError
from clock_bridge.protocol import PROTOCOLS, find_protocol, make_parser
from clock_bridge.protocol.dgt3000_i2c import checksum, decode_time, is_sound
from clock_bridge.protocol.text import Unit, parse_time
from clock_bridge.reading import DeviceNote, Display, Flag, Reading
from clock_bridge.watch import ClockWatch, WatchConfig
from rules.piece import BLACK, RED
from tests.clock_bridge.material import vectors
from tests.shared_data import needs_data

L, R = Display.LEFT, Display.RIGHT
SIDES = {"w": L, "white": L, "b": R, "black": R, None: None, 1: L, 2: R}


def read(protocol: str, text: str) -> list[Any]:
    return list(make_parser(protocol).feed(text.encode(), 0.0))


@needs_data
@pytest.mark.parametrize("row", vectors("line"))
@pytest.mark.parametrize("protocol", ["text", "own"])
def test_a_line_reads_as_its_vector_says(row: dict[str, Any], protocol: str) -> None:
    expect = row["expect"]
    own = "arduino" if row["text"][0] in "SC" else "hourglass"
    (reading,) = read(own if protocol == "own" else protocol, row["text"])
    match expect["type"]:
        case "status":
            assert (reading.left_s, reading.right_s) == (expect["white_ms"] / 1000, expect["black_ms"] / 1000)
            assert (reading.running, reading.lever) == (expect["running"], SIDES[expect["to_play"]])
            assert reading.step_s == 0.001
        case "reply":
            assert (expect["name"], reading.running) == ("stopped", False)
        case "side_time":
            assert (reading.left_s, reading.lever, reading.running) == (expect["left_s"], SIDES[expect["side"]], True)
        case "pause":
            assert not reading.running
        case other:
            pytest.fail(f"no check for {other}")


@needs_data
@pytest.mark.parametrize("row", vectors("json"))
def test_an_object_reads_as_its_vector_says(row: dict[str, Any]) -> None:
    expect = row["expect"]
    (reading,) = read("gateway-json", row["text"])
    match expect["type"]:
        case "livechess_clock":
            assert (reading.left_s, reading.right_s) == (expect["white_s"], expect["black_s"])
            assert (reading.lever if reading.running else None) is SIDES[expect["running"]]
            assert reading.t == pytest.approx(-(json.loads(row["text"])["time"] - expect["t_ms"]) / 1000)
        case "gateway_link":
            assert reading.connected == expect["connected"]
        case "esp32_move":
            assert (reading.left_s, reading.right_s) == (expect["p1_s"], expect["p2_s"])
            assert (reading.running, reading.lever) == (True, R if expect["pressed"] == 1 else L)
        case other:
            pytest.fail(f"no check for {other}")


@needs_data
@pytest.mark.parametrize("row", vectors("i2c"))
def test_an_i2c_packet_reads_as_its_vector_says(row: dict[str, Any]) -> None:
    packet, expect = bytes.fromhex(row["hex"]), row["expect"]
    assert is_sound(packet)
    if expect["type"] == "i2c_cmd":
        assert checksum(packet[:-1]) == expect["crc"]
        return
    time = decode_time(packet)
    assert time is not None
    assert (time.left_s, time.right_s, time.no_update) == (expect["left_s"], expect["right_s"], expect["no_update"])
    assert f"{time.lever_down.value}_down" == expect["lever"]
    assert decode_time(packet[:-1] + bytes([packet[-1] ^ 1])) is None


def test_the_gateways_lever_and_times_make_presses() -> None:
    def times(left: int, right: int) -> str:
        data = {"leftHours": 0, "leftMinutes": 5, "leftSeconds": left, "rightHours": 0, "rightMinutes": 5}
        return json.dumps({"type": "timeUpdate", "timestamp": 1, "data": {**data, "rightSeconds": right}})

    lever = json.dumps({"type": "buttonEvent", "timestamp": 2, "data": {"button": "lever_left", "buttonCode": 0}})
    clock, parser = ClockWatch(WatchConfig()), make_parser("gateway-json")
    told = []
    for t, text in enumerate((times(9, 9), times(8, 9), times(7, 9), lever, times(7, 8))):
        for signal in parser.feed(text.encode(), t):
            told += clock.feed(signal)
    assert [(each.what.value, each.side) for each in told] == [("start", RED), ("press", RED), ("run", BLACK)]


def test_times_alone_tell_whose_time_runs() -> None:
    clock, parser = ClockWatch(WatchConfig()), make_parser("times")
    lines = ["5:00 5:00", "4:59 5:00", "4:58 5:00", "5:00 5:00", "5:00 4:59", "5:00 4:58", "5:00 4:58", "5:00 4:58"]
    lines += ["5:00 4:58"] * 2
    told = []
    for t, line in enumerate(lines):
        for signal in parser.feed(f"white {line}\r\n".encode(), t):
            told += clock.feed(signal)
    assert [(each.what.value, each.side) for each in told] == [
        ("start", RED),
        ("press", RED),
        ("run", BLACK),
        ("pause", None),
    ]


def test_a_users_own_pattern_with_its_unit() -> None:
    spec = find_protocol("text", r"T;(?P<left>\d+);(?P<right>\d+);(?P<turn>[lr]);(?P<state>\w+)", "s")
    (reading,) = spec.make().feed(b"boot v1.2\nT;3570;3600;w;run\nT;3570;3600;l;run\n", 0.0)[-1:]
    assert isinstance(reading, Reading)
    assert (reading.left_s, reading.right_s, reading.lever, reading.running) == (3570, 3600, L, True)


@pytest.mark.parametrize(
    ("name", "pattern", "unit"),
    [("text", "(", "s"), ("text", r"\d+", "s"), ("text", r"(?P<foo>\d)", "s"), ("text", r"(?P<left>\d)", "days")],
)
def test_a_pattern_that_cannot_serve_is_refused(name: str, pattern: str, unit: str) -> None:
    with pytest.raises(ProtocolError):
        find_protocol(name, pattern, unit)
    with pytest.raises(ProtocolError):
        find_protocol("dgt", r"(?P<left>\d)")
    with pytest.raises(ProtocolError):
        find_protocol("nonsense")


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("59:41", Unit.CLOCK, (3581, 1)),
        ("1:00:00", Unit.CLOCK, (3600, 1)),
        ("0:09.5", Unit.CLOCK, (9.5, 0.1)),
        ("300", Unit.SECONDS, (300, 1)),
        ("284000", Unit.MILLISECONDS, (284, 0.001)),
        ("-5", Unit.MILLISECONDS, (0, 0.001)),
        ("-5", Unit.SECONDS, (0, 1)),
    ],
)
def test_times_as_they_are_written(text: str, unit: Unit, expected: tuple[float, float]) -> None:
    assert parse_time(text, unit) == pytest.approx(expected)


def test_a_sign_without_newline_is_a_line() -> None:
    parser = make_parser("hourglass")
    parser.feed(b"1 59:41 0\r\n", 0.0)
    (hold,) = parser.feed(b"|", 0.5)
    assert isinstance(hold, Reading)
    assert not hold.running
    assert parser.feed(b"dc", 1.0) == []
    (gone, *_) = parser.feed(b"1 59:40 0\r\n", 2.0)
    assert isinstance(gone, Reading)
    assert not gone.connected


def test_a_line_without_end_does_not_fill_the_memory() -> None:
    parser = make_parser("times")
    for t in range(1000):
        parser.feed(b"x" * 1000, t * 0.01)
    (reading,) = parser.feed(b"\n5:00 4:00\n", 10.0)
    assert isinstance(reading, Reading)
    assert reading.right_s == 240


def test_a_digital_zero_is_a_fallen_flag() -> None:
    (reading,) = read("text", "STATUS:0:300000:0:RUNNING:w\n")
    assert (reading.left_flag, reading.right_flag) == (Flag.FALLEN, Flag.NONE)


def test_device_notes_are_no_readings() -> None:
    (note,) = read("gateway-json", '{"type":"error","timestamp":1,"data":{"errorCode":101}}')
    assert isinstance(note, DeviceNote)


@pytest.mark.parametrize("name", PROTOCOLS)
@settings(max_examples=40)
@given(chunks=st.lists(st.one_of(st.binary(max_size=40), st.text(max_size=40).map(str.encode)), max_size=20))
def test_any_bytes_are_taken(name: str, chunks: list[bytes]) -> None:
    parser, clock = make_parser(name), ClockWatch(WatchConfig())
    for t, chunk in enumerate(chunks):
        for signal in parser.feed(chunk, t * 0.05):
            clock.feed(signal)
    parser.reset()
