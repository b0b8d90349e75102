"""`qiyan clock SRC`: follows a clock, or decodes a clock trace."""

import json
import signal
import sys
import time
from pathlib import Path
from typing import NoReturn

import click

from clock_bridge.control import parse_control
from clock_bridge.errors import ClockError
from clock_bridge.feed import AUTO, LiveFeed, TraceFeed, open_clock
from clock_bridge.happening import Happening
from clock_bridge.protocol import PROTOCOLS
from clock_bridge.reader import ReaderConfig
from clock_bridge.reading import SidedReading
from rules.errors import SHOWN_CHARACTERS
from rules.piece import SIDE_NAMES

_LOOK_EVERY_S = 0.05
"""How often a live clock's news are printed."""


@click.command("clock")
@click.argument("src")
@click.option(
    "--clock-protocol",
    "protocol",
    type=click.Choice([*PROTOCOLS, AUTO]),
    default="dgt",
    show_default=True,
    help="What the clock speaks; auto: find out.",
)
@click.option(
    "--clock-red",
    "red",
    type=click.Choice(["left", "right"]),
    default="left",
    show_default=True,
    help="Which side of the clock is Red's, seen from its front.",
)
@click.option("--clock-pattern", "pattern", help="Line pattern with named groups, for the protocol text.")
@click.option(
    "--clock-unit",
    "unit",
    type=click.Choice(["clock", "s", "ms"]),
    default="clock",
    show_default=True,
    help="How times are written where --clock-pattern is given.",
)
@click.option("--control", "control_spec", help="Time control, such as 60m+30s, 15m or 20m+5x30s.")
@click.option("--trace", "trace_path", type=click.Path(path_type=Path), help="Keep every byte received in this file.")
@click.option("--listen-only", is_flag=True, help="Never send anything, not even a question for the time.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line: readings and events.")
def command(
    src: str,
    protocol: str,
    red: str,
    pattern: str | None,
    unit: str,
    control_spec: str | None,
    trace_path: Path | None,
    listen_only: bool,
    as_json: bool,
) -> None:
    """Follow the clock at SRC or decode a clock trace.

    SRC is a serial port, an address that pyserial opens (socket://host:port, rfc2217://host:port), a clock trace file,
    or auto to look for a clock on every port.
    """
    try:
        if trace_path is not None and Path(src).is_file():
            raise ClockError(f"--trace keeps what a live clock sends; this is a trace already: {src!r}")
        feed = open_clock(
            src,
            protocol,
            red,
            None if control_spec is None else parse_control(control_spec),
            pattern=pattern,
            unit=unit,
            record=trace_path,
            reader=ReaderConfig(ask=not listen_only),
        )
        try:
            _follow(feed, as_json)
        finally:
            feed.close()
    except BrokenPipeError:
        raise
    except OSError as error:
        where = src if error.filename is None else error.filename
        _fail(f"{(error.strerror or str(error)).lower()}: {str(where)!r}", error)
    except ClockError as error:
        _fail(str(error), error)
    except KeyboardInterrupt:
        return


def _fail(message: str, error: Exception) -> NoReturn:
    shown = message if len(message) <= SHOWN_CHARACTERS else f"{message[:SHOWN_CHARACTERS]}..."
    click.echo(f"qiyan clock: {shown}", err=True)
    raise SystemExit(2) from error


def _follow(feed: TraceFeed | LiveFeed, as_json: bool) -> None:
    heard = False
    if isinstance(feed, TraceFeed):
        while (happenings := feed.step()) is not None:
            _show(feed.readings, happenings, as_json, first=not heard)
            heard = heard or bool(feed.readings)
        if not heard:
            raise ClockError("no reading of a clock in the trace (try --clock-protocol auto)")
        return
    # A service manager's word to end is Ctrl-C's: the port is freed and the trace closed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    begin_s = time.monotonic()
    while True:
        happenings = feed.happenings(time.monotonic() - begin_s)
        _show(feed.readings, happenings, as_json, first=not heard)
        heard = heard or bool(feed.readings)
        sys.stdout.flush()
        time.sleep(_LOOK_EVERY_S)


def _show(readings: list[tuple[SidedReading, bool]], happenings: list[Happening], as_json: bool, first: bool) -> None:
    """first: nothing was heard so far, so that a person wants to see that something is."""
    if not as_json:
        if first and readings:
            click.echo(format_reading(readings[0][0]))
        for happening in happenings:
            click.echo(format_happening(happening))
        return
    for reading, sound in readings:
        click.echo(json.dumps(reading.to_json(sound)))
    for happening in happenings:
        if happening.to_event() is not None:
            click.echo(json.dumps(event_json(happening)))


def format_reading(reading: SidedReading) -> str:
    """A line for people."""
    side = "" if reading.turn is None else SIDE_NAMES[reading.turn]
    red, black = (format_time(time_s) for time_s in reading.times_s)
    state = "running" if reading.running else "standing"
    if not reading.connected:
        state = "no clock is plugged into the board"
    return f"{reading.t:10.2f} s  {'heard':<22} {side:<6} red {red}  black {black}  {state}"


def format_happening(happening: Happening) -> str:
    """A line for people."""
    side = "" if happening.side is None else SIDE_NAMES[happening.side]
    red, black = (format_time(time_s) for time_s in happening.times_s)
    detail = "  ".join(f"{name}={value}" for name, value in happening.detail.items())
    return f"{happening.t:10.2f} s  {happening.what.value:<22} {side:<6} red {red}  black {black}  {detail}".rstrip()


def event_json(happening: Happening) -> dict[str, object]:
    """The line of a clock event as the interface has it, with what more is known under `detail`."""
    event = happening.to_event()
    assert event is not None
    return {
        "t": round(event.t, 3),
        "event": event.event.value,
        "side": None if event.side is None else SIDE_NAMES[event.side],
        "red_s": event.red_s,
        "black_s": event.black_s,
        "uncertainty_s": round(event.uncertainty_s, 3),
        "detail": {"what": happening.what.value, **happening.detail},
    }


def format_time(time_s: float | None) -> str:
    """h:mm:ss, as on a clock; dashes where it is not known."""
    if time_s is None:
        return "-:--:--"
    whole = int(time_s)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"
