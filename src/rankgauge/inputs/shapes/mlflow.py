"""MLflow evaluation tables: what was retrieved for each request, and what should have been."""

from __future__ import annotations

from rankgauge.inputs.shapes.list_rows import list_rows

fit = list_rows(
    query=("request_id", "request"),
    judged=("expected_retrieved_context",),
    ranked=("retrieved_context",),
    text=("request",),
)
