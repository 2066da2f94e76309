"""LangSmith experiments: inputs, outputs and reference outputs of each example, as objects or as columns with dots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import find_column
from rankgauge.inputs.shapes.fields import groups_of, hits_of, id_of
from rankgauge.inputs.shapes.list_rows import is_list
from rankgauge.inputs.shapes.shape import Entry, Fit, ShapeError

INPUTS, OUTPUTS = ("inputs",), ("outputs", "actual_outputs")
REFERENCES = ("reference_outputs", "expected_outputs", "reference")
QUERIES = ("query", "question", "input", "user_input")
ONLY = 1


def fit(row: Mapping[str, Any]) -> Fit | None:
    """Return the fit of an example with reference outputs that hold a list of items."""
    inputs, outputs, references = (_part(row, names) for names in (INPUTS, OUTPUTS, REFERENCES))
    judged, ranked = _list_name(references, "judged"), _list_name(outputs, "ranked")
    if not inputs or judged is None:
        return None
    sides: tuple[Role, ...] = ("judgments",) if ranked is None else ("judgments", "ranking")
    evidence = ["inputs", f"reference.{judged}", *([] if ranked is None else [f"outputs.{ranked}"])]
    return Fit(partial(_entries, judged, ranked), tuple(evidence), sides)


def _part(row: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, object]:
    """Return the fields of one part of an example."""
    for name in names:
        if isinstance(row.get(name), Mapping):
            return {**row[name]}
        flat = {key.partition(".")[2]: value for key, value in row.items() if str(key).startswith(f"{name}.")}
        if flat:
            return flat
    return {}


def _list_name(fields: Mapping[str, object], kind: str) -> str | None:
    """Return the field with the list of items: the one whose name says so, or the only list."""
    lists = [name for name, value in fields.items() if is_list(value) and not isinstance(value, Mapping)]
    named = find_column(kind, lists, "outputs") or find_column("either", lists, "outputs")
    return named or (lists[0] if len(lists) == ONLY else None)


def _entries(judged: str, ranked: str | None, row: Mapping[str, object]) -> Iterable[Entry]:
    inputs, outputs, references = (_part(row, names) for names in (INPUTS, OUTPUTS, REFERENCES))
    texts = [inputs[name] for name in (*QUERIES, *inputs) if isinstance(inputs.get(name), str) and inputs[name]]
    if not texts:
        raise ShapeError("inputs", "no field has a text", "没有含文本的字段")
    if judged not in references:
        raise ShapeError("reference", f"field {judged!r} is missing", f"缺少字段 {judged!r}")
    gold = references[judged]
    place = f"reference.{judged}"
    yield Entry(
        id_of(texts[0], "inputs"),
        judged=hits_of(gold, place, "grade"),
        ranked=None if ranked is None else hits_of(outputs.get(ranked), f"outputs.{ranked}", "score"),
        groups=groups_of(gold, place),
    )
