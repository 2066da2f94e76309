"""`reconcile`: the values that tools give for the same data, and why they differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from rankgauge.conventions import DEFAULT, Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import ParameterError, UndefinedError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.inputs.records import RepeatedItems
from rankgauge.inputs.source import Source, is_file
from rankgauge.inputs.units import Units
from rankgauge.matching.copies import joined_copies
from rankgauge.matching.data import Data
from rankgauge.matching.entrance import VerbInput, resolve_input
from rankgauge.matching.from_list import read_grades
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.matched import Chunk, Matched
from rankgauge.matching.ranking import Ranking
from rankgauge.matching.source_types import JudgmentsLike, RankingLike
from rankgauge.metric_core.notation import MetricLike, metric_or_default
from rankgauge.reconciliation.reconciliation import Reconciliation
from rankgauge.reconciliation.reconciliation_data import DataForm, ReconciliationData
from rankgauge.reconciliation.tools import tools_with

LIST = "the list"
"""Id of the only query of a list of grades."""


def reconcile(
    judgments: JudgmentsLike,
    ranking: RankingLike | None = None,
    metric: MetricLike | None = None,
    *,
    convention: ConventionLike = None,
    ideal: Iterable[object] | None = None,
    scores: Iterable[object] | None = None,
    digits: int | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Reconciliation:
    """Compare the values that tools give on the same data, and find the rules that make them differ.

    The result is a table of values and differing rules. ``explain("0.4537")`` finds the rules that give a number;
    ``between("sklearn", "lightgbm")`` goes from one tool to another, one rule at a time.

    Parameters
    ----------
    judgments, ranking
        As for ``evaluate``. Without a ranking, ``judgments`` is a list of grades, best rank first, with None for
        unjudged items.
    metric
        A metric; None for nDCG@10. Rules that it sets itself apply to every tool.
    convention
        Your own rules, shown with the tools.
    ideal, scores
        For a list: the grades of all judged items, and the scores of the items, for ties.
    digits
        Digits of the values in the table; by default as many as distinguish them, at least four.
    read_options, **read
        How data are read, as for ``evaluate``. The tools know no units: with ``units=`` they get the ranking rolled up,
        each unit at the rank of its first item.

    Examples
    --------
    >>> import rankgauge as rg
    >>> films = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 4, 3, 2, 2, 1, 0])
    >>> [(group.shown, group.rules) for group in films.groups][:3]
    [('1.0000', ()), ('0.9952', ('gain', 'ideal')), ('0.8783', ('discount', 'ideal'))]
    """
    options = ReadOptions.of(reconcile, read_options, read)
    paths = None
    if ranking is not None or isinstance(judgments, Data) or is_file(judgments):
        if ideal is not None or scores is not None:
            raise ParameterError("ideal and scores belong to a list of grades; omit them with judgments and a ranking")
        paths = resolve_input("reconcile", judgments, ranking, options, "one")
        metric, convention = paths.metric(metric, convention)
    parsed, findings = metric_or_default(metric), Findings()
    if parsed.definition.of_items:
        en = f"{parsed} depends on the items themselves; reconcile supports metrics of grades only"
        raise ParameterError((en, f"{parsed} 取决于物品本身；reconcile 只支持基于等级的指标"))
    if parsed.definition.summary.weighs_queries:
        en = f"{parsed} has its own query weights; reconcile supports means over queries, such as AUC"
        raise ParameterError((en, f"{parsed} 自带查询权重；reconcile 只支持对查询取平均的指标，如 AUC"))
    stated = None if convention is None else check_convention(convention)
    if stated is not None and options.units is not None:
        stated = stated.replace(units="items")  # the ranking is rolled up for all
    if paths is None:
        data = _read_list(judgments, ideal := None if ideal is None else [*ideal], scores)
        data.is_list_alone = ideal is None
        if ideal is not None:
            with suppress(ParameterError, UndefinedError):  # rules that have no value for this list
                grades: Any = judgments
                parsed.of(grades, ideal=ideal, convention=stated)  # an ideal that lacks returned grades is an error
    else:
        data = read_data(paths, options, findings)
    tools, without_metric = tools_with(parsed, data, stated)
    typed = metric if isinstance(metric, str) and metric != str(parsed) else ""  # our own notation names no tool
    return Reconciliation(parsed, data, tools, without_metric, findings, digits, typed)


def read_data(verb_input: VerbInput, options: ReadOptions, findings: Findings) -> ReconciliationData:
    """Read judgments and one ranking for any number of definitions."""
    judged = Judgments.of(verb_input.judgments, options, findings)
    held = verb_input.ranking.loaded(findings)
    held = held if held.options.units is None else _rolled_up(held, held.options.units)
    first = [*held.chunks(judged, DEFAULT.replace(hit_if="score>0", duplicates="first"), findings)]
    findings.raise_errors(options.lenient)
    seen = np.zeros(len(judged.queries), dtype=bool)
    for numbers, _ in first:
        seen[numbers] = True
    missing = np.flatnonzero(~seen)
    if not seen.any():
        findings.add(*held.nothing_in_common(judged))
        findings.raise_errors(lenient=False)
    if len(missing):
        findings.add("RG402", f"query {shown(judged.queries[missing[0]])}", len(missing))
    rest: list[Chunk] = [(missing, judged.unanswered(missing))] if len(missing) else []

    def matched(convention: Convention) -> Matched:
        return _joined([*held.chunks(judged, convention, Findings()), *rest], len(judged.queries))

    return ReconciliationData(judged.queries, missing, matched, _form(verb_input.judgments))


def _rolled_up(ranking: Ranking, units: Units) -> Ranking:
    """Return the ranking with each unit once, where its best item is."""
    options, source = replace(ranking.options, units=None), ranking.source
    if source.form == "frame":  # a loaded table names units already
        rows = source.value.with_row_index("row").sort("score", descending=True, maintain_order=True)
        once = rows.unique(["query", "item"], keep="first", maintain_order=True).sort("row")
        return Ranking(once.drop("row"), options)
    records = {query: _once(returned) for query, returned in units.of_records(source.value).items()}
    return Ranking(records, options)


def _once(returned: RepeatedItems | Sequence[Any]) -> dict[Any, float] | list[Any]:
    """Return each unit of a query once, with its best score if there are scores."""
    if not isinstance(returned, RepeatedItems):
        return [*dict.fromkeys(returned)]
    best: dict[Any, float] = {}
    for unit, score in zip(returned, returned.scores, strict=True):
        best[unit] = max(score, best.get(unit, score))
    return best


def _form(judgments: Source | Judgments) -> DataForm:
    """Return how the judgments came in."""
    if isinstance(judgments, Judgments) or judgments.form != "file":
        is_array = judgments.array is not None if isinstance(judgments, Judgments) else judgments.form == "array"
        return "arrays" if is_array else "other"
    name = judgments.format
    return "trec" if name == "trec" else "letor" if name == "letor" else "other"


def _read_list(grades: Any, ideal: Iterable[Any] | None, scores: Iterable[Any] | None) -> ReconciliationData:
    """Read a list of grades, best rank first, with None for unjudged items."""
    values, known = read_grades(grades)
    points = np.arange(len(values), 0, -1.0) if scores is None else read_grades(scores, "scores")[0]
    if len(points) != len(values):
        en = f"expected one score for each of the grades ({len(values)}), found {len(points)}"
        raise ParameterError((en, f"每个等级应有一个分数（{len(values)} 个），实有 {len(points)} 个"))
    # Ids descend with the rank, so that ties by id keep the order of the list.
    names = [f"{len(values) - place:012}" for place in range(len(values))]
    compared = values if known is None else values[known]
    items = names if known is None else [name for name, judged in zip(names, known, strict=True) if judged]
    judgments = {LIST: dict(zip(items, compared.tolist(), strict=True))}
    ranking = {LIST: dict(zip(names, points.tolist(), strict=True))}
    options = ReadOptions()
    data = read_data(resolve_input("reconcile", judgments, ranking, options, "one"), options, Findings())
    return data if ideal is None else data.with_pool(read_grades(ideal, "ideal")[0])


def _joined(chunks: Sequence[Chunk], queries: int) -> Matched:
    """Join chunks of queries, numbered like the judgments."""
    query = np.concatenate([numbers[chunk.query] for numbers, chunk in chunks])
    pool_query = np.concatenate([numbers[chunk.pool_query] for numbers, chunk in chunks])
    rows, pool = (np.argsort(column, kind="stable") for column in (query, pool_query))
    returned = np.zeros(queries, dtype=np.int64)
    for numbers, chunk in chunks:
        returned[numbers] = chunk.returned
    names = ("grade", "above", "tied", "before")
    columns: Any = {name: np.concatenate([getattr(chunk, name) for _, chunk in chunks])[rows] for name in names}
    copy = joined_copies([chunk for _, chunk in chunks])
    positive = [np.zeros(0, dtype=bool) if chunk.positive is None else chunk.positive for _, chunk in chunks]
    copy = joined_copies([chunk for _, chunk in chunks])
    return Matched(
        query=query[rows],
        returned=returned,
        pool_query=pool_query[pool],
        pool_grade=np.concatenate([chunk.pool_grade for _, chunk in chunks])[pool],
        positive=np.concatenate(positive)[rows],
        copy=None if copy is None else copy[rows],
        **columns,
    )
