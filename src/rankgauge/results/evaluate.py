"""From judgments and a ranking to Scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from rankgauge.conventions import DEFAULT, Convention
from rankgauge.errors import InputError, ParameterError, RankgaugeError, shown
from rankgauge.match.judged import Judged
from rankgauge.match.lists import RankedList, rank_list
from rankgauge.metrics.explanation import Explanation
from rankgauge.metrics.metric import Metric
from rankgauge.metrics.notation import parse
from rankgauge.results.scores import Scores

Judgments = Mapping[Any, Mapping[Any, Any]]
Ranking = Mapping[Any, Any]


def evaluate(
    judgments: Judgments,
    ranking: Ranking,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    convention: Convention | None = None,
    weights: Mapping[Any, float] | None = None,
) -> Scores:
    """The values of a ranking for every judged query.

    Parameters
    ----------
    judgments
        ``{query: {item: grade}}``.
    ranking
        ``{query: {item: score}}``, or ``{query: [item, item, ...]}`` with the best item first.
    metrics
        One or several metrics, as values or as text.
    convention
        The rules in force.
    weights
        ``{query: weight}`` for ``averaging="weighted"``.

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
    rules = convention or DEFAULT
    asked = [parse(one) for one in ([metrics] if isinstance(metrics, str | Metric) else metrics)]
    if not asked:
        raise ParameterError.of("metrics", metrics, "one metric or more")
    if not judgments:
        raise InputError("judgments: there are no judged queries")
    missing = [query for query in judgments if query not in ranking]
    if missing and rules.missing == "error":
        raise InputError(
            f"ranking: {len(missing)} judged queries are missing, first {shown(missing[0])}; "
            "set missing to 'zero' or 'skip'"
        )
    queries = [query for query in judgments if rules.missing != "skip" or query in ranking]
    if not queries or len(missing) == len(judgments):
        raise InputError("judgments and ranking have no query in common; compare the ids on both sides")
    judged = Judged.stack([match_query(judgments, ranking, query, rules).judged for query in queries])
    values = {metric: metric.values(judged, rules) for metric in asked}
    given = None if weights is None else np.array([_weight(weights, query) for query in queries])
    return Scores(queries, values, rules, missing, given)


def explain(
    judgments: Judgments, ranking: Ranking, metric: str | Metric, query: Any, *, convention: Convention | None = None
) -> Explanation:
    """How the value of one query comes about.

    >>> import rankgauge as rg
    >>> rg.explain({"q1": {"a": 1, "b": 0}}, {"q1": ["b", "a"]}, "RR", "q1").value
    0.5
    """
    rules = convention or DEFAULT
    if query not in judgments:
        raise InputError(f"query {shown(query)} is not in the judgments; they have {_first_few(judgments)}")
    return parse(metric).explain_ranked(match_query(judgments, ranking, query, rules), rules)


def match_query(judgments: Judgments, ranking: Ranking, query: Any, convention: Convention) -> RankedList:
    """One query, ranked and matched; a query without a ranking is an empty list."""
    grades, returned = judgments[query], ranking.get(query, ())
    if isinstance(returned, str | bytes):
        raise InputError(f"query {shown(query)}: its ranking must be a list or a dict, not {shown(returned)}")
    items = list(returned)
    seen = set(items)
    try:
        return rank_list(
            [grades.get(item) for item in items],
            scores=[returned[item] for item in items] if isinstance(returned, Mapping) else None,
            items=items,
            unreturned=[grade for item, grade in grades.items() if item not in seen],
            rel=convention.rel,
            convention=convention,
        )
    except RankgaugeError as error:
        raise type(error)(f"query {shown(query)}: {error}") from error


def _weight(weights: Mapping[Any, float], query: Any) -> float:
    if query not in weights:
        raise InputError(f"weights: query {shown(query)} has no weight")
    return float(weights[query])


def _first_few(queries: Iterable[Any], count: int = 5) -> str:
    listed = list(queries)
    more = f" and {len(listed) - count} more" if len(listed) > count else ""
    return ", ".join(shown(query) for query in listed[:count]) + more
