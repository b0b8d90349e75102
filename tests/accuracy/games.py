"""Simulated games through the real recorder: how many plies are recorded right, by look.

`run(argv)` records `--games` games in `--jobs` processes. Every game's outcome goes to the store as one line, and
games found there are not played again, so that a run can be broken off and taken up.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from tests.accuracy.runs import Store, add_store_options, key_of, record_table, run_tasks
from tests.shared_data import DATA

PACES = ("natural", "quick")


@dataclass(frozen=True, slots=True)
class Task:
    """One game to record."""

    look: str
    """A name of qiyan.simulator.looks, or `random`."""
    seed: int
    plies: int
    disturbed: bool
    given: bool
    """Whether corners and start position are given, not found."""

    @property
    def key(self) -> str:
        """What tells this game from others."""
        return key_of(self)


def run(argv: Sequence[str]) -> int:
    """Record the games and print the table; 0 where every plain ply was right and 98 % of the disturbed ones."""
    options = _options(argv)
    looks = options.looks.split(",")
    tasks = [
        Task(looks[n % len(looks)], options.seed + n, options.plies, _is_disturbed(n, options), options.given)
        for n in range(options.games)
    ]
    known = run_tasks(tasks, record_game, _line, Store.of(options), options.jobs)
    return _report([known[task.key] for task in tasks])


def record_game(task: Task) -> dict[str, Any]:
    """Play and record one game; what came of it, as data."""
    import cv2

    from qiyan.simulator.disturb import disturbed
    from qiyan.simulator.games import play_script
    from qiyan.simulator.looks import looks, named_look
    from qiyan.simulator.table import Table

    cv2.setNumThreads(1)
    look = looks(task.seed) if task.look == "random" else named_look(task.look, task.seed)
    script = play_script(moves_of_game(task.seed, task.plies), task.seed, PACES[task.seed % len(PACES)])
    if task.disturbed:
        script = disturbed(script)
    table = Table(look, script)
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        entries = record_table(table, Path(folder), task.given)
    truth = table.truth()
    return {
        "key": task.key,
        "look": look.name,
        "seed": task.seed,
        "disturbed": task.disturbed,
        "elevation": look.view.elevation_deg,
        "red_side": truth["scene"]["red_side"],  # type: ignore[index]
        "frames": table.frame_count,
        "cpu_s": round(time.process_time() - began, 1),
        **compare(truth["moves"], entries),  # type: ignore[arg-type]
    }


def compare(moves: Iterable[dict[str, Any]], entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The record beside the truth."""
    from qiyan.game_so_far import fold

    played = [str(move["iccs"]) for move in moves]
    recorded = [str(move["iccs"]) for move in fold(entries).moves]
    blocks = SequenceMatcher(None, played, recorded, autojunk=False).get_matching_blocks()
    right = sum(block.size for block in blocks)
    warned = [
        float(entry["t"])
        for entry in entries
        if entry["kind"] == "incident" and entry["incident"] in ("record_doubt", "board_differs")
    ]
    first_wrong = next((n for n, (a, b) in enumerate(zip(played, recorded, strict=False)) if a != b), None)
    silent = False
    if first_wrong is not None:
        t = float(fold(entries).moves[first_wrong]["t"])
        silent = not any(w <= t + 1e-6 for w in warned)
    incidents = [
        (entry["incident"], entry["severity"], round(float(entry["t"]), 1))
        for entry in entries
        if entry["kind"] == "incident"
    ]
    return {
        "found": any(entry["kind"] == "board_found" for entry in entries),
        "played": len(played),
        "recorded": len(recorded),
        "right": right,
        "exact": played == recorded,
        "first_wrong": first_wrong
        if first_wrong is not None
        else (len(recorded) if len(recorded) < len(played) else None),
        "silent": silent,
        "doubts": len(warned),
        "incidents": incidents,
    }


def moves_of_game(seed: int, plies: int) -> list[str]:
    """Moves of a real game where the shared material is there, else of legal play by chance."""
    from qiyan.simulator.random_play import random_moves
    from rules.fen import START_FEN

    path = DATA / "rules" / "games.jsonl"
    if not path.is_file():
        return random_moves(seed, plies)
    games = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    long_ones = [g for g in games if g["start_fen"] == START_FEN and len(g["iccs"]) >= plies]
    if not long_ones:
        return random_moves(seed, plies)
    moves: list[str] = long_ones[(seed * 37) % len(long_ones)]["iccs"]
    return moves[:plies]


def _is_disturbed(number: int, options: argparse.Namespace) -> bool:
    return bool(options.disturbed == "all" or (options.disturbed == "half" and number % 2))


def _read(store: Path, code: str | None) -> dict[str, dict[str, Any]]:
    """Known outcomes by key: those of this code, or of any where `code` is None."""
    if not store.is_file():
        return {}
    outcomes = map(json.loads, store.read_text(encoding="utf-8").splitlines())
    return {outcome["key"]: outcome for outcome in outcomes if code in (None, outcome["code"])}


def _line(outcome: dict[str, Any]) -> str:
    kind = "disturbed" if outcome["disturbed"] else "plain"
    return (
        f"{outcome['look']:12} seed {outcome['seed']:4} {kind:9} {outcome['right']}/{outcome['played']} right, "
        f"{outcome['recorded']} recorded, {outcome['doubts']} doubts"
        f"{'' if outcome['exact'] else ', first wrong at ply ' + str((outcome['first_wrong'] or 0) + 1)}"
        f"{', SILENT' if outcome['silent'] else ''}  {outcome['cpu_s']} s CPU for {outcome['frames']} frames"
    )


def _report(outcomes: list[dict[str, Any]]) -> int:
    print(f"\n{'look':12} {'games':>5} {'exact':>5} {'plies':>6} {'right':>6} {'%':>7} {'doubts':>6} {'silent':>6}")
    groups = [(kind, name) for kind in (False, True) for name in sorted({o["look"] for o in outcomes})]
    share = {False: 1.0, True: 1.0}
    for kind in (False, True):
        for name in [n for k, n in groups if k == kind]:
            _row(name, [o for o in outcomes if o["look"] == name and o["disturbed"] == kind])
        every = [o for o in outcomes if o["disturbed"] == kind]
        if every:
            _row("DISTURBED" if kind else "PLAIN", every)
            share[kind] = sum(o["right"] for o in every) / max(1, sum(o["played"] for o in every))
    failures = [o for o in outcomes if not o["exact"]]
    print(f"\n{len(failures)} games not exact")
    for outcome in failures:
        print("  " + _line(outcome) + f"  incidents {outcome['incidents'][:4]}")
    silent = any(o["silent"] for o in outcomes)
    return 0 if share[False] == 1.0 and share[True] >= 0.98 and not silent else 1


def _row(name: str, outcomes: list[dict[str, Any]]) -> None:
    if not outcomes:
        return
    played, right = sum(o["played"] for o in outcomes), sum(o["right"] for o in outcomes)
    print(
        f"{name:12} {len(outcomes):5} {sum(o['exact'] for o in outcomes):5} {played:6} {right:6} "
        f"{100.0 * right / max(1, played):7.2f} {sum(o['doubts'] for o in outcomes):6} "
        f"{sum(o['silent'] for o in outcomes):6}"
    )


def _options(argv: Sequence[str]) -> argparse.Namespace:
    from qiyan.simulator.looks import NAMES

    parser = argparse.ArgumentParser(prog="python -m tests.accuracy games", description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--plies", type=int, default=30)
    parser.add_argument("--looks", default=",".join(NAMES), help="names with commas between, or random")
    parser.add_argument("--disturbed", choices=("none", "half", "all"), default="half")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--given", action="store_true", help="corners and start position are given, not found")
    add_store_options(parser, "games.jsonl")
    return parser.parse_args(argv)


if __name__ == "__main__":
    import sys

    sys.exit(run(sys.argv[1:]))
