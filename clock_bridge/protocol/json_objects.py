"""Cuts the bytes of a device into JSON objects, with or without newlines between them."""

import json

LONGEST_OBJECT = 8192
"""Bytes; an object that does not close within this many is noise."""


class JsonSplitter:
    """Push parser: bytes in any portions go in, whole objects come out with their bytes."""

    def __init__(self, longest: int = LONGEST_OBJECT) -> None:
        self._longest = longest
        self._partial = bytearray()
        self._depth = 0
        self._in_text = False
        self._escaped = False
        self.dropped_bytes = 0

    def feed(self, data: bytes) -> list[tuple[dict[str, object], bytes]]:
        """The objects that `data` completes."""
        objects = []
        for byte in data:
            raw = self._push(byte)
            if raw is None:
                continue
            try:
                value = json.loads(raw)
            except (ValueError, RecursionError):
                self.dropped_bytes += len(raw)
                continue
            if isinstance(value, dict):
                objects.append((value, raw))
        return objects

    def reset(self) -> None:
        """Forgets an object begun."""
        self._partial.clear()
        self._depth, self._in_text, self._escaped = 0, False, False

    def _push(self, byte: int) -> bytes | None:
        # No device sends newlines inside an object's text: one there means that a quote was lost.
        if (byte in b"\r\n" and self._in_text) or len(self._partial) >= self._longest:
            self.dropped_bytes += len(self._partial)
            self.reset()
        if self._depth == 0 and byte != 0x7B:
            self.dropped_bytes += byte not in b"\r\n \t"
            return None
        self._partial.append(byte)
        if self._escaped:
            self._escaped = False
        elif self._in_text:
            self._escaped = byte == 0x5C
            self._in_text = byte != 0x22
        elif byte == 0x22:
            self._in_text = True
        elif byte in b"{}":
            self._depth += 1 if byte == 0x7B else -1
        if self._depth:
            return None
        raw = bytes(self._partial)
        self.reset()
        return raw
