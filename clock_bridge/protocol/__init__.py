"""Push parsers for the languages of clocks, by name; adding one is one file and one line here."""

from collections.abc import Callable
from typing import Protocol

from clock_bridge.errors import ProtocolError
from clock_bridge.protocol.dgt import DgtParser
from clock_bridge.reading import Signal

__all__ = ["PROTOCOLS", "Parser", "make_parser"]


class Parser(Protocol):
    """Bytes in any portions to readings; knows nothing of ports."""

    def feed(self, data: bytes, t: float) -> list[Signal]:
        """The signals that `data`, arrived at `t`, completes."""

    def reset(self) -> None:
        """Forgets everything begun: the line was cut."""


PROTOCOLS: dict[str, Callable[[], Parser]] = {
    "dgt": DgtParser,
}


def make_parser(name: str) -> Parser:
    """A new parser of the protocol."""
    try:
        return PROTOCOLS[name]()
    except KeyError:
        raise ProtocolError(f"unknown clock protocol, expected one of {', '.join(PROTOCOLS)}: {name!r}") from None
