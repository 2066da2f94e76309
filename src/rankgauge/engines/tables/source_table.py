"""The tables of an engine: which columns hold queries, items, grades and scores, and whether their types fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rankgauge.engines.tables.sql import Side
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import MAYBE_SYSTEM, normalise_name, recognise_columns, system_column
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.rendering.language import Phrase

TYPES = {
    "whole": r"U?(TINY|SMALL|BIG)INT|U?INTEGER|INT",
    "number": r"FLOAT|DOUBLE|DECIMAL\([^)]*\)|U?HUGEINT|BOOLEAN",
    "text": r"VARCHAR(\(\d+\))?|CHAR\(\d+\)|STRING.*|UUID|ENUM\(.*",
}
"""Types of DuckDB and Spark by kind: ids are whole numbers or text; grades and scores are whole or other numbers."""
ID_KINDS = {"whole": Phrase("whole", "整数"), "text": Phrase("text", "文本")}
REFUSED = {
    **dict.fromkeys(("format", "progress"), Phrase("no file is read", "不读取文件")),
    **dict.fromkeys(
        ("groups", "offsets", "query_ids"),
        Phrase("the query is a column of the table; name it in columns", "查询是表中的一列；请在 columns 中指明"),
    ),
    **dict.fromkeys(
        ("spans", "documents", "tokens"), Phrase("spans and budgets are for rg.evaluate", "片段与预算请用 rg.evaluate")
    ),
    "grades": Phrase("compute the grades in a query", "请在查询语句中计算等级"),
    "units": Phrase(
        "select the unit as the item in a query: SELECT query, document AS item, score",
        "请在查询语句中把单位选作物品：SELECT query, document AS item, score",
    ),
}
"""Read options that tables do not take, and the reason."""
SYSTEMS = Phrase(
    "ranking: several systems are named in column {column} ({first}, {second}), and a table is one ranking; pass the "
    "rows of one, such as those WHERE {column} = {first}, or a table without the column if it is something else",
    "ranking：列 {column} 含有多个系统，如 {first} 与 {second}，而一个表是一个排序结果；请只给出其中一个系统的行，"
    "如 WHERE {column} = {first}；若该列并非系统名，请去掉它",
)


@dataclass(frozen=True)
class SourceTable:
    """Judgments or a ranking before their columns are recognised."""

    role: Role
    source: str
    """The operand of FROM."""
    types: Mapping[str, str]
    """The columns and their types in the engine."""
    values: Callable[[str], Sequence[object]]
    """Returns two different values of a column, or fewer if there are not two."""

    def columns(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Map rankgauge's column names to those of the table; an error if a type does not fit."""
        if not chosen.get("grade", "grade"):
            raise InputError(
                Phrase(
                    "judgments: grade=None is for frames and files; select it in a query: SELECT query, item, 1 AS "
                    "grade",
                    "judgments：grade=None 用于 DataFrame 与文件；请在查询中写出：SELECT query, item, 1 AS grade",
                )
            )
        columns = recognise_columns([*self.types], self.role, chosen)
        if self.role == "ranking":
            self._check_system(chosen)
        for name in ("grade", "score", "rank"):
            if name in columns and self.kind(columns[name]) not in {"whole", "number"}:
                raise InputError(
                    Phrase(
                        f"{self.role}: column {shown(columns[name])} does not hold numbers, as a {name} must; cast it "
                        "in a query",
                        f"{self.role}：列 {shown(columns[name])} 不是数，而 {name} 应为数；请在查询语句中转换类型",
                    )
                )
        for name in ("query", "item"):
            if self.kind(columns[name]) not in {"whole", "text"}:
                raise InputError(
                    Phrase(
                        f"{self.role}: column {shown(columns[name])} holds neither text nor whole numbers, as ids "
                        "must; cast it to text in a query",
                        f"{self.role}：列 {shown(columns[name])} 既不是文本也不是整数，不能作标识；"
                        "请在查询语句中转换为文本",
                    )
                )
        return columns

    def _check_system(self, chosen: Mapping[str, str]) -> None:
        """Raise an error for a column that names several systems: their rows would be taken for one ranking."""
        column = system_column(self.types, chosen)
        if column is None or ("system" not in chosen and normalise_name(column) in MAYBE_SYSTEM):
            return
        names = sorted(map(str, self.values(column)))
        if len(names) > 1:
            name = column if column.isidentifier() else shown(column)
            raise InputError(SYSTEMS.fill(column=name, first=shown(names[0]), second=shown(names[1])))

    def kind(self, column: str) -> str:
        """The kind of a column, one of ``TYPES``; otherwise "other"."""
        name = self.types[column]
        return next((kind for kind, types in TYPES.items() if re.fullmatch(f"(?is){types}", name)), "other")


def recognise_sides(
    judgments: SourceTable, ranking: SourceTable, options: ReadOptions, input_order: str | None, findings: Findings
) -> tuple[Side, Side]:
    """Both sides with their columns; ids of different kinds are compared as text."""
    judged = judgments.columns(options.columns_of("judgments") or {})
    ranked = ranking.columns(options.columns_of("ranking") or {})
    if input_order is not None:
        if input_order not in ranking.types:
            names = ", ".join(map(shown, ranking.types))
            raise ParameterError.of("input_order", input_order, (f"one of {names}", f"{names} 之一"))
        ranked["order"] = input_order
    whole_ids = {}
    for name in ("query", "item"):
        kinds = judgments.kind(judged[name]), ranking.kind(ranked[name])
        if kinds[0] != kinds[1]:
            example = Phrase(
                "{name} ids: {judged} in the judgments, {ranked} in the ranking",
                "{name} 标识：标注中为{judged}，排序结果中为{ranked}",
            )
            judged_kind, ranked_kind = (ID_KINDS[kind] for kind in kinds)
            findings.add("RG406", example.fill(name=name, judged=judged_kind, ranked=ranked_kind))
        whole_ids[name] = kinds == ("whole", "whole")
    return Side("judgments", judgments.source, judged, whole_ids), Side("ranking", ranking.source, ranked, whole_ids)
