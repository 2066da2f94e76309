"""``rankgauge pool``: choose what is to be judged, and write the judging sheet."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import click

from rankgauge.cli import values
from rankgauge.cli.command import Argument, Option, define_command
from rankgauge.cli.item_options import FILE
from rankgauge.cli.localization import bad_parameter, language, usage_error
from rankgauge.cli.options import METRICS, READING, RULE, TEXTS, TITLE, Reading
from rankgauge.cli.output import Output, output_options, to_csv
from rankgauge.cli.summaries import COMMANDS
from rankgauge.errors import shown

FORMATS = ("text", "html", "csv", "jsonl", "json", "md")
DEFAULT_DEPTH = 10
PATH = re.compile(r"\S*[/\\]\S*|\S+\.[A-Za-z]\w{0,4}")
"""What is meant as a path: one word with a separator or a file ending."""
SHEETS = ("html", "csv", "jsonl")
"""Formats in which the sheet itself is written; the others say what was chosen."""


@define_command(
    COMMANDS["pool"],
    """Without --output: what was chosen, which pairs can still change the verdict, and how many labels are needed. With
    --output sheet.html the sheet is one page that works offline: open it, or pass it to rankgauge serve. A sheet in CSV
    or JSONL is filled in elsewhere. Every pair has its reason and its probability of being chosen.""",
    """不写 --output 时，显示选了什么、哪些对仍可能改变结论、需要多少标签。写 --output sheet.html 时，
    标注页是一个可离线使用的页面：直接打开，或交给 rankgauge serve。CSV 或 JSONL 的标注表可在别处填写。
    每一对都带有入选原因与入选概率。""",
    Argument("rankings", "RANKING...", nargs=-1, required=True, type=FILE, callback=values.drop_repeated),
    Option("--depth", "Items taken from the top of each list.", "从每个列表顶部取多少个物品。", least=1),
    Option("--budget", "Pairs to judge, over all queries.", "所有查询合计标注多少对。", least=1),
    Option(
        "--for purpose",
        "find: the top of the lists; compare: what decides between rankings; correct: a probability sample.",
        "find：列表的顶部；compare：决定排序结果优劣的；correct：概率样本。",
        type=click.Choice(["find", "compare", "correct"]),
        default="find",
    ),
    Option(
        "--judgments FILE",
        "What is judged already: it is left out.  [default: the reference answers in the rankings, if any]",
        "已有的标注：不再选入。  [默认：排序结果文件中自带的参考答案（若有）]",
    ),
    Option(
        "--model FILE",
        "Model judgments, to stratify the queries of a sample; what they judge below the depth is added if it matters.",
        "模型标注，用于对抽样的查询分层；若影响指标，其在该深度以外判断过的物品也会选入。",
    ),
    METRICS,
    Option(
        "--unit",
        "For correct: draw whole queries (any metric) or single items (P, DCG).",
        "用于 correct：抽取整个查询（任何指标）或单个物品（P、DCG）。",
        type=click.Choice(["queries", "items"]),
        default="queries",
    ),
    Option(
        "--floor",
        "For correct: share of the budget spread evenly.",
        "用于 correct：平均分配的预算比例。",
        type=float,
        default=0.2,
    ),
    Option(
        "--max-grade",
        "Highest grade, 1 to 9.  [default: that of --judgments, or 4]",
        "最高等级，1 到 9。  [默认：--judgments 中的最高等级，或 4]",
        least=1,
        most=9,
    ),
    Option(
        "--half-width",
        "Half width for which labels are counted.",
        "据以计算所需标签数的半宽。",
        type=float,
        default=0.02,
    ),
    Option("--seed", "Seed of the sample and of the order.", "抽样与次序的随机种子。", type=int, default=0),
    TEXTS,
    Option("--guideline FILE", "A text that stays visible while judging.", "标注时始终显示的标注准则（文本文件）。"),
    TITLE,
    Option("--repeats", "Share of the pairs asked twice.", "重复询问的比例。", type=float, default=0.05),
    Option(
        "--adjudicate FILE",
        "Labels of this pool: choose the pairs on which assessors disagree. Repeatable.",
        "此标注池的标签：选出评分者意见不一的对。可重复。",
        multiple=True,
    ),
    Option(
        "--reusability",
        "Choose nothing: would --judgments serve a ranking that was not in the pool?",
        "不选取：--judgments 能否用于未参与标注池的排序结果？",
        is_flag=True,
    ),
    RULE,
    output_options(FORMATS),
    READING,
    examples="""
    # everything in the top 3 of two rankings | 两个排序结果前 3 个中的全部物品
    rankgauge pool keywords.csv embeddings.csv --depth 3
    # what decides between them, as a page | 决定二者优劣的物品，写成页面
    rankgauge pool keywords.csv embeddings.csv --budget 10 --for compare -o sheet.html
    # a sample that corrects a judge | 用于修正评判模型的样本
    rankgauge pool keywords.csv embeddings.csv --budget 12 --for correct --model judgments.csv -o sample.csv
    """,
)
def command(
    rankings: tuple[str, ...], metrics: tuple[str, ...], rules: tuple[str, ...], texts: str | None,
    guideline: str | None, title: str, repeats: float, adjudicate: tuple[str, ...], reusability: bool, output: Output,
    reading: Reading, **parameters: Any,
) -> None:  # fmt: skip
    """Choose pairs and write the sheet, or what was chosen."""
    from rankgauge.conventions.texts import convention_of
    from rankgauge.pooling.pool import pool
    from rankgauge.pooling.pooled import Disagreements

    paths = values.parse_rankings(rankings)
    options = reading.read_options(*paths.values())
    metric: Any = metrics[0] if len(metrics) == 1 else [*metrics] or None  # several are an error of the function
    rated = {"metric": metric, "convention": convention_of(None, rules), "read_options": options}
    if reusability:
        _write_reusability(paths, output, parameters["judgments"], parameters["depth"], **rated)
        return
    if parameters["depth"] is parameters["budget"] is None and parameters["purpose"] == "find":
        raise usage_error("pass --depth, --budget or both", "请指定 --depth、--budget 或两者")
    chosen = pool(paths, **rated, **parameters)
    reading.write_findings(chosen.findings)
    about: Any = chosen
    about_sheet: dict[str, Any] = {"repeats": repeats, "texts": texts, "title": title, "lang": language()}
    about_sheet["guideline"] = "" if guideline is None else _text_of(guideline)
    make = chosen.sheet
    if adjudicate:
        labels = chosen.labels(*adjudicate)
        reading.write_findings(labels.findings)
        about, make = Disagreements.of(labels), partial(chosen.adjudication, labels)
        about_sheet["repeats"] = 0.0
    if output.to in SHEETS:
        output.write(getattr(make(**about_sheet), f"to_{output.to}")())
        if output.path is not None and not reading.quiet:
            Output("text", None, force=False).show(lambda: about.document(language()))
        return
    output.show(lambda: about.document(language()), json=about.to_dict)


def _write_reusability(paths: Any, output: Output, judgments: str | None, depth: int | None, **rated: Any) -> None:
    """Write whether judgments can be used for rankings that were not in the pool."""
    from rankgauge.pooling.reusability import reusability

    if judgments is None or output.to == "jsonl":
        raise usage_error(
            "--reusability needs --judgments, and writes text, md, html, csv or json",
            "--reusability 需要 --judgments，可写 text、md、html、csv 或 json",
        )
    found = reusability(judgments, paths, depth=depth or DEFAULT_DEPTH, **rated)
    rows = found.to_polars().to_dicts
    output.show(lambda: found.document(language()), json=found.to_dict, csv=lambda: to_csv(rows()))


def _text_of(given: str) -> str:
    """Return the text of a file, or the given text; a missing file is an error."""
    from rankgauge.inputs.formats.table_files import read_content

    if Path(given).exists():
        return read_content(given, "guideline")[0].decode("utf-8-sig", "replace")
    if PATH.fullmatch(given):
        en = "there is no file {given}; check the path, or give the text itself in several words"
        raise bad_parameter("--guideline", en, "没有文件 {given}；请检查路径，或直接写出准则的文字", given=shown(given))
    return given
