"""Actions that break a rule, or look as if they did: touching, taking back, knocking, removing."""

from collections.abc import Callable
from typing import Any

ACTORS: dict[type, Callable[..., Any]] = {}
