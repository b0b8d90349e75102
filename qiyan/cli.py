"""The command line: `qiyan COMMAND ...`; each command lives in its own file and is loaded when called."""

import importlib
import importlib.util
import sys

import click

COMMANDS = (
    "calibrate",
    "clock",
    "demo",
    "export",
    "judge",
    "notation",
    "perft",
    "read",
    "record",
    "rules",
    "serve",
    "touch",
    "verify",
)


class _LazyGroup(click.Group):
    """Loads `qiyan.commands.NAME` only when NAME is asked for, so that no command pays for another's imports."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in COMMANDS if importlib.util.find_spec(f"qiyan.commands.{name}")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command = importlib.import_module(f"qiyan.commands.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="qiyan")
def cli() -> None:
    """棋眼 qiyan, the board's eye: records xiangqi games from a camera over a physical board."""


def main() -> None:
    """Entry point of the `qiyan` command."""
    # Notation is Chinese: a terminal or pipe with another encoding must not make the record fail.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    cli()


if __name__ == "__main__":
    main()
