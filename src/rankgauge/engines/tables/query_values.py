"""Values of queries as Arrow batches: one row per query, with a column per metric and counts of what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import rules_at
from rankgauge.conventions.rule import Stage
from rankgauge.engines.metric_columns import column_count, parse_supported, to_scores
from rankgauge.engines.query_counts import (
    EXTREMES,
    compute_counted,
    count_findings,
    data_totals,
    extremes_of,
    note_counts,
    value_name,
)
from rankgauge.engines.tables.sql import COUNTED
from rankgauge.errors import InputError, ParameterError, UndefinedError, shown
from rankgauge.evaluation.ranking_values import JudgedShareCheck, shares_of, single_relevant
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.matching.fingerprints import Fingerprint
from rankgauge.matching.matched import Matched
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_plan import common_depth, metric_plan
from rankgauge.metric_core.metric_rules import JudgedQueries
from rankgauge.metric_core.notation import MetricsLike
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Array, Bools, Floats, Ints

NO_QUERIES = Phrase("judgments: there are no judged queries", "judgments：没有任何有标注的查询")
BESIDE_SQL = ("RG211", "RG214", "RG411")
"""Findings of single scores and ids. A matching query in SQL does not count them: each would need another window."""
CODES = (*COUNTED, *BESIDE_SQL, "RG205", "RG206", "RG207", "RG212", "RG402", "RG403", "RG404", "RG413")
"""The findings that are counted for each query."""
STATES = ("judged", "answered", "common", "single", "top", "unjudged_top", "nonrelevant")
"""Whether a query is judged and has results, whether its block has common items, whether it has one relevant item,
which was returned, its items in the top ranks and the unjudged ones among them in parts, and its judged items that are
not relevant."""
PARTS = 1_000_000
"""Parts of an unjudged item: with averaged ties a part of it is in the top ranks, and states are whole numbers."""

FINGERPRINT = ("judged_rows", "judged_sum", "judged_other")
"""The sums of the fingerprint of the judgments of a block, in the row of its first query; zeros if they are unknown."""


def parse_for_tables(
    metrics: MetricsLike | None, convention: ConventionLike
) -> tuple[list[Metric], Convention, int | None]:
    """``parse_supported``; metrics with their own rule for missing queries are refused, too."""
    parsed, rules, depth = parse_supported(metrics, convention)
    for metric, rule in product(parsed, rules_at(Stage.SUMMARY)):
        value, others = (getattr(convention, rule) for convention in (rules.for_metric(metric.name), rules))
        if value != others:
            raise ParameterError(
                Phrase(
                    f"{metric}: {rule}={value!r} for this metric and {others!r} for others; engines apply one rule to "
                    f"all metrics: evaluate it separately, with .replace({rule}=..., per_metric={{}})",
                    f"{metric}：该指标的 {rule}={value!r}，其余指标为 {others!r}；引擎对所有指标用同一规则："
                    f"请用 .replace({rule}=..., per_metric={{}}) 单独评测该指标",
                )
            )
    return parsed, rules, depth


def evaluate_queries(
    query: pa.Array,
    matched: Matched,
    counts: dict[str, Ints],
    metrics: Sequence[Metric],
    rules: Convention,
    *,
    lenient: bool,
) -> pa.RecordBatch:
    """Compute a row per query: its id, the ``compute_columns``, ``EXTREMES``, ``CODES`` and ``STATES``.

    ``counts`` are the findings of matching for each query, by the codes of ``COUNTED``. A query without judgments has
    a row without values, in which ``judged`` is 0.
    """
    pool = np.bincount(matched.pool_query, minlength=len(query))
    judged = (pool > 0) & query.is_valid().to_numpy(zero_copy_only=False)
    answered = judged & (matched.returned > 0)
    none = np.zeros(len(query), dtype=np.int64)
    uncounted = {**dict.fromkeys((*BESIDE_SQL, *FINGERPRINT, "RG413"), none), "common": none + 1}
    findings = uncounted | counts | _count_findings(matched, judged, answered, metrics, rules)
    findings |= _count_top_items(matched, judged, metrics, rules)
    extremes = {name: findings[name] for name in EXTREMES}  # Spark takes columns by their places
    counts = {name: findings[name] for name in (*CODES, *STATES, *FINGERPRINT)}
    if not lenient:
        findings_of(pa.RecordBatch.from_pydict({"query": query, **counts})).raise_errors(lenient=False)
    missing = judged & ~answered
    if rules.missing == "error" and missing.any():
        name = shown(query[int(np.argmax(missing))].as_py())
        en = f"ranking: judged query {name} is missing; set the rule missing to 'zero' or 'skip'"
        raise InputError((en, f"ranking：缺少有标注的查询 {name}；请把规则 missing 设为 'zero' 或 'skip'"))
    evaluated = judged if rules.missing == "zero" else answered
    rows = matched if evaluated.all() else matched.of_queries(evaluated)
    values, assigned = _values(query, rows, np.flatnonzero(evaluated), metrics, rules)
    counts["RG413"] = assigned * (answered & (counts["RG404"] == 0))
    return pa.RecordBatch.from_pydict({"query": query, **values, **extremes, **counts})


def _values(
    query: pa.Array, matched: Matched, numbers: Ints, metrics: Sequence[Metric], rules: Convention
) -> tuple[dict[str, Floats], Ints]:
    """The columns of values and weights, NaN for queries that are not evaluated, and the number of 0/0 among them."""
    assigned = np.zeros(len(query), dtype=np.int64)
    columns = {value_name(place): np.full(len(query), np.nan) for place in range(column_count(metrics, rules))}
    if len(numbers):
        try:
            computed, zeros = compute_counted(matched, metrics, rules)
        except UndefinedError as error:
            raise UndefinedError(f"query {shown(query[int(numbers[error.place])].as_py())}: {error}") from None
        for column, values in zip(columns.values(), computed, strict=True):
            column[numbers] = values
        assigned[numbers] = zeros.get("RG413", 0)
    return columns, assigned


def _count_findings(
    matched: Matched, judged: Bools, answered: Bools, metrics: Sequence[Metric], rules: Convention
) -> dict[str, Array]:
    """The findings of each query in matched rows, by code, its state, and the extremes of all queries."""
    counts = count_findings(matched, rules, common_depth(metrics, rules))
    length = np.where(answered, matched.returned, np.nan)
    grades = {name: np.full(len(judged), counts.get(name, np.nan)) for name in ("lowest", "highest")}
    states = {
        "RG212": counts["RG212"] * judged,
        "RG402": judged & ~answered,
        "RG403": ~judged & (matched.returned > 0),
        "RG404": answered & (counts["relevant"] == 0),
        "judged": judged,
        "answered": answered,
        "single": answered & single_relevant(matched, rules),
    }
    whole = {name: values.astype(np.int64) for name, values in (counts | states).items() if name not in grades}
    return whole | grades | {"shortest": length, "longest": length}


def _count_top_items(matched: Matched, judged: Bools, metrics: Sequence[Metric], rules: Convention) -> dict[str, Ints]:
    """The items of the top ranks of each query, the unjudged ones among them, and its judged items not relevant."""
    if rules.unjudged != "nonrelevant":
        return dict.fromkeys(("top", "unjudged_top", "nonrelevant"), np.zeros(len(judged), dtype=np.int64))
    share = JudgedShareCheck.of(common_depth(metrics, rules))
    returned, unjudged = share.top_items(JudgedQueries(matched, rules), rules, share.top)
    nonrelevant = matched.pool_query[share.nonrelevant(matched.pool_grade, rules)]
    return {
        "top": returned.astype(np.int64) * judged,
        "unjudged_top": np.rint(unjudged * PARTS).astype(np.int64) * judged,
        "nonrelevant": np.bincount(nonrelevant, minlength=len(judged)),
    }


def unjudged_share(totals: Mapping[str, float], metrics: Sequence[Metric], rules: Convention) -> JudgedShareCheck:
    """The check of the top ranks, from the sums of ``STATES`` over all queries."""
    check = JudgedShareCheck.of(common_depth(metrics, rules))
    judged, nonrelevant = int(totals["judged"]), int(totals["nonrelevant"])
    return check.counting(judged, totals["top"], totals["unjudged_top"] / PARTS, nonrelevant)


def findings_of(values: pa.RecordBatch | pa.Table) -> Findings:
    """The findings of evaluated queries, each with the first query that has it."""
    findings = Findings()
    note_counts(findings, CODES, {code: values.column(code).to_numpy() for code in CODES}, values.column("query"))
    return findings


def check_all_queries(
    findings: Findings, totals: Mapping[str, float], metrics: Sequence[Metric], rules: Convention, *, lenient: bool
) -> None:
    """Refuse data without judged or common queries; report what ``totals_of`` all queries show."""
    findings.raise_errors(lenient)
    if not totals["judged"]:
        raise InputError(NO_QUERIES)
    if not totals["answered"]:
        raise input_error("RG401", Phrase("no judged query is in the ranking", "排序结果中没有任何有标注的查询"))
    if not totals["common"]:
        findings.add("RG408", Phrase("no returned item of any query is judged", "所有查询返回的物品都没有标注"))
    of_all = data_totals(int(totals["answered"]), int(totals["single"]), totals)
    findings.merge(of_all.findings(metric_plan(tuple(metrics), rules)))
    share = unjudged_share(totals, metrics, rules)
    if share.is_low:
        findings.add("RG409", share.description(), round(share.unjudged))


def scores_of_batches(
    batches: list[pa.RecordBatch], metrics: Sequence[Metric], rules: Convention, findings: Findings, *, lenient: bool
) -> Scores:
    """Check the values of all queries and return them as Scores, sorted by query."""
    if not batches:
        raise InputError(NO_QUERIES)
    values = pa.Table.from_batches(batches)
    findings.merge(findings_of(values))
    check_all_queries(findings, totals_of(values), metrics, rules, lenient=lenient)
    return scores_of_table(values, metrics, rules, findings)


def totals_of(values: pa.RecordBatch | pa.Table) -> dict[str, float]:
    """The sums of ``STATES`` and the ``EXTREMES`` of evaluated queries."""
    columns = {name: values.column(name).to_numpy(zero_copy_only=False) for name in (*STATES, *EXTREMES)}
    return {name: int(columns[name].sum()) for name in STATES} | extremes_of(columns)


def scores_of_table(values: pa.Table, metrics: Sequence[Metric], rules: Convention, findings: Findings) -> Scores:
    """The values of the judged queries as Scores, sorted by query."""
    sums = [int(values.column(name).to_numpy().sum()) for name in FINGERPRINT]
    fingerprint = str(Fingerprint("judgments", sums)) if sums[0] else None
    judged = values.filter(pc.equal(values.column("judged"), 1)).sort_by("query")
    columns = [judged.column(value_name(place)).to_numpy() for place in range(column_count(metrics, rules))]
    missing = np.flatnonzero(judged.column("answered").to_numpy() == 0)
    scores = to_scores(judged.column("query").to_pylist(), columns, metrics, rules, findings, missing, fingerprint)
    share = unjudged_share(totals_of(values), metrics, rules)
    return replace(scores, unjudged_top=shares_of({"": share}), unjudged_k=share.top)
