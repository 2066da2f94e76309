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
from rankgauge.engines.metric_columns import column_count, compute_columns, parse_supported, to_scores
from rankgauge.engines.tables.sql import COUNTED
from rankgauge.errors import InputError, ParameterError, UndefinedError, shown
from rankgauge.evaluation.ranking_values import JudgedShareCheck, shares_of
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.inputs.grade_checks import LARGE_GRADE
from rankgauge.matching.fingerprints import Fingerprint
from rankgauge.matching.matched import Matched
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_plan import common_depth
from rankgauge.metric_core.metric_rules import JudgedQueries
from rankgauge.metric_core.notation import MetricsLike
from rankgauge.metric_core.sums import Sum
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, Ints

NO_QUERIES = Phrase("judgments: there are no judged queries", "judgments：没有任何有标注的查询")
BESIDE_SQL = ("RG211", "RG214", "RG411")
"""Findings of single scores and ids. A matching query in SQL does not count them: each would need another window."""
CODES = (*COUNTED, *BESIDE_SQL, "RG205", "RG206", "RG207", "RG212", "RG402", "RG403", "RG404", "RG413")
"""The findings that are counted for each query."""
STATES = ("judged", "answered", "at_most_0", "common", "top", "unjudged_top", "nonrelevant")
"""Whether a query is judged and has results, its grades of 0 or below, whether its block has common items, its items
in the top ranks and the unjudged ones among them in parts, and its judged items that are not relevant."""
PARTS = 1_000_000
"""Parts of an unjudged item: with averaged ties a part of it is in the top ranks, and states are whole numbers."""

FINGERPRINT = ("judged_rows", "judged_sum", "judged_other")
"""The sums of the fingerprint of the judgments of a block, in the row of its first query; zeros if they are unknown."""


def value_name(place: int) -> str:
    """The name of the column at this place in ``compute_columns``."""
    return f"value_{place}"


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
    """Compute a row per query: its id, the ``compute_columns``, ``CODES`` and ``STATES``.

    ``counts`` are the findings of matching for each query, by the codes of ``COUNTED``. A query without judgments has
    a row without values, in which ``judged`` is 0.
    """
    pool = np.bincount(matched.pool_query, minlength=len(query))
    judged = (pool > 0) & query.is_valid().to_numpy(zero_copy_only=False)
    answered = judged & (matched.returned > 0)
    none = np.zeros(len(query), dtype=np.int64)
    uncounted = {**dict.fromkeys((*BESIDE_SQL, *FINGERPRINT, "RG413"), none), "common": none + 1}
    findings = uncounted | counts | _count_findings(matched, judged, answered, rules)
    findings |= _count_top_items(matched, judged, metrics, rules)
    counts = {name: findings[name] for name in (*CODES, *STATES, *FINGERPRINT)}  # Spark takes columns by their places
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
    return pa.RecordBatch.from_pydict({"query": query, **values, **counts})


def _values(
    query: pa.Array, matched: Matched, numbers: Ints, metrics: Sequence[Metric], rules: Convention
) -> tuple[dict[str, Floats], Ints]:
    """The columns of values and weights, NaN for queries that are not evaluated, and the number of 0/0 among them."""
    assigned = np.zeros(len(query), dtype=np.int64)

    def count(metric: Metric, computed: Sum) -> None:
        if (undefined := metric.assigned(computed, rules)) is not None:
            assigned[numbers] += undefined

    columns = {value_name(place): np.full(len(query), np.nan) for place in range(column_count(metrics, rules))}
    if len(numbers):
        try:
            computed = compute_columns(matched, metrics, rules, count)
        except UndefinedError as error:
            raise UndefinedError(f"query {shown(query[int(numbers[error.place])].as_py())}: {error}") from None
        for column, values in zip(columns.values(), computed, strict=True):
            column[numbers] = values
    return columns, assigned


def _count_findings(matched: Matched, judged: Bools, answered: Bools, rules: Convention) -> dict[str, Ints]:
    """The findings of each query in matched rows, by code, and its state."""

    def count(query: Ints, where: Bools) -> Ints:
        return np.bincount(query[where], minlength=len(judged))

    query, grade = matched.pool_query, matched.pool_grade
    return {
        "RG205": count(query, grade != np.floor(grade)),
        "RG206": count(query, grade < 0),
        "RG207": count(query, grade > LARGE_GRADE),
        "RG212": count(matched.query, matched.tied > 1) * judged,
        "RG402": (judged & ~answered).astype(np.int64),
        "RG403": (~judged & (matched.returned > 0)).astype(np.int64),
        "RG404": (answered & (matched.relevant(rules) == 0)).astype(np.int64),
        "judged": judged.astype(np.int64),
        "answered": answered.astype(np.int64),
        "at_most_0": count(query, grade <= 0),
    }


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


def unjudged_share(totals: Mapping[str, int], metrics: Sequence[Metric], rules: Convention) -> JudgedShareCheck:
    """The check of the top ranks, from the sums of ``STATES`` over all queries."""
    check = JudgedShareCheck.of(common_depth(metrics, rules))
    return check.counting(totals["judged"], totals["top"], totals["unjudged_top"] / PARTS, totals["nonrelevant"])


def findings_of(values: pa.RecordBatch | pa.Table) -> Findings:
    """The findings of evaluated queries, each with the first query that has it."""
    findings = Findings()
    for code in CODES:
        counts = values.column(code).to_numpy()
        if counts.any():
            first = values.column("query")[int(np.argmax(counts > 0))].as_py()
            add_finding(findings, code, first, int(counts.sum()))
    return findings


def add_finding(findings: Findings, code: str, query: object, count: int) -> None:
    """Add a finding with a query that has it as the example."""
    place = Phrase(f"query {shown(query)}", f"查询 {shown(query)}")
    if query is None:
        place = Phrase("a row without a query", "没有查询的行")
    side = Phrase("data", "数据")
    if code in {"RG204", "RG302", "RG303"}:
        side = Phrase("judgments", "标注")
    findings.add(code, Phrase("{side}: {place}", "{side}：{place}").fill(side=side, place=place), count)


def check_all_queries(
    findings: Findings, totals: Mapping[str, int], metrics: Sequence[Metric], rules: Convention, *, lenient: bool
) -> None:
    """Refuse data without judged or common queries; report what the sums of ``STATES`` over all queries show."""
    findings.raise_errors(lenient)
    if not totals["judged"]:
        raise InputError(NO_QUERIES)
    if not totals["answered"]:
        raise input_error("RG401", Phrase("no judged query is in the ranking", "排序结果中没有任何有标注的查询"))
    if not totals["common"]:
        findings.add("RG408", Phrase("no returned item of any query is judged", "所有查询返回的物品都没有标注"))
    if not totals["at_most_0"]:
        findings.add("RG405", Phrase("no grade is 0 or below", "没有小于等于 0 的等级"))
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
    check_all_queries(findings, _totals(values), metrics, rules, lenient=lenient)
    return scores_of_table(values, metrics, rules, findings)


def _totals(values: pa.Table) -> dict[str, int]:
    return {name: int(values.column(name).to_numpy().sum()) for name in STATES}


def scores_of_table(values: pa.Table, metrics: Sequence[Metric], rules: Convention, findings: Findings) -> Scores:
    """The values of the judged queries as Scores, sorted by query."""
    sums = [int(values.column(name).to_numpy().sum()) for name in FINGERPRINT]
    fingerprint = str(Fingerprint("judgments", sums)) if sums[0] else None
    judged = values.filter(pc.equal(values.column("judged"), 1)).sort_by("query")
    columns = [judged.column(value_name(place)).to_numpy() for place in range(column_count(metrics, rules))]
    missing = np.flatnonzero(judged.column("answered").to_numpy() == 0)
    scores = to_scores(judged.column("query").to_pylist(), columns, metrics, rules, findings, missing, fingerprint)
    share = unjudged_share(_totals(values), metrics, rules)
    return replace(scores, unjudged_top=shares_of({"": share}), unjudged_k=share.top)
