"""``rankgauge compare``: differences between systems, with intervals and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rankgauge.cli.arguments import JUDGMENTS, RANKINGS, parse_rankings
from rankgauge.cli.command import Example, Option, define_command
from rankgauge.cli.console import write_findings
from rankgauge.cli.localization import language
from rankgauge.cli.options import BASELINE, EVALUATION, METRICS, TESTS, EvaluationOptions
from rankgauge.cli.output import DOCUMENTS, Output, output_options

if TYPE_CHECKING:
    from rankgauge.comparison.comparison import Comparison

DEFAULT_METRICS = ("nDCG@10", "AP")


@define_command(
    "compare",
    """Compare two or more rankings.

    Shows a verdict, a leaderboard, and the differences with intervals and tests. The first ranking is the baseline
    unless --baseline names another. Without -m: nDCG@10 and AP. csv has one row for each pair and metric.
    """,
    """比较两个或更多排序结果。

    给出结论、排行榜，以及带区间与检验的差异。默认以第一个为基线，也可用 --baseline 指定。
    不写 -m 时比较 nDCG@10 与 AP。csv 中每对系统与指标占一行。""",
    JUDGMENTS,
    RANKINGS,
    METRICS,
    BASELINE,
    Option("--all-pairs", "Compare every pair of systems.", "两两比较所有系统。", is_flag=True),
    TESTS,
    output_options((*DOCUMENTS, "json", "csv")),
    EVALUATION,
    examples=[
        Example(
            "rankgauge compare judgments.csv keywords.csv embeddings.csv -m nDCG@5",
            "is the second one better?",
            "第二个更好吗？",
        ),
        Example(
            "rankgauge compare judgments.csv old=keywords.csv new=embeddings.csv -m nDCG@5 -m AP -t json",
            "for programs",
            "供程序使用",
        ),
    ],
)
def command(
    judgments: str,
    rankings: tuple[str, ...],
    metrics: tuple[str, ...],
    baseline: str | None,
    all_pairs: bool,
    tests: dict[str, Any],
    output: Output,
    evaluation: EvaluationOptions,
) -> None:
    """Compare rankings and write the result."""
    from rankgauge.comparison.compare import compare

    paths = parse_rankings(rankings)
    comparison = compare(
        judgments,
        paths,
        metrics or DEFAULT_METRICS,
        baseline=baseline,
        **tests,
        **evaluation.keywords(judgments, *paths.values()),
    )
    if comparison.scores is not None:
        write_findings(comparison.scores.findings, quiet=evaluation.quiet)
    if output.to == "json":
        output.write(comparison.to_json(indent=1, every=all_pairs) + "\n")
    elif output.to == "csv":
        output.write(_csv(comparison, every=all_pairs))
    else:
        output.write(output.render(comparison.document(language(), every=all_pairs)))


def _csv(comparison: Comparison, *, every: bool) -> str:
    from rankgauge.evaluation.score_formats import table_text

    rows = [pair.to_dict() for metric in comparison.metrics for pair in comparison.pairs(metric, every=every)]
    return table_text(rows[0], (row.values() for row in rows), ",")
