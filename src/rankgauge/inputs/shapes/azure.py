"""Azure AI document retrieval: ground truth and retrieved documents of one query per row, which may have no id."""

from __future__ import annotations

from rankgauge.inputs.shapes.list_rows import list_rows

fit = list_rows(
    query=("query_id", "query", "id"),
    judged=("retrieval_ground_truth",),
    ranked=("retrieved_documents",),
    only_if=lambda row: "retrieval_ground_truth" in row,
    numbered=True,
)
