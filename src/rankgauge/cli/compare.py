"""``rankgauge compare``: whether systems differ, by how much, and how sure that is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.background import background_option, the_background
from rankgauge.cli.options import Example
from rankgauge.compare.settings import CORRECTIONS

if TYPE_CHECKING:
    from rankgauge.compare.comparison import Comparison

METRICS = ("nDCG@10", "AP")
"""What is compared where nothing was asked for: the top, and the whole list."""
FORMATS = ("table", "json", "csv", "md", "latex")


@options.command(
    "compare",
    [
        Example("rankgauge compare judgments.csv keywords.csv embeddings.csv -m nDCG@5", "is the second one better?"),
        Example(
            "rankgauge compare judgments.csv old=keywords.csv new=embeddings.csv -m nDCG@5 -m AP -o json",
            "for programs",
        ),
    ],
)
@click.argument("judgments")
@click.argument("rankings", nargs=-1, required=True, metavar="RANKING...")
@options.metrics_option
@click.option("--baseline", metavar="NAME", help="The system that the others are compared with; the first otherwise.")
@click.option("--all-pairs", is_flag=True, help="Compare every system with every other one.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="The rate of false alarms that is accepted.")
@click.option(
    "--correction",
    type=click.Choice(CORRECTIONS),
    default=CORRECTIONS[0],
    show_default=True,
    help="How the p-values of several pairs are corrected.",
)
@click.option("--permutations", type=click.IntRange(1), default=100_000, show_default=True, help="Random sign flips.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="The seed of all random numbers.")
@options.rules_options
@options.output_options(FORMATS)
@background_option
@options.reading_options
@click.option("--quiet", is_flag=True, help="Tell warnings on standard error, but no notes.")
def command(
    judgments: str,
    rankings: tuple[str, ...],
    metrics: tuple[str, ...],
    baseline: str | None,
    all_pairs: bool,
    alpha: float,
    correction: str,
    permutations: int,
    seed: int,
    convention: str | None,
    rules: tuple[str, ...],
    background: tuple[str, ...],
    to: str,
    output: Path | None,
    force: bool,
    format_: Any,
    columns: str | None,
    lenient: bool,
    quiet: bool,
) -> None:
    """Compare two RANKINGs or more: verdict, leaderboard, differences with intervals and tests.

    The first ranking is the baseline unless --baseline names another. Without -m: nDCG@10 and AP. csv has a row for
    each pair and metric.
    """
    from rankgauge.cli.output import check_output, page_text, put
    from rankgauge.compare.entry import compare

    named = options.the_rankings(rankings)
    options.check_one_stdin(judgments, *named.values())
    check_output(output, force=force)
    compared = compare(
        judgments,
        named,
        metrics or METRICS,
        baseline=baseline,
        convention=options.the_convention(convention, rules),
        background=the_background(background),
        alpha=alpha,
        correction=correction,
        permutations=permutations,
        seed=seed,
        columns=options.the_columns(columns),
        format=format_,
        lenient=lenient,
    )
    if compared.scores is not None:
        options.tell_findings(compared.scores.findings, quiet=quiet)
    if to == "json":
        content = compared.to_json(indent=1, every=all_pairs) + "\n"
    elif to == "csv":
        content = _csv(compared, every=all_pairs)
    else:
        content = page_text(compared.document(options.language(), every=all_pairs), to, output)
    put(content, to, output, force=force)


def _csv(compared: Comparison, *, every: bool) -> str:
    from rankgauge.results.formats import table_text

    rows = [pair.to_dict() for metric in compared.metrics for pair in compared.pairs(metric, every=every)]
    return table_text(rows[0], (row.values() for row in rows), ",")
