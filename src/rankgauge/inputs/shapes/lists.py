"""Any table with lists in its cells, recognised by the names of its columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankgauge.inputs.columns import WEAK_ITEM_NAMES, find_column
from rankgauge.inputs.shapes.list_rows import ListFields
from rankgauge.inputs.shapes.shape import Fit
from rankgauge.value_checks import is_number


def fit(row: Mapping[str, Any]) -> Fit | None:
    """Return the fit of a row whose columns name a query and a list."""
    return fit_columns(row, {})


def fit_columns(row: Mapping[str, Any], declared: Mapping[str, str]) -> Fit | None:
    """Return the fit of a row; ``given`` are the columns that the caller named: query, item, score and grade."""
    names = [name for name in row if isinstance(name, str) and row[name] is not None]
    lists = [name for name in names if isinstance(row[name], list | tuple | Mapping | str)]
    query = declared.get("query") or find_column("query", [name for name in names if _is_scalar(row[name])], "lists")
    if query is None and "id" in names and _is_scalar(row["id"]):
        query = "id"
    lists = [name for name in lists if name != query]
    columns = {kind: find_column(kind, lists, "lists") for kind in ("judged", "ranked", "either", "scores", "grades")}
    if not any(columns.values()) and not any(is_number(row[name]) for name in names if name != query):
        listed = [name for name in lists if isinstance(row[name], list | tuple) and name not in WEAK_ITEM_NAMES]
        columns["either"] = find_column("item", listed, "lists")  # the name of a single item
    if "item" in declared:
        columns |= {"judged": None, "ranked": None, "either": declared["item"]}
    if query is None or not any(columns[kind] for kind in ("judged", "ranked", "either")):
        return None
    sides = columns["judged"] or columns["ranked"]
    return ListFields(
        query=query,
        judged=columns["judged"],
        ranked=columns["ranked"],
        listed=None if sides else columns["either"],
        scores=declared.get("score") or columns["scores"],
        grades=declared.get("grade") or columns["grades"],
    ).fit()


def _is_scalar(value: object) -> bool:
    return isinstance(value, str | int | float)
