"""``rankgauge report``: one page to open, forward or attach."""

from __future__ import annotations

from pathlib import Path

import click

from rankgauge.cli.command import Option, define_command
from rankgauge.cli.console import write_message, write_saved
from rankgauge.cli.item_options import SLICES, SliceOptions
from rankgauge.cli.localization import language, usage_error
from rankgauge.cli.options import BASELINE, COSTS, FOLDER, PEOPLE, SYSTEMS, TEXTS, TITLE, Systems
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.setting_options import TESTS
from rankgauge.cli.summaries import COMMANDS
from rankgauge.rendering.language import Phrase


@define_command(
    COMMANDS["report"],
    """It has a verdict, a leaderboard, pictures, every query and every rule. The page is one file that needs no
    network; md and latex hold the tables, json the numbers. A ranking is named after its file;
    NAME=FILE gives it another name. Without -m: nDCG@10.""",
    """报告包括结论、排行榜、图、每个查询与每条规则。页面是一个无需联网的文件；md 与 latex 只含表格，json 只含数值。
    排序结果以文件名命名，也可以写成 名称=文件。不写 -m 时为 nDCG@10。""",
    *SYSTEMS.listed,
    output_options(("html", "md", "latex", "json"), default_file="report"),
    Option(
        "--pictures FOLDER",
        "Also write every picture as SVG, and as PNG and PDF if a program that renders SVG or cairosvg is installed.",
        "同时把每张图写成 SVG；装有可渲染 SVG 的程序或 cairosvg 时也写成 PNG 与 PDF。",
        type=FOLDER,
    ),
    TEXTS,
    SLICES,
    Option(
        "--tune",
        "Add what choosing the best of the rankings is worth on other queries.",
        "加入在这些排序结果中择优对其他查询的价值。",
        is_flag=True,
    ),
    COSTS,
    Option(
        "--history STORE",
        "Add the trend of the metrics in a history, and where they changed.",
        "加入历史文件中各指标的趋势及其变化之处。",
        type=click.Path(),
    ),
    Option("--history-name NAME", "With --history: only runs of this name.", "与 --history 连用：只看该名称的记录。"),
    TITLE,
    Option(
        "--date",
        "Date in the head: a text; today by default, '' for none.",
        "报告开头的日期：任意文字；默认当天，'' 表示不写。",
        default="today",
    ),
    BASELINE,
    PEOPLE,
    TESTS,
    SYSTEMS,
    examples="""
    # a page to forward | 可直接转发的页面
    rankgauge report judgments.csv keywords.csv embeddings.csv -m nDCG@5 -o report.html
    # for a paper | 用于论文
    rankgauge report judgments.csv keywords.csv embeddings.csv -m nDCG@5 -o table.tex
    # one system, query by query | 一个系统，逐个查询
    rankgauge report judgments.csv keywords.csv -m nDCG@5 -o single.html
    """,
)
def command(
    output: Output,
    pictures: Path | None,
    slices: SliceOptions,
    tests: dict[str, object],
    systems: Systems,
    tune: bool,
    costs: str | None,
    history: str | None,
    history_name: str | None,
    **settings: object,
) -> None:
    """Write a report; the settings are passed on."""
    from rankgauge.inputs.io.drawing import INSTALL
    from rankgauge.reports.report import report, write_pictures

    if pictures is not None and output.path is not None and pictures.resolve() == output.path.resolve():
        raise usage_error(
            "--pictures {path} is also the file of --output; give another folder",
            "--pictures {path} 与 --output 的文件相同；请给出另一个目录",
            path=pictures,
        )
    if history_name is not None and history is None:
        raise usage_error("--history-name needs --history STORE", "--history-name 需要 --history 历史文件")
    tuning = {"alpha": tests["alpha"], "seed": tests["seed"], **({} if costs is None else {"costs": costs})}
    settings["tuning"] = tuning if tune or costs is not None else None
    settings["history"] = None if history is None else {"store": history, "name": history_name}
    settings |= {"by": slices.by, "attributes": slices.attributes, "lang": language(), **tests}
    page = systems.call(report, takes_scores=True, **settings)
    systems.write_findings(page.contents.scores.findings)
    output.show(html=page.to_html, md=page.to_markdown, latex=page.to_latex, json=lambda: page.to_json(indent=1))
    if pictures is None:
        return
    paths, missing = write_pictures(page, pictures, language(), force=output.force)
    write_saved(pictures, sum(path.stat().st_size for path in paths), len(paths))
    if missing:
        message = Phrase(
            "not written as {formats}: {install}; the SVG files are in {folder}",
            "没有生成 {formats}：{install}；SVG 文件在 {folder}",
        )
        formats = Phrase(" or ", "、").join([Phrase(name, name) for name in map(str.upper, missing)])
        write_message(message.render(language(), formats=formats, install=INSTALL, folder=pictures), "note")
