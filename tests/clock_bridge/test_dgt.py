"""The DGT parser against recordings, documented vectors and damaged streams."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock_bridge.protocol.dgt import COMMANDS, DgtParser
from clock_bridge.protocol.dgt_frame import DgtFramer, Frame
from clock_bridge.protocol.dgt_message import (
    AckMessage,
    BatteryMessage,
    NullMessage,
    SerialMessage,
    TimeMessage,
    VersionMessage,
    decode,
)
from clock_bridge.reading import Display, Flag, Reading
from tests.clock_bridge.material import RECORDINGS, recording, vectors
from tests.shared_data import DATA, needs_data

FLAG_NAMES = {"time_per_move", "flag_blocked", "flag_shown"}


def frame(hex_text: str) -> Frame:
    (only,) = DgtFramer().feed(bytes.fromhex(hex_text), 0.0)
    return only


def flag_names(side: Any) -> list[str]:
    shown = {"flag_shown": side.flag_shown, "flag_blocked": side.flag_fallen, "time_per_move": side.time_per_move}
    return sorted(name for name, on in shown.items() if on)


def check_message(message: object, expect: dict[str, Any]) -> None:
    match expect["type"]:
        case "time":
            assert isinstance(message, TimeMessage)
            assert (message.right.time_s, message.left.time_s) == (expect["right_s"], expect["left_s"])
            assert flag_names(message.right) == sorted(expect["right_flags"])
            assert flag_names(message.left) == sorted(expect["left_flags"])
            assert message.running == expect["running"]
            assert message.lever_high.value == expect["lever_high"]
            assert message.battery_low == expect["battery_low"]
            assert (message.bit3, message.bit4) == (expect["bit3"], expect["bit4"])
            assert message.no_clock == expect["no_clock"]
            assert not message.bad
        case "invalid_time":
            assert isinstance(message, TimeMessage)
            assert list(message.bad) == expect["bad"]
        case "null":
            assert isinstance(message, NullMessage)
        case "ack":
            assert isinstance(message, AckMessage)
            assert (list(message.ack), message.ok, message.auto) == (expect["ack"], expect["ok"], expect["auto"])
        case "version":
            assert message == VersionMessage(expect["major"], expect["minor"])
        case "serial" | "long_serial":
            assert message == SerialMessage(expect["text"], expect["type"] == "long_serial")
        case "battery":
            assert message == BatteryMessage(expect["percent"])
        case other:
            pytest.fail(f"no check for {other}")


@needs_data
@pytest.mark.parametrize("row", vectors("bwtime", "ack", "frame"))
def test_a_message_decodes_as_its_vector_says(row: dict[str, Any]) -> None:
    check_message(decode(frame(row["hex"])), row["expect"])


@needs_data
@pytest.mark.parametrize("row", vectors("cmd"))
def test_only_asking_commands_are_known(row: dict[str, Any]) -> None:
    data, name = bytes.fromhex(row["hex"]), row["expect"]["name"]
    asks = not data.startswith(b"\x2b") or data[3] == 0x09
    assert (COMMANDS.get(name) == data) if asks else data not in COMMANDS.values()


@needs_data
@pytest.mark.parametrize("row", vectors("stream"))
def test_a_damaged_stream_gives_its_sound_messages(row: dict[str, Any]) -> None:
    chunks = [bytes.fromhex(chunk) for chunk in row["hex_chunks"]]
    expected = row["expect"]["messages"]
    for feeding in (chunks, [b"".join(chunks)], [bytes([byte]) for byte in b"".join(chunks)]):
        parser = DgtParser()
        signals = [signal for chunk in feeding for signal in parser.feed(chunk, 0.0)]
        assert [signal.raw.hex() for signal in signals] == expected


def portions(data: bytes, how: str) -> Iterator[bytes]:
    if how == "whole":
        yield data
        return
    rng, start = random.Random(5), 0
    while start < len(data):
        step = 1 if how == "bytes" else rng.randint(1, 40)
        yield data[start : start + step]
        start += step


@needs_data
@pytest.mark.parametrize("how", ["whole", "random", "bytes"])
@pytest.mark.parametrize("name", RECORDINGS)
def test_a_recording_reads_as_its_reference(name: str, how: str) -> None:
    parser = DgtParser()
    data = b"".join(recording(name))
    readings = [
        signal for part in portions(data, how) for signal in parser.feed(part, 0.0) if isinstance(signal, Reading)
    ]
    lines = (DATA / "clock" / f"{name}.clock.jsonl").read_text().splitlines()
    assert len(readings) == len(lines)
    assert parser.dropped_bytes == 0
    for reading, line in zip(readings, lines, strict=True):
        truth = json.loads(line)
        assert reading.raw[3:].hex() == truth["hex"]
        assert (reading.right_s, reading.left_s) == (truth["r"], truth["l"])
        assert reading.running == truth["run"]
        assert reading.lever is Display(truth["lever"])
        for flag, names in ((reading.right_flag, truth["rf"]), (reading.left_flag, truth["lf"])):
            assert set(names) <= FLAG_NAMES
            assert (flag is Flag.FALLEN) == ("flag_blocked" in names)
            assert (flag is Flag.SHOWN) == ("flag_shown" in names and "flag_blocked" not in names)


# Where sources disagree (CLOCKS: nine of them), each choice by name.


def test_the_first_triple_is_the_right_display() -> None:
    message = decode(frame("8d000a01020300040508"))
    assert isinstance(message, TimeMessage)
    assert (message.right.time_s, message.left.time_s) == (3723, 245)


def test_a_set_lever_bit_means_right_is_to_move() -> None:
    for status, side in ((0x13, Display.RIGHT), (0x09, Display.LEFT), (0x12, Display.RIGHT), (0x08, Display.LEFT)):
        message = decode(frame(f"8d000a200500200500{status:02x}"))
        assert isinstance(message, TimeMessage)
        assert message.lever_high is side


@pytest.mark.parametrize(("status", "agree"), [(0x09, True), (0x13, True), (0x11, False), (0x0B, False), (0x01, None)])
def test_the_turn_bits_only_confirm_the_lever(status: int, agree: bool | None) -> None:
    message = decode(frame(f"8d000a200500200500{status:02x}"))
    assert isinstance(message, TimeMessage)
    assert message.turn_bits_agree is agree


def test_bit_5_set_means_no_clock() -> None:
    (reading,) = DgtParser().feed(bytes.fromhex("8d000a20050020050028"), 0.0)
    assert isinstance(reading, Reading)
    assert not reading.connected


def test_a_stopped_clock_keeps_its_times() -> None:
    (reading,) = DgtParser().feed(bytes.fromhex("8d000a20050020050008"), 0.0)
    assert isinstance(reading, Reading)
    assert (reading.connected, reading.running, reading.left_s) == (True, False, 300)


def test_an_ack_may_be_marked_in_the_second_triple_with_more_bits() -> None:
    assert isinstance(decode(frame("8d000a0010082a053100")), AckMessage)
    assert isinstance(decode(frame("8d000a0a100800053100")), AckMessage)


def test_a_null_message_is_seven_zeros_and_zero_times_are_a_time() -> None:
    assert isinstance(decode(frame("8d000a00000000000000")), NullMessage)
    message = decode(frame("8d000a00000000000012"))
    assert isinstance(message, TimeMessage)
    assert (message.right.time_s, message.left.time_s) == (0, 0)


@pytest.mark.parametrize("status", [0x08, 0x09, 0x0C, 0x0D])
def test_the_lever_is_a_bit_and_no_whole_byte(status: int) -> None:
    message = decode(frame(f"8d000a200500200500{status:02x}"))
    assert isinstance(message, TimeMessage)
    assert message.lever_high is Display.LEFT


def test_eight_hours_are_eight_hours() -> None:
    message = decode(frame("8d000a08000009595912"))
    assert isinstance(message, TimeMessage)
    assert (message.right.time_s, message.left.time_s) == (8 * 3600, 9 * 3600 + 59 * 60 + 59)


def test_a_message_whose_rest_is_lost_is_not_finished_by_a_later_one() -> None:
    parser = DgtParser()
    assert parser.feed(bytes.fromhex("8d000a2005"), 0.0) == []
    assert parser.feed(bytes.fromhex("0020050009"), 1.0) == []


@given(st.lists(st.binary(max_size=60), max_size=40))
def test_any_bytes_are_taken(chunks: list[bytes]) -> None:
    parser = DgtParser()
    for index, chunk in enumerate(chunks):
        parser.feed(chunk, index * 0.01)
    good = bytes.fromhex("8d000a20050020050009")
    assert [signal.raw for signal in parser.feed(good, len(chunks) * 0.01)][-1] == good
