"""`correct`: metrics by a judge on all queries, corrected by labels of people on some."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal, Unpack, get_args

import numpy as np
import polars as pl

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import InputError, ParameterError, allowed_names, shown
from rankgauge.inputs.attributes import attribute_values
from rankgauge.inputs.findings import Findings, input_error, warn_about, with_ids
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.judging.corrected import Corrected
from rankgauge.judging.estimates import Design, Estimator, Target
from rankgauge.judging.expected import expected_values
from rankgauge.judging.item_estimates import ItemEstimates, item_estimates
from rankgauge.judging.label_pair import LabelPair
from rankgauge.judging.labels import ADJUDICATOR, PAIR, Combination, Labels
from rankgauge.judging.query_values import QueryValues, RankedSystems, check_metrics, fully_labelled, query_values
from rankgauge.judging.sampling import check_random, check_reasons, item_patterns, query_patterns, unlabelled_items
from rankgauge.matching.source_types import RankingLike, RankingsLike, WeightsLike
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricsLike, parse_all
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, Ints
from rankgauge.side_information.side_information import SideInformation
from rankgauge.stats.samples import check_share
from rankgauge.stats.two_phase import ENOUGH, FEWEST

Sample = Literal["random"]


def correct(
    model: object,
    people: object,
    rankings: RankingLike | RankingsLike,
    metrics: MetricsLike | None = None,
    *,
    target: Target = "these queries",
    estimator: Estimator = "regression",
    strata: object = None,
    clusters: object = None,
    sample: Sample | None = None,
    combine: Combination = "majority",
    adjudicator: str = ADJUDICATOR,
    scale: tuple[float, float] | None = None,
    alpha: float = 0.05,
    convention: ConventionLike = None,
    side_information: SideInformation | None = None,
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
    check_choices(target=target, estimator=estimator, sample=sample)
    rules, parsed = check_convention(convention), tuple(parse_all(metrics))
    check_metrics(parsed, rules)
    sides = LabelPair.read(model, people, options, combine, adjudicator, scale)
    systems = RankedSystems.of("correct", sides.model, rankings, rules, side_information, weights, options)
    scores = systems.scores(sides.model, parsed)
    queries = [*scores.queries]
    of_model = query_values(scores, parsed, queries)
    if sides.by_model.has_probabilities:
        of_model = _expectations(parsed, sides.by_model, systems, queries)
    findings = sides.findings
    findings.merge(scores.findings)
    labelled = fully_labelled(systems, sides.model, sides.people, parsed)
    codes = (_codes(source, queries, name) for name, source in (("strata", strata), ("clusters", clusters)))
    design = Design(target, estimator, check_share("alpha", alpha, "correct"), *codes)
    items: dict[Metric, ItemEstimates] = {}
    if sides.by_people.has_inclusion:
        design, single = _with_inclusion(design, sides, labelled, queries)
        for metric in single:
            items[metric] = item_estimates(
                metric, systems, of_model, sides.with_model_grades(), queries, design.finite, design.level
            )
    elif sample is None:
        _check_sample(sides, systems, of_model, labelled, findings)
    counted = [metric for metric in parsed if metric not in items]
    _check_counts(counted, labelled, design, sides, queries, findings)
    by_people = systems.scores(sides.people, parsed) if counted else scores
    none = np.zeros(len(queries), dtype=bool)
    of_people = {
        (metric, system): values.where(none if metric in items else labelled[metric])
        for (metric, system), values in query_values(by_people, parsed, queries).items()
    }
    _report_unknown_items(sides, systems, findings)
    in_part = _labelled_in_part(sides, systems, labelled, counted, queries, findings)
    findings.raise_errors(options.lenient)
    warn_about(findings)
    return Corrected(
        queries,
        systems.systems,
        parsed,
        of_model,
        of_people,
        labelled,
        design,
        rules,
        items,
        sides.by_model.has_probabilities,
        findings,
        in_part,
    )


def check_choices(**given: object) -> None:
    """Raise an error for an unknown target, estimator or kind of sample."""
    known = {"target": get_args(Target), "estimator": get_args(Estimator), "sample": ("random", None)}
    for name, value in given.items():
        if value not in known[name]:
            raise ParameterError.of(name, value, allowed_names(known[name]))


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


def _with_inclusion(
    design: Design, sides: LabelPair, labelled: Mapping[Metric, Bools], queries: list[object]
) -> tuple[Design, list[Metric]]:
    """Return the design with the chance of each query, and the metrics for which single items were labelled."""
    sides.check_chances()
    by_query = sides.people.group_by("query").agg(pl.col("inclusion").min(), pl.col("inclusion").max().alias("most"))
    varies = bool((by_query["inclusion"] != by_query["most"]).any())
    chances = dict(by_query.select("query", "inclusion").iter_rows())
    some = np.array([query in chances for query in queries])
    whole = {*sides.by_people.frame["reason"].unique()} == {"query sample"}  # a sheet of whole queries says so
    single = [metric for metric, rows in labelled.items() if varies or (not whole and bool((some & ~rows).any()))]
    column: Floats = np.array([chances.get(query, 1.0) for query in queries], dtype=np.float64)
    return replace(design, inclusion=column), single


def _check_sample(
    sides: LabelPair,
    systems: RankedSystems,
    model: Mapping[tuple[Metric, str], QueryValues],
    labelled: Mapping[Metric, Bools],
    findings: Findings,
) -> None:
    """Raise an error, or report a warning, if the labels cannot be a random sample."""
    rows = np.logical_and.reduce([*labelled.values()])
    check_reasons(sides.by_people.frame, is_complete=bool(rows.all()))
    values = {f"{m} {s}".strip(): (own.value, labelled[m]) for (m, s), own in model.items() if labelled[m].any()}
    patterns = query_patterns(values)
    touched = sides.people.select("query").unique()
    if int(rows.sum()) < touched.height:
        part = sides.model.join(touched, on="query", how="semi")
        depths = [metric.depth(systems.rules) for metric in labelled]
        top = None if None in depths else max(depth for depth in depths if depth is not None)
        ranks = systems.best_ranks(part, top)
        patterns += item_patterns(unlabelled_items(part, sides.people, ranks))
    check_random(patterns, findings)


def _check_counts(
    metrics: list[Metric],
    labelled: Mapping[Metric, Bools],
    design: Design,
    sides: LabelPair,
    queries: list[object],
    findings: Findings,
) -> None:
    """Raise an error if a metric has fewer than two labelled queries, in all or in a stratum."""
    has_label = {*sides.people["query"].to_list()}
    some = np.array([query in has_label for query in queries])
    for metric in metrics:
        rows = labelled[metric]
        part = some & ~rows
        if part.any():
            example = Phrase("{metric}: query {query}", "{metric}：查询 {query}")
            findings.add(
                "RG609", example.fill(metric=metric, query=shown(queries[int(part.argmax())])), int(part.sum())
            )
        total = int(rows.sum())
        if FEWEST <= total < min(ENOUGH, len(queries)):
            few = Phrase("{metric}: {count:# labelled query|# labelled queries}", "{metric}：{count:,} 个查询有标签")
            findings.add("RG622", few.fill(metric=metric, count=total))
        counts = [total] if design.strata is None else np.bincount(design.strata, rows).astype(int).tolist()
        if min(counts) < FEWEST:
            where = Phrase("", "") if design.strata is None else Phrase(" in a stratum", "（某一层）")
            found = Phrase(
                "{metric}: {count:# labelled query|# labelled queries}{where}; {part:,} are labelled in part",
                "{metric}：有标签的查询为 {count:,} 个{where}；另有 {part:,} 个只有部分标签",
            )
            raise input_error("RG603", found.fill(metric=metric, count=min(counts), where=where, part=int(part.sum())))


def _report_unknown_items(sides: LabelPair, systems: RankedSystems, findings: Findings) -> None:
    """Report labels for items that nobody retrieved and the judge did not judge."""
    extra = sides.people.join(sides.model, on=PAIR, how="anti")
    if extra.height:
        lost = extra.join(systems.best_ranks(extra, None), on=PAIR, how="anti")
        if lost.height:
            findings.add("RG602", with_ids("label", "标签", *lost.select(PAIR).row(0)), lost.height)


def _labelled_in_part(
    sides: LabelPair,
    systems: RankedSystems,
    labelled: Mapping[Metric, Bools],
    metrics: list[Metric],
    queries: list[object],
    findings: Findings,
) -> dict[Metric, int]:
    """Report metrics for which items that only the judge judged could change labelled queries, and count these."""
    if not metrics:
        return {}
    grades = np.concatenate([table["grade"].to_numpy() for table in (sides.model, sides.people)]).astype(np.float64)
    changed = systems.queries_changed(sides.people, sides.model, metrics, (grades.min(), grades.max()))
    counts = {}
    for metric, found in changed.items():
        full = {query for query, row in zip(queries, labelled[metric], strict=True) if row}
        if number := len(full & found):
            counts[metric] = number
    if counts:
        some = Phrase("{metric} in {count:# labelled query|# labelled queries}", "{metric}（{count:,} 个有标签的查询）")
        texts = [some.fill(metric=metric, count=count) for metric, count in counts.items()]
        example = (", ".join(text.en for text in texts), "、".join(text.zh for text in texts))
        findings.add("RG613", example, max(counts.values()))
    return counts
