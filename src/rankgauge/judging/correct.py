"""`correct`: metrics by a judge on all queries, corrected by labels of people on some."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal, NamedTuple, Unpack, get_args

import numpy as np
import polars as pl

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import InputError, check_choice, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.attributes import attribute_values
from rankgauge.inputs.findings import input_error, warn_about, with_ids
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.judging.corrected import Corrected
from rankgauge.judging.estimates import Design, Estimator, ItemEstimates, Target, item_estimates
from rankgauge.judging.expected import expected_values
from rankgauge.judging.label_pair import LabelPair
from rankgauge.judging.labels import ADJUDICATOR, PAIR, Combination, Labels
from rankgauge.judging.query_values import QueryValues, RankedSystems, check_metrics, fully_labelled, query_values
from rankgauge.judging.sampling import check_random, check_reasons, item_patterns, query_patterns, unlabelled_items
from rankgauge.matching.source_types import ById, JudgmentsLike, RankingLike, RankingsLike, WeightsLike
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricsLike, parse_all
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, Ints
from rankgauge.side_information.side_information import SideInformationLike
from rankgauge.stats.samples import check_share
from rankgauge.stats.two_phase import ENOUGH, FEWEST

Sample = Literal["random"]


class CorrectKeywords(ReadKeywords, total=False):
    """What ``correct`` takes besides judgments, labels, rankings and metrics."""

    target: Target
    estimator: Estimator
    strata: ById | None
    clusters: ById | None
    sample: Sample | None
    combine: Combination
    adjudicator: str
    scale: tuple[float, float] | None
    alpha: float
    convention: ConventionLike
    side_information: SideInformationLike | None
    weights: WeightsLike | None
    read_options: ReadOptions | None


def correct(
    model: JudgmentsLike | Labels,
    people: JudgmentsLike | Labels,
    rankings: RankingLike | RankingsLike,
    metrics: MetricsLike | None = None,
    *,
    target: Target = "these queries",
    estimator: Estimator = "regression",
    strata: ById | None = None,
    clusters: ById | None = None,
    sample: Sample | None = None,
    combine: Combination = "majority",
    adjudicator: str = ADJUDICATOR,
    scale: tuple[float, float] | None = None,
    alpha: float = 0.05,
    convention: ConventionLike = None,
    side_information: SideInformationLike | None = None,
    weights: WeightsLike | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Corrected:
    """Correct metrics by a judge on all queries with labels of people on some of them.

    A query counts as labelled if people judged every item that the judge judged in the top k of the lists. Where people
    labelled single items, their inclusion probabilities (a column ``inclusion``) are needed.

    Parameters
    ----------
    model
        Model judgments of all queries, as ``rg.evaluate`` takes judgments, or a verdict file.
    people
        Labels of people: a table of query, item, grade and, if there are several people, rater; or judgments.
    rankings
        One ranking, or several as ``{"name": ranking}``.
    metrics
        One or several metrics, as values or as text; nDCG@10 if None.
    target
        ``"these queries"``: what people would say on these very queries; ``"queries like these"``: on all queries of
        their kind, of which these are a sample.
    estimator
        ``"regression"``: two-phase regression with Student's t; ``"ppi++"``: as ppi_py computes it.
    strata, clusters
        ``{query: name}``: strata within which labelled queries were drawn; clusters of queries that resemble each
        other.
    sample
        ``"random"`` states that the labelled queries were drawn at random, so that this is not tested.
    combine, adjudicator
        How several people become one; see ``agreement``.
    scale
        The lowest and the highest grade; others are an error.
    alpha
        Significance level: intervals have the confidence level ``1 - alpha``.
    convention
        The rules: a Convention, or the name of a preset.
    side_information
        What metrics of the items themselves need.
    weights
        ``{query: weight}`` for ``averaging="weighted"``.
    read_options, **read
        How data are read; see ReadOptions.

    Examples
    --------
    >>> import rankgauge as rg
    >>> queries = [f"q{number}" for number in range(40)]
    >>> ranking = {query: ["a", "b", "c"] for query in queries}
    >>> judge = {q: {"a": n % 2, "b": n % 3 == 0, "c": 1} for n, q in enumerate(queries)}
    >>> people = {q: {"a": n % 2, "b": n % 3 == 0, "c": n % 5 > 0} for n, q in enumerate(queries) if n % 4 < 2}
    >>> result = rg.judges.correct(judge, people, ranking, "P@3")
    >>> round(result.model_only("P@3").value, 4), round(result.estimate("P@3").value, 4)
    (0.6167, 0.55)
    """
    options = ReadOptions.of(correct, read_options, read)
    check_choice("target", target, get_args(Target))
    check_choice("estimator", estimator, get_args(Estimator))
    check_choice("sample", sample, ("random", None))
    rules, parsed = check_convention(convention), tuple(parse_all(metrics))
    check_metrics(parsed, rules)
    sides = LabelPair.read(model, people, options, combine, adjudicator, scale)
    systems = RankedSystems.of("correct", sides.model, rankings, rules, side_information, weights, options)
    scores = systems.scores(sides.model, parsed)
    queries, findings = [*scores.queries], sides.findings
    if sides.by_model.has_probabilities:
        by_model = _expectations(parsed, sides.by_model, systems, queries)
    else:
        by_model = query_values(scores, parsed, queries)
    findings.merge(scores.findings)
    full = fully_labelled(systems, sides.model, sides.people, parsed)
    labelled = _LabelledQueries(sides, systems, queries, by_model, full)
    codes = (_codes(source, queries, name) for name, source in (("strata", strata), ("clusters", clusters)))
    design = Design(target, estimator, check_share("alpha", alpha, "correct"), *codes)
    items: dict[Metric, ItemEstimates] = {}
    if sides.by_people.has_inclusion:
        design, items = labelled.with_inclusion(design)
    elif sample is None:
        labelled.check_sample()
    counted = [metric for metric in parsed if metric not in items]
    labelled.check_counts(counted, design)
    by_people = labelled.by_people(scores, items)
    labelled.report_unknown_items()
    in_part = labelled.labelled_in_part(counted)
    findings.raise_errors(options.lenient)
    warn_about(findings)
    expected = sides.by_model.has_probabilities
    results = (by_model, by_people, full, design, rules, items, expected, findings, in_part)
    return Corrected(queries, systems.systems, parsed, *results)


def _codes(source: object, queries: list[object], name: str) -> Ints | None:
    """Return the number of the stratum or cluster of each query."""
    if source is None:
        return None
    if isinstance(source, Mapping) and not any(isinstance(value, Mapping) for value in source.values()):
        source = {query: {name: value} for query, value in source.items()}
    values = attribute_values(source, name, queries)
    for query, value in zip(queries, values, strict=True):
        if value is None:
            en, zh = f"{name}: query {shown(query)} has no value", f"{name}：查询 {shown(query)} 没有值"
            raise InputError((f"{en}; give one for every query that the judge judged", f"{zh}；请为每个查询给出一个值"))
    return np.unique(np.array([str(value) for value in values]), return_inverse=True)[1].astype(np.int64)


def _expectations(
    metrics: Iterable[Metric], labels: Labels, systems: RankedSystems, queries: list[object]
) -> dict[tuple[Metric, str], QueryValues]:
    """Return the expected values of a judge that gives a probability for each grade."""
    values = {}
    for metric in metrics:
        for system, by_query in expected_values(metric, labels, systems).items():
            column = np.array([by_query.get(query, np.nan) for query in queries], dtype=np.float64)
            values[metric, system] = QueryValues(column, np.where(np.isnan(column), 0.0, 1.0))
    return values


class _LabelledQueries(NamedTuple):
    """The queries of both sides, and which of them people labelled in full."""

    sides: LabelPair
    systems: RankedSystems
    queries: list[object]
    by_model: Mapping[tuple[Metric, str], QueryValues]
    full: Mapping[Metric, Bools]
    """Which queries count as labelled for each metric."""

    def with_inclusion(self, design: Design) -> tuple[Design, dict[Metric, ItemEstimates]]:
        """Return the design with the chance of each query, and estimates where single items were labelled."""
        sides = self.sides
        sides.check_chances()
        by_query = sides.people.group_by("query").agg(
            pl.col("inclusion").min(), pl.col("inclusion").max().alias("most")
        )
        varies = bool((by_query["inclusion"] != by_query["most"]).any())
        chances = dict(by_query.select("query", "inclusion").iter_rows())
        some = np.array([query in chances for query in self.queries])
        whole = {*sides.by_people.frame["reason"].unique()} == {"query sample"}  # a sheet of whole queries says so
        column: Floats = np.array([chances.get(query, 1.0) for query in self.queries], dtype=np.float64)
        design = replace(design, inclusion=column)
        items = {
            metric: item_estimates(
                metric,
                self.systems,
                self.by_model,
                sides.with_model_grades(),
                self.queries,
                design.finite,
                design.level,
            )
            for metric, rows in self.full.items()
            if varies or (not whole and bool((some & ~rows).any()))
        }
        return design, items

    def check_sample(self) -> None:
        """Raise an error, or report a warning, if the labels cannot be a random sample."""
        sides, rows = self.sides, np.logical_and.reduce([*self.full.values()])
        check_reasons(sides.by_people.frame, is_complete=bool(rows.all()))
        values = {
            f"{metric} {system}".strip(): (own.value, self.full[metric])
            for (metric, system), own in self.by_model.items()
            if self.full[metric].any()
        }
        patterns = query_patterns(values)
        touched = sides.people.select("query").unique()
        if int(rows.sum()) < touched.height:
            part = sides.model.join(touched, on="query", how="semi")
            depths = [metric.depth(self.systems.rules) for metric in self.full]
            top = None if None in depths else max(depth for depth in depths if depth is not None)
            ranks = self.systems.best_ranks(part, top)
            patterns += item_patterns(unlabelled_items(part, sides.people, ranks))
        check_random(patterns, sides.findings)

    def check_counts(self, metrics: list[Metric], design: Design) -> None:
        """Raise an error if a metric has fewer than two labelled queries, in all or in a stratum."""
        findings = self.sides.findings
        has_label = {*self.sides.people["query"].to_list()}
        some = np.array([query in has_label for query in self.queries])
        for metric in metrics:
            rows = self.full[metric]
            part = some & ~rows
            if part.any():
                example = Phrase("{metric}: query {query}", "{metric}：查询 {query}")
                first = shown(self.queries[int(part.argmax())])
                findings.add("RG609", example.fill(metric=metric, query=first), int(part.sum()))
            total = int(rows.sum())
            if FEWEST <= total < min(ENOUGH, len(self.queries)):
                few = Phrase(
                    "{metric}: {count:# labelled query|# labelled queries}", "{metric}：{count:,} 个查询有标签"
                )
                findings.add("RG622", few.fill(metric=metric, count=total))
            counts = [total] if design.strata is None else np.bincount(design.strata, rows).astype(int).tolist()
            if min(counts) < FEWEST:
                where = Phrase("", "") if design.strata is None else Phrase(" in a stratum", "（某一层）")
                found = Phrase(
                    "{metric}: {count:# labelled query|# labelled queries}{where}; {part:,} are labelled in part",
                    "{metric}：有标签的查询为 {count:,} 个{where}；另有 {part:,} 个只有部分标签",
                )
                found = found.fill(metric=metric, count=min(counts), where=where, part=int(part.sum()))
                raise input_error("RG603", found)

    def by_people(self, scores: Scores, items: Mapping[Metric, object]) -> dict[tuple[Metric, str], QueryValues]:
        """Return the values by people, NaN for queries that do not count as labelled, and where items do."""
        if len(items) < len(self.full):
            scores = self.systems.scores(self.sides.people, self.full)
        none = np.zeros(len(self.queries), dtype=bool)
        return {
            (metric, system): values.where(none if metric in items else self.full[metric])
            for (metric, system), values in query_values(scores, self.full, self.queries).items()
        }

    def report_unknown_items(self) -> None:
        """Report labels for items that nobody retrieved and the judge did not judge."""
        extra = self.sides.people.join(self.sides.model, on=PAIR, how="anti")
        if extra.height:
            lost = extra.join(self.systems.best_ranks(extra, None), on=PAIR, how="anti")
            if lost.height:
                example = with_ids("label", "标签", *lost.select(PAIR).row(0))
                self.sides.findings.add("RG602", example, lost.height)

    def labelled_in_part(self, metrics: list[Metric]) -> dict[Metric, int]:
        """Report metrics for which items that only the judge judged could change labelled queries; count these."""
        if not metrics:
            return {}
        model, people = self.sides.model, self.sides.people
        grades = np.concatenate([table["grade"].to_numpy() for table in (model, people)]).astype(np.float64)
        changed = self.systems.queries_changed(people, model, metrics, (grades.min(), grades.max()))
        counts = {}
        for metric, of_metric in changed.items():
            full = {query for query, row in zip(self.queries, self.full[metric], strict=True) if row}
            if number := len(full & of_metric):
                counts[metric] = number
        if counts:
            some = Phrase(
                "{metric} in {count:# labelled query|# labelled queries}", "{metric}（{count:,} 个有标签的查询）"
            )
            texts = [some.fill(metric=metric, count=count) for metric, count in counts.items()]
            example = (", ".join(text.en for text in texts), "、".join(text.zh for text in texts))
            self.sides.findings.add("RG613", example, max(counts.values()))
        return counts
