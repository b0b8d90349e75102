"""Values to JSON and back: the frozen dataclasses of rules.event, as they lie in the journal."""

import dataclasses
import types
import typing
from enum import Enum
from typing import Any

from rules import event as event_module
from rules.event import TableEvent

_EVENT_TYPES: dict[str, type[TableEvent]] = {
    name: value
    for name, value in vars(event_module).items()
    if isinstance(value, type) and issubclass(value, TableEvent)
}


def event_to_json(event: TableEvent) -> dict[str, Any]:
    """A table event as a JSON object; `type` names its class."""
    return {"type": type(event).__name__, **_fields(event)}


def event_from_json(data: dict[str, Any]) -> TableEvent:
    """The inverse of `event_to_json`. KeyError or TypeError where the object is no event of ours."""
    values = {key: value for key, value in data.items() if key != "type"}
    built = _build(_EVENT_TYPES[data["type"]], values)
    assert isinstance(built, TableEvent)
    return built


def _fields(value: Any) -> dict[str, Any]:
    return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        return value.hex()
    if dataclasses.is_dataclass(value):
        return _fields(value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if hasattr(value, "item"):  # a numpy number that strayed in
        return value.item()
    return value


def _build(kind: type[Any], values: dict[str, Any]) -> Any:
    hints = typing.get_type_hints(kind)
    return kind(**{name: _value(hints[name], value) for name, value in values.items()})


def _value(hint: Any, value: Any) -> Any:
    """`value` as the type `hint` says."""
    if value is None:
        return None
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _value(next(arg for arg in typing.get_args(hint) if arg is not type(None)), value)
    if origin is tuple:
        args = typing.get_args(hint)
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(_value(args[0], item) for item in value)
        return tuple(_value(arg, item) for arg, item in zip(args, value, strict=True))
    if origin is dict:
        inner = typing.get_args(hint)[1]
        return {key: _value(inner, item) for key, item in value.items()}
    if isinstance(hint, type):
        if issubclass(hint, Enum):
            return hint(value)
        if hint is bytes:
            return bytes.fromhex(value)
        if dataclasses.is_dataclass(hint):
            return _build(hint, value)
    return value
