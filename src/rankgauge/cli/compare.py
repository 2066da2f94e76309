"""``rankgauge compare``: differences between systems, with intervals and tests."""

from __future__ import annotations

from rankgauge.cli.command import Option, define_command
from rankgauge.cli.localization import language, usage_error
from rankgauge.cli.options import BASELINE, PEOPLE, SYSTEMS, TESTS, Systems
from rankgauge.cli.output import DOCUMENTS, Output, output_options, to_csv


@define_command(
    "decide",
    """Compare two or more rankings.

    Shows a verdict, a leaderboard, and the differences with intervals and tests. The first ranking is the baseline
    unless --baseline names another. Without -m: nDCG@10. csv has one row for each pair and metric.
    Files of values per query, such as the output of trec_eval -q, can be compared without judgments.""",
    """比较两个或更多排序结果。

    给出结论、排行榜，以及带区间与检验的差异。默认以第一个为基线，也可用 --baseline 指定。
    不写 -m 时比较 nDCG@10。csv 中每对系统与指标占一行。
    各查询的值的文件（如 trec_eval -q 的输出）无需标注即可比较。""",
    *SYSTEMS.listed,
    BASELINE,
    PEOPLE,
    Option("--all-pairs", "Compare every pair of systems.", "两两比较所有系统。", is_flag=True),
    Option(
        "--compact",
        "One table for a paper: systems x metrics, best in bold, superscripts for significance.",
        "论文用的一张表：系统 x 指标，最好值为粗体，上标表示显著。",
        is_flag=True,
    ),
    TESTS,
    output_options((*DOCUMENTS, "json", "csv")),
    SYSTEMS,
    examples="""
    # is the second one better? | 第二个更好吗？
    rankgauge compare judgments.csv keywords.csv embeddings.csv -m nDCG@5
    # a table for a paper | 论文中的表格
    rankgauge compare judgments.csv keywords.csv embeddings.csv -m nDCG@5,AP --compact -t latex
    # for programs | 供程序使用
    rankgauge compare judgments.csv old=keywords.csv new=embeddings.csv -m nDCG@5 -m AP -t json
    # judgments of a model, corrected by labels of people | 模型的判断，用人的标签修正
    rankgauge compare judge.csv keywords.csv embeddings.csv -m nDCG@5 --people judgments.csv
    """,
)
def command(
    baseline: str | None,
    people: str | None,
    all_pairs: bool,
    compact: bool,
    tests: dict[str, object],
    output: Output,
    systems: Systems,
) -> None:
    """Compare rankings and write the result."""
    from rankgauge.comparison.compare import compare

    comparison = systems.call(compare, takes_scores=True, baseline=baseline, people=people, **tests)
    if people is not None and comparison.corrected is None:
        raise usage_error("--people needs judgments and rankings, not values", "--people 需要标注与排序结果，而不是值")
    if comparison.scores is not None:
        systems.write_findings(comparison.scores.findings)
    pairs = (pair for metric in comparison.metrics for pair in comparison.pairs(metric, all_pairs=all_pairs))
    output.show(
        lambda: comparison.paper_table(language()) if compact else comparison.document(language(), all_pairs=all_pairs),
        json=lambda: systems.provenance() | comparison.to_dict(all_pairs=all_pairs),
        csv=lambda: to_csv([pair.to_dict() for pair in pairs]),
    )
