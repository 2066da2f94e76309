"""AutoRAG: questions with groups of relevant ids (``retrieval_gt``), and what a module retrieved for them."""

from __future__ import annotations

from rankgauge.inputs.shapes.list_rows import list_rows

fit = list_rows(
    query=("qid",),
    judged=("retrieval_gt",),
    ranked=("retrieved_ids",),
    scores=("retrieve_scores",),
    text=("query",),
    only_if=lambda row: "retrieval_gt" in row or "retrieve_scores" in row,
)
