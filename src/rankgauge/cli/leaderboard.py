"""``rankgauge leaderboard``: systems over many data sets, with the ranks that they may have."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import click

from rankgauge.cli import values
from rankgauge.cli.command import Argument, Option, define_command
from rankgauge.cli.item_options import FILE
from rankgauge.cli.localization import bad_parameter, language
from rankgauge.cli.options import ALPHA, EVALUATION, EvaluationOptions, digits_option
from rankgauge.cli.output import DOCUMENTS, Output, output_options, to_csv
from rankgauge.cli.summaries import COMMANDS
from rankgauge.leaderboards.aggregates import AggregateName, MissingRule
from rankgauge.rendering.language import Phrase


@define_command(
    COMMANDS["leaderboard"],
    """Shows the aggregate of each system with the ranks that it may have, what changes without a data set, and how
    other aggregates agree. RESULTS is a table (system, data_set, value; or a column for each data set), a folder of
    saved scores (SYSTEM/DATA_SET.json), or results of MTEB, BEIR or ranx; several are read together, and one that names
    no system is the system of its file name, or of NAME=RESULTS. html is one page with pictures.""",
    """给出每个系统的汇总值与可能名次、去掉某个数据集后的变化，以及与其他汇总方式的一致程度。
    RESULTS 可以是表（system、data_set、value，或每个数据集一列）、保存的分数目录（系统/数据集.json），
    或 MTEB、BEIR、ranx 的结果；可给出多个，一并读取，没有系统名的以文件名（或 名称=RESULTS 中的名称）为系统名。
    html 是一个带图的页面。""",
    Argument("results", "RESULTS...", nargs=-1, required=True, type=FILE),
    Option(
        "--aggregate",
        "How values become one number.",
        "汇总方式。",
        type=click.Choice(get_args(AggregateName)),
        default="mean",
    ),
    Option(
        "--missing",
        "What a missing value means.",
        "缺失值的处理。",
        type=click.Choice(get_args(MissingRule)),
        default="complete",
    ),
    Option(
        "--target",
        "What intervals generalise to; by default queries where there are values of queries, else data sets.",
        "区间所推广到的范围；有各查询的值时默认为 queries，否则为 data sets。",
        type=click.Choice(["queries", "data sets"]),
    ),
    Option(
        "--families FILE",
        "Data sets that belong together: a table with the columns data_set and family.",
        "同属一族的数据集：含 data_set 与 family 列的表。",
    ),
    Option("--baseline NAME", "The system that the others are compared with.", "其他系统与之比较的系统。"),
    Option(
        "-m --metric METRIC", "The metric, where the results have several.", "结果有多个指标时所用的指标。", listed=True
    ),
    Option(
        "--higher-is-better/--lower-is-better",
        "Which values are better; by default as the metric says.",
        "值越高越好还是越低越好；默认由指标决定。",
        default=None,
    ),
    Option("--pair FIRST,SECOND", "Compare two systems data set by data set.", "逐数据集比较两个系统。", listed=True),
    Option("--top", "Show the first systems only.", "只显示前几个系统。", least=1),
    Option("--title", "Title of the page (html).", "页面的标题（html）。", default=""),
    ALPHA,
    Option("--permutations", "Number of sign flips.", "符号翻转的次数。", least=1, default=2_000),
    Option("--resamples", "Number of bootstrap samples.", "自助抽样的次数。", least=1, default=2_000),
    Option("--seed", "Seed of the random numbers.", "随机数种子。", least=0, default=0),
    output_options((*DOCUMENTS, "json", "csv")),
    digits_option(None, Phrase("Digits of the aggregate.", "汇总值的小数位数。")),
    EVALUATION,
    examples="""
    # which ranks are certain | 哪些名次是确定的
    rankgauge leaderboard results.csv
    # the rule of mteb | mteb 的规则
    rankgauge leaderboard results.csv --aggregate borda --missing loses
    # one page with pictures | 一个带图的页面
    rankgauge leaderboard results.csv -o board.html
    """,
)
def command(
    results: tuple[str, ...],
    pair: str | None,
    top: int | None,
    title: str,
    digits: int | None,
    output: Output,
    evaluation: EvaluationOptions,
    **settings: Any,
) -> None:
    """Write a leaderboard, or the comparison of two of its systems."""
    from rankgauge.leaderboards.leaderboard import leaderboard

    columns = values.parse_columns(evaluation.columns)
    sources = values.parse_rankings(results)
    options = replace(evaluation, columns=None).keywords(*sources.values())
    board = leaderboard(sources if len(results) > 1 else results[0], columns=columns, **settings, **options)
    evaluation.write_findings(board.findings)
    if pair is not None:
        first, _, second = (part.strip() for part in pair.partition(","))
        if not second:
            en, zh = "{pair!r} is not written as FIRST,SECOND", "{pair!r} 的写法应为 系统一,系统二"
            raise bad_parameter("--pair", en, zh, pair=pair)
        compared = board.compare(first, second)
        rows = [row.to_dict() for row in compared.by_data_set]
        output.show(lambda: compared.document(language()), json=compared.to_dict, csv=lambda: to_csv(rows))
        return
    output.show(
        lambda: board.document(language(), top=top, digits=digits),
        json=lambda: board.to_json(indent=1),
        csv=board.to_csv,
        html=lambda: board.to_html(title, language()),
        latex=lambda: board.to_latex(language(), top=top, digits=digits),
    )
