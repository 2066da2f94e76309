"""`check`: fail if a ranking regressed beyond a threshold."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import Any, Unpack

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.rule import integer_from
from rankgauge.errors import InputError, ParameterError, UnknownNameError, shown
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.evaluation.scores import Scores
from rankgauge.gate.baselines import check_judgments, check_scores, saved_scores, scores_of_saved
from rankgauge.gate.conditions import ALPHA, Condition, parse_condition
from rankgauge.gate.result import Check, GateResult, WorstQuery
from rankgauge.history.paired import PairedChange, paired_change
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.io.paths import is_regular_file
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.inputs.source import is_file
from rankgauge.matching.data import read_same_judgments
from rankgauge.matching.entrance import are_several, resolve_input, resolve_rankings
from rankgauge.matching.source_types import JudgmentsLike, RankingLike, RankingsLike, WeightsLike
from rankgauge.matching.systems import pick_one
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.language import Phrase
from rankgauge.side_information.side_information import SideInformationLike
from rankgauge.stats.intervals import Interval
from rankgauge.stats.paired_tests import is_significant
from rankgauge.stats.samples import check_number
from rankgauge.value_checks import is_listing

HISTORY = "history:"
"""Prefix of a baseline that is a run of the history."""


def check(
    judgments: JudgmentsLike | Scores,
    ranking: RankingLike | RankingsLike | None = None,
    fail_if: str | Condition | Iterable[str | Condition] = (),
    *,
    baseline: RankingLike | Scores | None = None,
    convention: ConventionLike = None,
    worst: int = 5,
    min_effect: float = 0.0,
    conclusive: bool = False,
    store: str | PathLike[str] | None = None,
    side_information: SideInformationLike | None = None,
    weights: WeightsLike | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> GateResult:
    """Check a ranking against conditions that fail it.

    Parameters
    ----------
    judgments, ranking
        As for ``evaluate``; or ``Scores`` alone, such as those of ``read_scores``.
    fail_if
        One or more conditions, such as ``"nDCG@10 < 0.42"``, ``"nDCG@10 drops 0.01"``, ``"AP drops 2%"``,
        ``"AP drops significantly"`` or ``"Fallout@10 rises 0.02"``.
    baseline
        The reference of ``drops`` and ``rises``: another ranking, ``Scores``, or a file written by ``Scores.to_json``;
        or the name of one of two rankings, ``{"old": ..., "new": ...}``; or ``"history:NAME"``, the latest comparable
        run of that name in the history, else the run of that id.
    min_effect
        A change that is smaller does not count as significant.
    conclusive
        Whether a conclusive answer is needed: then the result is false, too, if a check is inconclusive, because the
        interval of the mean, or of the change from the baseline, spans the threshold.
    store
        The history of a baseline ``"history:NAME"``, as for ``rg.history.open``.
    worst
        Number of queries listed for each condition.
    convention, side_information, weights, read_options, **read
        As for ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> judgments = {"q1": {"a": 1}, "q2": {"b": 1}}
    >>> old, new = {"q1": ["a"], "q2": ["b"]}, {"q1": ["a"], "q2": ["x", "b"]}
    >>> result = rg.check(judgments, new, ["RR drops 0.1", "RR < 0.5"], baseline=old)
    >>> [(str(check.condition), check.failed) for check in result.checks]
    [('RR drops 0.1', True), ('RR < 0.5', False)]
    >>> result.failures[0].worst
    (WorstQuery(query='q2', before=1.0, after=0.5),)
    """
    options = ReadOptions.of(check, read_options, read)
    if not isinstance(fail_if, str | Condition) and not is_listing(fail_if):
        raise ParameterError.of("fail_if", fail_if, ("one condition or more", "一个或多个条件"), "check")
    integer_from(0, "worst", worst)
    judge = partial(
        _check, worst=worst, effect=check_number("min_effect", min_effect, 0, "check"), conclusive=conclusive
    )
    parsed = [*map(parse_condition, [fail_if] if isinstance(fail_if, str | Condition) else fail_if)]
    if not parsed:
        raise ParameterError("check: there is no condition; give one, such as 'nDCG@10 drops 0.01'")
    comparing = next((condition for condition in parsed if condition.compares), None)
    if comparing is not None and baseline is None:
        message = Phrase(
            "check: {condition} needs a baseline: pass baseline= with {what}",
            "check：{condition} 需要基线：请用 baseline= 给出{what}",
        )
        what = _A_BASELINE
        if isinstance(ranking, Mapping) and are_several(ranking, flat=isinstance(judgments, np.ndarray)):
            what = _ONE_OF.fill(names=", ".join(map(shown, ranking)))
        raise ParameterError(message.fill(condition=repr(str(comparing)), what=what))
    if isinstance(judgments, Scores):
        others = (ranking, convention, side_information, weights, read_options)
        if read or any(argument is not None for argument in others):
            raise ParameterError("check takes Scores and conditions alone, or judgments, a ranking and conditions")
        before = _scores_of_values(baseline)
        for source, scores in ((None, judgments), (baseline, before)):
            if scores is not None and len(scores.systems) > 1:
                raise pick_one("check", source, scores.systems)
        checks = tuple(judge(condition, judgments, before) for condition in parsed)
        return GateResult(checks, judgments.convention, None, judgments, options, side_information, conclusive, before)
    held_both = ranking is None and is_file(judgments)
    if held_both:
        judgments, ranking, baseline = _shared_sides(judgments, baseline, options)
    ranking, baseline = _named_baseline(judgments, ranking, baseline)
    verb_input = resolve_input("check", judgments, ranking, options, "one")
    metrics = dict.fromkeys(condition.metric for condition in parsed)
    evaluator = Evaluator(
        verb_input.judgments, metrics, convention=convention, side_information=side_information, read_options=options
    )
    evaluator.add(verb_input.ranking)
    compared = [*dict.fromkeys(condition.metric for condition in parsed if condition.compares)]
    before = _baseline_scores(evaluator, verb_input.judgments, baseline, weights, compared, store)
    now = evaluator.scores(weights).system("")
    before = replace(before, weights=now.weights) if before is not None and before.weights is None else before
    checks = tuple(judge(condition, now, before) for condition in parsed)
    files = verb_input.files if verb_input.data is None or held_both else None
    return GateResult(checks, evaluator.rules, files, now, options, side_information, conclusive, before)


_ONE_OF = Phrase("the name of one of the rankings {names}", "排序结果 {names} 之一的名称")
_A_BASELINE = Phrase("a ranking or saved scores", "一个排序结果，或保存的结果")


def _shared_sides(file: Any, baseline: Any, options: ReadOptions) -> tuple[Any, Any, Any]:
    """Return the judgments, the ranking and the baseline of two files that hold both sides; others as they are."""
    if is_regular_file(baseline):
        both = read_same_judgments({"": InputFile(file), "baseline": InputFile(baseline)}, options)
        if both is not None:
            return both[0], both[1][""], both[1]["baseline"]
    return file, None, baseline


def _named_baseline(judgments: Any, ranking: Any, baseline: Any) -> tuple[Any, Any]:
    """Return the ranking and the baseline, which may be the name of one of two rankings."""
    if (
        not isinstance(baseline, str)
        or baseline.startswith(HISTORY)
        or not are_several(ranking, flat=isinstance(judgments, np.ndarray))
        or (baseline not in ranking and os.path.lexists(baseline))
    ):
        return ranking, baseline
    if baseline not in ranking:
        raise UnknownNameError.closest(("ranking", "排序结果"), baseline, ranking)
    others = {name: source for name, source in ranking.items() if name != baseline}
    return next(iter(others.values())) if len(others) == 1 else others, ranking[baseline]


def _scores_of_values(baseline: Any) -> Scores | None:
    """Return the baseline of scores: scores, or a file of values."""
    if baseline is None or isinstance(baseline, Scores):
        return baseline
    from rankgauge.evaluation.value_files import read_scores  # noqa: PLC0415 (only for files of values)

    return read_scores(baseline)


def _baseline_scores(
    evaluator: Evaluator,
    judgments: Any,
    baseline: Any,
    weights: Mapping[Any, float] | None,
    metrics: Sequence[Metric],
    store: str | PathLike[str] | None,
) -> Scores | None:
    """Return the scores of the baseline by the metrics that need it: passed, saved, or those of a ranking."""
    if baseline is None:
        return None
    queries, rules = evaluator.judgments.queries, evaluator.rules
    if isinstance(baseline, str) and baseline.startswith(HISTORY):
        from rankgauge.history.store import open_store  # noqa: PLC0415 (only for histories)

        now = evaluator.scores(weights).system("")
        history = open_store(store)
        scores = history.baseline(baseline.removeprefix(HISTORY), now, metrics, rules)
        evaluator.findings.merge(history.findings)
        return scores
    if isinstance(baseline, Scores):
        check_scores(baseline, metrics, queries, rules)
        check_judgments(baseline.provenance, evaluator.judgments)
        return baseline
    saved, source = saved_scores(baseline)
    if saved is not None:
        scores = scores_of_saved(saved, metrics, queries, rules)
        check_judgments(saved.get("provenance"), evaluator.judgments)
        return scores
    (ranking,) = resolve_rankings("check", [source], evaluator.judgments.options, judgments, ["baseline"])
    evaluator.add(ranking)
    return evaluator.scores(weights).system("baseline")


def _check(
    condition: Condition, now: Scores, before: Scores | None, *, worst: int, effect: float, conclusive: bool
) -> Check:
    metric, everything = condition.metric, 0 if now.means_only else len(now.queries)
    by_query = metric.definition.summary.has_query_values
    value = _mean(now, metric, "ranking")
    if before is None or not condition.compares:
        condition.check_amount([value])
        values = now.per_query(metric).items()
        queries = [WorstQuery(query, None, number) for query, number in values if not math.isnan(number)]
        queries.sort(key=lambda query: query.after if condition.downward else -query.after)
        failed = condition.holds(value, math.nan)
        interval = None if failed else _mean_interval(condition, now, resample=conclusive)
        undecided = interval is not None and condition.undecided(interval, condition.amount or 0.0)
        counts = len(queries) if by_query else everything, everything
        return Check(condition, failed, value, None, None, tuple(queries[:worst]), undecided, interval, *counts)
    baseline = _mean(before, metric, "baseline")
    condition.check_amount([value, baseline], effect)
    queries = _paired(metric, now, before)
    change = _change(condition, now.convention, queries)
    p = None if condition.alpha is None else math.nan if change is None else change.p
    significant = p is not None and is_significant(p, len(queries), condition.alpha or ALPHA)
    failed = condition.holds(value, baseline, significant=significant)
    failed = failed and (condition.alpha is None or abs(value - baseline) >= effect)
    interval = None if failed else _change_interval(condition, now, change, resample=conclusive)
    limit = effect if condition.alpha is not None else condition.least_change(baseline)
    undecided = interval is not None and condition.undecided(interval, limit)
    sign = 1 if condition.downward else -1
    changes = [(sign * (query.change or 0.0), query) for query in queries]
    regressions = sorted((pair for pair in changes if pair[0] < 0), key=lambda pair: pair[0])
    worst_queries = tuple(query for _, query in regressions[:worst])
    counts = len(queries) if by_query else everything, everything
    return Check(condition, failed, value, baseline, p, worst_queries, undecided, interval, *counts)


def _mean_interval(condition: Condition, now: Scores, *, resample: bool) -> Interval | None:
    """Return the interval of the mean; None if there is none, or it would have to be resampled."""
    summary = condition.metric.definition.summary.under(now.convention)
    if now.means_only:
        return None
    has_interval = summary.is_mean(now.convention) and not summary.is_resampled and now.weights is None
    return now.interval(condition.metric) if has_interval or resample else None


def _change_interval(
    condition: Condition, now: Scores, change: PairedChange | None, *, resample: bool
) -> Interval | None:
    """Return the interval of the change; None for a value that is not the mean over queries."""
    is_mean = condition.metric.definition.summary.under(now.convention).is_mean(now.convention)
    queries = 0 if change is None else change.queries
    if change is None or queries == 1 or not is_mean or now.weights is not None:
        return Interval(math.nan, math.nan) if resample or (is_mean and queries == 1) else None
    return Interval(change.low, change.high)


def _paired(metric: Metric, now: Scores, before: Scores) -> list[WorstQuery]:
    """Return the queries that have a value in both scores; ids of saved scores are strings."""
    old = {str(query): value for query, value in before.per_query(metric).items()}
    return [
        WorstQuery(query, old[str(query)], value)
        for query, value in now.per_query(metric).items()
        if str(query) in old and not math.isnan(value + old[str(query)])
    ]


def _mean(scores: Scores, metric: Metric, role: str) -> float:
    mean = scores.mean(metric)
    if math.isnan(mean):
        values = scores.per_query(metric) if metric.definition.summary.has_query_values else {}
        without = [query for query, value in values.items() if math.isnan(value)]
        if 0 < len(without) < len(values):
            message = Phrase(
                "{role}: {metric} has no value for query {query} ({count} of {all}), so that its mean is NaN; set "
                "undefined=0 or undefined='skip'",
                "{role}：{metric} 在查询 {query} 上没有值（{all} 个中有 {count} 个），均值因此为 NaN；"
                "请用 undefined=0 或 undefined='skip'",
            )
            counts = {"count": len(without), "all": len(values)}
            raise InputError(message.fill(role=role, metric=metric, query=shown(without[0]), **counts))
        nothing = Phrase(
            "{role}: {metric} has no value for any query, so there is nothing to check",
            "{role}：{metric} 在任何查询上都没有值，无可检查",
        )
        raise InputError(nothing.fill(role=role, metric=metric), ["RG401"])
    return mean


def _change(condition: Condition, rules: Convention, queries: Sequence[WorstQuery]) -> PairedChange | None:
    """Return the change from the baseline over the queries that both have; None if there are none."""
    if condition.alpha is not None and rules.averaging != "mean":
        metric, mean = condition.metric, rules.averaging
        raise ParameterError(f"{metric} significantly: the t test is of the arithmetic mean, not {mean!r}")
    before, after = (np.array([getattr(query, side) for query in queries], float) for side in ("before", "after"))
    return paired_change(before, after, 1, condition.alpha or ALPHA, condition.metric.definition.bounds)
