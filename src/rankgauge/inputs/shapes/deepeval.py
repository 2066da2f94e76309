"""deepeval test cases: the input, the retrieved texts and the ideal texts."""

from __future__ import annotations

from rankgauge.inputs.shapes.list_rows import list_rows

fit = list_rows(
    query=("input",), judged=("context",), ranked=("retrieval_context",), only_if=lambda row: "gen_ai" not in row
)
