"""``rankgauge explain``: how one number is computed."""

from __future__ import annotations

from rankgauge.cli.command import Option, OptionGroup, define_command
from rankgauge.cli.grades_or_files import GradesOrFiles
from rankgauge.cli.localization import language, usage_error
from rankgauge.cli.options import EVALUATION, GRADE_LIST, GRADES_OR_FILES, METRICS, digits_option
from rankgauge.cli.output import DOCUMENTS, Output, output_options
from rankgauge.cli.summaries import COMMANDS
from rankgauge.metric_core.explanation import Explanation
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse_all
from rankgauge.rendering.plain import PlainData


@define_command(
    COMMANDS["explain"],
    """Pass a list of grades, or judgments, a ranking and a query. Without -m: nDCG@10.""",
    """给出一串等级，或标注、排序结果与一个查询。不写 -m 时解释 nDCG@10。""",
    GRADES_OR_FILES,
    METRICS,
    Option("--query", "Query to explain; not needed if there is only one.", "要解释的查询；只有一个查询时可不写。"),
    *GRADE_LIST,
    Option("--items NAMES", "For a list: the names of the items.", "用于等级列表：各物品的名称。", listed=True),
    Option("--relevant", "For a list: the total number of relevant items.", "用于等级列表：相关物品的总数。", least=0),
    Option("--rows", "Maximum number of ranks to show.", "最多显示多少个名次。", least=1, default=50),
    output_options((*DOCUMENTS, "json")),
    digits_option(6),
    OptionGroup("inputs", GradesOrFiles, EVALUATION.options, (GRADES_OR_FILES, *GRADE_LIST)),
    examples="""
    # a list of grades, best rank first | 一串等级，按名次排列
    rankgauge explain 3,2,3,0,1 -m nDCG@5
    # - is not judged; --ideal lists all judged grades | - 表示未标注；--ideal 给出所有已标注的等级
    rankgauge explain 1,-,0,1 -m AP --ideal 1,1,1
    # tied scores | 分数并列
    rankgauge explain 1,0,2 -m nDCG@2 --scores 0.5,0.5,0.1 --rule ties=mean
    # one query of your files | 文件中的一个查询
    rankgauge explain judgments.csv keywords.csv -m nDCG@5 --query heist
    # as Markdown, in Chinese | 输出中文 Markdown
    rankgauge explain judgments.csv keywords.csv --query 功夫片 --lang zh -t md
    """,
)
def command(
    metrics: tuple[str, ...],
    query: str | None,
    items: str | None,
    relevant: int | None,
    rows: int,
    digits: int,
    output: Output,
    inputs: GradesOrFiles,
) -> None:
    """Explain the value of each metric."""
    parsed = parse_all(metrics or None)
    grades = inputs.grades({"items": items, "relevant": relevant}, {"query": query})
    if grades is None:
        explanations = _explain_files(parsed, query, inputs)
    else:
        if len(grades) == 1 and inputs.ideal is None and grades[0] is not None and 0 < grades[0] < 1:
            raise usage_error(
                "{number} alone is a list of one item; to find what gives a number, pass the list that it was computed "
                "from, too: rankgauge reconcile 3,2,0,1 --value {number}",
                "单独的 {number} 会被当作只有一个物品的列表；要查明某个数从何而来，请同时给出算出它的列表："
                "rankgauge reconcile 3,2,0,1 --value {number}",
                number=inputs.sources[0],
            )
        names = None if items is None else [name.strip() for name in items.split(",")]
        keywords = {"items": names, "relevant": relevant, **inputs.list_keywords()}
        explanations = [metric.explain(grades, convention=inputs.to_convention(), **keywords) for metric in parsed]

    def data() -> PlainData | list[PlainData]:
        dicts = [explanation.to_dict() for explanation in explanations]
        return dicts[0] if len(dicts) == 1 else dicts

    output.show(
        lambda: [explanation.document(language(), rows, digits=digits) for explanation in explanations], json=data
    )


def _explain_files(metrics: list[Metric], query: str | None, inputs: GradesOrFiles) -> list[Explanation]:
    from rankgauge.evaluation.evaluate import explain
    from rankgauge.evaluation.passes import of_spans
    from rankgauge.inputs.findings import Findings
    from rankgauge.matching.entrance import resolve_input
    from rankgauge.matching.judgments import Judgments

    judgments, ranking = inputs.sides()
    keywords = inputs.keywords(*inputs.sources)
    options, findings = keywords.pop("read_options"), Findings()
    verb_input = resolve_input("explain", judgments, ranking, options, "one")
    parsed = Judgments.of(verb_input.judgments, options, findings)
    loaded = of_spans(verb_input.ranking, parsed).loaded(findings)
    return [explain(parsed, loaded, metric, query, **keywords) for metric in metrics]
