"""Rows with one item: how they are told from records with lists, and which of their columns are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankgauge.errors import InputError
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import (
    USER_NAMES,
    WEAK_ITEM_NAMES,
    find_column,
    is_log,
    names_spans,
    normalise_name,
    recognise_columns,
    system_column,
)

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.inputs.io.lines import FileContext

READ_BY_SHAPES = ({"escilabel"}, {"resultstatus"}, {"predition"}, {"passage", "judgment", "prediction"})
"""Columns of rows that a shape of its own reads: grades that are letters, and what shows whether there is a grade."""
NUMBERS: tuple[tuple[Role, str], ...] = (("judgments", "grade"), ("ranking", "score"), ("ranking", "rank"))


def is_item_row(record: Mapping[str, Any]) -> bool:
    """Whether a record has a query, an item and a number, none of them a list or a letter."""
    normalised = {normalise_name(name) for name in record if isinstance(name, str)}
    if names_spans(normalised) or any(columns <= normalised for columns in READ_BY_SHAPES):
        return False
    names = [name for name, value in record.items() if not isinstance(value, list | tuple | Mapping)]
    has_lists = len(names) < len(record)
    try:
        query, item = find_column("query", names, ""), find_column("item", names, "")
        number = any(find_column(kind, names, "", role) for role, kind in NUMBERS)
    except InputError:  # several columns could be one of them, which the reader of tables reports
        return not has_lists
    weak = item is not None and normalise_name(item) in WEAK_ITEM_NAMES
    return query is not None and item is not None and number and not (weak and has_lists)


@dataclass(frozen=True)
class RowColumns:
    """The columns of a table that are read."""

    query: str
    item: str
    number: str | None
    """None if every row is relevant."""
    by_rank: bool
    """Whether the number is a rank, of which lower is better."""
    rank: str | None
    """The rank, if there is a score as well, which it should agree with."""
    system: str | None = None
    """The name of the system, if the rankings of several are read."""

    @property
    def names(self) -> tuple[str, ...]:
        """Query, item, and as far as there are any, number, rank and system."""
        return (self.query, self.item, *(name for name in (self.number, self.rank, self.system) if name is not None))

    def select(self, table: pl.LazyFrame) -> pl.LazyFrame:
        """Return the columns of a table by what they hold, with ones where no column has the number."""
        import polars as pl  # noqa: PLC0415 (only for frames)

        number = pl.lit(1) if self.number is None else pl.col(self.number)
        more = {"rank": self.rank, "system": self.system}
        return table.select(
            pl.col(self.query).alias("query"),
            pl.col(self.item).alias("item"),
            number.alias("number"),
            *(pl.col(name).alias(kind) for kind, name in more.items() if name is not None),
        )


def row_columns(
    names: Sequence[str], context: FileContext, declared: Mapping[str, str] | None, place: str
) -> RowColumns:
    """Return the columns of a table."""
    if context.role == "judgments":
        named = dict(declared or {})
        time = {} if context.time is None else {"time": context.time}
        declared = named | {"grade": ""} if is_log(names, named | time, place) else named
    columns = recognise_columns(names, context.role, declared, place)
    context.columns_found = True
    if normalise_name(columns["query"]) in USER_NAMES:
        context.findings.rows = "users"
    by_rank = "rank" in columns and context.number not in columns
    number, rank = columns.get("rank" if by_rank else context.number), None if by_rank else columns.get("rank")
    system = system_column(names, columns) if context.column == "system" else None
    return RowColumns(columns["query"], columns["item"], number, by_rank, rank, system)
