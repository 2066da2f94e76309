"""Judgments and rankings in Python's own forms: dicts, lists, sets, rows, sparse matrices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings

ROW = 3
"""The fields of a row: query, item, number."""


def judgment_records(source: Any, findings: Findings) -> dict[Any, Mapping[Any, Any]]:
    """Judgments in Python's own forms as ``{query: {item: grade}}``; items without a grade have grade 1."""
    if hasattr(source, "tocsr"):
        rows = source.tocsr()
        cells = [*zip(rows.indices.tolist(), rows.data.tolist(), strict=True)]
        return {query: dict(cells[start:end]) for query, (start, end) in enumerate(pairwise(rows.indptr.tolist()))}
    if isinstance(source, Sequence) and not isinstance(source, str | bytes):
        source = _grouped(source, "judgments", findings) if are_rows(source) else dict(enumerate(source))
    if isinstance(source, Mapping):
        return {
            query: grades if isinstance(grades, Mapping) else dict.fromkeys(_items(grades, query), 1)
            for query, grades in source.items()
        }
    raise InputError(
        f"judgments of type {type(source).__name__} are not understood; give {{query: {{item: grade}}}}, rows of "
        "(query, item, grade), a frame, a file or an array"
    )


def ranking_records(source: Any, findings: Findings) -> Mapping[Any, Any]:
    """A ranking in Python's own forms as ``{query: {item: score} or [items]}``."""
    if isinstance(source, Mapping):
        return source
    if isinstance(source, np.ndarray) and source.ndim == 2:  # noqa: PLR2004 (a row for each query)
        if source.dtype.kind == "f":  # scores, one for each item
            return {query: dict(enumerate(scores)) for query, scores in enumerate(source.tolist())}
        return dict(enumerate(source.tolist()))  # the items themselves, best first
    if isinstance(source, Sequence) and not isinstance(source, str | bytes):
        if are_rows(source):
            return _grouped(source, "ranking", findings)
        return dict(enumerate(source))
    raise InputError(
        f"a ranking of type {type(source).__name__} is not understood; give {{query: {{item: score}}}}, "
        "{query: [items]}, rows of (query, item, score), a frame, a file or an array"
    )


def _grouped(rows: Sequence[Any], role: Role, findings: Findings) -> dict[Any, dict[Any, Any]]:
    """Rows of (query, item, number) by query; repetitions are reported, the first grade or best score is kept."""
    grouped: dict[Any, dict[Any, Any]] = {}
    for query, item, number in rows:
        numbers = grouped.setdefault(query, {})
        if item not in numbers:
            numbers[item] = number
            continue
        code = "RG301" if role == "ranking" else "RG303" if numbers[item] == number else "RG302"
        findings.add(code, f"{role}: item {shown(item)} stands there more than once (query {shown(query)})")
        if role == "ranking" and isinstance(number, Real) and isinstance(numbers[item], Real):
            numbers[item] = max(numbers[item], number)
    return grouped


def are_rows(source: Sequence[Any]) -> bool:
    """Whether these are rows of (query, item, number): tuples of three, or lists that cannot be lists of items."""
    return bool(source) and all(isinstance(row, tuple | list) and len(row) == ROW and _is_row(row) for row in source)


def _is_row(row: Sequence[Any]) -> bool:
    if isinstance(row, tuple):
        return True
    query, item, number = row
    ids_are_numbers = isinstance(query, Real) and isinstance(item, Real)
    return isinstance(number, Real) and (not ids_are_numbers or (isinstance(number, float) and isinstance(item, int)))


def _items(source: Any, query: Any) -> Iterable[Any]:
    if isinstance(source, str | bytes) or not isinstance(source, Iterable):
        raise InputError(
            f"query {shown(query)}: its judgments are {shown(source)}; give {{item: grade}} or a set of items"
        )
    items = list(source)
    if items and all(isinstance(one, tuple | list) for one in items):
        raise InputError(
            f"query {shown(query)}: its judgments are a list of {type(items[0]).__name__}s such as {shown(items[0])}; "
            "give {item: grade} or a set of items"
        )
    return items
