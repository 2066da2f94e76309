"""Sample queries of Vertex AI Search: a query and its target documents."""

from __future__ import annotations

from rankgauge.inputs.shapes.list_rows import list_rows

fit = list_rows(query=("queryEntry.query",), judged=("queryEntry.targets",))
