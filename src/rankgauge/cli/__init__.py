"""The command line. Data goes to stdout, messages to stderr; nothing is written that was not asked for."""

from __future__ import annotations

import locale
import os
import sys
from importlib import import_module

import click

from rankgauge import __version__
from rankgauge.render.language import Lang

COMMANDS = {"demo": "demo", "trec_eval": "trec_eval"}
"""Each command and the module of this folder that holds it as ``command``; loaded when it is called."""


class Commands(click.Group):
    """Commands that are loaded when they are called, so that start-up stays short."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """All commands, in the order of the table."""
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of a name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"rankgauge.cli.{COMMANDS[cmd_name]}").command
        return command


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rankgauge")
def commands() -> None:
    """Evaluate ranked lists, and see how every number comes about."""


def spoken(lang: str) -> Lang:
    """The language asked for, or that of the environment."""
    if lang == "auto":
        named = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG")
        lang = "zh" if (named or locale.getlocale()[0] or "").lower().startswith(("zh", "chinese")) else "en"
    return "zh" if lang == "zh" else "en"


def main() -> None:
    """Run the command line; characters that the console lacks are replaced, never a crash."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    commands(prog_name="rankgauge")
