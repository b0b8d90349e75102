"""`make bench`: speed and memory, as ratios measured in one run."""

from rich.console import Console
from rich.table import Table

from tests.bench import frames, perft


def main() -> None:
    """Print every part's figures."""
    console = Console()
    for title, rows in (("Video: ms per frame, by stage", frames.rows()), ("Rules: perft", perft.rows())):
        table = Table(title=title, show_header=False, title_justify="left")
        for row in rows:
            table.add_row(*row)
        console.print(table)


if __name__ == "__main__":
    main()
