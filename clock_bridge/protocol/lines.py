"""Cuts the bytes of a clock into lines, whatever ends them."""

LONGEST_LINE = 200
"""Bytes; a longer run without an end is noise and dropped up to the next end."""
SILENCE_ENDS_LINE_S = 0.3
"""What stands alone for this long is a line although nothing ended it: some clocks send a sign without newline."""


class LineSplitter:
    """Push parser: bytes in any portions go in, lines without their ends come out."""

    def __init__(self, lone_signs: bytes = b"", longest: int = LONGEST_LINE) -> None:
        self._lone_signs = lone_signs
        """Signs that are a line by themselves, wherever they stand."""
        self._longest = longest
        self._partial = bytearray()
        self._skipping = False
        self._t_last = 0.0
        self.dropped_bytes = 0

    def feed(self, data: bytes, t: float) -> list[bytes]:
        """The lines that `data`, arrived at `t`, completes."""
        lines = []
        if self._partial and t - self._t_last > SILENCE_ENDS_LINE_S:
            lines.append(self._take())
        self._t_last = t
        for byte in data:
            if byte in b"\r\n":
                self._skipping = False
                if self._partial:
                    lines.append(self._take())
            elif byte in self._lone_signs:
                if self._partial:
                    lines.append(self._take())
                lines.append(bytes([byte]))
            elif self._skipping:
                self.dropped_bytes += 1
            else:
                self._partial.append(byte)
                if len(self._partial) > self._longest:
                    self.dropped_bytes += len(self._take())
                    self._skipping = True
        return lines

    def reset(self) -> None:
        """Forgets a line begun: the connection was cut, and its rest may never come."""
        self._partial.clear()
        self._skipping = False

    def _take(self) -> bytes:
        line = bytes(self._partial)
        self._partial.clear()
        return line
