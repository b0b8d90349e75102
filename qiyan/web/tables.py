"""Which tables are served: from the folder of a recording, or from a TOML file of one table or many."""

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from qiyan.errors import ConfigError
from qiyan.journal import FILE_NAME as JOURNAL_NAME
from qiyan.names import clean_names
from qiyan.table_file import HEADERS, read_settings
from qiyan.web.pairings import read_pairings

_OPTIONS = ("source", "clock", "clock_protocol", "clock_red", "edition", "control")
_KEYS = ("name", "out", "file", "record", *_OPTIONS)
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class TableSpec:
    """One table as it was set up."""

    name: str
    """As in the pages' addresses."""
    folder: Path
    """Where its recording is, or will be."""
    source: str | None = None
    """Its camera; None: somebody else records it."""
    clock: str | None = None
    clock_protocol: str | None = None
    clock_red: str | None = None
    edition: str | None = None
    control: str | None = None
    file: Path | None = None
    """The table's own file, where the grid is kept."""
    record: bool = False
    """Whether recording starts with the pages."""
    names: dict[str, str] = field(default_factory=dict)
    """By PGN tag."""


@dataclass(frozen=True, slots=True)
class HallSpec:
    """Everything that is served together."""

    tables: tuple[TableSpec, ...]
    state: Path
    """Folder of accounts and settings."""
    delay_min: float | None = None
    """The public delay that the file asks for."""


def from_folder(folder: Path) -> HallSpec:
    """A recording's folder, or a folder of such folders; a folder that does not exist yet is taken for the first."""
    names = [folder] if (folder / JOURNAL_NAME).is_file() else []
    if not names and folder.is_dir():
        names = sorted(path.parent for path in folder.glob(f"*/{JOURNAL_NAME}"))
    tables = tuple(TableSpec(path.resolve().name or "table", path) for path in names or [folder])
    return HallSpec(tables, folder / "pages")


def from_file(path: Path) -> HallSpec:
    """A TOML file: `[[table]]` for each of many tables, or the file of one table as `qiyan calibrate` writes it."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not a TOML file: {error}") from error
    pages = _section(path, data, "pages")
    base = path.parent
    entries = data.get("table", {})
    if isinstance(entries, list):
        tables = tuple(_of_list(path, base, entry) for entry in entries)
    else:
        tables = (_of_one(path, data),)
    if not tables:
        raise ConfigError(f"{path}: no [[table]] in this file")
    twice = {table.name for table in tables if sum(other.name == table.name for other in tables) > 1}
    if twice:
        raise ConfigError(f"{path}: two tables of the same name: {', '.join(sorted(twice))}")
    if pages.get("pairings"):
        tables = _paired(tables, read_pairings(base / str(pages["pairings"])))
    delay = pages.get("delay_min")
    if delay is not None and (isinstance(delay, bool) or not isinstance(delay, int | float) or not 0 <= delay <= 60):
        raise ConfigError(f"{path}: [pages] delay_min must be from 0 to 60: {delay!r}")
    return HallSpec(tables, base / str(pages.get("state", "pages")), delay)


def _of_list(path: Path, base: Path, entry: Any) -> TableSpec:
    """One of many; what its own file says is taken over unless said otherwise here."""
    if not isinstance(entry, dict) or "name" not in entry:
        raise ConfigError(f"{path}: each [[table]] needs a name: {entry!r}")
    unknown = set(entry) - {*_KEYS, *HEADERS}
    if unknown:
        raise ConfigError(f"{path}: [[table]] has no key {', '.join(map(repr, sorted(unknown)))}")
    name = _name(path, str(entry["name"]))
    own = base / str(entry["file"]) if "file" in entry else None
    options, headers = _settings(own)
    options |= {key: str(entry[key]) for key in _OPTIONS if key in entry}
    headers = {**headers, **{tag: str(entry[key]) for key, tag in HEADERS.items() if key in entry}}
    folder = base / str(entry.get("out", f"table-{name}"))
    return _spec(name, folder, own, bool(entry.get("record", False)), options, headers)


def _of_one(path: Path, data: dict[str, Any]) -> TableSpec:
    table = _section(path, data, "table")
    name = _name(path, str(table.get("name", path.stem)))
    options, headers = _settings(path)
    folder = path.parent / str(table.get("out", f"table-{name}"))
    return _spec(name, folder, path, bool(table.get("record", False)), options, headers)


def _settings(file: Path | None) -> tuple[dict[str, Any], dict[str, str]]:
    """What the table's own file says; nothing where there is none yet."""
    if file is None or not file.exists():
        return {}, {}
    options, headers, _ = read_settings(file)
    return options, headers


def _spec(
    name: str, folder: Path, file: Path | None, record: bool, options: dict[str, Any], headers: dict[str, str]
) -> TableSpec:
    known = {key: options.get(key) for key in _OPTIONS}
    return TableSpec(name=name, folder=folder, file=file, record=record, names=clean_names(headers), **known)


def _paired(tables: tuple[TableSpec, ...], pairings: dict[str, dict[str, str]]) -> tuple[TableSpec, ...]:
    return tuple(replace(table, names={**table.names, **pairings.get(table.name, {})}) for table in tables)


def _name(path: Path, name: str) -> str:
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or "/" in name or not name.isprintable() or name in (".", ".."):
        raise ConfigError(
            f"{path}: a table's name must be of 1 to {LONGEST_NAME} printable signs without a slash: {name!r}"
        )
    return name


def _section(path: Path, data: dict[str, Any], name: str) -> dict[str, Any]:
    section = data.get(name, {})
    if not isinstance(section, dict):
        raise ConfigError(f"{path}: [{name}] must be a section of keys: {section!r}")
    return section
