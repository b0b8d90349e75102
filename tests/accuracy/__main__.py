"""Prints the accuracy tables: `python -m tests.accuracy [NAME [OPTIONS...]]`; without a name all of them."""

import importlib
import sys

TABLES = (
    "corners", "photos", "centres", "videos", "games", "happenings", "ordinary", "delays", "recovery", "clips",
)  # fmt: skip


def main(argv: list[str]) -> int:
    """Run one table with its options, or all with none."""
    if argv and argv[0] not in TABLES:
        print(f"expected one of {', '.join(TABLES)}: {argv[0]!r}", file=sys.stderr)
        return 2
    status = 0
    for name in argv[:1] or TABLES:
        print(f"\n## {name}", flush=True)
        status = importlib.import_module(f"tests.accuracy.{name}").run(argv[1:]) or status
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
