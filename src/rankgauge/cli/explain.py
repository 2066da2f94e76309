"""``rankgauge explain``: how one number is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli.arguments import GRADES_OR_FILES, parse_grades
from rankgauge.cli.command import Example, Option, define_command
from rankgauge.cli.localization import language, usage_error
from rankgauge.cli.options import EVALUATION, GRADE_LIST, METRICS, EvaluationOptions, GradeList
from rankgauge.cli.output import DOCUMENTS, Output, output_options
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.metric_core.explanation import Explanation
    from rankgauge.metric_core.metric import Metric

DEFAULT_METRIC = "nDCG@10"


@define_command(
    "explain",
    """Explain a number step by step.

        Pass a list of grades, or judgments, a ranking and a query. Without -m: nDCG@10.""",
    """逐步解释一个数。

        给出一串等级，或标注、排序结果与一个查询。不写 -m 时解释 nDCG@10。""",
    GRADES_OR_FILES,
    METRICS,
    Option("--query", "Query to explain; not needed if there is only one.", "要解释的查询；只有一个查询时可不写。"),
    GRADE_LIST,
    Option(
        "--items",
        "For a list: the names of the items.",
        "用于等级列表：各物品的名称。",
        metavar=Phrase("NAMES", "名称列表"),
    ),
    Option(
        "--relevant",
        "For a list: the total number of relevant items.",
        "用于等级列表：相关物品的总数。",
        type=click.IntRange(0),
    ),
    Option("--rows", "Maximum number of ranks to show.", "最多显示多少个名次。", type=click.IntRange(1), default=50),
    output_options((*DOCUMENTS, "json")),
    EVALUATION,
    examples=[
        Example("rankgauge explain 3,2,3,0,1 -m nDCG@5", "a list of grades, best rank first", "一串等级，按名次排列"),
        Example(
            "rankgauge explain 1,-,0,1 -m AP --ideal 1,1,1",
            "- is not judged; --ideal lists all judged grades",
            "- 表示未标注；--ideal 给出所有已标注的等级",
        ),
        Example("rankgauge explain 1,0,2 -m nDCG@2 --scores 0.5,0.5,0.1 --rule ties=mean", "tied scores", "分数并列"),
        Example(
            "rankgauge explain judgments.csv keywords.csv -m nDCG@5 --query heist",
            "one query of your files",
            "文件中的一个查询",
        ),
        Example(
            "rankgauge explain judgments.csv keywords.csv --query 功夫片 --lang zh -t md",
            "as Markdown, in Chinese",
            "输出中文 Markdown",
        ),
    ],
)
def command(
    sources: tuple[str, ...],
    metrics: tuple[str, ...],
    query: str | None,
    grade_list: GradeList,
    items: str | None,
    relevant: int | None,
    rows: int,
    output: Output,
    evaluation: EvaluationOptions,
) -> None:
    """Explain the value of each metric."""
    from rankgauge.metric_core.notation import parse

    parsed = [parse(metric) for metric in metrics or (DEFAULT_METRIC,)]
    if len(sources) == 1:
        evaluation.check_absent(query=query)
        names = None if items is None else [name.strip() for name in items.split(",")]
        keywords: dict[str, Any] = {"convention": evaluation.to_convention(), "items": names, "relevant": relevant}
        grades = parse_grades(sources[0], "GRADES")
        explanations = [metric.explain(grades, **grade_list.keywords(), **keywords) for metric in parsed]
    elif len(sources) == 2:  # noqa: PLR2004 (judgments and a ranking)
        grade_list.check_absent(items=items, relevant=relevant)
        explanations = _explain_files(sources[0], sources[1], parsed, query, evaluation)
    else:
        raise usage_error(
            "pass a list of grades (3,2,0), or judgments and one ranking",
            "请给出一串等级（3,2,0），或标注与一个排序结果",
        )
    if output.to == "json":
        data = [explanation.to_dict() for explanation in explanations]
        output.write_json(data[0] if len(data) == 1 else data)
    else:
        documents = (explanation.document(language(), rows) for explanation in explanations)
        output.write("\n".join(map(output.render, documents)))


def _explain_files(
    judgments: str, ranking: str, metrics: list[Metric], query: str | None, evaluation: EvaluationOptions
) -> list[Explanation]:
    from rankgauge.evaluation.evaluate import explain
    from rankgauge.inputs.findings import Findings
    from rankgauge.matching.judgments import Judgments
    from rankgauge.matching.ranking import named_rankings

    keywords = evaluation.keywords(judgments, ranking)
    options, findings = keywords.pop("read_options"), Findings()
    source = named_rankings("explain", judgments, ranking, options)[""]
    parsed, loaded = Judgments(judgments, options, findings), source.loaded(findings)
    return [explain(parsed, loaded, metric, query, **keywords) for metric in metrics]
