"""``rankgauge compare``: whether systems differ, by how much, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.groups import Data, Rules, data_options, output_options, rules_options, tests_options
from rankgauge.cli.options import Example
from rankgauge.cli.output import Output

if TYPE_CHECKING:
    from rankgauge.comparison.comparison import Comparison

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
@options.baseline_option
@click.option("--all-pairs", is_flag=True, help="Compare every system with every other one.")
@tests_options
@rules_options
@output_options(FORMATS)
@data_options
@options.quiet_option
def command(
    judgments: str,
    rankings: tuple[str, ...],
    metrics: tuple[str, ...],
    baseline: str | None,
    all_pairs: bool,
    tests: dict[str, Any],
    rules: Rules,
    output: Output,
    data: Data,
) -> None:
    """Compare two RANKINGs or more: verdict, leaderboard, differences with intervals and tests.

    The first ranking is the baseline unless --baseline names another. Without -m: nDCG@10 and AP. csv has a row for
    each pair and metric.
    """
    from rankgauge.comparison.compare import compare

    named = options.the_rankings(rankings)
    options.check_one_stdin(judgments, *named.values())
    output.check()
    compared = compare(
        judgments,
        named,
        metrics or METRICS,
        baseline=baseline,
        convention=rules.settled(),
        **tests,
        **data.with_side_information(),
    )
    if compared.scores is not None:
        options.tell_findings(compared.scores.findings)
    if output.to == "json":
        content = compared.to_json(indent=1, every=all_pairs) + "\n"
    elif output.to == "csv":
        content = _csv(compared, every=all_pairs)
    else:
        content = output.page(compared.document(options.language(), every=all_pairs))
    output.put(content)


def _csv(compared: Comparison, *, every: bool) -> str:
    from rankgauge.evaluation.score_formats import table_text

    rows = [pair.to_dict() for metric in compared.metrics for pair in compared.pairs(metric, every=every)]
    return table_text(rows[0], (row.values() for row in rows), ",")
