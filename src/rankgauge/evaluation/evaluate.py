"""`evaluate` and `explain`: from judgments and rankings, in whatever form, to values."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Unpack

from rankgauge.conventions.convention import ConventionLike, check_convention
from rankgauge.errors import ParameterError
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.evaluation.passes import of_spans, ranking_for
from rankgauge.evaluation.ranked_lists import ranked_lists, showing_spans
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.matching.entrance import resolve_input
from rankgauge.matching.judgments import Judgments, first_few
from rankgauge.matching.source_types import JudgmentsLike, RankingLike, RankingsLike, WeightsLike
from rankgauge.metric_core.explanation import Explanation
from rankgauge.metric_core.notation import MetricLike, MetricsLike, metric_or_default
from rankgauge.metric_core.summary import no_query_values
from rankgauge.rendering.language import Phrase
from rankgauge.side_information.item_lists import one_list
from rankgauge.side_information.side_information import SideInformationLike, check_side_information


def evaluate(
    judgments: JudgmentsLike,
    ranking: RankingLike | RankingsLike | None = None,
    metrics: MetricsLike | None = None,
    *,
    convention: ConventionLike = None,
    side_information: SideInformationLike | None = None,
    weights: WeightsLike | None = None,
    fingerprint: bool = False,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Scores:
    """Compute metrics of one ranking, or of several, for every judged query.

    Parameters
    ----------
    judgments
        ``{query: {item: grade}}``, ``{query: [relevant items]}``, ``{query: [[items of which one will
        do]]}``, rows of ``(query, item, grade)``, a frame (polars,
        pandas, Arrow, DuckDB), a file (TREC qrels, CSV, TSV, JSONL, JSON, Parquet, Arrow, LETOR; compressed or not), a
        sparse matrix, or an array of labels. Data of ``rg.read``, or a file, that hold a ranking as well need no other.
    ranking
        ``{query: {item: score}}``, ``{query: [items, best first]}``, rows of ``(query, item, score)``, a frame, a
        file, or an array of scores of the shape of the labels. Several at once: ``{"name": ranking, ...}``.
    metrics
        One or several metrics, as values or as text; None for nDCG@10, or for those that the data name.
    convention
        The rules: a Convention, or the name of a preset such as ``"lightgbm"``.
    side_information
        What metrics of the items themselves need: training data, features, categories, groups, ...
    weights
        ``{query: weight}`` for ``averaging="weighted"``.
    fingerprint
        Whether ``scores.provenance`` has the fingerprint of each ranking, too; those of the judgments and the queries
        are always there.
    read_options, **read
        How data are read: ``columns``, ``format``, ``lenient``, ``groups``, ``offsets``, ``query_ids``, ``grades``,
        ``units``, ``progress``; see ``ReadOptions``.

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
    options = ReadOptions.of(evaluate, read_options, read)
    verb_input = resolve_input("evaluate", judgments, ranking, options)
    metrics, convention = verb_input.metrics(metrics, convention)
    evaluator = Evaluator(
        verb_input.judgments,
        metrics,
        convention=convention,
        side_information=side_information,
        fingerprint=fingerprint,
        read_options=options,
    )
    for system in verb_input.rankings.values():
        evaluator.add(system)
    return evaluator.scores(weights)


def explain(
    judgments: JudgmentsLike,
    ranking: RankingLike | None = None,
    metric: MetricLike | None = None,
    query: Hashable = None,
    *,
    convention: ConventionLike = None,
    side_information: SideInformationLike | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Explanation:
    """Explain how the value of one query is computed; takes judgments and a ranking as ``evaluate`` does.

    Parameters
    ----------
    judgments, ranking
        Judgments and a ranking, as ``evaluate`` takes them.
    metric
        A metric, as a value or as text; None for nDCG@10.
    query
        The query; it may be omitted if only one query is judged.
    convention
        The rules: a Convention, or the name of a preset such as ``lightgbm``; None for the default.
    side_information
        What metrics of the items themselves need; see SideInformation.
    read_options, **read
        How data are read; see ReadOptions.

    Examples
    --------
    >>> import rankgauge as rg
    >>> rg.explain({"q1": {"a": 1, "b": 0}}, {"q1": ["b", "a"]}, "RR", "q1").value
    0.5
    """
    options = ReadOptions.of(explain, read_options, read)
    verb_input, findings = resolve_input("explain", judgments, ranking, options, "one"), Findings()
    metric, convention = verb_input.metric(metric, convention)
    rules, parsed_metric = check_convention(convention), metric_or_default(metric)
    parsed = Judgments.of(verb_input.judgments, options, findings)
    rules = parsed.rules(rules)
    if query is None:
        if len(parsed.queries) > 1:
            raise ParameterError(
                Phrase(
                    "the judgments have more than one query; pass query=, one of {few}",
                    "标注中有多个查询；请用 query= 指明其中之一：{few}",
                ).fill(few=first_few(parsed.queries))
            )
        query = parsed.queries[0]
    plain, definition = parsed_metric.without_budget, parsed_metric.definition
    formed_by = plain.list_convention(rules).replace(**{"match": "id"} if definition.of_spans else {})
    ranking = of_spans(verb_input.ranking, parsed)
    if parsed_metric.has_own_pass:
        ranking = ranking_for(parsed_metric, ranking, parsed, rules)
    ranked = ranked_lists(parsed, ranking, [query], formed_by, findings)[query]
    if parsed_metric.definition.of_items:
        information = check_side_information(side_information)
        information.check(parsed_metric)
        if not parsed_metric.definition.summary.has_query_values:
            raise no_query_values(parsed_metric, "a single query cannot be explained")
        needs = parsed_metric.definition.needs or ()
        grades = parsed.grades_of(query)
        ranked = one_list(ranked, query, grades, information, needs, formed_by)
        if definition.of_spans:
            rel = plain.effective_convention(rules).rel
            ranked = showing_spans(ranked, [gold for gold, grade in grades.items() if grade >= rel])
    explanation = plain.explain_ranked(ranked, rules)
    return replace(explanation, metric=str(parsed_metric), budget=parsed_metric.budget, grades=parsed.grading)
