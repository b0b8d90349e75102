"""The table's TOML file as recording options: camera, grid, clock, rules, names."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calibration.store import load_table
from qiyan.errors import ConfigError

_KEYS: dict[str, dict[str, tuple[str, type]]] = {
    "camera": {"source": ("source", str), "fps": ("fps", float)},
    "clock": {
        "source": ("clock", str),
        "protocol": ("clock_protocol", str),
        "red": ("clock_red", str),
        "pattern": ("clock_pattern", str),
        "unit": ("clock_unit", str),
    },
    "rules": {"edition": ("edition", str), "control": ("control", str)},
    "record": {"notation": ("notation", str), "start": ("start", str), "evidence_gb": ("evidence_gb", float)},
}
"""Section and key -> the option it sets, and its type."""
HEADERS = {
    "event": "Event",
    "site": "Site",
    "date": "Date",
    "round": "Round",
    "red": "Red",
    "black": "Black",
    "red_team": "RedTeam",
    "black_team": "BlackTeam",
}
"""Keys of the section [game] -> the tags of the record."""
_CHOICES = {"clock_red": ("left", "right"), "clock_unit": ("clock", "s", "ms"), "notation": ("iccs", "wxf", "chinese")}


_SECTIONS = (*_KEYS, "game", "grid", "set", "pages")
_LEAST_FPS, _MOST_FPS = 0.01, 1000.0


def read_settings(path: Path) -> tuple[dict[str, Any], dict[str, str], Mapping[str, Any]]:
    """(options, record headers, values of a custom edition) that the file sets; ConfigError names file and key."""
    check_is_there(path)
    table = load_table(path)
    unknown = sorted(set(table) - set(_SECTIONS))
    if unknown:
        raise ConfigError(f"{path}: no section or key {unknown[0]!r} is known; there are: {', '.join(_SECTIONS)}")
    options: dict[str, Any] = {}
    for section, keys in _KEYS.items():
        for key, value in _section(path, table, section).items():
            if key not in keys:
                if section == "rules":
                    continue  # a value of the edition itself
                raise ConfigError(f"{path}: [{section}] has no key {key!r}; there are: {', '.join(keys)}")
            option, kind = keys[key]
            options[option] = _checked(path, section, key, value, option, kind)
    headers = {}
    for key, value in _section(path, table, "game").items():
        if key not in HEADERS:
            raise ConfigError(f"{path}: [game] has no key {key!r}; there are: {', '.join(HEADERS)}")
        if isinstance(value, dict | list):
            raise ConfigError(f"{path}: [game] {key} must be text: {value!r}")
        headers[HEADERS[key]] = str(value)
    custom = {k: v for k, v in _section(path, table, "rules").items() if k not in _KEYS["rules"]}
    return options, headers, custom


def check_is_there(path: Path) -> None:
    """ConfigError, which says how the file is made, where there is none."""
    if path.is_dir():
        raise ConfigError(f"a folder, not a table's file; name the file in it: {path}")
    if not path.exists():
        raise ConfigError(f"no such table's file; qiyan calibrate --source ... --table {path} makes it: {path}")


def _section(path: Path, table: Mapping[str, Any], name: str) -> dict[str, Any]:
    section = table.get(name, {})
    if not isinstance(section, dict):
        raise ConfigError(f"{path}: [{name}] must be a section of keys: {section!r}")
    return section


def _checked(path: Path, section: str, key: str, value: Any, option: str, kind: type) -> Any:
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if kind is str and key == "source" and isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    choices = _CHOICES.get(option)
    if not isinstance(value, kind) or (choices and value not in choices):
        wanted = " or ".join(choices) if choices else {str: "text", float: "a number"}[kind]
        raise ConfigError(f"{path}: [{section}] {key} must be {wanted}: {value!r}")
    if isinstance(value, float) and not _LEAST_FPS <= value <= _MOST_FPS:
        raise ConfigError(f"{path}: [{section}] {key} must be from {_LEAST_FPS:g} to {_MOST_FPS:g}: {value!r}")
    return value
