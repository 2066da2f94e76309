"""``rankgauge reconcile``: why two tools report two numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli.arguments import GRADES_OR_FILES, parse_grades
from rankgauge.cli.command import Example, Option, define_command
from rankgauge.cli.completions import metric_names, preset_names
from rankgauge.cli.console import write_findings
from rankgauge.cli.localization import language, usage_error
from rankgauge.cli.options import GRADE_LIST, RULES_AND_READING, EvaluationOptions, GradeList
from rankgauge.cli.output import DOCUMENTS, Output, output_options
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.reconciliation.reconciliation import Reconciliation

UNEXPLAINED = 1


@define_command(
    "reconcile",
    """Explain why your number differs from another tool's.

    Pass judgments and a ranking, or a list of grades, to get a table of the value that each tool gives and the rules
    that make them differ. --value finds the rules that give a number; --between goes from one tool to another, one
    rule at a time. The exit code is 1 if no rules give the number of --value.
    """,
    """解释为什么你我算出的数不一样。

    给出标注与排序结果，或一串等级：列出各工具给出的值，以及造成差别的规则。
    --value 找出能得到某个数的规则；--between 从一个工具逐条规则变到另一个工具。
    没有规则能得到 --value 的数时，退出码为 1。""",
    GRADES_OR_FILES,
    Option(
        "-m --metric",
        "One metric, such as nDCG@10 or AP.",
        "一个指标，如 nDCG@10 或 AP。",
        default="nDCG@10",
        metavar=Phrase("METRIC", "指标"),
        shell_complete=metric_names,
    ),
    Option(
        "--value values",
        "A number to explain, with all the digits it was printed with. Repeatable.",
        "要解释的数，按原来给出的位数书写。可重复。",
        multiple=True,
        metavar=Phrase("NUMBER", "数"),
    ),
    Option(
        "--between",
        "Go from one tool to another, one rule at a time.",
        "从一个工具变到另一个工具，每次改变一条规则。",
        nargs=2,
        metavar=Phrase("NAME NAME", "名称 名称"),
        shell_complete=preset_names,
    ),
    GRADE_LIST,
    Option(
        "--digits",
        "Digits of the values; by default as many as are needed to tell them apart.",
        "数值的小数位数；默认以能区分各值为准。",
        type=click.IntRange(0, 12),
    ),
    output_options((*DOCUMENTS, "json")),
    RULES_AND_READING,
    examples=[
        Example(
            "rankgauge reconcile judgments.csv keywords.csv -m nDCG@5",
            "the value that every tool gives",
            "各工具给出的值",
        ),
        Example(
            "rankgauge reconcile judgments.csv keywords.csv -m AP@5 --value 0.5644",
            "which tools give this number?",
            "哪些工具给出这个数？",
        ),
        Example(
            "rankgauge reconcile judgments.csv keywords.csv -m nDCG@5 --between sklearn lightgbm",
            "from one tool to another",
            "从一个工具到另一个工具",
        ),
        Example(
            "rankgauge reconcile 5,3,2,1,2 --ideal 5,4,3,2,2,1,0 -m nDCG@5 --value 0.827",
            "a list of grades",
            "一串等级",
        ),
    ],
)
def command(
    sources: tuple[str, ...],
    metric: str,
    values: tuple[str, ...],
    between: tuple[str, str] | None,
    grade_list: GradeList,
    digits: int | None,
    output: Output,
    evaluation: EvaluationOptions,
) -> int:
    """Reconcile tools; the exit code is 1 if a number stays unexplained."""
    if values and between:
        raise usage_error("pass --value or --between, not both", "--value 与 --between 只能给出一个")
    result = _reconcile(sources, metric, grade_list, digits, evaluation)
    write_findings(result.findings, quiet=evaluation.quiet)
    parts: list[Any] = [result.between(*between)] if between else [result.explain(value) for value in values]
    if output.to == "json":
        output.write_json(_data(result, parts, bool(values)))
    else:
        output.write("\n".join(output.render(part.document(language())) for part in parts or [result]))
    return UNEXPLAINED if values and not all(part.matches for part in parts) else 0


def _reconcile(
    sources: tuple[str, ...], metric: str, grade_list: GradeList, digits: int | None, evaluation: EvaluationOptions
) -> Reconciliation:
    from rankgauge.reconciliation.reconcile import reconcile

    convention = evaluation.to_convention() if evaluation.has_rules else None
    if len(sources) == 1:
        evaluation.check_absent()
        grades = parse_grades(sources[0], "GRADES")
        return reconcile(grades, metric=metric, convention=convention, digits=digits, **grade_list.keywords())
    if len(sources) == 2:  # noqa: PLR2004 (judgments and a ranking)
        grade_list.check_absent()
        options = evaluation.read_options(*sources)
        return reconcile(*sources, metric, convention=convention, digits=digits, read_options=options)
    raise usage_error(
        "pass a list of grades (5,3,2), or judgments and one ranking", "请给出一串等级（5,3,2），或标注与一个排序结果"
    )


def _data(result: Reconciliation, parts: list[Any], explained: bool) -> dict[str, Any]:
    """Return the table, the explained numbers, or the steps between two tools as plain data."""
    if not parts:
        return result.to_dict()
    head = {"schema": result.to_dict()["schema"], "metric": str(result.metric), "queries": result.queries}
    return head | ({"values": [part.to_dict() for part in parts]} if explained else parts[0].to_dict())
