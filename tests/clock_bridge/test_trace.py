"""Clock traces, feeds and the command that shows them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from clock_bridge.errors import ClockNotFound
from clock_bridge.feed import TraceFeed, open_clock
from clock_bridge.trace import TraceWriter, looks_like_trace, read_trace
from qiyan.commands.clock import command
from rules.event import ClockEventKind
from rules.piece import RED
from tests.shared_data import DATA, needs_data

VIDEOS = ("overhead", "oblique_left", "touch_own_lift", "between", "knock_long_time", "bump", "hover")


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_trace_survives_its_own_writing(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with TraceWriter(path) as trace:
        trace.write(0.5, b"\x8d\x00")
        trace.write(1.0, b"")
    assert [(line.t, line.data) for line in read_trace(path)] == [(0.5, b"\x8d\x00"), (1.0, b"")]


def test_torn_and_foreign_lines_are_passed_over(tmp_path: Path) -> None:
    good = '{"t": 1, "rx": "8d"}'
    path = write(tmp_path / "t.jsonl", good, '{"t": 2, "r', "[1]", '{"t": 3}', '{"t": 4, "rx": "xyz"}', good)
    assert len(list(read_trace(path))) == 2


@pytest.mark.parametrize(("text", "is_trace"), [("", True), ('{"t":0,"rx":""}\n', True), ("# title\n", False)])
def test_a_trace_is_known_by_its_first_line(tmp_path: Path, text: str, is_trace: bool) -> None:
    path = tmp_path / "t"
    path.write_text(text)
    assert looks_like_trace(path) is is_trace
    if not is_trace:
        with pytest.raises(ClockNotFound):
            open_clock(str(path))


def test_a_feed_gives_what_is_due_and_no_more(tmp_path: Path) -> None:
    path = write(
        tmp_path / "t.jsonl",
        '{"t": 0.0, "rx": "8d000a20050020050009"}',
        '{"t": 1.0, "rx": "8d000a2005"}',
        '{"t": 1.006, "rx": "0020045909"}',
        '{"t": 1.4, "rx": "8d000a20050020050413"}',
        '{"t": 2.4, "rx": "8d000a20045920050413"}',
    )
    feed = open_clock(str(path))
    (running,) = feed.poll(1.2)
    assert (running.event, running.t, running.side, running.red_s) == (ClockEventKind.START, 0.0, RED, 300)
    assert feed.times(1.206) == (pytest.approx(298.8), 300)
    (press,) = feed.poll(1.5)
    assert (press.event, press.t, press.red_s, press.black_s) == (ClockEventKind.PRESS, 1.4, 304, 300)
    assert feed.poll(10.0) == []
    assert feed.times(10.0) == (304, 298)
    feed.close()
    feed.close()


@needs_data
@pytest.mark.parametrize("name", VIDEOS)
def test_the_presses_of_a_video_are_those_of_its_truth(name: str) -> None:
    folder = DATA / "video" / name
    moves = json.loads((folder / "truth.json").read_text())["moves"]
    feed = open_clock(str(folder / "clock.jsonl"))
    events = [event for frame in range(2000) for event in feed.poll(frame / 12)]
    presses = [event for event in events if event.event is ClockEventKind.PRESS]
    assert [press.side for press in presses] == [ply % 2 for ply in range(len(moves))]
    for press, move in zip(presses, moves, strict=True):
        assert press.t - press.uncertainty_s <= move["t_pressed"] <= press.t + 0.05
    others = [event.event.value for event in events if event.event is not ClockEventKind.PRESS]
    assert others == (["start", "stop", "adjust", "start"] if name == "knock_long_time" else ["start"])


def test_the_command_prints_readings_and_events(tmp_path: Path) -> None:
    path = write(
        tmp_path / "t.jsonl",
        '{"t": 0.0, "rx": "8d000a20050020050009"}',
        '{"t": 1.4, "rx": "8d000a2005002005041300"}',
        '{"t": 2.0, "rx": "8d000a00000000000020"}',
    )
    result = CliRunner().invoke(command, [str(path), "--json"])
    assert result.exit_code == 0
    lines = [json.loads(line) for line in result.output.splitlines()]
    assert lines[0] == {
        "t": 0.0,
        "reading": {
            "red_s": 300,
            "black_s": 300,
            "running": "red",
            "lever": "red",
            "red_flag": False,
            "black_flag": False,
            "battery_low": False,
            "connected": True,
        },
        "raw": "8d000a20050020050009",
        "sound": True,
    }
    events = [line for line in lines if "event" in line]
    assert [(line["event"], line["side"], line["t"]) for line in events] == [("press", "red", 1.4), ("lost", None, 2.0)]
    assert lines[3]["reading"] == {
        **lines[0]["reading"],
        **dict.fromkeys(("red_s", "black_s"), None),
        "running": None,
    } | {
        "lever": None,
        "connected": False,
    }
    swapped = CliRunner().invoke(command, [str(path), "--json", "--clock-red", "right"])
    press = next(line for line in map(json.loads, swapped.output.splitlines()) if line.get("event") == "press")
    assert (press["side"], press["red_s"], press["black_s"]) == ("black", 300, 304)


def test_the_command_names_what_it_cannot_open() -> None:
    result = CliRunner().invoke(command, ["/dev/nothing-here"])
    assert result.exit_code == 2
    assert "/dev/nothing-here" in result.output
    assert CliRunner().invoke(command, ["x", "--clock-pattern", "(", "--clock-protocol", "text"]).exit_code == 2
    assert CliRunner().invoke(command, ["x", "--control", "soon"]).exit_code == 2


def test_the_command_prints_lines_for_people(tmp_path: Path) -> None:
    path = write(
        tmp_path / "t.jsonl", '{"t": 0, "rx": "8d000a20050020050009"}', '{"t": 1.4, "rx": "8d000a20050020050413"}'
    )
    result = CliRunner().invoke(command, [str(path)])
    assert "press" in result.output
    assert "0:05:04" in result.output


def test_a_feed_is_a_trace_feed_for_a_file(tmp_path: Path) -> None:
    feed = open_clock(str(write(tmp_path / "t.jsonl", '{"t": 0, "rx": ""}')))
    assert isinstance(feed, TraceFeed)
    assert feed.times(0.0) == (None, None)
    feed.close()


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("{folder}", "a folder"),
        ("{folder}/none", "no such port or file"),
        ("/dev/null", "not a serial port"),
        ("{folder}/words", "no clock trace"),
        ("socket://", "expected an address such as socket://"),
        ("socket://127.0.0.1:99999", "expected an address such as socket://"),
        ("nothing://x", "not a port or an address"),
    ],
)
def test_a_source_that_cannot_be_read_is_told_plainly(tmp_path: Path, source: str, told: str) -> None:
    write(tmp_path / "words", "hello")
    source = source.format(folder=tmp_path)
    result = CliRunner().invoke(command, [source])
    assert result.exit_code == 2
    assert told in result.stderr and repr(source) in result.stderr
    assert "Traceback" not in result.stderr and "Errno" not in result.stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--control", "0m"], "has to give some time: '0m'"),
        (["--clock-unit", "ms"], "goes with a line pattern"),
        (["--clock-pattern", "(?P<left>x)"], "with the text protocol only"),
        (["--trace", "kept.jsonl"], "this is a trace already"),
    ],
)
def test_options_that_make_no_sense_are_told(tmp_path: Path, options: list[str], told: str) -> None:
    path = write(tmp_path / "t.jsonl", '{"t": 0, "rx": "8d000a20050020050009"}')
    result = CliRunner().invoke(command, [str(path), *options])
    assert (result.exit_code, told in result.stderr) == (2, True)


def test_the_protocol_of_a_trace_is_found(tmp_path: Path) -> None:
    path = write(
        tmp_path / "t.jsonl", *(f'{{"t": {t}, "rx": "{f"1 9:{59 - t} 0".encode().hex()}0a"}}' for t in range(5))
    )
    silent = CliRunner().invoke(command, [str(path), "--json"])
    assert (silent.exit_code, silent.stdout, "no reading of a clock" in silent.stderr) == (2, "", True)
    found = CliRunner().invoke(command, [str(path), "--json", "--clock-protocol", "auto"])
    assert json.loads(found.stdout.splitlines()[0])["reading"]["red_s"] == 599


def test_a_time_that_is_none_is_no_line_of_a_trace(tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", '{"t": NaN, "rx": "8d"}', '{"t": 1e400, "rx": "8d"}', '{"t": 1, "rx": "8d"}')
    assert [line.t for line in read_trace(path)] == [1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([".", "--json"], "a folder"),
        (["/dev/null"], "not a serial port"),
        (["/dev/tty-that-is-none"], "no such port or file"),
        (["trace.jsonl", "--control", ""], "expected a time control"),
        (["x" * 5000], "too long"),
        (["socket://127.0.0.1:1"], "nothing listens"),
        (["trace.jsonl", "--clock-pattern", "("], "a pattern goes with the text protocol"),
        (["trace.jsonl", "--trace", "other.jsonl"], "a trace already"),
    ],
)
def test_what_is_no_clock_is_refused_in_a_few_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "trace.jsonl", '{"t": 0.0, "rx": "8d000a20050020050009"}')
    result = CliRunner().invoke(command, arguments)
    assert (result.exit_code, words in result.stderr, "Traceback" in result.output) == (2, True, False)
    assert len(result.stderr) < 500
