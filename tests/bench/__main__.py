"""`make bench`: speed and memory, as ratios measured in one run; `python -m tests.bench --minutes 5` is sooner done."""

import argparse

from rich.console import Console
from rich.table import Table

from tests.bench import frames, perft


def main() -> None:
    """Print every part's figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="of video, after which a table's memory is told")
    minutes = parser.parse_args().minutes
    console = Console()
    for title, rows in (("Video: ms per frame, by stage", frames.rows(minutes)), ("Rules: perft", perft.rows())):
        table = Table(title=title, show_header=False, title_justify="left")
        for row in rows:
            table.add_row(*row)
        console.print(table)


if __name__ == "__main__":
    main()
