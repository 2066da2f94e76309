"""`pool`: choose the pairs of query and item that people are to judge."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Literal, NamedTuple, TypeAlias, Unpack, get_args

import numpy as np
import polars as pl

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.conventions.order import DECIDED_BY_GRADES, NO_ORDER
from rankgauge.conventions.rule import above_zero
from rankgauge.errors import ParameterError, check_choice
from rankgauge.fusion.fuse import named_rankings
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.inputs.read_options import ARRAY_OPTIONS, ReadKeywords, ReadOptions
from rankgauge.judging.estimates import check_additive
from rankgauge.judging.labels import Labels
from rankgauge.judging.query_values import check_metrics, ranking_options
from rankgauge.matching.entrance import resolve_systems
from rankgauge.matching.held_judgments import with_held_judgments
from rankgauge.matching.source_types import JudgmentsLike, RankingLike, RankingsLike
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricLike, metric_or_default
from rankgauge.pooling.basis import PoolBasis, PoolCandidates, item_weights, pairs_below, systems_of
from rankgauge.pooling.outlook import outlook
from rankgauge.pooling.pooled import Pool, Reason, Strata
from rankgauge.pooling.samples import draw_items, draw_queries, strata_of
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats, Ints
from rankgauge.stats.samples import check_share, check_whole
from rankgauge.stats.two_phase import ENOUGH

Purpose: TypeAlias = Literal["find", "compare", "correct"]
"""What the judgments are for."""
Unit: TypeAlias = Literal["queries", "items"]
"""What is drawn for a correction."""
DEFAULT_GRADE = 4
GRADES = range(1, 10)
"""Highest grades that a key can give."""
REFUSED = {
    "grades": Phrase("it chooses what is to be graded", "它选择要标注的物品"),
    "units": Phrase("people judge the items that were returned", "人标注的是返回的物品"),
} | dict.fromkeys(
    ARRAY_OPTIONS, Phrase("items are judged by their ids, which flat arrays lack", "按 id 标注物品，而扁平数组没有 id")
)
"""Read options that do not apply."""
NEEDS_BUDGET = Phrase("pool: pass depth=, budget= or both", "pool：请指定 depth=、budget= 或两者")
ONE_RANKING = Phrase("only one ranking was given", "只给出了一个排序结果")


def pool(
    rankings: RankingsLike | Sequence[RankingLike],
    *,
    depth: int | None = None,
    budget: int | None = None,
    purpose: Purpose = "find",
    judgments: JudgmentsLike | None = None,
    model: JudgmentsLike | None = None,
    metric: MetricLike | None = None,
    unit: Unit = "queries",
    floor: float = 0.2,
    max_grade: int | None = None,
    half_width: float = 0.02,
    seed: int = 0,
    convention: ConventionLike = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Pool:
    """Choose the pairs of query and item that people are to judge, and record why and with what probability.

    Parameters
    ----------
    rankings
        ``{"name": ranking, ...}`` or a list of rankings, each as for ``evaluate``.
    depth
        Take items from the top ``depth`` of each list; by default the depth of the metric, or all with a budget.
    budget
        Number of pairs to judge, over all queries.
    purpose
        ``"find"``: the whole top of the lists, or the pairs with the best reciprocal rank fusion within the budget, the
        same number for each query; ``"compare"``: the pairs that move the rankings farthest apart; ``"correct"``: a
        probability sample, for ``judges.correct``.
    judgments
        What is judged already: it is left out. By default what the rankings hold beside them, such as the reference
        answers in the results of a RAG tool.
    model
        Model judgments, by whose values the queries of a sample are stratified. If the metric depends on judgments
        below the depth (an ideal ranking, a number of relevant items), people judge all that the model judged.
    metric
        The metric that is compared or corrected; nDCG@10 if None.
    unit
        For ``"correct"``: draw whole ``"queries"`` (any metric), or single ``"items"`` (P, DCG, CG and NumRelRet).
    floor
        For ``"correct"``: share of the budget that is spread evenly, so that nothing has a tiny probability.
    max_grade
        Highest grade of the scale, 1 to 9; by default the highest of the judgments, or 4.
    half_width
        Half the width of an interval, for which the number of labels needed is given.
    seed
        Fixes the sample, and the order of the sheet.
    convention
        The rules: a Convention, or the name of a preset.
    read_options, **read
        How data are read; see ReadOptions.

    Examples
    --------
    >>> import rankgauge as rg
    >>> chosen = rg.pool({"old": {"q": ["a", "b", "c"]}, "new": {"q": ["a", "c", "d"]}}, depth=2)
    >>> chosen.pairs()
    [('q', 'a'), ('q', 'b'), ('q', 'c')]
    >>> rg.pool({"old": {"q": ["a", "b"]}, "new": {"q": ["a", "c"]}}, depth=2, purpose="compare").pairs()
    [('q', 'b'), ('q', 'c')]
    """
    options, rules = ReadOptions.of(pool, read_options, read, REFUSED), check_convention(convention)
    _check(depth, budget, purpose, unit, rules.ties)
    parsed = metric_or_default(metric)
    check_metrics([parsed], rules)
    if purpose == "correct" and unit == "items":
        check_additive(parsed, rules)
    check_whole("seed", seed, 0, "pool")
    half_width, findings = float(above_zero("half_width", half_width)), Findings()
    sources = named_rankings(rankings)
    if judgments is None:
        sources, judgments = with_held_judgments(sources, options)
    named = resolve_systems("pool", sources, ranking_options(options))
    if purpose == "compare" and len(named) == 1:
        raise input_error("RG806", ONE_RANKING)
    judged = None if judgments is None else Labels.of(judgments, options, "judgments").combined()
    by_model = None if model is None else Labels.of(model, options, "model").combined()
    grade = _max_grade(max_grade, judged)
    top = parsed.depth(rules) if depth is None and (budget is None or purpose != "find") else depth
    candidates = PoolCandidates.read(named, judged, top, rules, findings)
    findings.raise_errors(options.lenient)
    basis = _basis(candidates, by_model, parsed, grade, rules, purpose, unit)
    share, random = check_share("floor", floor, "pool"), np.random.default_rng(seed)
    choice = _choose(basis, purpose, unit, budget, share, random)
    frame = _chosen(basis, choice)
    _note_few(choice, frame["query"].n_unique(), basis.mean_size, findings)
    ahead = outlook(basis, choice.order, frame.height - len(choice.order), half_width)
    return Pool(
        frame, purpose, parsed, rules, candidates.names, top, budget, seed, grade, ahead, choice.strata, findings
    )


def _basis(
    candidates: PoolCandidates,
    by_model: pl.DataFrame | None,
    metric: Metric,
    grade: int,
    rules: Convention,
    purpose: Purpose,
    unit: Unit,
) -> PoolBasis:
    """Return what items are chosen by: their weights, values by the model, and what it judged below the depth."""
    systems, below = systems_of(candidates, rules), candidates.pairs.clear()
    if by_model is not None and purpose == "correct" and unit == "queries":
        below = pairs_below(candidates, by_model, systems, metric, grade)
    weights = None if purpose == "find" else item_weights(candidates, systems, metric, grade)
    values = None if by_model is None else systems.values(by_model, metric)
    return PoolBasis(candidates, systems, metric, grade, weights, values, below)


class Choice(NamedTuple):
    """The candidates that were chosen, in order, and the probability of every candidate."""

    reason: Reason
    order: Ints
    inclusion: Floats
    weight: Floats | None
    """What the choice was made by."""
    strata: Strata = {}  # noqa: RUF012 (never changed)


def _choose(
    basis: PoolBasis, purpose: Purpose, unit: Unit, budget: int | None, floor: float, random: np.random.Generator
) -> Choice:
    """Choose the pairs for a purpose."""
    candidates, weights = basis.candidates, basis.weights
    count = len(candidates.rows)
    certain = np.ones(count)
    if weights is None:
        if budget is None:
            return Choice("depth", np.arange(count), certain, None)
        order = _in_turn(candidates.query, candidates.rrf, candidates.best_rank)[:budget]
        return Choice("rrf", np.sort(order), certain, candidates.rrf)
    if purpose == "compare":
        weight = weights.differences
        order = np.lexsort((candidates.query, candidates.best_rank, -weight))
        order = order[weight[order] > 0][:budget]
        return Choice("compare", np.sort(order), certain, weight)
    if unit == "items":
        draw = draw_items(weights.largest, count if budget is None else budget, floor, random)
        return Choice("item sample", np.flatnonzero(draw.chosen), draw.inclusion, weights.largest)
    return _query_sample(basis, budget, floor, random)


def _query_sample(basis: PoolBasis, budget: int | None, floor: float, random: np.random.Generator) -> Choice:
    """Draw whole queries that have a candidate, stratified by the judge's mean value over the rankings."""
    candidates = basis.candidates
    numbers, place = np.unique(candidates.query, return_inverse=True)
    names = candidates.lists.queries.gather(numbers).to_list()
    wanted = len(numbers) if budget is None else min(len(numbers), max(2, round(budget / basis.mean_size)))
    judge = None
    if basis.values is not None:
        judge = np.array([[by_query.get(query, 0.0) for query in names] for by_query in basis.values.values()])
        judge = np.nan_to_num(judge)
    strata = strata_of(None if judge is None else judge.mean(axis=0), len(numbers), wanted)
    spread = np.ones(int(strata.max(initial=0)) + 1)
    if judge is not None:  # of each ranking, since strata are narrow in the mean but not in a difference
        spread = np.array([judge[:, strata == stratum].std(axis=1).mean() for stratum in range(len(spread))])
    draw = draw_queries(strata, spread, wanted, floor, random)
    chosen = np.flatnonzero(draw.chosen[place])
    by_query = dict(zip(names, strata.tolist(), strict=True))
    return Choice("query sample", chosen, draw.inclusion[place], None, by_query)


def _note_few(choice: Choice, drawn: int, pairs_per_query: float, findings: Findings) -> None:
    """Report a sample of fewer queries than the coverage of intervals is known for, and the budget for enough."""
    enough = min(ENOUGH, len(choice.strata))
    if drawn < enough:
        text = Phrase(
            "{drawn:# query is|# queries are} drawn; {enough:,} need a budget of about {pairs:# pair|# pairs}",
            "抽取了 {drawn:,} 个查询；抽取 {enough:,} 个约需 {pairs:,} 对的预算",
        )
        findings.add("RG622", text.fill(drawn=drawn, enough=enough, pairs=ceil(enough * pairs_per_query)))


def _chosen(basis: PoolBasis, choice: Choice) -> pl.DataFrame:
    """Return the chosen pairs, and those below the depth of the same queries, query by query."""
    count = len(basis.candidates.rows)
    frame = basis.candidates.pairs.with_columns(
        pl.lit(choice.reason).alias("reason"),
        pl.Series("inclusion", choice.inclusion),
        pl.Series("weight", [None] * count if choice.weight is None else choice.weight, dtype=pl.Float64),
        pl.Series("returned_by", basis.candidates.returned_by),
    )
    chosen = frame[choice.order]
    whole = chosen.group_by("query", maintain_order=True).agg(pl.col("reason", "inclusion", "weight").first())
    added = basis.below.join(whole, on="query", how="inner", maintain_order="left")
    if not added.height:
        return chosen
    added = added.with_columns(pl.lit(0, chosen.schema["returned_by"]).alias("returned_by")).select(chosen.columns)
    place = pl.col("query").replace_strict(whole["query"], pl.int_range(whole.height, eager=True), default=0)
    return pl.concat([chosen, added]).sort(place, maintain_order=True)


def _in_turn(query: Ints, score: Floats, rank: Ints) -> Ints:
    """Return the rows so that each query has its best row first, then its second, and so on."""
    order = np.lexsort((rank, -score, query))
    place = np.empty(len(order), dtype=np.int64)
    starts = np.flatnonzero(np.diff(query[order], prepend=-1) != 0)
    place[order] = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
    return np.lexsort((query, -score, place))


def _check(depth: int | None, budget: int | None, purpose: str, unit: str, ties: str) -> None:
    """Raise an error for arguments that do not fit."""
    for name, value in (("depth", depth), ("budget", budget)):
        if value is not None:
            check_whole(name, value, 1, "pool")
    check_choice("purpose", purpose, get_args(Purpose), "pool")
    check_choice("unit", unit, get_args(Unit), "pool")
    if depth is None and budget is None and purpose == "find":
        raise ParameterError(NEEDS_BUDGET)
    if ties in DECIDED_BY_GRADES:
        raise ParameterError(NO_ORDER.fill(verb="pool", ties=ties))


def _max_grade(given: int | None, judged: pl.DataFrame | None) -> int:
    """Return the highest grade of the scale."""
    if given is not None:
        if given not in GRADES or isinstance(given, bool):
            raise ParameterError.of("max_grade", given, ("a whole number from 1 to 9", "1 到 9 的整数"), "pool")
        return int(given)
    highest = None if judged is None else judged["grade"].max()
    return max(1, min(9, int(np.ceil(float(str(highest)))))) if highest is not None else DEFAULT_GRADE
