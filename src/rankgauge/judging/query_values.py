"""Values of queries by the judge and by people, computed under the same rules from the same rankings."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from rankgauge.conventions import Convention
from rankgauge.errors import DataWarning, ParameterError
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.judging.labels import PAIR, as_judgments
from rankgauge.kernels.incomplete import Judged
from rankgauge.matching.entrance import resolve_input
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.ranking import Ranking
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, Ints
from rankgauge.side_information.side_information import SideInformationLike

ValuesByQuery: TypeAlias = Mapping[str, Mapping[Any, float]]
"""Values of a metric by ranking and query."""
CORPUS_LEVEL = Phrase(
    "{metric} is a corpus-level metric without values per query, so labels of some queries cannot correct it",
    "{metric} 是语料级指标，没有逐查询的值，无法由部分查询的标签修正",
)
MEDIAN = Phrase(
    "averaging='median': a median over queries cannot be corrected; use averaging='mean'",
    "averaging='median'：各查询的中位数无法修正；请使用 averaging='mean'",
)


def ranking_options(options: ReadOptions) -> ReadOptions:
    """Return the read options of rankings, without those of judgments."""
    columns, form = options.columns_of("ranking"), options.format_of("ranking")
    return replace(
        options,
        columns=None if columns is None else {"ranking": columns},
        format=None if form is None else {"ranking": form},
        grades=None,
        split=None,
    )


@dataclass(frozen=True, eq=False)
class RankedSystems:
    """The rankings of a call, read once, and how they are evaluated."""

    rankings: dict[str, Ranking]
    rules: Convention
    side_information: SideInformationLike | None
    weights: Any
    options: ReadOptions

    @classmethod
    def of(
        cls,
        verb: str,
        judgments: pl.DataFrame,
        rankings: Any,
        rules: Convention,
        side_information: SideInformationLike | None,
        weights: Any,
        options: ReadOptions,
    ) -> RankedSystems:
        """Read the rankings; options of the judgments have been used."""
        own, findings = ranking_options(options), Findings()
        if not isinstance(rankings, dict) or not all(isinstance(ranking, Ranking) for ranking in rankings.values()):
            given = resolve_input(verb, as_judgments(judgments), rankings, own).rankings
            rankings = {name: ranking.loaded(findings) for name, ranking in given.items()}
        return cls(dict(rankings), rules, side_information, weights, own)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems; one empty name for a single ranking."""
        return tuple(self.rankings)

    def scores(self, pairs: pl.DataFrame, metrics: Iterable[str | Metric], rules: Convention | None = None) -> Scores:
        """Evaluate all rankings with some judgments."""
        weights = self.weights if rules is None else None
        evaluator = Evaluator(
            as_judgments(pairs),
            [*metrics],
            convention=self.rules if rules is None else rules,
            side_information=self.side_information,
            read_options=self.options,
        )
        for name, ranking in self.rankings.items():
            evaluator.add(ranking, name)
        if isinstance(weights, dict):
            weights = {query: weights[query] for query in evaluator.judgments.queries if query in weights}
        with warnings.catch_warnings():  # labels of some items leave others unjudged; the verbs warn about the rest
            warnings.simplefilter("ignore", DataWarning)
            return evaluator.scores(weights)

    def values(self, pairs: pl.DataFrame, metric: Metric) -> ValuesByQuery:
        """Return the value of each query under each ranking."""
        scores = self.scores(pairs, [metric])
        return {name: scores.per_query(metric, name) for name in self.systems}

    def queries_changed(
        self, known: pl.DataFrame, others: pl.DataFrame, metrics: Sequence[Metric], grades: tuple[float, float]
    ) -> dict[Metric, set[Any]]:
        """Return for each metric the queries of ``known`` that change if other pairs get the lowest or highest grade.

        Judgments of items outside the top k change the ideal ranking, the number of relevant items and such like.
        """
        columns = known.select(*PAIR, pl.col("grade").cast(pl.Float64))
        rest = others.join(known, on=PAIR, how="anti").join(known, on="query", how="semi").select(PAIR)
        queries = rest["query"].unique(maintain_order=True).to_list()
        changed: dict[Metric, set[Any]] = {metric: set() for metric in metrics}
        if not queries:
            return changed
        before = self.scores(columns, metrics)
        for grade in grades:
            after = self.scores(pl.concat([columns, rest.with_columns(pl.lit(float(grade)).alias("grade"))]), metrics)
            for metric in metrics:
                for system in self.systems:
                    first, second = (QueryValues.of(scores, metric, system, queries) for scores in (before, after))
                    same = np.isclose(first.value, second.value, rtol=1e-9, atol=1e-12, equal_nan=True)
                    same &= np.isclose(first.weight, second.weight)
                    changed[metric] |= {query for query, one in zip(queries, same, strict=True) if not one}
        return changed

    def ranks(self, pairs: pl.DataFrame, system: str, top: int | None) -> pl.DataFrame:
        """Return the rank of each item that one system returned for these queries: query, item and rank."""
        judgments = Judgments.of(as_judgments(pairs), self.options, Findings())
        rows = self.rankings[system].scores_by_item(judgments, judgments.queries, Findings(), self.rules, top)
        cells = [
            (query, item, score)
            for query, scores in rows.items()
            for item, score in scores.items()
            if isinstance(item, str | int)
        ]
        schema: dict[str, Any] = {**{name: pairs.schema[name] for name in PAIR}, "score": pl.Float64}
        table = pl.DataFrame(cells, schema=schema, orient="row", strict=False)
        ids = pl.col("item").rank("ordinal", descending=True)
        order = pl.struct(pl.col("score"), -ids.cast(pl.Int64)).rank("ordinal", descending=True)
        ranks = table.select(*PAIR, order.over("query").alias("rank"))
        return ranks if top is None else ranks.filter(pl.col("rank") <= top)

    def best_ranks(self, pairs: pl.DataFrame, top: int | None) -> pl.DataFrame:
        """Return the best rank of each item in any of the lists."""
        tables = [self.ranks(pairs, system, top) for system in self.systems]
        return pl.concat(tables).group_by(PAIR, maintain_order=True).agg(pl.col("rank").min())


def check_metrics(metrics: Sequence[Metric], rules: Convention) -> None:
    """Raise an error for metrics and rules whose mean cannot be corrected."""
    for metric in metrics:
        if not metric.definition.summary.has_query_values:
            raise ParameterError(CORPUS_LEVEL.fill(metric=metric))
        if metric.definition.summary.is_average and rules.averaging == "median":
            raise ParameterError(MEDIAN)


def fully_labelled(
    systems: RankedSystems, model: pl.DataFrame, people: pl.DataFrame, metrics: Sequence[Metric]
) -> dict[Metric, Bools]:
    """Return which queries of the model count as labelled for each metric.

    People must have judged every item that the judge judged in the top k of every list.
    """
    depths = {metric: metric.depth(systems.rules) for metric in metrics}
    counts = {depth: Judged if depth is None else Judged @ depth for depth in {*depths.values()}}
    rules = systems.rules.replace(unjudged="nonrelevant", undefined=0, averaging="mean", no_relevant="computed")
    both = model.join(people.select(PAIR), on=PAIR, how="semi")
    if not both.height:
        return {metric: np.zeros(model["query"].n_unique(), dtype=bool) for metric in metrics}
    by_model, by_both = (systems.scores(pairs, counts.values(), rules) for pairs in (model, both))
    has_label = {*both["query"].to_list()}
    full = {}
    for depth, count in counts.items():
        labelled = np.array([query in has_label for query in by_model.queries])
        for system in systems.systems:
            shares = by_both.per_query(count, system)
            wanted = by_model.values(count, system)
            shares_of = np.array([shares.get(query, np.nan) for query in by_model.queries])
            labelled &= ~(shares_of < wanted - 1e-9)
        full[depth] = labelled
    return {metric: full[depth] for metric, depth in depths.items()}


@dataclass(frozen=True, eq=False)
class QueryValues:
    """Values of a metric and a system by query, NaN where there is none, with the weight of each query."""

    value: Floats
    weight: Floats

    @classmethod
    def of(cls, scores: Scores, metric: Metric, system: str, queries: Sequence[Any]) -> QueryValues:
        """Return the values of these queries."""
        summary = metric.definition.summary.under(scores.convention)
        place = {query: number for number, query in enumerate(scores.queries)}
        rows = np.array([place.get(query, -1) for query in queries], dtype=np.int64)
        counted = scores.values(metric, system)
        counted[scores.skipped(metric, system)] = np.nan
        terms = summary.terms(counted, scores.convention) if not summary.weighs_queries else counted
        weights = np.ones(len(counted))
        if summary.weighs_queries:
            own = scores.corpus_value(metric, system)
            weights = np.zeros(len(counted))
            weights[own.places] = np.ones(own.queries) if own.weights is None else own.weights
        elif scores.weights is not None and scores.convention.averaging == "weighted" and summary.is_average:
            weights = scores.weights
        known = rows >= 0
        value, weight = (np.where(known, column[rows], np.nan) for column in (terms, weights))
        return cls(value, np.where(np.isnan(value), 0.0, weight))

    def at(self, places: Ints) -> QueryValues:
        """Return the values of some of the queries."""
        return QueryValues(self.value[places], self.weight[places])

    def where(self, kept: Bools) -> QueryValues:
        """Return the values with NaN for queries that are not kept."""
        return QueryValues(np.where(kept, self.value, np.nan), self.weight * kept)


def query_values(
    scores: Scores, metrics: Iterable[Metric], queries: Sequence[Any]
) -> dict[tuple[Metric, str], QueryValues]:
    """Return the values of these queries for each metric and system."""
    return {
        (metric, system): QueryValues.of(scores, metric, system, queries)
        for metric in metrics
        for system in scores.systems
    }
