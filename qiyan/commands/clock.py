"""`qiyan clock SRC`: follows a clock, or decodes a clock trace."""

import json
from pathlib import Path

import click

from clock_bridge.control import parse_control
from clock_bridge.errors import ClockError
from clock_bridge.feed import TraceFeed
from clock_bridge.happening import Happening
from clock_bridge.protocol import PROTOCOLS, make_parser
from clock_bridge.reading import Display, SidedReading
from clock_bridge.watch import WatchConfig
from rules.piece import SIDE_NAMES


@click.command("clock")
@click.argument("src")
@click.option("--clock-protocol", "protocol", default="dgt", show_default=True, help="One of " + ", ".join(PROTOCOLS))
@click.option(
    "--clock-red",
    "red",
    type=click.Choice(["left", "right"]),
    default="left",
    show_default=True,
    help="Which side of the clock is Red's, seen from its front.",
)
@click.option("--control", "control_spec", help="Time control, such as 60m+30s, 15m or 20m+5x30s.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line: readings and events.")
def command(src: str, protocol: str, red: str, control_spec: str | None, as_json: bool) -> None:
    """Follow the clock at SRC (a serial port, a pyserial address) or decode a clock trace file."""
    try:
        control = parse_control(control_spec) if control_spec else None
        config = WatchConfig(red=Display(red), control=control)
        feed = TraceFeed(Path(src), make_parser(protocol), config)
        while (happenings := feed.step()) is not None:
            for reading in feed.readings:
                _show_reading(reading, as_json)
            for happening in happenings:
                _show_happening(happening, as_json)
    except (ClockError, OSError) as error:
        click.echo(f"qiyan clock: {error}", err=True)
        raise SystemExit(2) from error


def _show_reading(reading: SidedReading, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(reading.to_json()))


def _show_happening(happening: Happening, as_json: bool) -> None:
    event = happening.to_event()
    if as_json:
        if event is not None:
            click.echo(json.dumps(event_json(happening)))
        return
    side = "" if happening.side is None else SIDE_NAMES[happening.side]
    red, black = (format_time(time_s) for time_s in happening.times_s)
    click.echo(f"{happening.t:10.2f} s  {happening.what.value:<22} {side:<6} Red {red}  Black {black}")


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
