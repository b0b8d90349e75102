"""What a file that is worked through again shows, set against what stands in the journal of it.

The journal stands: whatever is seen otherwise now, the judge hears again what it heard before the break, in the same
order, and nothing of it is journalled twice.
"""

import logging
from collections.abc import Iterator, Sequence
from typing import Any

from qiyan.journal import JournalledInput

logger = logging.getLogger(__name__)


class Replay:
    """The journalled inputs that were not met again yet, in order; false when there is none."""

    def __init__(self, inputs: Sequence[JournalledInput] = ()) -> None:
        self._left = list(inputs)

    def __bool__(self) -> bool:
        return bool(self._left)

    def holds(self, event: dict[str, Any]) -> bool:
        """Whether `event` is still to come."""
        return any(known == event for _, known in self._left)

    def decisions_until(self, now_s: float) -> Iterator[JournalledInput]:
        """Those that are next and that the arbiter made, whom working the file through again does not bring back."""
        while self._left and self._left[0][1]["type"] == "Decision" and self._left[0][1]["t"] <= now_s:
            yield self._left.pop(0)

    def meet(self, event: dict[str, Any]) -> tuple[list[JournalledInput], bool]:
        """What is to be judged again now that `event` is seen, and whether `event` itself is new after all that."""
        at = next((number for number, (_, known) in enumerate(self._left) if known == event), None)
        if at is not None:
            if at:
                logger.warning("not seen again, but told before the break: %d things before %s", at, event)
            return self._take(at + 1), False
        logger.warning("seen otherwise than before the break: %s", event)
        # In its place stands the next one of its kind; others that should have been seen by now will not come.
        passed = 0
        for _, known in self._left:
            if known["type"] == event["type"]:
                return self._take(passed + 1), False
            if known["t"] >= event["t"]:
                return self._take(passed), False
            passed += 1
        return self._take(passed), True

    def rest(self) -> list[JournalledInput]:
        """All that were not met until the recording ended."""
        if self._left:
            logger.warning("%d things that were told before the break were not seen again: they stand", len(self._left))
        return self._take(len(self._left))

    def _take(self, count: int) -> list[JournalledInput]:
        taken, self._left = self._left[:count], self._left[count:]
        return taken
