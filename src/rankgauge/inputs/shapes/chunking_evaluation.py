"""chunking_evaluation: questions with the excerpts that answer them; texts that match="contained" finds."""

from __future__ import annotations

from rankgauge.inputs.shapes.list_cells import split_cell
from rankgauge.inputs.shapes.list_rows import is_list, list_rows
from rankgauge.inputs.shapes.shape import ShapeError

SPAN = {"content", "start_index", "end_index"}


def _has_spans(value: object) -> bool:
    try:
        listed = split_cell(value) if isinstance(value, str) and is_list(value) else value
    except ShapeError:  # reported when it is read
        return False
    return isinstance(listed, list) and bool(listed) and isinstance(listed[0], dict) and {*listed[0]} >= SPAN


fit = list_rows(query=("question",), judged=("references",), only_if=lambda row: _has_spans(row.get("references")))
