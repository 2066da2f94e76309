"""``rankgauge compare``: differences between systems, with intervals and tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge.cli.command import Option, define_command
from rankgauge.cli.localization import language, usage_error
from rankgauge.cli.options import BASELINE, PEOPLE, STORE, SYSTEMS, Systems
from rankgauge.cli.output import DOCUMENTS, PICTURES, Output, output_options, to_csv
from rankgauge.cli.setting_options import TESTS
from rankgauge.cli.summaries import COMMANDS

HISTORY = "history:"
"""Prefix of a run of the history in place of a file."""


@define_command(
    COMMANDS["compare"],
    """Shows a verdict, a leaderboard, and the differences with intervals and tests. The first ranking is the baseline
    unless --baseline names another. A ranking is named after its file; NAME=FILE gives it another name.
    Without -m: nDCG@10. csv has one row for each pair and metric;
    svg, png and pdf are the picture of the first metric: the differences of two systems, the means of more.
    Files of values per query, such as the output of trec_eval -q, can be compared without judgments, and so can
    runs of the history: history:ID history:ID.""",
    """给出结论、排行榜，以及带区间与检验的差异。默认以第一个为基线，也可用 --baseline 指定。
    排序结果以文件名命名，也可以写成 名称=文件。不写 -m 时比较 nDCG@10。csv 中每对系统与指标占一行；
    svg、png 与 pdf 为第一个指标的图：两个系统时为差异，更多时为均值。
    各查询的值的文件（如 trec_eval -q 的输出）无需标注即可比较，历史中的记录亦然：history:编号 history:编号。""",
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
    STORE,
    TESTS,
    output_options((*DOCUMENTS, "json", "csv", *PICTURES)),
    SYSTEMS,
    examples="""
    # is the second one better? | 第二个更好吗？
    rankgauge compare judgments.csv keywords.csv embeddings.csv -m nDCG@5
    # with names of their own | 自取名称
    rankgauge compare judgments.csv old=keywords.csv new=embeddings.csv -m nDCG@5 --baseline old
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
    store: Path | None,
    tests: dict[str, object],
    output: Output,
    systems: Systems,
) -> None:
    """Compare rankings and write the result."""
    from rankgauge.comparison.compare import compare
    from rankgauge.inputs.findings import Findings

    stored = [text.removeprefix(HISTORY) for text in (systems.judgments, *systems.rankings) if text.startswith(HISTORY)]
    if stored:
        from rankgauge.history import open as open_store
        from rankgauge.metric_core.notation import parse_all

        if len(stored) <= len(systems.rankings) or len(stored) == 1:
            raise usage_error(
                "compare two or more runs: history:ID history:ID", "请比较两条或更多记录：history:编号 history:编号"
            )
        metrics = parse_all(systems.metrics) if systems.metrics else None
        scores = open_store(store).scores(*stored, metrics=metrics)
        comparison = compare(scores, baseline=baseline, **dict[str, Any](tests))
    else:
        comparison = systems.call(compare, takes_scores=True, baseline=baseline, people=people, **tests)
    if people is not None and comparison.corrected is None:
        raise usage_error("--people needs judgments and rankings, not values", "--people 需要标注与排序结果，而不是值")
    if comparison.scores is not None:
        systems.write_findings(comparison.scores.findings)
        if comparison.corrected is not None:  # its findings of the judgments are written already
            known = {finding.code for finding in comparison.scores.findings}
            others = (finding for finding in comparison.corrected.findings if finding.code not in known)
            systems.write_findings(Findings({finding.code: finding for finding in others}))
    pairs = (pair for metric in comparison.metrics for pair in comparison.pairs(metric, all_pairs=all_pairs))
    output.show(
        lambda: comparison.paper_table(language()) if compact else comparison.document(language(), all_pairs=all_pairs),
        json=lambda: systems.provenance() | comparison.to_dict(all_pairs=all_pairs),
        csv=lambda: to_csv([pair.to_dict() for pair in pairs]),
        svg=lambda: comparison.plot().to_svg(language()),
    )
