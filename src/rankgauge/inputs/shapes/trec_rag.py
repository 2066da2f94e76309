"""Runs of TREC RAG and Auto-Judge: the references of each topic in order, and the name of the run."""

from __future__ import annotations

from rankgauge.inputs.shapes.list_rows import list_rows

fit = list_rows(
    query=("metadata.topic_id", "topic_id", "metadata.narrative_id"),
    ranked=("references",),
    system=("metadata.run_id", "run_id"),
    only_if=lambda row: "responses" in row or "answer" in row,
)
