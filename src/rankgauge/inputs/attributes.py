"""Attributes of queries (language, category, length): a dict, a frame or a file, by the ids of the queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankgauge.errors import InputError, UnknownNameError, shown
from rankgauge.inputs.columns import find_column, missing_column_error
from rankgauge.inputs.io.table_files import parse_table, read_content

if TYPE_CHECKING:
    import polars as pl


def attribute_values(source: Any, name: str, queries: Sequence[Any]) -> list[Any]:
    """The value of an attribute for each of the queries, None where it has none.

    ``source`` is ``{query: {attribute: value}}``, or a frame or file (CSV, TSV, JSONL, Parquet, Arrow) with a column
    of queries.

    >>> attribute_values({"q1": {"lang": "zh"}, "q2": {}}, "lang", ["q1", "q2", "q3"])
    ['zh', None, None]
    """
    if isinstance(source, Mapping):
        return _of_dicts(source, name, queries)
    frame = _frame(source)
    return _of_frame(frame, name, queries)


def _of_dicts(source: Mapping[Any, Any], name: str, queries: Sequence[Any]) -> list[Any]:
    wrong = next((query for query, values in source.items() if not isinstance(values, Mapping)), None)
    if wrong is not None:
        raise InputError(
            f"attributes: query {shown(wrong)} has {shown(source[wrong])}; give {{query: {{attribute: value}}}}"
        )
    names = {str(key): None for values in source.values() for key in values}
    if name not in names:
        raise UnknownNameError.closest("attribute", name, names)
    by_text = {str(query): values for query, values in source.items()}
    return [_plain(by_text.get(str(query), {}).get(name)) for query in queries]


def _of_frame(frame: pl.DataFrame, name: str, queries: Sequence[Any]) -> list[Any]:
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
                f"attributes: query {shown(query)} has two values of {name}, {shown(values[str(query)])} and "
                f"{shown(value)}; keep one"
            )
    return [_plain(values.get(str(query))) for query in queries]


def _plain(value: Any) -> Any:
    return None if value is None or value == "" or value != value else value  # noqa: PLR0124 (NaN)


def _frame(source: Any) -> pl.DataFrame:
    import polars as pl  # noqa: PLC0415

    from rankgauge.inputs.frames import as_polars, is_frame  # noqa: PLC0415

    if not is_frame(source):
        return parse_table(*read_content(source, "attributes"), "attributes")
    try:
        return source.collect() if isinstance(source, pl.LazyFrame) else as_polars(source)
    except Exception as error:  # whatever a frame library raises
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"attributes: the frame cannot be read ({reason}); give a table with a header") from error
