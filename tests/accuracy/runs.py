"""Many simulated recordings in a process pool, with a store that lets a run be broken off and taken up."""

import argparse
import hashlib
import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from tests.shared_data import ROOT

Outcome = dict[str, Any]
FOLDER = ROOT / "build" / "accuracy"


class HasKey(Protocol):
    """A task with a name of its own."""

    @property
    def key(self) -> str: ...


Task = TypeVar("Task", bound=HasKey)


@dataclass(frozen=True, slots=True)
class Store:
    """Where outcomes are kept, one line of JSON each."""

    path: Path
    fresh: bool
    """Whether known outcomes are not used."""
    any_code: bool
    """Whether outcomes of other versions of the code are used as well."""

    @staticmethod
    def of(options: argparse.Namespace) -> "Store":
        """As the command line says."""
        return Store(options.store, options.fresh, options.any_code)

    def read(self, code: str) -> dict[str, Outcome]:
        """Known outcomes by key."""
        if self.fresh or not self.path.is_file():
            return {}
        outcomes = map(json.loads, self.path.read_text(encoding="utf-8").splitlines())
        return {outcome["key"]: outcome for outcome in outcomes if self.any_code or outcome["code"] == code}


def add_store_options(parser: argparse.ArgumentParser, name: str) -> None:
    """The options of every such run."""
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--fresh", action="store_true", help="do known ones again")
    parser.add_argument("--any-code", action="store_true", help="count those recorded by other versions of the code")
    parser.add_argument("--store", type=Path, default=FOLDER / name)


def key_of(task: Any) -> str:
    """A dataclass as a key."""
    return json.dumps(asdict(task), sort_keys=True)


def run_tasks(
    tasks: Sequence[Task],
    work: Callable[[Task], Outcome],
    line: Callable[[Outcome], str],
    store: Store,
    jobs: int,
) -> dict[str, Outcome]:
    """Do the tasks that are not in the store; outcomes of all by key. Each is printed as it comes."""
    code = code_digest()
    known = store.read(code)
    store.path.parent.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with ProcessPoolExecutor(jobs) as pool, store.path.open("a", encoding="utf-8") as out:
        for done in as_completed([pool.submit(work, task) for task in tasks if task.key not in known]):
            outcome = done.result() | {"code": code}
            known[outcome["key"]] = outcome
            out.write(json.dumps(outcome, ensure_ascii=False) + "\n")
            out.flush()
            print(line(outcome), flush=True)
    return known


def code_digest() -> str:
    """Changes with every change of the code or the models that a recording depends on."""
    digest = hashlib.sha256()
    for package in ("rules", "calibration", "models", "vision", "clock_bridge", "qiyan"):
        for path in sorted((ROOT / package).rglob("*")):
            if path.suffix in (".py", ".onnx") and "training" not in path.parts:
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def record_table(table: Any, folder: Path, given: bool, source: Any = None, evidence: bool = False) -> list[Outcome]:
    """The entries of events.jsonl that the recorder makes of a simulated table.

    source   : another way to see it
    evidence : whether stills and clips are cut as well, into `folder`
    """
    from clock_bridge.feed import open_clock
    from models.network import load_nets
    from qiyan.evidence import Evidence
    from qiyan.eye import PipelineEye
    from qiyan.journal import Journal, read_entries
    from qiyan.recorder import Recorder
    from qiyan.simulator.film import write_clock
    from qiyan.simulator.source import SimulatedSource
    from qiyan.simulator.true_grid import true_grid
    from rules.fen import START_FEN, parse_fen
    from rules.profile import DEFAULT_EDITION, find_profile
    from vision import pipeline

    write_clock(table, folder / "trace.jsonl")
    clock = open_clock(str(folder / "trace.jsonl"))
    fen = table.script.start_fen
    start = parse_fen(fen) if given or fen != START_FEN else None
    grid = true_grid(table.look, table.camera) if given else None
    eye = PipelineEye(pipeline.Setup(nets=load_nets(), grid=grid, start=start))
    journal = Journal(folder)
    profile, kept = find_profile(DEFAULT_EDITION), Evidence(folder, journal) if evidence else None
    recorder = Recorder(
        source or SimulatedSource(table), eye, clock, journal, folder, profile, start, {}, evidence=kept
    )
    try:
        recorder.run()
    finally:
        journal.close()
    return list(read_entries(folder))
