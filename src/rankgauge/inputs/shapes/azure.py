"""Azure AI document retrieval: ground truth and retrieved documents of one query per row, which may have no id.

The names of columns have ``inputs.`` before them in the output of an evaluation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rankgauge.inputs.shapes.list_rows import list_rows
from rankgauge.inputs.shapes.shape import Fit

INPUTS = "inputs."
_fit_data = list_rows(
    query=("query_id", "query", "id"),
    judged=("retrieval_ground_truth",),
    ranked=("retrieved_documents",),
    only_if=lambda row: "retrieval_ground_truth" in row,
    numbered=True,
)


def fit(row: Mapping[str, Any]) -> Fit | None:
    """Return the fit of a row of data, or of an evaluation's output."""
    if f"{INPUTS}retrieval_ground_truth" not in row:
        return _fit_data(row)
    data_fit = _fit_data(_data(row))
    if data_fit is None:
        return None
    evidence = tuple(f"{INPUTS}{name}" for name in data_fit.evidence)
    return replace(
        data_fit, entries=lambda record: data_fit.entries(_data(record)), evidence=evidence, lists=None, list_fields=()
    )


def _data(row: Mapping[str, object]) -> dict[str, Any]:
    return {name.removeprefix(INPUTS): value for name, value in row.items() if name.startswith(INPUTS)}
