"""trec_eval, so that a script can switch to this project by changing the name that it calls."""

from __future__ import annotations

import sys

import click


class Untouched(click.Command):
    """A command whose arguments are its own affair: ``-qcM100`` and ``-mndcg.1=3,2=9`` are not click's syntax."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep all arguments as they are."""
        ctx.args = args
        return []


@click.command(
    name="trec_eval",
    cls=Untouched,
    add_help_option=False,
    short_help="Evaluate a run with the arguments and the output of trec_eval 9 or 10.",
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Evaluate a run with the arguments and the output of trec_eval 9 or 10 (-h for help)."""
    from rankgauge.trec_eval.command import run
    from rankgauge.trec_eval.exit_status import ExitError
    from rankgauge.trec_eval.help_text import versions
    from rankgauge.trec_eval.options import parse_options

    try:
        if parse_options(ctx.args).wants_version:
            sys.stderr.write(f"{versions()}\n")
            return
        sys.stdout.writelines(run(ctx.args))
        sys.stdout.flush()  # a reader that has gone away is noticed here, where click deals with it
    except ExitError as reason:
        sys.stderr.write(f"rankgauge trec_eval: {reason}\n")
        ctx.exit(reason.status)
