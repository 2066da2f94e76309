"""``rankgauge convert``: judgments and rankings from one format to another."""

from __future__ import annotations

import sys
from typing import Any

import click

from rankgauge.cli import options
from rankgauge.cli.groups import Reading, reading_options
from rankgauge.cli.options import Example

TARGETS = ("trec", "csv", "tsv", "jsonl", "parquet", "arrow")


@options.command(
    "convert",
    [
        Example("rankgauge convert keywords.csv keywords.parquet", "by the endings"),
        Example("rankgauge convert judgments.csv judgments.jsonl.gz", "packed: .gz, .bz2, .xz or .zst"),
        Example("cat keywords.csv | rankgauge convert - - --to tsv", "from a pipe into a pipe"),
    ],
)
@click.argument("source", metavar="IN", type=options.FILE)
@click.argument("target", metavar="OUT", type=options.FILE)
@click.option("--to", type=click.Choice(TARGETS), help="The format of OUT, where its ending does not say it.")
@click.option("--role", type=click.Choice(["judgments", "ranking"]), help="What IN is; guessed from its columns.")
@click.option("--tag", default="rankgauge", show_default=True, help="The last column of a TREC ranking.")
@reading_options
@click.option("--force", is_flag=True, help="Replace OUT where it exists.")
@options.quiet_option
def command(source: str, target: str, to: str | None, role: Any, tag: str, reading: Reading, force: bool) -> None:
    """Convert judgments or a ranking.

    Reads TREC, CSV, TSV, JSONL, Parquet, Arrow and LETOR; writes all but LETOR. OUT appears whole or not at all.
    Ids are written as they are, also those that a spreadsheet would take for a formula.
    """
    from rankgauge.inputs.formats.convert import convert

    if target == "-" and to is None:
        raise click.UsageError("say the format of standard output: --to csv")
    done = convert(
        source,
        sys.stdout.buffer if target == "-" else target,
        to=to,
        role=role,
        force=force,
        tag=tag,
        **reading.arguments(),
    )
    options.tell_findings(done.findings)
