"""Attributes of queries (language, category, length) from a dict, a frame or a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankgauge.errors import InputError, UnknownNameError, shown
from rankgauge.inputs.columns import find_column, missing_column_error
from rankgauge.inputs.formats.table_files import parse_table, read_content

if TYPE_CHECKING:
    import polars as pl


def attribute_values(source: Any, name: str, queries: Sequence[Any]) -> list[Any]:
    """Return the value of an attribute for each query, or None for a query without one.

    ``source`` is ``{query: {attribute: value}}``, or a frame or table file with a query column.

    >>> attribute_values({"q1": {"lang": "zh"}, "q2": {}}, "lang", ["q1", "q2", "q3"])
    ['zh', None, None]
    """
    if isinstance(source, Mapping):
        return _from_dicts(source, name, queries)
    return _from_frame(_read_frame(source), name, queries)


def _from_dicts(source: Mapping[Any, Any], name: str, queries: Sequence[Any]) -> list[Any]:
    invalid = next((query for query, values in source.items() if not isinstance(values, Mapping)), None)
    if invalid is not None:
        raise InputError(
            f"attributes: query {shown(invalid)} has {shown(source[invalid])}; give {{query: {{attribute: value}}}}"
        )
    names = {str(key): None for values in source.values() for key in values}
    if name not in names:
        raise UnknownNameError.closest("attribute", name, names)
    by_text = {str(query): values for query, values in source.items()}
    return [_value_or_none(by_text.get(str(query), {}).get(name)) for query in queries]


def _from_frame(frame: pl.DataFrame, name: str, queries: Sequence[Any]) -> list[Any]:
    candidates = [column for column in frame.columns if column != name]
    ids = find_column("query", candidates, "attributes")
    if ids is None:
        raise missing_column_error(["query"], candidates, "judgments", "attributes")
    others = [column for column in frame.columns if column != ids]
    if name not in others:
        raise UnknownNameError.closest("attribute", name, others)
    values: dict[str, Any] = {}
    for query, value in frame.select(ids, name).iter_rows():
        if values.setdefault(str(query), value) != value:
            raise InputError(
                f"attributes: query {shown(query)} has two values for {name}, {shown(values[str(query)])} and "
                f"{shown(value)}; keep one"
            )
    return [_value_or_none(values.get(str(query))) for query in queries]


def _value_or_none(value: Any) -> Any:
    return None if value is None or value == "" or value != value else value  # noqa: PLR0124 (NaN)


def _read_frame(source: Any) -> pl.DataFrame:
    import polars as pl  # noqa: PLC0415

    from rankgauge.inputs.frames import as_polars, is_frame  # noqa: PLC0415

    if not is_frame(source):
        return parse_table(*read_content(source, "attributes"), "attributes")
    try:
        return source.collect() if isinstance(source, pl.LazyFrame) else as_polars(source)
    except Exception as error:  # frame libraries raise exceptions of any type
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"attributes: the frame cannot be read ({reason}); give a table with named columns") from error
