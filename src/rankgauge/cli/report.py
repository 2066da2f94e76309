"""``rankgauge report``: one page to open, forward or attach."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli.arguments import JUDGMENTS, RANKINGS, parse_rankings
from rankgauge.cli.command import FILE, FOLDER, NAME, Example, Option, define_command
from rankgauge.cli.console import write_findings, write_message
from rankgauge.cli.localization import language, usage_error
from rankgauge.cli.options import BASELINE, EVALUATION, METRICS, TESTS, EvaluationOptions
from rankgauge.cli.output import Output, output_options
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.reports.model import Report

DEFAULT_METRICS = ("nDCG@10", "AP")
FORMATS = {"html": ".html", "md": ".md", "latex": ".tex"}


@define_command(
    "report",
    """Write a report on one or more rankings.

    It has a verdict, a leaderboard, pictures, every query and every rule. The page is one file that needs no network;
    md and latex hold the tables. Without -m: nDCG@10 and AP.
    """,
    """为一个或多个排序结果生成报告。

    报告包括结论、排行榜、图、每个查询与每条规则。页面是一个无需联网的文件；md 与 latex 只含表格。
    不写 -m 时为 nDCG@10 与 AP。""",
    JUDGMENTS,
    RANKINGS,
    METRICS,
    output_options([*FORMATS], default_file="report"),
    Option(
        "--pictures",
        "Also write every picture as SVG, and as PNG if a program that renders SVG is installed.",
        "同时把每张图写成 SVG；装有可渲染 SVG 的程序时也写成 PNG。",
        type=click.Path(file_okay=False, path_type=Path),
        metavar=FOLDER,
    ),
    Option(
        "--texts",
        "Texts of queries and items: JSONL, CSV or TSV with an id and a text.",
        "查询与物品的文本：含 id 与 text 的 JSONL、CSV 或 TSV。",
        metavar=FILE,
    ),
    Option(
        "--attributes",
        "Attributes of queries, for --by: a table with a query column.",
        "查询的属性（用于 --by）：含查询列的表格。",
        metavar=FILE,
    ),
    Option(
        "--by",
        "Slice the differences by an attribute. Repeatable.",
        "按某个属性对差异分组。可重复。",
        multiple=True,
        metavar=NAME,
    ),
    Option("--title", "Title of the page.", "页面的标题。", default=""),
    BASELINE,
    TESTS,
    EVALUATION,
    examples=[
        Example(
            "rankgauge report judgments.csv keywords.csv embeddings.csv -m nDCG@5 -o report.html",
            "a page to forward",
            "可直接转发的页面",
        ),
        Example(
            "rankgauge report judgments.csv keywords.csv embeddings.csv -m nDCG@5 -o table.tex",
            "for a paper",
            "用于论文",
        ),
        Example(
            "rankgauge report judgments.csv keywords.csv -m nDCG@5 -o single.html",
            "one system, query by query",
            "一个系统，逐个查询",
        ),
    ],
)
def command(
    judgments: str,
    rankings: tuple[str, ...],
    metrics: tuple[str, ...],
    output: Output,
    pictures: Path | None,
    texts: str | None,
    attributes: str | None,
    by: tuple[str, ...],
    title: str,
    baseline: str | None,
    tests: dict[str, Any],
    evaluation: EvaluationOptions,
) -> None:
    """Write a report."""
    from rankgauge.reports.report import report

    paths = parse_rankings(rankings)
    if by and attributes is None:
        raise usage_error("--by needs --attributes FILE", "--by 需要 --attributes 文件")
    page = report(
        judgments,
        paths,
        metrics or DEFAULT_METRICS,
        texts=texts,
        attributes=attributes,
        by=by,
        title=title,
        baseline=baseline,
        lang=language(),
        **tests,
        **evaluation.keywords(judgments, *paths.values()),
    )
    write_findings(page.contents.scores.findings, quiet=evaluation.quiet)
    output.write(page.in_format(FORMATS[output.to]))
    if pictures is not None:
        _write_pictures(page, pictures, force=output.force)


def _write_pictures(page: Report, folder: Path, *, force: bool) -> None:
    from rankgauge.reports.picture_files import RENDERERS, write_pictures

    _, renderer = write_pictures(page, folder, language(), force=force)
    if renderer is None:
        message = Phrase(
            "no PNG files: none of {programs} is installed; the SVG files are in {folder}",
            "没有生成 PNG：未安装 {programs} 中的任何一个；SVG 文件在 {folder}",
        )
        write_message(message.render(language(), programs=", ".join(RENDERERS), folder=folder), "note")
