"""The command line. Data goes to stdout, messages to stderr; nothing is written that was not asked for."""

from __future__ import annotations

import locale
import os
import sys

import click

from rankgauge import __version__
from rankgauge.render.language import Lang


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rankgauge")
def commands() -> None:
    """Evaluate ranked lists, and see how every number comes about."""


@commands.command()
@click.option("--lang", type=click.Choice(["auto", "en", "zh"]), default="auto", help="The language to speak.")
def demo(lang: str) -> None:
    """Evaluate and explain a small built-in example."""
    from rankgauge.cli.demo import demonstration

    # Not click.echo: it writes UTF-8 to consoles that said they are ASCII.
    sys.stdout.write(demonstration(spoken(lang)) + "\n")


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
