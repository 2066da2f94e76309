"""FlashRAG output: a question and the passages that its retriever returned."""

from __future__ import annotations

from rankgauge.inputs.shapes.list_rows import list_rows

fit = list_rows(query=("id",), ranked=("output.retrieval_result",), text=("question",))
