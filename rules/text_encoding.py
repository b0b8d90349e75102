"""From the bytes of a record to its text: UTF-8 with or without its mark, UTF-16 with its mark, GB18030."""

import codecs

from rules.errors import NotationError

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def decode_text(data: bytes) -> str:
    """The text of a record; what is neither UTF-8 nor GB18030 raises NotationError."""
    encodings = [name for mark, name in _MARKS if data.startswith(mark)] or ["utf-8", "gb18030"]
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise NotationError(f"expected text in UTF-8 or GB18030: {data[:40]!r}...")
