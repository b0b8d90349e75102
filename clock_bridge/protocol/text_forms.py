"""Ready-made forms for the text clocks that are known in public; each name is a protocol, `text` tries them all."""

import re

from clock_bridge.protocol.assemble import Part
from clock_bridge.protocol.text import LineForm, Unit


def _form(name: str, pattern: str, unit: Unit = Unit.CLOCK, says: Part | None = None) -> LineForm:
    return LineForm(name, re.compile(pattern, re.IGNORECASE), unit, says=says or Part())


ARDUINO = (
    _form(
        "arduino",
        r"STATUS:(?P<left>-?\d+):(?P<right>-?\d+):\d+:(?P<state>[A-Z_]+):(?P<turn>\w+)",
        Unit.MILLISECONDS,
    ),
    _form("arduino", r"CLOCK_STARTED.*", says=Part(running=True)),
    _form("arduino", r"CLOCK_STOPPED.*", says=Part(running=False)),
    _form("arduino", r"CLOCK_RESET.*", says=Part(reset=True)),
    _form("arduino", r"TIME_SET.*", says=Part(reset=True)),
    _form("arduino", r"(?P<pressed>white|black|w|b)[_: ]*MOVED.*"),
    _form("arduino", r"(?:.*\W|.*_)?MOVED[_: ]+(?P<pressed>white|black|w|b)\b.*"),
    _form("arduino", r".*MOVED.*", says=Part(pressed_by_mover=True)),
)
"""Arduino clock with a pyserial client: milliseconds, asked for with STATUS."""

HOURGLASS = (
    _form("hourglass", r"(?P<side>[12])\s+(?P<time>\d+:\d\d)\s+\d+"),
    _form("hourglass", r"~", says=Part(running=False)),
    _form("hourglass", r"\|", says=Part(running=False)),
    _form("hourglass", r"\$", says=Part(reset=True)),
    _form("hourglass", r"dc", says=Part(connected=False)),
)
"""Arduino and Processing: each second the running side only; a pause, a reset, a hold (a bar without newline)."""
HOURGLASS_LONE_SIGNS = b"|"

TIMES = (
    _form(
        "times",
        r"\D*?(?P<left>\d+:\d\d(?::\d\d)?(?:[.,]\d+)?)[^\d:]+(?P<right>\d+:\d\d(?::\d\d)?(?:[.,]\d+)?)"
        r"(?:\W+(?P<turn>white|black|red|left|right|[wb]))?\W*",
    ),
)
"""Both times in a line and nothing else needed: whose time runs is seen from which one falls."""

TEXT_FORMS = {"arduino": ARDUINO, "hourglass": HOURGLASS, "times": TIMES}
"""By name; `text` tries them in this order."""
