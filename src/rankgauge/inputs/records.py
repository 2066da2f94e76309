"""Judgments and rankings in Python's own forms: dicts, lists, sets, rows, sparse matrices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings


def judgment_records(source: Any, findings: Findings) -> dict[Any, Mapping[Any, Any]]:
    """Judgments in Python's own forms as ``{query: {item: grade}}``; items without a grade have grade 1."""
    if hasattr(source, "tocsr"):
        rows = source.tocsr()
        return {
            query: dict(zip(row.indices.tolist(), row.data.tolist(), strict=True))
            for query, row in enumerate(rows[number] for number in range(rows.shape[0]))
        }
    if isinstance(source, Mapping):
        return {
            query: grades if isinstance(grades, Mapping) else dict.fromkeys(_items(grades, query), 1)
            for query, grades in source.items()
        }
    if isinstance(source, Sequence) and not isinstance(source, str | bytes):
        if _are_rows(source, 3):
            return dict(_grouped(source, ("RG302", "judgments"), findings))
        return {
            query: grades if isinstance(grades, Mapping) else dict.fromkeys(_items(grades, query), 1)
            for query, grades in enumerate(source)
        }
    raise InputError(
        f"judgments of type {type(source).__name__} are not understood; give {{query: {{item: grade}}}}, rows of "
        "(query, item, grade), a frame, a file or an array"
    )


def ranking_records(source: Any, findings: Findings) -> Mapping[Any, Any]:
    """A ranking in Python's own forms as ``{query: {item: score} or [items]}``."""
    if isinstance(source, Mapping):
        return source
    if isinstance(source, np.ndarray) and source.ndim == 2:  # noqa: PLR2004 (a list of items for each query)
        return dict(enumerate(source.tolist()))
    if isinstance(source, Sequence) and not isinstance(source, str | bytes):
        if _are_rows(source, 3):
            return _grouped(source, ("RG301", "ranking"), findings)
        return dict(enumerate(source))
    raise InputError(
        f"a ranking of type {type(source).__name__} is not understood; give {{query: {{item: score}}}}, "
        "{query: [items]}, rows of (query, item, score), a frame, a file or an array"
    )


def _grouped(rows: Sequence[Any], repeated: tuple[str, str], findings: Findings) -> dict[Any, dict[Any, Any]]:
    """Rows of (query, item, number) by query; the first of repeated items is kept, the others are reported."""
    grouped: dict[Any, dict[Any, Any]] = {}
    for query, item, number in rows:
        numbers = grouped.setdefault(query, {})
        if item in numbers:
            code, role = repeated
            findings.add(code, f"{role}: item {shown(item)} stands there more than once (query {shown(query)})")
        else:
            numbers[item] = number
    return grouped


def _are_rows(source: Sequence[Any], width: int) -> bool:
    return bool(source) and all(isinstance(row, tuple) and len(row) == width for row in source)


def _items(source: Any, query: Any) -> Iterable[Any]:
    if isinstance(source, str | bytes) or not isinstance(source, Iterable):
        raise InputError(
            f"query {shown(query)}: its judgments are {shown(source)}; give {{item: grade}} or a set of items"
        )
    return source
