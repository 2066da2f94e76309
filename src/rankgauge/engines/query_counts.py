"""Findings as counts per query, computed where the matched rows are, which every engine adds up in its own way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.engines.metric_columns import compute_columns
from rankgauge.errors import shown
from rankgauge.evaluation.data_totals import DataTotals
from rankgauge.evaluation.ranking_values import CandidateCheck
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.grade_checks import LARGE_GRADE
from rankgauge.matching.matched import Matched
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.sums import Sum
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Array

EXTREMES = {"lowest": np.fmin, "highest": np.fmax, "shortest": np.fmin, "longest": np.fmax}
"""The ranges of grades and of lengths of lists, and how those of several parts become one; NaN where there is none."""


def value_name(place: int) -> str:
    """Return the name of the column at this place in ``compute_columns``."""
    return f"value_{place}"


def count_findings(matched: Matched, rules: Convention, depth: int | None) -> dict[str, Any]:
    """Return the findings of each query in matched rows, by code, without those that cannot occur.

    ``lowest`` and ``highest`` are those of all queries; ``relevant`` is the number of relevant items.
    """
    grade = matched.pool_grade
    counts = {
        "RG205": matched.count(matched.pool_query, grade != np.floor(grade)),
        "RG206": matched.count(matched.pool_query, grade < 0),
        "RG207": matched.count(matched.pool_query, grade > LARGE_GRADE),
        "relevant": matched.relevant(rules),
    }
    if (tied := tied_rows(matched, depth)) is not None:
        counts["RG212"] = matched.count(matched.query, tied)
    if grade.size:
        counts |= {"lowest": np.minimum.reduce(grade, None), "highest": np.maximum.reduce(grade, None)}
    return counts


def tied_rows(matched: Matched, depth: int | None) -> Any:
    """Return which rows are tied with others and can reach the depth; None if nothing is tied."""
    if matched.plain is not None and not matched.plain.ties:
        return None
    tied = matched.tied > 1
    return tied if depth is None else tied & (matched.above < depth)


def signs_of(matched: Matched, zeros: Mapping[str, Any], depth: int | None, *, whole_grades: bool) -> dict[str, Any]:
    """Return single numbers that tell whether any query has findings to count, and how many items are tied."""
    grade = matched.pool_grade
    signs = {name: np.maximum.reduce(count, None) for name, count in zeros.items()}
    if grade.size:
        signs |= {"lowest": np.minimum.reduce(grade, None), "highest": np.maximum.reduce(grade, None)}
        if not whole_grades:
            signs["whole"] = np.logical_and.reduce(grade == np.floor(grade), None)
    if (tied := tied_rows(matched, depth)) is not None and tied.size:
        first = np.minimum.reduce(np.where(tied, matched.query, len(matched.returned)), None)
        signs |= {"tied": np.add.reduce(tied, None), "first tied": first}
    return signs


def has_findings(signs: Mapping[str, Array]) -> bool:
    """Whether any query has findings to count, by what ``signs_of`` tells."""
    lowest, highest, whole = signs.get("lowest", 0), signs.get("highest", 0), signs.get("whole", 1)
    return bool(lowest < 0 or highest > LARGE_GRADE or not whole or signs.get("RG413", 0))


def compute_counted(matched: Matched, metrics: Sequence[Metric], rules: Convention) -> tuple[list[Any], dict[str, Any]]:
    """Return the columns of ``compute_columns``, and as RG413 how many metrics of each query are 0/0 with a value."""
    zeros: dict[str, Any] = {}

    def count(metric: Metric, computed: Sum) -> None:
        if (undefined := metric.assigned(computed, rules)) is not None:
            zeros["RG413"] = undefined + zeros.get("RG413", 0)

    return compute_columns(matched, metrics, rules, count), zeros


def note_counts(findings: Findings, codes: Sequence[str], counts: Mapping[str, Array], queries: Any) -> None:
    """Add the findings of queries, each with the first query that has it."""
    for code in codes:
        if code in counts and counts[code].any():
            add_finding(findings, code, queries[int(np.argmax(counts[code] > 0))], int(counts[code].sum()))


def add_finding(findings: Findings, code: str, query: Any, count: int) -> None:
    """Add a finding with a query that has it as the example."""
    query = query.as_py() if hasattr(query, "as_py") else query
    place = Phrase(f"query {shown(query)}", f"查询 {shown(query)}")
    if query is None:
        place = Phrase("a row without a query", "没有查询的行")
    side = Phrase("data", "数据")
    if code in {"RG204", "RG302", "RG303"}:
        side = Phrase("judgments", "标注")
    findings.add(code, Phrase("{side}: {place}", "{side}：{place}").fill(side=side, place=place), count)


def extremes_of(columns: Mapping[str, Array]) -> dict[str, float]:
    """Return the ``EXTREMES`` of columns of these names; NaN without rows."""
    return {name: float(extreme.reduce(columns[name], initial=np.nan)) for name, extreme in EXTREMES.items()}


def data_totals(queries: int, single: int, extremes: Mapping[str, float]) -> DataTotals:
    """Return the totals of evaluated queries, of which ``single`` have one relevant item, which was returned."""
    lowest, highest, shortest, longest = (extremes[name] for name in EXTREMES)
    return DataTotals(lowest, highest, CandidateCheck.counting(queries, single, shortest, longest))
