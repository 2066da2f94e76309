"""``rankgauge eval``: evaluate rankings against judgments."""

from __future__ import annotations

import json
from typing import Any

from rankgauge.cli.command import Option, define_command
from rankgauge.cli.localization import language, usage_error
from rankgauge.cli.options import PER_QUERY, SYSTEMS, Systems, digits_option
from rankgauge.cli.output import DOCUMENTS, PICTURES, Output, output_options
from rankgauge.cli.summaries import COMMANDS
from rankgauge.inputs.formats.registry import format_titles

READ = format_titles()
JSON_STYLE: dict[str, Any] = {"ensure_ascii": False, "indent": 2, "default": str}
FORMATS = (*DOCUMENTS, "trec", "tsv", "csv", "json", "jsonl", "parquet", *PICTURES)


@define_command(
    COMMANDS["eval"],
    f"""Files may be {READ.en}, compressed or not; - is standard input. A ranking is named
    after its file; NAME=FILE gives it another name. A file that holds judgments and
    rankings, such as an export of ragas or a response of _rank_eval, needs no other: rankgauge eval answers.jsonl.
    Without -m: nDCG@10.

    csv and tsv have one row for each system, query (all: the mean) and metric, with the definition used; svg, png and
    pdf show the means of the first metric with their intervals. In csv, text that starts with = + - @ tab or return
    gets an apostrophe in front, so that no spreadsheet runs it as a formula. Control characters are
    written as \\x1b.""",
    f"""文件可以是 {READ.zh}，压缩与否均可；- 表示标准输入。
    排序结果以文件名命名，也可以写成 名称=文件。同时含有标注与排序结果的文件（如 ragas 的导出、_rank_eval 的响应）
    只需给出它本身：rankgauge eval answers.jsonl。不写 -m 时计算 nDCG@10。

    csv 与 tsv 中，每个系统、查询（all 表示总体）与指标各占一行，并附所用的定义；
    svg、png 与 pdf 为第一个指标的均值与区间图。
    csv 中以 = + - @ 制表符或回车开头的文字前会加一个单引号，以免被电子表格当作公式执行。控制字符写作 \\x1b。""",
    *SYSTEMS.listed,
    PER_QUERY,
    Option(
        "--queries/--no-queries",
        "JSON with or without the value of every query.",
        "JSON 是否包含每个查询的值。",
        default=True,
    ),
    Option(
        "--parquet-queries",
        "Write the values of queries to a Parquet file beside the JSON of -o.",
        "把每个查询的值写入 -o 的 JSON 旁的 Parquet 文件。",
        is_flag=True,
    ),
    Option(
        "--fingerprint",
        "Add the fingerprint of each ranking to the provenance in JSON; that of the judgments is always there.",
        "在 JSON 的来源信息中加入各排序结果的指纹；标注的指纹总是给出。",
        is_flag=True,
    ),
    output_options(FORMATS),
    SYSTEMS,
    digits_option(4),
    examples="""
    # two systems side by side | 两个系统并列
    rankgauge eval judgments.csv keywords.csv embeddings.csv -m nDCG@5,AP,RR
    # the value of every query | 每个查询的值
    rankgauge eval judgments.csv keywords.csv -m nDCG@5 -m AP -q
    # other rules than the default | 改用其他规则
    rankgauge eval judgments.csv keywords.csv -m nDCG@5 --rule gain=exp2 --rule ties=mean
    # write a CSV file | 写入 CSV 文件
    rankgauge eval judgments.csv keywords.csv new=embeddings.csv -o scores.csv
    # beyond accuracy; rankgauge metrics lists what is needed | 准确性以外的指标；所需信息见 rankgauge metrics
    rankgauge eval judgments.csv keywords.csv -m ItemCoverage@5 -m Unexpectedness@5 \
--side-information items=40 --side-information baseline=embeddings.csv
    # from a pipe to a pipe | 从管道读取，输出到管道
    cat keywords.csv | rankgauge eval judgments.csv - -m RR -t jsonl
    """,
)
def command(
    per_query: bool,
    queries: bool,
    parquet_queries: bool,
    fingerprint: bool,
    output: Output,
    systems: Systems,
    digits: int,
) -> None:
    """Evaluate rankings and write the scores."""
    from rankgauge.evaluation.evaluate import evaluate
    from rankgauge.evaluation.score_formats import FORMATS

    if parquet_queries and (output.to != "json" or output.path is None):
        raise usage_error("--parquet-queries needs -o FILE.json", "--parquet-queries 需要 -o 文件.json")
    scores = systems.scores_of_values() or systems.call(evaluate, fingerprint=fingerprint)
    systems.write_findings(scores.findings)
    if output.to == "json":
        if parquet_queries and output.path is not None:
            from rankgauge.evaluation.saved_scores import data_beside_parquet

            data = data_beside_parquet(scores, output.path, force=output.force)
        else:
            data = scores.to_dict(queries=queries)
        output.write(json.dumps({"schema": data["schema"], **systems.provenance(), **data}, **JSON_STYLE))
    elif output.to in DOCUMENTS:
        output.write(output.render(scores.document(language(), per_query=per_query, digits=digits)))
    elif output.to in PICTURES:
        output.write_picture(scores.plot().to_svg(language()))
    else:
        output.write(FORMATS[output.to](scores, per_query))
