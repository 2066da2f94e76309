"""``rankgauge reconcile``: why two tools report two numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rankgauge.cli.command import Option, OptionGroup, define_command
from rankgauge.cli.grades_or_files import GradesOrFiles
from rankgauge.cli.localization import language, usage_error
from rankgauge.cli.options import GRADE_LIST, GRADES_OR_FILES, RULES_AND_READING, digits_option
from rankgauge.cli.output import DOCUMENTS, Output, output_options
from rankgauge.cli.summaries import COMMANDS
from rankgauge.cli.values import metric_names, preset_names
from rankgauge.inputs.io.paths import is_regular_file
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.reconciliation.reconciliation import Reconciliation
    from rankgauge.reconciliation.same_definition import SameDefinition
    from rankgauge.rendering.document import Document

UNEXPLAINED = 1
NUMBERS = re.compile(r"[\d.,，\s-]+")
"""A number, or numbers in place of files."""
LIST = re.compile(r"\S[\s,，]+\S")
"""More than one number."""
WIDEST = 120
"""Columns of a line in a pipe or file: a value can have the names of fifty tools beside it."""


@define_command(
    COMMANDS["reconcile"],
    """Pass judgments and a ranking, or a list of grades, to get a table of the value that each tool gives and the rules
    that make them differ. --value finds the rules that give a number, and says how many values chance alone would
    match; --between goes from one tool to another, one rule at a time. The exit code is 1 if a number of --value is not
    explained: the default (or your rules) does not give it, and no other definition does beyond what chance would give.
    That is an answer, not an error.""",
    """给出标注与排序结果，或一串等级：列出各工具给出的值，以及造成差别的规则。
    --value 找出能得到某个数的规则，并说明仅凭偶然会有多少个值相符；--between 从一个工具逐条规则变到另一个工具。
    --value 的某个数得不到解释时（默认规则或指定的规则不给出它，其他定义相符的也不比偶然多），退出码为 1；
    这是正常的回答，不是错误。""",
    GRADES_OR_FILES,
    Option(
        "-m --metric METRIC",
        "One metric, such as AP; nDCG@10 by default.",
        "一个指标，如 AP；默认为 nDCG@10。",
        listed=True,
        shell_complete=metric_names,
    ),
    Option(
        "--value values NUMBER",
        "A number to explain, with all the digits it was printed with. Repeatable.",
        "要解释的数，按原来给出的位数书写。可重复。",
        multiple=True,
    ),
    Option(
        "--between NAME NAME",
        "Go from one tool to another, one rule at a time.",
        "从一个工具变到另一个工具，每次改变一条规则。",
        nargs=2,
        shell_complete=preset_names,
    ),
    *GRADE_LIST,
    digits_option(
        None,
        Phrase(
            "Digits of the values; by default as many as are needed to distinguish them.",
            "数值的小数位数；默认以能区分各值为准。",
        ),
    ),
    output_options((*DOCUMENTS, "json")),
    OptionGroup("inputs", GradesOrFiles, RULES_AND_READING, (GRADES_OR_FILES, *GRADE_LIST)),
    examples="""
    # the value that every tool gives | 各工具给出的值
    rankgauge reconcile judgments.csv keywords.csv -m nDCG@5
    # which tools give this number? | 哪些工具给出这个数？
    rankgauge reconcile judgments.csv keywords.csv -m AP@5 --value 0.5644
    # from one tool to another | 从一个工具到另一个工具
    rankgauge reconcile judgments.csv keywords.csv -m nDCG@5 --between sklearn lightgbm
    # a list of grades | 一串等级
    rankgauge reconcile 5,3,2,1,2 --ideal 5,4,3,2,2,1,0 -m nDCG@5 --value 0.827
    """,
)
def command(
    metric: str | None,
    values: tuple[str, ...],
    between: tuple[str, str] | None,
    digits: int | None,
    output: Output,
    inputs: GradesOrFiles,
) -> int:
    """Reconcile tools; the exit code is 1 if a number is not explained."""
    from rankgauge.reconciliation.reconcile import reconcile
    from rankgauge.reconciliation.same_definition import numbers_documents, same_definitions

    if values and between:
        raise usage_error("pass --value or --between, not both", "--value 与 --between 只能给出一个")
    grades = _grades(inputs, alone=not values and not between)
    judgments, ranking = inputs.sides() if grades is None else (grades, None)
    result = reconcile(
        judgments,
        ranking,
        metric,
        convention=inputs.to_convention() if inputs.convention or inputs.rules else None,
        digits=digits,
        read_options=inputs.read_options(*inputs.sources),
        **inputs.list_keywords(),
    )
    inputs.write_findings(result.findings)
    parts: list[Any] = [result.between(*between)] if between else [result.explain(value) for value in values]
    pairs = same_definitions(parts) if values else []

    def pages() -> list[Document]:
        if values:
            return numbers_documents(parts, pairs, language())
        return [part.document(language()) for part in parts or [result]]

    output.show(
        pages,
        text=lambda: output.render(*pages(), widest=WIDEST),
        json=lambda: _data(result, parts, pairs, bool(values)),
    )
    matched = {id(pair.number) for pair in pairs if pair.match}
    return UNEXPLAINED if values and not all(part.explained or id(part) in matched for part in parts) else 0


def _grades(inputs: GradesOrFiles, *, alone: bool) -> Any:
    """Return the typed grades, None for files; refuse numbers in the place of files, and a single one ``alone``."""
    are_numbers = all(NUMBERS.fullmatch(text) and not is_regular_file(text) for text in inputs.sources)
    if are_numbers and len(inputs.sources) == 2:  # noqa: PLR2004 (a pair)
        number, numbers = sorted(inputs.sources, key=len)
        if not LIST.search(numbers):
            first, second = inputs.sources
            raise usage_error(
                "{first} and {second} are no files; to explain two numbers, pass the list that they were computed "
                "from, or judgments and a ranking, too: rankgauge reconcile 3,2,0,1 --value {first} --value {second}",
                "{first} 与 {second} 都不是文件；要解释两个数，请同时给出算出它们的列表，或标注与排序结果："
                "rankgauge reconcile 3,2,0,1 --value {first} --value {second}",
                first=first,
                second=second,
            )
        raise usage_error(
            "{number} and {numbers} are no files; the number to explain goes to --value: rankgauge reconcile {numbers} "
            "--value {number}",
            "{number} 与 {numbers} 都不是文件；要解释的数请用 --value 给出："
            "rankgauge reconcile {numbers} --value {number}",
            number=number,
            numbers=numbers,
        )
    grades = inputs.grades()
    if alone and grades is not None and len(grades) == 1 and inputs.ideal is None:
        raise usage_error(
            "{number} alone is a list of one item; to explain a number, pass the list that it was computed from, too: "
            "rankgauge reconcile 3,2,0,1 --value {number}, or judgments and a ranking",
            "单独的 {number} 会被当作只有一个物品的列表；要解释某个数，请同时给出算出它的列表："
            "rankgauge reconcile 3,2,0,1 --value {number}，或给出标注与排序结果",
            number=inputs.sources[0],
        )
    return grades


def _data(result: Reconciliation, parts: list[Any], pairs: list[SameDefinition], explained: bool) -> dict[str, Any]:
    """Return the table, the explained numbers, or the steps between two tools as plain data."""
    if not parts:
        return result.to_dict()
    head = {"schema": result.to_dict()["schema"], "metric": str(result.metric), "queries": result.queries}
    if not explained:
        return head | parts[0].to_dict()
    same_as = {id(pair.number): {"same_definition_as": pair.other.printed.text} for pair in pairs if pair.match}
    return head | {"values": [part.to_dict() | same_as.get(id(part), {}) for part in parts]}
