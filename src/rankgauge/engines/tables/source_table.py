"""The tables of an engine: which columns hold queries, items, grades and scores, and whether their types fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rankgauge.engines.tables.sql import Side
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import recognise_columns
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.sided_columns import Columns, check_columns, columns_of

Kind = Literal["whole", "text", "number", "other"]
"""What a column type can hold: ids are whole numbers or text; grades and scores are whole or other numbers."""
COLUMNS = ("query", "item", "grade", "score", "rank", "order")


@dataclass(frozen=True)
class SourceTable:
    """Judgments or a ranking before their columns are recognised."""

    role: Role
    source: str
    """The operand of FROM."""
    kinds: Mapping[str, Kind]
    """The columns and their kinds."""

    def columns(self, given: Mapping[str, str]) -> dict[str, str]:
        """Map rankgauge's column names to those of the table."""
        columns = recognise_columns([*self.kinds], self.role, given, self.role)
        for name in ("grade", "score", "rank"):
            if name in columns and self.kinds[columns[name]] not in {"whole", "number"}:
                raise InputError(
                    f"{self.role}: column {shown(columns[name])} does not hold numbers, as a {name} must; "
                    "cast it in a query"
                )
        return columns

    def id_kind(self, column: str) -> Kind:
        """The kind of an id column; an error if it cannot hold ids."""
        kind = self.kinds[column]
        if kind not in {"whole", "text"}:
            raise InputError(
                f"{self.role}: column {shown(column)} holds neither text nor whole numbers, as ids must; "
                "cast it to text in a query"
            )
        return kind


def recognise_sides(
    judgments: SourceTable, ranking: SourceTable, columns: Columns | None, findings: Findings
) -> tuple[Side, Side]:
    """Both sides with their columns; ids of different kinds are compared as text."""
    check_columns(columns, COLUMNS)
    given = columns_of(columns, "ranking", ("order",))
    order = given.pop("order", None)
    judged, ranked = judgments.columns(columns_of(columns, "judgments")), ranking.columns(given)
    if order is not None:
        if order not in ranking.kinds:
            raise ParameterError.of("columns", order, f"for order, one of {', '.join(map(shown, ranking.kinds))}")
        ranked["order"] = order
    whole_ids = {}
    for name in ("query", "item"):
        kinds = judgments.id_kind(judged[name]), ranking.id_kind(ranked[name])
        if kinds[0] != kinds[1]:
            findings.add("RG406", f"{name} ids: {kinds[0]} in the judgments, {kinds[1]} in the ranking")
        whole_ids[name] = kinds == ("whole", "whole")
    return Side("judgments", judgments.source, judged, whole_ids), Side("ranking", ranking.source, ranked, whole_ids)
