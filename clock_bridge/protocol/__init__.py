"""Push parsers for the languages of clocks."""

from clock_bridge.protocol.registry import PROTOCOLS, Parser, ProtocolSpec, find_protocol, make_parser

__all__ = ["PROTOCOLS", "Parser", "ProtocolSpec", "find_protocol", "make_parser"]
