"""Tables that an engine holds: which of their columns are meant, and whether their types can be."""

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
"""What a type can be used for: a whole number or a text is an id, a whole number or a number is a grade or score."""
COLUMNS = ("query", "item", "grade", "score", "rank", "order")


@dataclass(frozen=True)
class Table:
    """One side before its columns are known."""

    role: Role
    source: str
    """What stands behind FROM."""
    kinds: Mapping[str, Kind]
    """The columns and what they can be."""

    def columns(self, given: Mapping[str, str]) -> dict[str, str]:
        """Our names of the columns to theirs."""
        found = recognise_columns([*self.kinds], self.role, given, self.role)
        for name in ("grade", "score", "rank"):
            if name in found and self.kinds[found[name]] not in {"whole", "number"}:
                raise InputError(
                    f"{self.role}: column {shown(found[name])} is no column of numbers, as a {name} must be; "
                    "cast it in a query"
                )
        return found

    def kind(self, column: str) -> Kind:
        """What an id column can be; an error where it cannot be an id."""
        kind = self.kinds[column]
        if kind not in {"whole", "text"}:
            raise InputError(
                f"{self.role}: column {shown(column)} holds neither texts nor whole numbers, as ids must be; "
                "cast it to text in a query"
            )
        return kind


def sides(judgments: Table, ranking: Table, columns: Columns | None, findings: Findings) -> tuple[Side, Side]:
    """Both sides with their columns recognised and ids of one kind: text, where they differ."""
    check_columns(columns, COLUMNS)
    said = columns_of(columns, "ranking", ("order",))
    order = said.pop("order", None)
    ours, theirs = judgments.columns(columns_of(columns, "judgments")), ranking.columns(said)
    if order is not None:
        if order not in ranking.kinds:
            raise ParameterError.of("columns", order, f"for order, one of {', '.join(map(shown, ranking.kinds))}")
        theirs["order"] = order
    whole = {}
    for name in ("query", "item"):
        kinds = judgments.kind(ours[name]), ranking.kind(theirs[name])
        if kinds[0] != kinds[1]:
            findings.add("RG406", f"{name} ids: {kinds[0]} in the judgments, {kinds[1]} in the ranking")
        whole[name] = kinds == ("whole", "whole")
    return Side("judgments", judgments.source, ours, whole), Side("ranking", ranking.source, theirs, whole)
