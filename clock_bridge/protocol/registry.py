"""The protocols by name: how to make a parser, and how a port of that kind is spoken to.

Adding a protocol is one file with its parser and one line here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from clock_bridge.errors import ProtocolError
from clock_bridge.protocol import dgt
from clock_bridge.protocol.gateway_json import GatewayJsonParser
from clock_bridge.protocol.text import TextParser, make_form
from clock_bridge.protocol.text_forms import HOURGLASS_LONE_SIGNS, TEXT_FORMS
from clock_bridge.reading import Signal


class Parser(Protocol):
    """Bytes in any portions to readings; knows nothing of ports."""

    def feed(self, data: bytes, t: float) -> list[Signal]:
        """The signals that `data`, arrived at `t`, completes."""

    def reset(self) -> None:
        """Forgets everything begun: the line was cut."""


@dataclass(frozen=True, slots=True)
class ProtocolSpec:
    """What there is to know of a protocol besides its bytes; every command listed only asks, none sets a clock."""

    make: Callable[[], Parser]
    baud: int = 9600
    hello: bytes = b""
    """Sent after opening, so that the device speaks."""
    poll: bytes = b""
    """Sent into a silence: an answer, or an error while writing, tells a pause from a dead cable."""
    probe_s: float = 3.0
    """A device of this kind has said something sound within this time after opening."""


def _all_text() -> TextParser:
    return TextParser([form for forms in TEXT_FORMS.values() for form in forms], HOURGLASS_LONE_SIGNS)


PROTOCOLS: dict[str, ProtocolSpec] = {
    "dgt": ProtocolSpec(
        dgt.DgtParser, hello=dgt.SEND_VERSION + dgt.SEND_UPDATE + dgt.SEND_CLOCK, poll=dgt.SEND_CLOCK, probe_s=1.5
    ),
    "text": ProtocolSpec(_all_text),
    "arduino": ProtocolSpec(lambda: TextParser(TEXT_FORMS["arduino"]), hello=b"STATUS\n", poll=b"STATUS\n"),
    "hourglass": ProtocolSpec(lambda: TextParser(TEXT_FORMS["hourglass"], HOURGLASS_LONE_SIGNS)),
    "times": ProtocolSpec(lambda: TextParser(TEXT_FORMS["times"])),
    "gateway-json": ProtocolSpec(GatewayJsonParser, baud=115200),
}


def find_protocol(name: str, pattern: str | None = None, unit: str = "clock") -> ProtocolSpec:
    """The protocol called `name`; a text protocol with the user's own line pattern where one is given."""
    spec = PROTOCOLS.get(name)
    if spec is None:
        raise ProtocolError(f"unknown clock protocol, expected one of {', '.join(PROTOCOLS)}: {name!r}")
    if pattern is None:
        if unit != "clock":
            raise ProtocolError(f"a unit of times goes with a line pattern of your own: {unit!r}")
        return spec
    if name != "text":
        raise ProtocolError(f"a pattern goes with the text protocol only: {name!r}")
    form = make_form("own", pattern, unit)
    return ProtocolSpec(lambda: TextParser([form]))


def make_parser(name: str) -> Parser:
    """A new parser of the protocol called `name`."""
    return find_protocol(name).make()
