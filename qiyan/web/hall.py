"""Everything that one server serves: tables with their feeds, accounts, sessions, settings."""

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Any

from qiyan.game_so_far import fold
from qiyan.names import FollowedNames, clean_names, save_names
from qiyan.record_files import write_game
from qiyan.web.accounts import Accounts
from qiyan.web.children import Children
from qiyan.web.errors import NotFound
from qiyan.web.feed import Feed
from qiyan.web.possible import open_between
from qiyan.web.sessions import Sessions
from qiyan.web.settings import Settings
from qiyan.web.tables import HallSpec, TableSpec
from qiyan.web.throttle import Throttle
from qiyan.web.waiting import WaitingDecisions

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Table:
    """One table as it is served."""

    spec: TableSpec
    feed: Feed
    _followed: FollowedNames = field(init=False)
    _settings: dict[str, Any] | None = field(init=False, default=None)
    _names: dict[str, str] = field(init=False, default_factory=dict)
    _waiting: WaitingDecisions = field(init=False)
    _between: tuple[tuple[int, int], list[int]] = field(init=False, default=((-1, 0), []))

    def __post_init__(self) -> None:
        """Nothing is read yet."""
        self._followed = FollowedNames(self.spec.folder)
        self._waiting = WaitingDecisions(self.spec.folder)

    def names(self) -> dict[str, str]:
        """By PGN tag: what was set on the pages, else what the recorder was given, else what the files say. Read-only.

        Every reader asks at every entry, so that it is put together only where something changed.
        """
        if self._followed.look() or self._settings is not self.feed.settings:
            self._settings = self.feed.settings
            recorded = clean_names(self._settings.get("names", {}))
            self._names = {**self.spec.names, **recorded, **self._followed.names}
        return self._names

    def waiting(self) -> list[dict[str, Any]]:
        """Decisions that no recorder has taken yet, oldest first; for the arbiter only."""
        found = self._waiting.look()
        taken = self.feed.taken_last() if found else None
        return [decision for name, decision in found if name != taken]

    def between(self) -> list[int]:
        """Numbers of the incidents at which a point may be named for a piece that lies between points. Read-only.

        Every console asks all the time, so that it is looked for only where entries were added.
        """
        known = (self.feed.generation, len(self.feed.entries))
        if known != self._between[0]:
            self._between = (known, [incident["seq"] for incident in open_between(self.feed.entries)])
        return self._between[1]

    def set_names(self, names: dict[str, str]) -> None:
        """Keep names given on the pages, and show them; a running recorder writes them into its files."""
        save_names(self.spec.folder, names)
        if self.feed.entries and self.feed.entries[-1].get("event") == "ended":
            self._write_game()
        self.feed.wake()

    def _write_game(self) -> None:
        """Write the record's files, whose recorder has ended, with the names as they are now."""
        game = fold(self.feed.entries)
        game.headers |= self.names()
        write_game(self.spec.folder, game.game(), self.feed.settings.get("notation", "iccs"))


@dataclass(slots=True)
class Hall:
    """All tables, and who may look behind them."""

    spec: HallSpec
    tables: dict[str, Table]
    accounts: Accounts
    sessions: Sessions
    settings: Settings
    children: Children
    throttle: Throttle = field(default_factory=Throttle)
    closing: bool = False
    """The server is about to end: streams, which have no end of their own, end now."""
    _following: list[asyncio.Task[None]] = field(default_factory=list)

    @staticmethod
    def of(spec: HallSpec) -> "Hall":
        """Open everything; nothing runs yet."""
        tables = {table.name: Table(table, Feed(table.folder)) for table in spec.tables}
        settings = Settings(spec.state)
        if spec.delay_min is not None and not settings.delay_known:
            settings.set_delay(spec.delay_min * 60.0)
        return Hall(spec, tables, Accounts(spec.state), Sessions(spec.state), settings, Children())

    def table(self, name: str) -> Table:
        """The table of that name; NotFound where there is none."""
        found = self.tables.get(name)
        if found is None:
            raise NotFound("no_such_table", name[:80])
        return found

    def about(self, table: Table) -> dict[str, Any]:
        """What a public page knows of a table besides its game."""
        return {"table": table.spec.name, "names": table.names(), "delay_s": self.settings.delay_s}

    def trouble(self, table: Table) -> dict[str, str] | None:
        """What hinders a table's recording, as a message's code and its detail; None where nothing does."""
        fallen = self.children.trouble(table.spec.name)
        if fallen is not None:
            return {"code": "recorder_fell", "detail": fallen}
        return None if table.feed.trouble is None else {"code": "journal_trouble", "detail": table.feed.trouble}

    def set_delay(self, delay_s: float) -> None:
        """Set the public delay, and let every page follow it."""
        self.settings.set_delay(delay_s)
        for table in self.tables.values():
            table.feed.wake()

    def start(self) -> None:
        """Begin to follow every table, and to record those that are to be recorded."""
        for table in self.tables.values():
            table.feed.look()  # before the first request, which must not meet an empty table
        self._following = [asyncio.ensure_future(table.feed.follow()) for table in self.tables.values()]
        for table in self.tables.values():
            if table.spec.record and table.spec.source is not None:
                self.children.record(table.spec, table.names().get("TimeControl"))
        self._following.append(asyncio.ensure_future(self.children.watch()))

    def end_streams(self) -> None:
        """Let every page go; it comes back by itself."""
        self.closing = True
        for table in self.tables.values():
            table.feed.wake()

    async def stop(self) -> None:
        """End everything that was begun."""
        for task in self._following:
            task.cancel()
        await asyncio.gather(*self._following, return_exceptions=True)
        await asyncio.to_thread(self.children.stop_all)
