"""From judgments and rankings, in whatever form, to Scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import InputError, ParameterError, UndefinedError, shown
from rankgauge.evaluation.ranked_lists import first_few, ranked_lists
from rankgauge.evaluation.sampled_candidates import Candidates
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.io.prefetch import prefetch, with_findings
from rankgauge.inputs.sided_columns import Columns
from rankgauge.matching.apply_rules import settle
from rankgauge.matching.graded_judgments import graded
from rankgauge.matching.judgments import Judgments, no_items
from rankgauge.matching.match import match
from rankgauge.matching.matched import Matched
from rankgauge.matching.read_options import ReadOptions, is_ranking
from rankgauge.metric_core.corpus_value import CorpusValue
from rankgauge.metric_core.explanation import Explanation
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_list import common_depth, parse_all
from rankgauge.metric_core.notation import parse
from rankgauge.metric_core.summary import no_query_values
from rankgauge.preparation.grading import Grading
from rankgauge.rendering.progress import Progress, progress_bar
from rankgauge.segments import Bools, Floats, Ints
from rankgauge.side_information.information import SideInformation, check_side_information
from rankgauge.side_information.item_lists import ItemLists, TopItems, one_list
from rankgauge.side_information.tables import Tables


def evaluate(
    judgments: Any,
    ranking: Any,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    convention: ConventionLike = None,
    grades: Grading | None = None,
    side_information: SideInformation | None = None,
    weights: Mapping[Any, float] | None = None,
    groups: Sequence[int] | None = None,
    offsets: Sequence[int] | None = None,
    query_ids: Sequence[Any] | None = None,
    columns: Columns | None = None,
    format: str | Mapping[str, str] | None = None,  # noqa: A002 (the word that callers look for)
    lenient: bool = False,
    progress: bool | Callable[[str, int], None] = False,
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
    side information
        What metrics of the items themselves need to know: training, features, categories, groups, ...
    weights
        ``{query: weight}`` for ``averaging="weighted"``.
    groups, offsets, query_ids
        Of flat arrays: the number of items of each query; or where each begins, and the end; or the query of each item.
    columns
        Names of columns that are not recognised: ``{"query": "session", "score": "p"}``; those of one side alone under
        its name: ``{"ranking": {"query": "session"}}``.
    format
        The format of files, where it should not be guessed; of each side: ``{"judgments": "trec", "ranking": "csv"}``.
    lenient
        Leave out what is wrong and count it, instead of raising an error.
    progress
        Show on a terminal how far the reading of files has come; a function is told instead: the name of the ranking,
        and how many bytes of it have been read.

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
    known = check_side_information(side_information)
    for metric in asked:
        known.check(metric)
    findings = Findings()
    reading = ReadOptions(columns, format, groups, offsets, query_ids, lenient)
    if grades is not None:
        judgments, grades = graded(judgments, grades, reading, findings)
    judged = Judgments(judgments, reading, findings)
    answered, wholes = {}, {}
    lacking = np.zeros(len(judged.queries), dtype=bool)
    for name, one in (ranking if _are_several(ranking) else {"": ranking}).items():
        with _bar(name, one, progress) as steps:
            heads = TopItems.of(asked, rules)
            if heads is not None and heads.by_id and not judged.names_items:
                raise no_items()
            weighed: dict[Metric, Floats] = {}
            answered[name] = _values(judged, one, asked, rules, findings, name, steps, heads, weighed, lacking)
            wholes[name] = {
                metric: CorpusValue.weighted(answered[name][0][metric], each) for metric, each in weighed.items()
            }
            if heads is not None:
                wholes[name] |= _values_of_items(judged, heads, answered[name][0], rules, known)
    given = None if weights is None else np.array([_weight(weights, query) for query in judged.queries])
    without_relevant = [judged.queries[number] for number in np.flatnonzero(lacking).tolist()]
    return Scores(judged.queries, answered, rules, findings, given, grades, wholes, without_relevant)


def _values(
    judgments: Judgments,
    ranking: Any,
    metrics: Sequence[Metric],
    rules: Convention,
    findings: Findings,
    name: str,
    steps: Progress,
    heads: TopItems | None,
    weighed: dict[Metric, Floats],
    lacking: Bools,
) -> tuple[dict[Metric, Floats], Ints]:
    """The values of one system, NaN for queries without a ranking, and which those are.

    In ``lacking`` it notes the queries for which nothing is relevant.
    """
    depth = common_depth(metrics, rules)
    values = {metric: np.full(len(judgments.queries), np.nan) for metric in metrics}
    weighed |= {
        metric: np.zeros(len(judgments.queries)) for metric in metrics if metric.definition.summary.weighs_queries
    }
    top = 0 if heads is None else heads.depth
    seen = np.zeros(len(judgments.queries), dtype=bool)
    tied = np.zeros(len(seen), dtype=np.int64)
    candidates = Candidates()
    apart = Findings()
    chunks = with_findings(match(judgments, ranking, rules, apart, depth, steps.on_read, top), apart)
    for (numbers, matched), found in prefetch(chunks):
        findings.merge(found)
        findings.raise_errors(judgments.reading.lenient)
        seen[numbers] = True
        steps.on_match(int(seen.sum()))
        _compute(numbers, matched, values, rules, judgments.queries, heads, weighed)
        if matched.plain is None or matched.plain.ties:
            tied[numbers] = np.bincount(matched.query[matched.tied > 1], minlength=len(numbers))
        candidates.look(matched, rules.rel)
        lacking[numbers] = matched.relevant(rules.rel) == 0
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
        lacking[missing] = judgments.unanswered(missing).relevant(rules.rel) == 0
        _settle_missing(missing, judgments, values, rules, heads, weighed)
    _note(findings, "RG212", tied > 0, judgments.queries, prefix, int(tied.sum()))
    _note(findings, "RG404", seen & lacking, judgments.queries, prefix)
    if candidates.look_sampled:
        findings.add("RG407", f"{prefix}{candidates.described()}", candidates.queries)
    return values, missing


def _note(
    findings: Findings, code: str, where: Bools, queries: Sequence[Any], prefix: str, count: int | None = None
) -> None:
    """Report the queries of which something is to be said, by the first of them."""
    if where.any():
        findings.add(code, f"{prefix}query {shown(queries[int(np.argmax(where))])}", count or int(where.sum()))


def _bar(name: str, ranking: Any, shown: bool | Callable[[str, int], None]) -> AbstractContextManager[Progress]:
    """A progress bar for a file that is read, where one was asked for; or whoever wants to be told."""
    if callable(shown):
        return nullcontext(Progress(partial(shown, name)))
    if not shown or not isinstance(ranking, str | PathLike) or ranking == "-":
        return nullcontext(Progress())
    path = Path(ranking)
    return progress_bar(path.name, path.stat().st_size if path.is_file() else None)


def _settle_missing(
    missing: Ints,
    judgments: Judgments,
    values: dict[Metric, Floats],
    rules: Convention,
    heads: TopItems | None,
    weighed: dict[Metric, Floats],
) -> None:
    first = judgments.queries[missing[0]]
    rule_of = {metric: rules.for_metric(metric.name).missing for metric in values}
    if "error" in rule_of.values():
        raise InputError(
            f"ranking: {len(missing)} judged queries are missing, first {shown(first)}; set missing to 'zero' or 'skip'"
        )
    if empty := {metric: column for metric, column in values.items() if rule_of[metric] == "zero"}:
        _compute(missing, judgments.unanswered(missing), empty, rules, judgments.queries, heads, weighed)


def _compute(
    numbers: Ints,
    matched: Matched,
    values: dict[Metric, Floats],
    rules: Convention,
    queries: Sequence[Any],
    heads: TopItems | None,
    weighed: dict[Metric, Floats],
) -> None:
    """Settle the rules and compute every metric of grades for some of the queries; keep the items for the others."""
    judged = settle(matched, rules)
    if heads is not None:
        heads.add(numbers, matched, judged, rules)
    for metric, column in values.items():
        if not metric.definition.of_items:
            with _naming_the_query(queries, numbers):
                computed = metric.compute(judged, rules)
                column[numbers] = metric.values_of(computed, rules)
                if metric in weighed:
                    weighed[metric][numbers] = computed.weight


@contextmanager
def _naming_the_query(queries: Sequence[Any], numbers: Ints) -> Iterator[None]:
    try:
        yield
    except UndefinedError as error:
        raise UndefinedError(f"query {shown(queries[numbers[error.place]])}: {error}", error.place) from None


def _values_of_items(
    judgments: Judgments,
    heads: TopItems,
    values: dict[Metric, Floats],
    rules: Convention,
    side_information: SideInformation,
) -> dict[Metric, CorpusValue]:
    """Fill in the values of metrics of the items themselves, and give back those that are of all queries together."""
    numbers, asked = heads.numbers, [metric for metric in values if metric.definition.of_items]
    lists = lists_with_items(judgments, heads, asked, side_information)
    wholes = {}
    for metric in asked:
        with _naming_the_query(judgments.queries, numbers):
            computed: Any = metric.compute(lists, rules)
            if isinstance(computed, CorpusValue):
                wholes[metric] = computed.among(numbers)
            else:
                values[metric][numbers] = metric.values_of(computed, rules)
    return wholes


def lists_with_items(
    judgments: Judgments, heads: TopItems, metrics: Iterable[Metric], side_information: SideInformation
) -> ItemLists:
    """The lists that were gathered, with all that these metrics need to know of their items and users."""
    numbers = heads.numbers
    users = [judgments.queries[number] for number in numbers.tolist()]
    needs = {need for metric in metrics for need in metric.definition.needs or ()}
    return heads.lists(Tables(side_information, heads.items, users, needs, lambda: _among(numbers, judgments)))


def _among(numbers: Ints, judgments: Judgments) -> tuple[Ints, Any, Floats]:
    """All judgments, with the place of their query among these numbers, -1 for others."""
    query, items, grades = judgments.columns()
    place = np.full(len(judgments.queries), -1)
    place[numbers] = np.arange(len(numbers))
    return place[query], items, grades


def _are_several(ranking: Any) -> bool:
    """Whether a mapping names rankings rather than queries."""
    return isinstance(ranking, Mapping) and bool(ranking) and all(is_ranking(value) for value in ranking.values())


def explain(
    judgments: Any,
    ranking: Any,
    metric: str | Metric,
    query: Any,
    *,
    convention: ConventionLike = None,
    grades: Grading | None = None,
    side_information: SideInformation | None = None,
    columns: Columns | None = None,
    format: str | Mapping[str, str] | None = None,  # noqa: A002 (the word that callers look for)
    lenient: bool = False,
) -> Explanation:
    """How the value of one query comes about; takes judgments and a ranking as ``evaluate`` does.

    >>> import rankgauge as rg
    >>> rg.explain({"q1": {"a": 1, "b": 0}}, {"q1": ["b", "a"]}, "RR", "q1").value
    0.5
    """
    rules, findings = check_convention(convention), Findings()
    reading = ReadOptions(columns=columns, format=format, lenient=lenient)
    if _are_several(ranking):
        raise ParameterError(
            f"explain takes one ranking, not several ({', '.join(map(str, ranking))}); pass one of them"
        )
    if grades is not None:
        judgments, grades = graded(judgments, grades, reading, findings)
    judged = Judgments(judgments, reading, findings)
    ranked = ranked_lists(judged, ranking, [query], rules, findings)[query]
    found, known = parse(metric), check_side_information(side_information)
    if found.definition.of_items:
        known.check(found)
        if not found.definition.summary.has_query_values:
            raise no_query_values(found, "a single query cannot be explained")
        ranked = one_list(ranked, query, judged.grades_of(query), known, found.definition.needs or ())
    explained = found.explain_ranked(ranked, rules)
    return explained if grades is None else replace(explained, grades=grades)


def only_query(judgments: Any, **reading: Any) -> Any:
    """The one query that is judged; an error that names some where there are several.

    >>> only_query({"q1": {"a": 1}})
    'q1'
    """
    queries = Judgments(judgments, ReadOptions(**reading), Findings()).queries
    if len(queries) > 1:
        raise ParameterError(f"{len(queries)} queries are judged; say which: query = {first_few(queries)}")
    return queries[0]


def _weight(weights: Mapping[Any, float], query: Any) -> float:
    if query not in weights:
        raise InputError(f"weights: query {shown(query)} has no weight")
    return float(weights[query])
