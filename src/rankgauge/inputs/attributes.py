"""Attributes of queries (language, category, length) from a dict, a frame or a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rankgauge.errors import InputError, UnknownNameError, shown
from rankgauge.inputs.columns import find_column, missing_column_error
from rankgauge.inputs.formats.table_files import table_of
from rankgauge.inputs.frame_kinds import is_series


def attribute_values(source: object, name: str, queries: Sequence[object]) -> list[object]:
    """Return the value of an attribute for each query, or None for a query without one.

    ``source`` is ``{query: {attribute: value}}``, a frame or table file with a query column, or a pandas Series whose
    index is the query.

    >>> attribute_values({"q1": {"lang": "zh"}, "q2": {}}, "lang", ["q1", "q2", "q3"])
    ['zh', None, None]
    """
    if isinstance(source, Mapping):
        by_query = _from_dicts(source, name)
    else:
        by_query = _from_series(source, name) if is_series(source) else _from_frame(source, name)
    values = [by_query.get(str(query)) for query in queries]
    return [None if value == "" or value != value else value for value in values]  # noqa: PLR0124 (NaN)


def _from_dicts(source: Mapping[Any, Any], name: str) -> dict[str, object]:
    for query, values in source.items():
        if not isinstance(values, Mapping):
            raise InputError(
                f"attributes: query {shown(query)} has {shown(values)}; give {{query: {{attribute: value}}}}"
            )
    names = {str(key): None for values in source.values() for key in values}
    if name not in names:
        raise UnknownNameError.closest("attribute", name, names)
    return {str(query): values.get(name) for query, values in source.items()}


def _from_series(source: Any, name: str) -> dict[str, object]:
    """Return the values of a Series, which is named like the attribute or not at all."""
    if source.name not in {None, name}:
        raise UnknownNameError.closest("attribute", name, [str(source.name)])
    if not source.index.is_unique:
        repeated = source.index[source.index.duplicated()][0]
        raise InputError(f"attributes: query {shown(repeated)} is in the index twice; keep one value per query")
    return {str(query): value for query, value in source.items()}


def _from_frame(source: object, name: str) -> dict[str, object]:
    frame = table_of(source, "attributes")
    candidates = [column for column in frame.columns if column != name]
    ids = find_column("query", candidates, "attributes")
    if ids is None:
        raise missing_column_error(["query"], candidates, "judgments", "attributes")
    if name == ids or name not in frame.columns:
        raise UnknownNameError.closest("attribute", name, [column for column in frame.columns if column != ids])
    values: dict[str, object] = {}
    for query, cell in frame.select(ids, name).iter_rows():
        value = None if cell != cell else cell  # noqa: PLR0124 (NaN of pandas is a missing value)
        if values.setdefault(str(query), value) != value:
            raise InputError(
                f"attributes: query {shown(query)} has two values for {name}, {shown(values[str(query)])} and "
                f"{shown(value)}; keep one"
            )
    return values
