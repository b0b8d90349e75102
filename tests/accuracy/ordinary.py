"""Hours of ordinary play through the real recorder: how often it raises a false alarm.

Real games in looks put together by chance, every other one with the troubles of an ordinary game (hovering, leaning,
light, resting hands, spectators, a bump). Players think for about half a minute a ply. While nothing moves, two
frames a second are drawn and seen; all else runs at the film's rate. No incident is acted out, so that every report
but one about the game itself (a repetition) is a false alarm.
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from qiyan.simulator.moment import is_quiet
from qiyan.simulator.script import Action, Play, Script
from qiyan.simulator.source import SimulatedSource
from qiyan.simulator.table import Table
from tests.accuracy.kept_film import KeptFilm
from tests.accuracy.runs import Store, add_store_options, key_of, record_table, run_tasks
from vision.frame import Frame
from vision.source import SourceItem

PLIES = 40
THINK_S = 25.0
"""Middle of the time a ply takes before the hand reaches out; single ones vary by a factor of two."""
THINK_SPREAD = 0.6
GAME_HOURS = 0.36
"""What a game comes to, about."""
FPS = 10.0
QUIET_S = 0.5
"""Frames in which nothing moves are seen so far apart: less than what makes them single pictures to the eye."""
OF_THE_GAME = ("repetition", "natural_limit")
"""Incidents that the moves themselves make."""


@dataclass(frozen=True, slots=True)
class Task:
    """One game to watch."""

    seed: int
    plies: int
    disturbed: bool
    wide_px: int
    films: Path | None = None
    """Where films are kept; None: they are drawn anew."""

    @property
    def key(self) -> str:
        """What tells it from others."""
        return key_of(replace(self, films=None))


class Accelerated(SimulatedSource):
    """A table whose thinking times cost little."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._shown = table

    def items(self) -> Iterator[SourceItem]:
        """Every frame while something moves, some of the others."""
        index, last_t = 0, -np.inf
        for number in range(self._shown.frame_count):
            t = number / self._shown.look.fps
            next_t = t + 1.0 / self._shown.look.fps
            if next_t - last_t <= QUIET_S + 1e-6 and is_quiet(self._shown.stage, t):
                continue
            last_t = t
            yield Frame(index, t, self._shown.frame(t))
            index += 1


def run(argv: Sequence[str]) -> int:
    """Watch the games and print the alarms; 0 where they are fewer than one an hour, none of them a breach."""
    options = _options(argv)
    games = max(1, round(options.hours / GAME_HOURS))
    seeds = range(options.seed, options.seed + games)
    tasks = [Task(seed, PLIES, n % 2 == 1, 1280 if n % 3 == 2 else 960, options.films) for n, seed in enumerate(seeds)]
    known = run_tasks(tasks, watch_game, _line, Store.of(options), options.jobs)
    return _report([known[task.key] for task in tasks])


def film_of(task: Task, table: Table) -> SimulatedSource:
    """The frames of a game, from its film where one is kept."""
    source = Accelerated(table)
    if task.films is None:
        return source
    return KeptFilm(table, task.films / f"ordinary-{task.seed}-{task.disturbed:d}-{task.wide_px}.film", source)


def table_of(task: Task) -> Table:
    """The table at which a game is played."""
    from qiyan.simulator.disturb import disturbed
    from qiyan.simulator.games import play_script
    from qiyan.simulator.looks import looks
    from tests.accuracy.games import moves_of_game

    script = thoughtful(play_script(moves_of_game(task.seed, task.plies), task.seed, "natural", base_s=7200.0))
    if task.disturbed:
        script = disturbed(script, every=8)
    look = looks(1000 + task.seed)
    look = replace(look, size_wh=(task.wide_px, task.wide_px * 9 // 16), fps=min(look.fps, FPS))
    return Table(look, script)


def watch_game(task: Task) -> dict[str, Any]:
    """Play and record one game; what was reported, as data."""
    import cv2

    from tests.accuracy.games import compare

    cv2.setNumThreads(1)
    table = table_of(task)
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        entries = record_table(table, Path(folder), False, source=film_of(task, table))
    alarms = [
        [entry["incident"], entry["severity"], entry["side"], round(entry["t"], 1), entry["points"]]
        for entry in entries
        if entry["kind"] == "incident" and entry["incident"] not in OF_THE_GAME
    ]
    truth: Any = table.truth()
    return {
        "key": task.key,
        "seed": task.seed,
        "disturbed": task.disturbed,
        "elevation": round(table.look.view.elevation_deg),
        "hours": table.length_s / 3600.0,
        "cpu_s": round(time.process_time() - began, 1),
        "alarms": alarms,
        **{name: value for name, value in compare(truth["moves"], entries).items() if name != "incidents"},
    }


def thoughtful(script: Script) -> Script:
    """The script with real thinking times."""
    rng = np.random.default_rng((script.seed, 37))
    actions: list[Action] = []
    for action in script.actions:
        if isinstance(action, Play):
            think_s = THINK_S * float(rng.lognormal(0.0, THINK_SPREAD))
            action = replace(action, pace=replace(action.pace, think_s=think_s))
        actions.append(action)
    return replace(script, actions=tuple(actions))


def _line(outcome: dict[str, Any]) -> str:
    return (
        f"seed {outcome['seed']:4} {'disturbed' if outcome['disturbed'] else 'plain':9} {outcome['elevation']:3} deg "
        f"{outcome['hours']:.2f} h, {outcome['right']}/{outcome['played']} plies right, "
        f"{len(outcome['alarms'])} alarms {outcome['alarms'] or ''} {outcome['cpu_s']} s CPU"
    )


def _report(outcomes: list[dict[str, Any]]) -> int:
    hours = sum(outcome["hours"] for outcome in outcomes)
    alarms = [alarm for outcome in outcomes for alarm in outcome["alarms"]]
    severities = Counter(str(alarm[1]) for alarm in alarms)
    print(f"\n{'incident':22} {'breach':>6} {'doubt':>6} {'notice':>6}")
    for name in sorted({str(alarm[0]) for alarm in alarms}):
        of = Counter(str(alarm[1]) for alarm in alarms if alarm[0] == name)
        print(f"{name:22} {of['breach']:6} {of['doubt']:6} {of['notice']:6}")
    right, played = (sum(outcome[name] for outcome in outcomes) for name in ("right", "played"))
    print(
        f"\n{hours:.2f} hours, {len(alarms)} false alarms ({len(alarms) / max(hours, 1e-9):.2f} an hour), "
        f"of them {severities['breach']} breaches, {severities['doubt']} doubts, {severities['notice']} notices; "
        f"{right} of {played} plies right; {sum(outcome['cpu_s'] for outcome in outcomes):.0f} s CPU"
    )
    return 0 if len(alarms) < max(hours, 1.0) and not severities["breach"] else 1


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.accuracy ordinary", description=__doc__)
    parser.add_argument("--hours", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--films", type=Path, help="keep the films here, and take those that are kept")
    add_store_options(parser, "ordinary.jsonl")
    return parser.parse_args(argv)
