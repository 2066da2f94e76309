"""``rankgauge eval``: rankings against judgments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rankgauge.cli import options
from rankgauge.cli.background import background_option, the_background
from rankgauge.cli.options import Example

METRICS = ("nDCG@10", "AP", "RR", "P@10", "R@100")
"""What is computed where nothing was asked for: the top, the whole list, the first hit, precision and recall."""
FORMATS = ("table", "trec", "tsv", "csv", "json", "jsonl", "md", "latex", "parquet")
DIGITS = 4


@options.command(
    "eval",
    [
        Example("rankgauge eval judgments.csv keywords.csv embeddings.csv", "two systems side by side"),
        Example("rankgauge eval judgments.csv keywords.csv -m nDCG@5 -m AP -q", "the value of each query"),
        Example(
            "rankgauge eval judgments.csv keywords.csv -m nDCG@5 --rule gain=exp2 --rule ties=mean",
            "other rules than the default",
        ),
        Example("rankgauge eval judgments.csv keywords.csv new=embeddings.csv -o csv --output scores.csv", "a file"),
        Example(
            "rankgauge eval judgments.csv keywords.csv -m ItemCoverage@5 -m Unexpectedness@5 "
            "--background items=40 --background baseline=embeddings.csv",
            "beyond accuracy; rankgauge metrics tells what is needed",
        ),
        Example("cat keywords.csv | rankgauge eval judgments.csv - -m RR -o jsonl", "from a pipe into a pipe"),
    ],
)
@click.argument("judgments", type=options.FILE)
@click.argument("rankings", nargs=-1, required=True, metavar="RANKING...", type=options.FILE)
@options.metrics_option
@click.option("-q", "--per-query", is_flag=True, help="Write the value of each query, too.")
@options.rules_options
@options.output_options(FORMATS)
@background_option
@options.reading_options
@click.option("--digits", type=click.IntRange(0, 17), default=DIGITS, show_default=True, help="Digits in tables.")
@click.option("--progress/--no-progress", default=True, help="Show on a terminal how far the reading has come.")
@click.option("--quiet", is_flag=True, help="Tell warnings on standard error, but no notes.")
def command(
    judgments: str,
    rankings: tuple[str, ...],
    metrics: tuple[str, ...],
    per_query: bool,
    convention: str | None,
    rules: tuple[str, ...],
    background: tuple[str, ...],
    to: str,
    output: Path | None,
    force: bool,
    format_: Any,
    columns: str | None,
    lenient: bool,
    digits: int,
    progress: bool,
    quiet: bool,
) -> None:
    """Evaluate RANKINGs against JUDGMENTS.

    Files may be TREC, CSV, TSV, JSONL, Parquet or Arrow, packed or not; - is standard input. A ranking is named by
    its file, or by you: NAME=FILE. Without -m: nDCG@10, AP, RR, P@10 and R@100.

    csv and tsv have a row for each system, query (all: their mean) and metric, with the definition in force. In csv,
    texts that begin with = + - @ tab or return get an apostrophe in front, so that no spreadsheet runs them.
    """
    from rankgauge.cli.console import width
    from rankgauge.cli.output import check_output, put
    from rankgauge.metrics.notation import parse
    from rankgauge.results.evaluate import evaluate
    from rankgauge.results.formats import as_bytes

    named = options.the_rankings(rankings)
    options.check_one_stdin(judgments, *named.values())
    check_output(output, force=force)
    scores = evaluate(
        judgments,
        named,
        [parse(metric) for metric in metrics or METRICS],
        convention=options.the_convention(convention, rules),
        background=the_background(background),
        columns=options.the_columns(columns),
        format=format_,
        lenient=lenient,
        progress=progress and options.is_long_read(named.values()),
    )
    options.tell_findings(scores.findings, quiet=quiet)
    room = width() if output is None else None
    content = as_bytes(scores, to, per_query=per_query, lang=options.language(), width=room, digits=digits)
    put(content, to, output, force=force)
