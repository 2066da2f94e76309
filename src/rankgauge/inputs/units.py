"""Units: the document, page or session that each returned item belongs to, from a table or a rule for ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.columns import find_column
from rankgauge.inputs.records import RepeatedItems, listed_items
from rankgauge.value_checks import is_listing

if TYPE_CHECKING:
    import polars as pl

RULE = re.compile(r"before (first|last) (.+)")
EXPECTED = (
    "{item: unit}, a table of items and units, or a text such as 'before last _'",
    "{物品: 单位}、物品与单位的表，或 'before last _' 这样的文本",
)
PAIR = 2
ROLLED_UP: dict[Any, Any] = {}
"""The mapping of a ranking that names units already."""


class Units:
    """What each item is rolled up to.

    >>> Units("before last _").of_items(["doc_7_0", "doc_7_1", "note"])
    ['doc_7', 'doc_7', 'note']
    >>> Units({"c1": "d1", "c2": "d1"}).of_items(["c2"])
    ['d1']
    """

    def __init__(self, source: Any) -> None:
        self.source = source
        misspelt = isinstance(source, str) and source.startswith("before ") and not RULE.fullmatch(source)
        if misspelt or (not isinstance(source, str | Mapping) and not _is_table(source)):
            raise ParameterError.of("units", source, EXPECTED)

    def __repr__(self) -> str:
        return f"<Units: {self.source if isinstance(self.source, str) else type(self.source).__name__}>"

    def of_items(self, items: Iterable[object], query: object = None) -> list[Any]:
        """Return the unit of each item; one without a unit is an error."""
        unit_of = self._unit_of
        try:
            return [*map(unit_of, items)]
        except KeyError as missing:
            item = shown(missing.args[0])
            en, zh = ("", "") if query is None else (f" (query {shown(query)})", f"（查询 {shown(query)}）")
            en = f"units: item {item} has no unit{en}; add it to the table"
            raise InputError((en, f"units：物品 {item} 没有单位{zh}；请补入表中")) from None

    def of_frame(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return a ranking with units in place of items."""
        import polars as pl  # noqa: PLC0415 (slow to import)

        from rankgauge.inputs.frames import id_series  # noqa: PLC0415

        if not frame.height:
            return frame
        items = frame["item"].unique(maintain_order=True)
        units = pl.DataFrame({"item": items, "unit": id_series(self.of_items(items.to_list()))})
        joined = frame.join(units, on="item", how="left", maintain_order="left")
        return joined.with_columns(item=pl.col("unit")).drop("unit")

    def of_records(self, rankings: Mapping[object, object]) -> dict[Any, Any]:
        """Return ``{query: {item: score} or [items]}`` with units in place of items, some of them more than once."""
        return {query: self._of_record(returned, query) for query, returned in rankings.items()}

    def _of_record(self, returned: object, query: object) -> object:
        if isinstance(returned, Mapping):
            return RepeatedItems(self.of_items(returned, query), returned.values())
        if isinstance(returned, RepeatedItems):
            return RepeatedItems(self.of_items(returned, query), returned.scores)
        return self.of_items(listed_items(returned, query), query) if is_listing(returned) else returned

    @cached_property
    def _unit_of(self) -> Callable[[Any], Any]:
        if isinstance(self.source, str) and (rule := RULE.fullmatch(self.source)):
            which, separator = rule.groups()
            cut = str.rpartition if which == "last" else str.partition

            def before(item: object) -> Any:
                unit, separated, _ = cut(str(item), separator)
                return unit if separated else item

            return before
        if self.source is ROLLED_UP:
            return lambda item: item
        by_text = self._table()
        return lambda item: by_text[str(item)]

    def _table(self) -> dict[str, Any]:
        if isinstance(self.source, Mapping):
            return {str(item): unit for item, unit in self.source.items()}
        from rankgauge.inputs.formats.table_files import table_of  # noqa: PLC0415 (only for tables)

        frame = table_of(self.source, "units", as_text=True)
        names = frame.columns
        unit = next((name for name in names if name.lower() == "unit"), None)
        item = find_column("item", [name for name in names if name != unit], "units") if unit else None
        if item is None and len(names) == PAIR:
            item, unit = names[0], names[1]
        if item is None or unit is None:
            listed = ", ".join(names)
            en = f"units: the columns are {listed}; give two, the item and its unit, or name one 'unit'"
            raise InputError((en, f"units：列为 {listed}；请只给出物品与单位两列，或将其中一列命名为 unit"))
        table: dict[str, object] = {}
        for name, value in frame.select(item, unit).iter_rows():
            if table.setdefault(str(name), value) != value:
                first, second = shown(table[str(name)]), shown(value)
                raise InputError(
                    (
                        f"units: item {shown(name)} has two units, {first} and {second}; an item belongs to one",
                        f"units：物品 {shown(name)} 有两个单位：{first} 与 {second}；一个物品只属于一个单位",
                    )
                )
        return table


def _is_table(source: object) -> bool:
    from rankgauge.inputs.frames import is_frame  # noqa: PLC0415 (loads polars)

    return hasattr(source, "__fspath__") or hasattr(source, "read") or is_frame(source)
