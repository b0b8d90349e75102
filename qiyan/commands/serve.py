"""`qiyan serve`: the live pages over running or finished recordings."""

from pathlib import Path

import click

from qiyan import log
from qiyan.commands.failure import telling_failures


@click.command("serve")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--table", "table_file", type=click.Path(path_type=Path, exists=True), help="TOML of one table or many.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for the network.")
@click.option("--port", type=click.IntRange(0, 65535), default=8640, show_default=True, help="0: any free one.")
@click.option("--delay", "delay_min", type=click.FloatRange(0, 60), help="Public delay in minutes; kept until changed.")
@click.option("--invite", is_flag=True, help="Print an address at which one more account can be opened.")
@click.option("-v", "--verbose", count=True, help="Log changes of state; twice: everything.")
@telling_failures
def command(
    folder: Path | None,
    table_file: Path | None,
    host: str,
    port: int,
    delay_min: float | None,
    invite: bool,
    verbose: int,
) -> None:
    """Serve overlay, arbiter's console and set-up for the recording in FOLDER, or for the tables of a file."""
    log.set_up(verbose)
    if (folder is None) == (table_file is None):
        raise click.UsageError("give either a recording's folder or --table FILE")
    from qiyan.web.server import serve
    from qiyan.web.tables import from_file, from_folder

    spec = from_folder(folder) if folder is not None else from_file(table_file or Path())

    def tell(line: str) -> None:
        click.echo(line)

    serve(spec, host, port, delay_min, invite, tell)
