"""What happens at tables beyond the recorded games, each as the bytes of a clock, with and without its control told."""

import pytest

from clock_bridge.control import parse_control
from clock_bridge.protocol.dgt import DgtParser
from clock_bridge.protocol.dgt_message import ClockSide, TimeMessage, encode_time
from clock_bridge.reading import Display
from clock_bridge.watch import ClockWatch, WatchConfig
from rules.piece import SIDE_NAMES

Frame = tuple[float, str, str, str]
"""t, left and right display, signs: lever L or R (whose turn), + running, i increment, n no clock, b battery low,
f or g a flag shown left or right, F or G one fallen. Instead of the left display: raw for bytes, cut, back."""

GAME: list[Frame] = [
    (0, "10:00", "10:00", "L"),
    (0.4, "10:00", "10:00", "L"),
    (1, "10:00", "10:00", "L+"),
    (2, "9:59", "10:00", "L+"),
    (3, "9:58", "10:00", "L+"),
]
PAUSED: list[Frame] = [
    (0, "20:00", "19:00", "L+i"),
    (1, "19:59", "19:00", "L+i"),
    (2, "19:59", "19:00", "Li"),
    (3, "19:59", "19:00", "Li"),
]


def seconds(text: str) -> int:
    minutes, _, rest = text.partition(":")
    return int(minutes) * 60 + int(rest)


def message(left: str, right: str, signs: str) -> bytes:
    turn_right = "R" in signs
    return encode_time(
        TimeMessage(
            right=ClockSide(seconds(right), "g" in signs, "i" in signs, "G" in signs),
            left=ClockSide(seconds(left), "f" in signs, "i" in signs, "F" in signs),
            running="+" in signs,
            lever_high=Display.RIGHT if turn_right else Display.LEFT,
            battery_low="b" in signs,
            bit3=not turn_right,
            bit4=turn_right,
            no_clock="n" in signs,
        )
    )


def play(frames: list[Frame], control: str | None, red: str = "left") -> list[str]:
    """The events of the interface, as `t event side red/black`."""
    watch = ClockWatch(WatchConfig(red=Display(red), control=parse_control(control) if control else None))
    parser, told = DgtParser(), []
    for t, left, right, signs in frames:
        told += watch.pass_time(t - 0.001)
        if left == "cut":
            parser.reset()
            told += watch.link_lost(t)
        elif left == "back":
            told += watch.link_back(t)
        else:
            data = bytes.fromhex(right) if left == "raw" else message(left, right, signs)
            told += [each for signal in parser.feed(data, t) for each in watch.feed(signal)]
    told += watch.finish()
    return [
        " ".join([f"{event.t:g}", event.event.value, "-" if event.side is None else SIDE_NAMES[event.side]])
        + f" {event.red_s:g}/{event.black_s:g}"
        for event in (each.to_event() for each in told)
        if event is not None
    ]


START = "1 start red 600/600"

SCENES: dict[str, tuple[list[Frame], list[str], tuple[str | None, ...]]] = {
    "a period is added to both": (
        [(0, "0:01", "33:20", "L+"), (1, "15:00", "48:20", "L+f"), (2, "14:59", "48:20", "L+f")],
        ["1 adjust red 900/2900"],
        (None, "90m/15m"),
    ),
    "a period and a press in one look": (
        [(0, "0:02", "33:20", "L+"), (1, "0:01", "33:20", "L+"), (2.4, "15:00", "48:20", "R+f")],
        ["2.4 adjust red 900/2900", "2.4 press red 900/2900"],
        (None, "90m/15m"),
    ),
    "a second period with an increment": (
        [
            (0, "0:01", "33:20", "L+"),
            (1, "15:00", "48:20", "L+fi"),
            (2, "14:59", "48:20", "L+fi"),
            (3, "15:28", "48:20", "R+fi"),
            (4, "15:28", "48:19", "R+fi"),
        ],
        ["1 adjust red 900/2900", "3 press red 928/2900"],
        (None, "90m/15m"),
    ),
    "the period's flag hides": ([(0, "10:01", "9:00", "L+f"), (1, "10:00", "9:00", "L+")], [], (None,)),
    "byo-yomi goes back to its start": (
        [(0, "5:00", "5:00", "L+"), (1, "4:59", "5:00", "L+"), (2, "4:58", "5:00", "L+"), (2.4, "5:00", "5:00", "R+")],
        ["2.4 press red 300/300"],
        (None, "0m+5x60s", "20m+5x60s"),
    ),
    "byo-yomi begins": (
        [
            (0, "0:02", "12:00", "L+"),
            (1, "0:01", "12:00", "L+"),
            (2, "5:00", "12:00", "L+"),
            (3, "4:59", "12:00", "L+"),
        ],
        ["2 adjust red 300/720"],
        (None, "20m+5x60s"),
    ),
    "three minutes given": (
        [*PAUSED, (30, "22:59", "19:00", "Li"), (31, "22:59", "19:00", "Li"), (35, "22:59", "19:00", "L+i")],
        ["2 stop - 1199/1140", "30 adjust red 1379/1140", "35 start red 1379/1140"],
        (None, "60m+30s"),
    ),
    "five minutes taken, a digit at a time": (
        [*PAUSED, (20, "10:59", "19:00", "Li"), (21, "14:59", "19:00", "Li"), (22, "14:59", "19:00", "Li")],
        ["2 stop - 1199/1140", "21 adjust red 899/1140"],
        (None, "60m+30s"),
    ),
    "five minutes taken of four": (
        [(0, "4:10", "9:00", "L+"), (1, "4:09", "9:00", "L"), (4, "4:09", "9:00", "L"), (20, "0:00", "9:00", "LF")],
        ["1 stop - 249/540", "20 adjust red 0/540", "20 flag red 0/540"],
        (None,),
    ),
    "given and started in one look": (
        [*PAUSED, (30, "22:58", "19:00", "L+i"), (31, "22:57", "19:00", "L+i")],
        ["2 stop - 1199/1140", "30 adjust red 1378/1140", "30 start red 1378/1140"],
        (None, "60m+30s"),
    ),
    "a bounce": (
        [*GAME, (3.5, "9:58", "10:00", "R+"), (3.6, "9:58", "10:00", "L+"), (3.65, "9:58", "10:00", "R+")],
        [START, "3.5 press red 598/600"],
        (None, "10m"),
    ),
    "a low battery is no event of the game": (
        [*GAME, (4, "9:57", "10:00", "L+b"), (5, "9:56", "10:00", "L+b"), (6, "9:55", "10:00", "L+b")],
        [START],
        (None,),
    ),
    "no clock, and a press missed meanwhile": (
        [*GAME, (4, "9:58", "10:00", "L+n"), (5, "9:58", "10:00", "L+n"), (9, "9:55", "10:00", "R+")],
        [START, "4 lost - 598/600", "9 restored black 595/600"],
        (None, "10m"),
    ),
    "the first increment comes with the start": (
        [
            (0, "60:00", "60:00", "Li"),
            (1, "60:00", "60:00", "Li"),
            (2, "60:30", "60:30", "L+i"),
            (3, "60:29", "60:30", "L+i"),
        ],
        ["2 start red 3630/3630"],
        (None, "60m+30s"),
    ),
    "the first increment comes with the other's press": (
        [
            (0, "60:00", "60:00", "Li"),
            (2, "59:59", "60:00", "L+i"),
            (3, "60:29", "60:30", "R+i"),
            (4, "60:29", "60:29", "R+i"),
        ],
        ["2 start red 3599/3600", "3 press red 3629/3630"],
        (None, "60m+30s"),
    ),
    "a wrong control was told": (
        [
            (0, "5:05", "5:05", "Li"),
            (1, "5:04", "5:05", "L+i"),
            (1.4, "5:09", "5:05", "R+i"),
            (2.4, "5:09", "5:04", "R+i"),
            (3, "5:09", "5:09", "L+i"),
            (4, "5:08", "5:09", "L+i"),
        ],
        ["1 start red 304/305", "1.4 press red 309/305", "3 press black 309/309"],
        ("10m", "5m+3s", "5m+30s", None),
    ),
    "a tick merged with a press": (
        [(0, "10:00", "10:00", "L+i"), (1, "9:59", "10:00", "L+i"), (2, "10:03", "10:00", "R+i")],
        ["2 press red 603/600"],
        (None, "10m+5s"),
    ),
    "zero without a flag": (
        [(0, "0:02", "9:00", "L+"), (1, "0:01", "9:00", "L+"), (2, "0:00", "9:00", "L"), (3, "0:00", "9:00", "L")],
        ["2 stop - 0/540"],
        (None,),
    ),
    "a flag that blinks": (
        [(0, "0:01", "9:00", "L+"), (1, "0:00", "9:00", "LF"), (1.4, "0:00", "9:00", "L"), (1.8, "0:00", "9:00", "LF")],
        ["1 flag red 0/540"],
        (None,),
    ),
    "a flag, and a press too late": (
        [(0, "0:02", "9:00", "L+i"), (1, "0:01", "9:00", "L+i"), (2, "0:00", "9:00", "RFi")],
        ["2 flag red 0/540", "2 press red 0/540"],
        (None, "10m+5s"),
    ),
    "a flag that lets the other side run on": (
        [(0, "0:01", "9:00", "L+"), (1, "0:00", "9:00", "L+f"), (2, "0:00", "9:00", "R+f"), (3, "0:00", "8:59", "R+f")],
        ["1 flag red 0/540", "2 press red 0/540"],
        (None,),
    ),
    "set one side after the other before the game": (
        [
            (0, "0:00", "0:00", "L"),
            (1, "0:00", "0:00", "L"),
            (2, "10:00", "0:00", "L"),
            (3, "10:00", "0:00", "L"),
            (4, "10:00", "10:00", "L"),
            (5, "10:00", "10:00", "L"),
            (6, "10:00", "10:00", "L+"),
            (7, "9:59", "10:00", "L+"),
        ],
        ["2 adjust red 600/0", "4 adjust black 600/600", "6 start red 600/600"],
        (None, "10m"),
    ),
    "switched off and on in a pause": (
        [
            *GAME,
            (3.4, "9:58", "10:00", "L"),
            (4, "9:58", "10:00", "L"),
            (20, "25:00", "25:00", "L"),
            (21, "25:00", "25:00", "L"),
            (30, "9:58", "10:00", "L"),
            (31, "9:58", "10:00", "L"),
            (45, "9:57", "10:00", "L+"),
        ],
        [
            START,
            "3.4 stop - 598/600",
            "20 adjust red 1500/1500",
            "20 adjust black 1500/1500",
            "30 adjust red 598/600",
            "30 adjust black 598/600",
            "45 start red 597/600",
        ],
        (None, "10m"),
    ),
    "plugged out in the middle of a message, and a press missed": (
        [
            *GAME,
            (3.4, "raw", "8d000a0010", ""),
            (3.41, "cut", "", ""),
            (9, "back", "", ""),
            (9.1, "raw", "0000095809", ""),
            (9.4, "9:52", "10:00", "R+"),
            (10, "9:52", "10:00", "L+"),
        ],
        [START, "3.41 lost - 598/600", "9.4 restored black 592/600", "10 press black 592/600"],
        (None, "10m"),
    ),
    "a short pause told once": (
        [*GAME, (4, "9:57", "10:00", "L"), (6, "9:57", "10:00", "L+"), (7, "9:56", "10:00", "L+")],
        [START, "4 stop - 597/600", "6 start red 597/600"],
        (None, "10m"),
    ),
    "a press and a pause in one look": (
        [*GAME, (3.8, "9:57", "10:00", "R"), (4.2, "9:57", "10:00", "R")],
        [START, "3.8 press red 597/600", "3.8 stop - 597/600"],
        (None, "10m"),
    ),
    "a handicap game that Black begins": (
        [
            (0, "60:00", "36:00", "R"),
            (1, "60:00", "35:59", "R+"),
            (2, "60:00", "35:59", "L+"),
            (3, "59:59", "35:59", "L+"),
        ],
        ["1 start black 3600/2159", "2 press black 3600/2159"],
        (None, "60m"),
    ),
    "a wild reading in a pause": (
        [*PAUSED, (4, "29:59", "19:00", "Li"), (5, "19:59", "19:00", "Li"), (6, "19:59", "19:00", "Li")],
        ["2 stop - 1199/1140"],
        (None, "60m+30s"),
    ),
}


@pytest.mark.parametrize(
    ("frames", "events", "control"),
    [
        pytest.param(frames, events, control, id=f"{name} [{control}]")
        for name, (frames, events, controls) in SCENES.items()
        for control in controls
    ],
)
def test_a_scene_gives_its_events(frames: list[Frame], events: list[str], control: str | None) -> None:
    assert play(frames, control) == events


@pytest.mark.parametrize("name", SCENES)
def test_a_clock_turned_round_gives_the_same_with_red_right(name: str) -> None:
    frames, events, (control, *_) = SCENES[name]
    turn = str.maketrans("LRfgFG", "RLgfGF")
    special = ("raw", "cut", "back")
    turned = [
        (t, left, right, signs) if left in special else (t, right, left, signs.translate(turn))
        for t, left, right, signs in frames
    ]
    if any(left == "raw" for _, left, _, _ in frames):
        pytest.skip("raw bytes are not turned")
    assert play(turned, control, red="right") == events
