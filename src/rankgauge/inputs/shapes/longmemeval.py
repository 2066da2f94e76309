"""LongMemEval: questions with the sessions that answer them, and the log of a retriever.

Questions without an answer, whose ids end in ``_abs``, are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rankgauge.inputs.shapes.list_rows import list_rows
from rankgauge.inputs.shapes.shape import Entry, Fit

UNANSWERABLE = "_abs"
_fit_rows = list_rows(
    query=("question_id",),
    judged=("answer_session_ids",),
    ranked=("retrieval_results.ranked_items",),
    text=("question",),
)


def fit(row: Mapping[str, object]) -> Fit | None:
    """Return the fit of a question."""
    rows = _fit_rows(row)
    if rows is None:
        return None

    def entries(record: object) -> Iterable[Entry]:
        return (entry for entry in rows.entries(record) if not str(entry.query).endswith(UNANSWERABLE))

    return replace(rows, entries=entries)
