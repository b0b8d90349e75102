"""Scripted incidents and their harmless look-alikes through the real recorder: what is reported, and what is not.

Every happening is played in `--looks` looks at camera elevations of 45, 65 and 90 degrees in turn. An incident counts
as reported where one of its kind and side comes within half a second before it began and the end the truth names.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.accuracy.runs import Store, add_store_options, key_of, record_table, run_tasks

ELEVATIONS_DEG = (45.0, 65.0, 90.0)
EARLY_S = 0.6
"""A report so long before the truth's time is still right: truth and eye date a touch differently."""
LATE_S = 1.5
"""Reports come after what they report: the eye waits until the hand is gone."""
FPS = 10.0
"""No film has more frames a second: the eye is meant for 8 to 15, and every frame costs."""
SHOWN_PLIES = 1
AFTER_PLIES = 2
"""Each film begins in the middle of its game, a ply before the happening, and goes on for two."""
RECALL = 0.95
BREACH_PRECISION = 0.98
DOUBT_IN_SCENES = 30
"""One doubt in so many harmless scenes may be."""
TIME_S = 0.5
"""So near to the truth an incident has to name the time at which it happened."""


@dataclass(frozen=True, slots=True)
class Task:
    """One happening to record."""

    happening: str
    look: str
    seed: int
    elevation_deg: float
    given: bool
    wide_px: int
    """Width of the picture, px."""
    films: Path | None = None
    """Where films are kept; None: they are drawn anew."""

    @property
    def key(self) -> str:
        """What tells it from others."""
        return key_of(replace(self, films=None))


def run(argv: Sequence[str]) -> int:
    """Record the happenings and print the table per kind; 0 where the bars of the issue are met."""
    from qiyan.simulator.happenings import HARMLESS, INCIDENTS

    options = _options(argv)
    names = options.kinds.split(",") if options.kinds else [*INCIDENTS, *HARMLESS]
    tasks = [
        task_of(name, number, each, options) for number, name in enumerate(names) for each in range(options.per_kind)
    ]
    known = run_tasks(tasks, record_happening, _line, Store.of(options), options.jobs)
    return _report([known[task.key] for task in tasks], names)


def task_of(happening: str, number: int, each: int, options: argparse.Namespace) -> Task:
    """The scene `each` of the `number`-th kind: looks, angles and sizes take turns."""
    turn = number + each + options.seed - 1
    looks = options.looks.split(",")
    elevation = ELEVATIONS_DEG[turn % len(ELEVATIONS_DEG)]
    look = looks[(turn + turn // len(looks)) % len(looks)]
    wide_px = 1280 if turn % 4 == 3 else 960
    return Task(happening, look, options.seed + each, elevation, options.given, wide_px, options.films)


def play_happening(task: Task, folder: Path, evidence: bool = False) -> tuple[Any, list[dict[str, Any]]]:
    """Play one happening and record it into `folder`: the table, and what was recorded."""
    import cv2

    from qiyan.simulator.happenings import happening_script
    from qiyan.simulator.looks import named_look
    from qiyan.simulator.table import Table
    from tests.accuracy.kept_film import KeptFilm

    cv2.setNumThreads(1)
    look = named_look(task.look, task.seed)
    look = replace(
        look,
        view=replace(look.view, elevation_deg=task.elevation_deg),
        size_wh=(task.wide_px, task.wide_px * 9 // 16),
        fps=min(look.fps, FPS),
    )
    table = Table(look, happening_script(task.happening, task.seed, after=AFTER_PLIES, shown=SHOWN_PLIES))
    name = f"{task.happening}-{task.look}-{task.seed}-{task.elevation_deg:g}-{task.wide_px}.film"
    source = None if task.films is None else KeptFilm(table, task.films / name)
    return table, record_table(table, folder, task.given, source, evidence)


def record_happening(task: Task) -> dict[str, Any]:
    """Play and record one happening; what was reported, as data."""
    from qiyan.simulator.happenings import HARMLESS
    from tests.accuracy.games import compare

    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        table, entries = play_happening(task, Path(folder))
    truth: Any = table.truth()
    reports = [entry for entry in entries if entry["kind"] == "incident"]
    expected = [_found(wanted, reports) for wanted in truth["incidents"] if wanted["required"]]
    return {
        "key": task.key,
        "happening": task.happening,
        "harmless": task.happening in HARMLESS,
        "look": task.look,
        "seed": task.seed,
        "elevation": task.elevation_deg,
        "cpu_s": round(time.process_time() - began, 1),
        "expected": expected,
        "false": [_short(report) for report in reports if not _allowed(report, truth["incidents"])],
        "reports": [_short(report) for report in reports],
        **{name: value for name, value in compare(truth["moves"], entries).items() if name != "incidents"},
    }


def _found(wanted: dict[str, Any], reports: list[dict[str, Any]]) -> dict[str, Any]:
    """The expected incident with when and how it was reported first."""
    fitting = [report for report in reports if _fits(report, wanted)]
    first = fitting[0] if fitting else None
    return {
        "incident": wanted["incident"],
        "found": first is not None,
        "severity": first and first["severity"],
        "late_s": first and round(first["t"] - wanted["t"], 2),
        "off_s": first and round(_happened(first) - wanted["t"], 2),
        "points_right": first is not None and set(wanted["points"]) <= set(first["points"]),
        "clause": first and first["clause"],
    }


def _fits(report: dict[str, Any], wanted: dict[str, Any]) -> bool:
    if report["incident"] != wanted["incident"]:
        return False
    if wanted["side"] is not None and report["side"] not in (wanted["side"], None):
        return False
    begun = wanted["t"] - EARLY_S <= _happened(report) <= wanted["t_end"]
    return bool(begun and report["t"] <= wanted["t_end"] + LATE_S)


def _happened(report: dict[str, Any]) -> float:
    """When the incident says that it happened; where it does not, when it was told."""
    return float(report.get("t_happened") or report["t"])


def _allowed(report: dict[str, Any], incidents: list[dict[str, Any]]) -> bool:
    """Whether the truth knows of something that this report may be about."""
    return report["severity"] == "notice" or any(_fits(report, wanted) for wanted in incidents)


def _short(report: dict[str, Any]) -> list[Any]:
    return [report["incident"], report["severity"], report["side"], round(report["t"], 1), report["points"]]


def _line(outcome: dict[str, Any]) -> str:
    missed = [wanted["incident"] for wanted in outcome["expected"] if not wanted["found"]]
    return (
        f"{outcome['happening']:26} {outcome['look']:8} seed {outcome['seed']:3} {outcome['elevation']:3.0f} deg  "
        f"{'ok' if not missed and not outcome['false'] else ''}"
        f"{'missed ' + ', '.join(missed) if missed else ''} "
        f"{'false ' + str(outcome['false']) if outcome['false'] else ''}"
        f"{'' if outcome['exact'] else ' record not exact'}  {outcome['cpu_s']} s CPU"
    )


def _report(outcomes: list[dict[str, Any]], names: list[str]) -> int:
    """Print the table per kind and what the bars of the issue ask for; 0 where they are all met."""
    print(f"\n{'told':>56} {'named':>7} {'worst':>6}")
    print(
        f"{'happening':26} {'n':>3} {'found':>5} {'recall':>6} {'breach':>6} {'late':>6} {'in time':>7} {'off':>6} "
        f"{'false':>5} {'exact':>5}"
    )
    kinds_met = [_report_kind(name, [o for o in outcomes if o["happening"] == name]) for name in names]
    wanted = [w for o in outcomes for w in o["expected"]]
    found = [w for w in wanted if w["found"]]
    breaches = [r for o in outcomes for r in o["reports"] if r[1] == "breach"]
    wrong = [f for o in outcomes for f in o["false"] if f[1] == "breach"]
    harmless = [f for o in outcomes if o["harmless"] for f in o["false"]]
    precision = 1.0 - len(wrong) / max(1, len(breaches))
    doubts = sum(f[1] == "doubt" for f in harmless)
    in_time = sum(_in_time(w) for w in found)
    scenes = sum(o["harmless"] for o in outcomes)
    print(f"\nrecall {len(found) / max(1, len(wanted)):.3f} ({len(found)} of {len(wanted)})")
    print(f"precision of breaches {precision:.3f} ({len(wrong)} wrong of {len(breaches)})")
    print(f"named within {TIME_S} s of when it happened: {in_time} of {len(found)}")
    print(f"look-alikes: {sum(f[1] == 'breach' for f in harmless)} breaches, {doubts} doubts in {scenes} scenes")
    clean = not any(f[1] == "breach" for f in harmless) and doubts * DOUBT_IN_SCENES <= scenes
    return 0 if all(kinds_met) and precision >= BREACH_PRECISION and clean and in_time == len(found) else 1


def _report_kind(name: str, mine: list[dict[str, Any]]) -> bool:
    """Print one row of the table; whether its incidents are found as often as they should."""
    wanted = [w for o in mine for w in o["expected"]]
    found = [w for w in wanted if w["found"]]
    recall = len(found) / len(wanted) if wanted else 1.0
    late = sorted(w["late_s"] for w in found)
    off = sorted((w["off_s"] for w in found), key=abs)
    breaches, in_time = sum(w["severity"] == "breach" for w in found), sum(_in_time(w) for w in found)
    print(
        f"{name:26} {len(mine):3} {len(found):5} {recall:6.2f} {breaches:6} "
        f"{late[len(late) // 2] if late else 0.0:6.2f} {in_time:7} {off[-1] if off else 0.0:6.2f} "
        f"{sum(len(o['false']) for o in mine):5} {sum(o['exact'] for o in mine):5}"
    )
    return recall >= RECALL


def _in_time(wanted: dict[str, Any]) -> bool:
    return bool(abs(wanted["off_s"]) <= TIME_S)


def _options(argv: Sequence[str]) -> argparse.Namespace:
    from qiyan.simulator.looks import NAMES

    parser = argparse.ArgumentParser(prog="python -m tests.accuracy happenings", description=__doc__)
    parser.add_argument("--per-kind", type=int, default=9)
    parser.add_argument("--kinds", default="", help="happenings with commas between; all where empty")
    parser.add_argument("--looks", default=",".join(NAMES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--given", action="store_true", help="corners and start position are given, not found")
    parser.add_argument("--films", type=Path, help="keep the films in this folder, for work on the eye")
    add_store_options(parser, "happenings.jsonl")
    return parser.parse_args(argv)


if __name__ == "__main__":
    import sys

    sys.exit(run(sys.argv[1:]))
