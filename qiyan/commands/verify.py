"""`qiyan verify`: checks a recording's journal."""

from pathlib import Path

import click

from qiyan.commands.failure import telling_failures


@click.command("verify")
@click.argument("folder", type=click.Path(path_type=Path))
@telling_failures
def command(folder: Path) -> None:
    """Check the journal in FOLDER: gaps, hashes, evidence files. Names the first bad entry; exit status 1 if any."""
    from qiyan.errors import JournalError
    from qiyan.evidence_fate import Fate
    from qiyan.journal import FILE_NAME, absent_evidence, read_entries, verify

    try:
        wrong = verify(folder)
    except JournalError as error:
        if not (folder / FILE_NAME).is_file():
            raise
        wrong = str(error)
    if wrong is not None:
        click.echo(f"{folder}: {wrong}")
        raise SystemExit(1)
    click.echo(f"{folder}: {len(read_entries(folder))} entries, all whole")
    said = {
        Fate.AWAITED: "was not written yet; if the recording broke off, it is cut from a film when that goes on",
        Fate.REMOVED: "was removed to save space",
        Fate.LOST: "is lost: there were no pictures of it any more, or it could not be written",
    }
    for seq, path, fate in absent_evidence(folder):
        click.echo(f"note: entry {seq}: {path} {said[fate]}")
