"""ragas samples: a question, the retrieved contexts and the reference contexts, by id or by text."""

from __future__ import annotations

from rankgauge.inputs.shapes.list_rows import list_rows

fit = list_rows(
    query=("user_input", "question"),
    judged=("reference_context_ids", "reference_contexts"),
    ranked=("retrieved_context_ids", "retrieved_contexts", "contexts"),
)
