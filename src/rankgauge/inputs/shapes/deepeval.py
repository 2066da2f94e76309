"""deepeval test cases: the input, the retrieved texts and the ideal texts; CSV and JSONL have ``|`` between texts."""

from __future__ import annotations

from rankgauge.inputs.shapes.list_rows import list_rows

LISTS = ("context", "retrieval_context")
OUTPUTS = {"actual_output", "expected_output"}

fit = list_rows(
    query=("input",),
    judged=("context",),
    ranked=("retrieval_context",),
    only_if=lambda row: bool(OUTPUTS & {*row}) or any(isinstance(row.get(name), list) for name in LISTS),
    delimiter="|",
)
