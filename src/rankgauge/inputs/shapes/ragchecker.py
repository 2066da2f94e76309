"""RAGChecker results: questions with the documents retrieved for them, under ``results``."""

from __future__ import annotations

from rankgauge.inputs.shapes.list_rows import list_rows

fit = list_rows(
    query=("query_id",), ranked=("retrieved_context",), text=("query",), only_if=lambda row: "gt_answer" in row
)
