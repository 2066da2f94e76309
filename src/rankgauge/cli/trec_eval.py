"""``rankgauge trec_eval``: trec_eval's arguments and output, so that a script only changes the name it calls."""

from __future__ import annotations

import sys

import click

from rankgauge.cli.command import Localized
from rankgauge.cli.summaries import COMMANDS


class RawArguments(Localized):
    """A command that parses its arguments itself: ``-qcM100`` and ``-mndcg.1=3,2=9`` are not click's syntax."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep all arguments unchanged."""
        ctx.args = args
        return []


@click.command(name="trec_eval", cls=RawArguments, add_help_option=False, help=COMMANDS["trec_eval"].sentence)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Evaluate a run as trec_eval does."""
    from rankgauge.trec_eval.command import run, versions
    from rankgauge.trec_eval.options import ExitError, parse_options

    try:
        if parse_options(ctx.args).wants_version:
            sys.stderr.write(f"{versions()}\n")
            return
        sys.stdout.writelines(run(ctx.args))
        sys.stdout.flush()  # a closed pipe is noticed here, where it is handled
    except ExitError as reason:
        sys.stderr.write(f"rankgauge trec_eval: {reason}\n")
        ctx.exit(reason.status)
