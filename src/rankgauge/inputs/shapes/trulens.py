"""TruLens ground truth: a query and the chunks that should be retrieved, with the score expected of each."""

from __future__ import annotations

from rankgauge.inputs.shapes.list_rows import list_rows

fit = list_rows(
    query=("query_id", "query"), judged=("expected_chunks",), ranked=("retrieved_chunks", "retrieved_context_chunks")
)
