"""From judgments and rankings, in whatever form, to Scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import InputError, ParameterError, UndefinedError, shown
from rankgauge.inputs.ahead import ahead, with_findings
from rankgauge.inputs.findings import Findings
from rankgauge.match.graded import graded
from rankgauge.match.matched import Matched
from rankgauge.match.roads import Judgments, Reading, is_ranking, match
from rankgauge.match.segments import Bools, Floats, Ints
from rankgauge.match.settle import settle
from rankgauge.metrics.explanation import Explanation
from rankgauge.metrics.metric import Metric
from rankgauge.metrics.notation import parse
from rankgauge.metrics.several import common_depth, parse_all
from rankgauge.prepare.grading import Grading
from rankgauge.render.progress import Steps, reading_bar
from rankgauge.results.candidates import Candidates
from rankgauge.results.ranked import first_few, ranked_lists
from rankgauge.results.scores import Scores


def evaluate(
    judgments: Any,
    ranking: Any,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    convention: Convention | str | None = None,
    grades: Grading | None = None,
    weights: Mapping[Any, float] | None = None,
    groups: Sequence[int] | None = None,
    offsets: Sequence[int] | None = None,
    query_ids: Sequence[Any] | None = None,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,  # noqa: A002 (the word that callers look for)
    lenient: bool = False,
    progress: bool = False,
) -> Scores:
    """The values of one ranking, or of several, for every judged query.

    Parameters
    ----------
    judgments
        ``{query: {item: grade}}``, ``{query: [relevant items]}``, rows of ``(query, item, grade)``, a frame (polars,
        pandas, Arrow, DuckDB), a file (TREC qrels, CSV, TSV, JSONL, Parquet, Arrow, LETOR; packed or not), a sparse
        matrix, or an array of labels.
    ranking
        ``{query: {item: score}}``, ``{query: [items, best first]}``, rows of ``(query, item, score)``, a frame, a
        file, or an array of scores of the shape of the labels. Several at once: ``{"name": ranking, ...}``.
    metrics
        One or several metrics, as values or as text.
    convention
        The rules in force: a Convention, or the name of a preset such as ``"lightgbm"``.
    grades
        How the numbers of the judgments (stars, clicks, seconds) become grades: a rule from ``rankgauge.grades``.
    weights
        ``{query: weight}`` for ``averaging="weighted"``.
    groups, offsets, query_ids
        Of flat arrays: the number of items of each query; or where each begins, and the end; or the query of each item.
    columns
        Names of columns that are not recognised: ``{"query": "session", "score": "p"}``.
    format
        The format of files, where it should not be guessed.
    lenient
        Leave out what is wrong and count it, instead of raising an error.
    progress
        Show on a terminal how far the reading of files has come.

    Examples
    --------
    >>> import rankgauge as rg
    >>> judgments = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}
    >>> scores = rg.evaluate(judgments, {"q1": ["b", "a"], "q2": {"c": 0.9}}, ["RR", rg.nDCG @ 10])
    >>> scores.per_query("RR")
    {'q1': 0.5, 'q2': 1.0}
    >>> scores.mean("RR")
    0.75
    """
    rules = check_convention(convention)
    asked = parse_all(metrics)
    findings = Findings()
    reading = Reading(columns, format, groups, offsets, query_ids, lenient)
    if grades is not None:
        judgments, grades = graded(judgments, grades, reading, findings)
    judged = Judgments(judgments, reading, findings)
    answered = {}
    for name, one in (ranking if _are_several(ranking) else {"": ranking}).items():
        with _bar(one, shown=progress) as steps:
            answered[name] = _values(judged, one, asked, rules, findings, name, steps)
    given = None if weights is None else np.array([_weight(weights, query) for query in judged.queries])
    return Scores(judged.queries, answered, rules, findings, given, grades)


def _values(
    judgments: Judgments,
    ranking: Any,
    metrics: Sequence[Metric],
    rules: Convention,
    findings: Findings,
    name: str,
    steps: Steps,
) -> tuple[dict[Metric, Floats], Ints]:
    """The values of one system, NaN for queries without a ranking, and which those are."""
    depth = common_depth(metrics, rules)
    values = {metric: np.full(len(judgments.queries), np.nan) for metric in metrics}
    seen = np.zeros(len(judgments.queries), dtype=bool)
    tied, relevant = np.zeros(len(seen), dtype=np.int64), np.zeros(len(seen), dtype=bool)
    candidates = Candidates()
    apart = Findings()
    chunks = with_findings(match(judgments, ranking, rules, apart, depth, steps.read), apart)
    for (numbers, matched), found in ahead(chunks):
        findings.merge(found)
        findings.raise_errors(judgments.reading.lenient)
        seen[numbers] = True
        steps.matched(int(seen.sum()))
        _compute(numbers, matched, values, rules, judgments.queries)
        tied[numbers] = np.bincount(matched.query[matched.tied > 1], minlength=len(numbers))
        candidates.look(matched, rules.rel)
        relevant[numbers] = np.bincount(matched.pool_query[matched.pool_grade >= rules.rel], minlength=len(numbers)) > 0
    findings.merge(apart)
    findings.raise_errors(judgments.reading.lenient)
    missing = np.flatnonzero(~seen)
    prefix = f"{name}: " if name else ""
    if len(missing) == len(seen):
        first = judgments.queries[0]
        findings.add("RG401", f"{prefix}query {shown(first)} of the judgments is not in the ranking, nor is any other")
        findings.raise_errors(lenient=False)
    if len(missing):
        _note(findings, "RG402", ~seen, judgments.queries, prefix)
        _settle_missing(missing, judgments, values, rules)
    _note(findings, "RG212", tied > 0, judgments.queries, prefix, int(tied.sum()))
    _note(findings, "RG404", seen & ~relevant, judgments.queries, prefix)
    if candidates.look_sampled:
        findings.add("RG407", f"{prefix}{candidates.described()}", candidates.queries)
    return values, missing


def _note(
    findings: Findings, code: str, where: Bools, queries: Sequence[Any], prefix: str, count: int | None = None
) -> None:
    """Report the queries of which something is to be said, by the first of them."""
    if where.any():
        findings.add(code, f"{prefix}query {shown(queries[int(np.argmax(where))])}", count or int(where.sum()))


def _bar(ranking: Any, *, shown: bool) -> AbstractContextManager[Steps]:
    """A progress bar for a file that is read, where one was asked for."""
    if not shown or not isinstance(ranking, str | PathLike) or ranking == "-":
        return nullcontext(Steps())
    path = Path(ranking)
    return reading_bar(path.name, path.stat().st_size if path.is_file() else None)


def _settle_missing(missing: Ints, judgments: Judgments, values: dict[Metric, Floats], rules: Convention) -> None:
    first = judgments.queries[missing[0]]
    rule_of = {metric: rules.for_metric(metric.name).missing for metric in values}
    if "error" in rule_of.values():
        raise InputError(
            f"ranking: {len(missing)} judged queries are missing, first {shown(first)}; set missing to 'zero' or 'skip'"
        )
    if empty := {metric: column for metric, column in values.items() if rule_of[metric] == "zero"}:
        _compute(missing, judgments.unanswered(missing), empty, rules, judgments.queries)


def _compute(
    numbers: Ints, matched: Matched, values: dict[Metric, Floats], rules: Convention, queries: Sequence[Any]
) -> None:
    """Settle the rules and compute every metric for some of the queries."""
    judged, _ = settle(matched, rules)
    for metric, column in values.items():
        try:
            column[numbers] = metric.values(judged, rules)
        except UndefinedError as error:
            raise UndefinedError(f"query {shown(queries[numbers[error.place]])}: {error}", error.place) from None


def _are_several(ranking: Any) -> bool:
    """Whether a mapping names rankings rather than queries."""
    return isinstance(ranking, Mapping) and bool(ranking) and all(is_ranking(value) for value in ranking.values())


def explain(
    judgments: Any,
    ranking: Any,
    metric: str | Metric,
    query: Any,
    *,
    convention: Convention | str | None = None,
    grades: Grading | None = None,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,  # noqa: A002 (the word that callers look for)
    lenient: bool = False,
) -> Explanation:
    """How the value of one query comes about; takes judgments and a ranking as ``evaluate`` does.

    >>> import rankgauge as rg
    >>> rg.explain({"q1": {"a": 1, "b": 0}}, {"q1": ["b", "a"]}, "RR", "q1").value
    0.5
    """
    rules, findings = check_convention(convention), Findings()
    reading = Reading(columns=columns, format=format, lenient=lenient)
    if _are_several(ranking):
        raise ParameterError(
            f"explain takes one ranking, not several ({', '.join(map(str, ranking))}); pass one of them"
        )
    if grades is not None:
        judgments, grades = graded(judgments, grades, reading, findings)
    judged = Judgments(judgments, reading, findings)
    ranked = ranked_lists(judged, ranking, [query], rules, findings)[query]
    explained = parse(metric).explain_ranked(ranked, rules)
    return explained if grades is None else replace(explained, grades=grades)


def only_query(judgments: Any, **reading: Any) -> Any:
    """The one query that is judged; an error that names some where there are several.

    >>> only_query({"q1": {"a": 1}})
    'q1'
    """
    queries = Judgments(judgments, Reading(**reading), Findings()).queries
    if len(queries) > 1:
        raise ParameterError(f"{len(queries)} queries are judged; say which: query = {first_few(queries)}")
    return queries[0]


def _weight(weights: Mapping[Any, float], query: Any) -> float:
    if query not in weights:
        raise InputError(f"weights: query {shown(query)} has no weight")
    return float(weights[query])
