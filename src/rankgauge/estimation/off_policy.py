"""Off-policy estimates: the value of a target policy from the log of another policy.

Each logged item was shown with a known probability, its propensity. Its weight is the probability under the target
policy divided by the propensity. IPS averages weighted rewards, SNIPS divides their sum by the sum of weights, and DR
adds weighted prediction errors to the predictions of a reward model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.conventions.discounts import discount_function
from rankgauge.conventions.rule import integer_from
from rankgauge.errors import InputError, ParameterError, check_choice, shown
from rankgauge.estimation.off_policy_estimate import (
    IntervalMethod,
    IntervalOptions,
    OffPolicyEstimate,
    OffPolicyEstimator,
    RatioSum,
    Weights,
    off_policy_estimate,
)
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.inputs.columns import normalise_name
from rankgauge.inputs.findings import input_error
from rankgauge.matching.source_types import RankingLike, TableLike
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats, Ints
from rankgauge.value_checks import is_finite, unmasked

__all__ = ["OffPolicyEstimate", "clicked_dcg", "dcg", "value"]

VALUE = Phrase("Value", "价值")
CLICK = {"click", "clicks", "clicked"}
POSITION = {"position", "rank", "pos"}
Examination = Mapping[int, float] | Callable[[int], float]
"""Probability that each position is examined."""


def value(
    reward: Sequence[float] | Floats,
    propensity: Sequence[float] | Floats,
    target: Sequence[float] | Floats,
    *,
    estimator: OffPolicyEstimator = "SNIPS",
    predicted: Sequence[float] | Floats | None = None,
    predicted_value: Sequence[float] | Floats | None = None,
    clip: float | None = None,
    alpha: float = 0.05,
    interval: IntervalMethod = "t",
    resamples: int = 2_000,
    seed: int = 0,
) -> OffPolicyEstimate:
    """Estimate the mean reward of a target policy, such as its click-through rate.

    Parameters
    ----------
    reward
        Reward of each shown item: 1 for a click, or any number.
    propensity
        Probability with which the logging policy showed the item; above 0.
    target
        Probability with which the target policy would show it.
    estimator
        ``IPS`` (unbiased), ``SNIPS`` (slightly biased, much lower variance) or ``DR`` (unbiased; the better the
        predictions, the lower the variance).
    predicted, predicted_value
        For ``DR``: the predicted reward of the shown item, and the mean prediction under the target policy.
    clip
        Upper limit of the weights.
    alpha, interval, resamples, seed
        Significance level (the interval has the level 1 - alpha), and the method of the interval: Student's ``t`` (for
        SNIPS on linearised terms), or ``bootstrap`` with this number of samples and this seed.

    Examples
    --------
    >>> import rankgauge as rg
    >>> estimate = rg.off_policy.value([1, 0, 0, 1], [0.5, 0.5, 0.25, 0.25], [1, 0, 0, 0.5], estimator="IPS")
    >>> estimate.value  # (1 * 2 + 0 + 0 + 1 * 2) / 4
    1.0
    >>> estimate.effective  # (2 + 2)^2 / (2^2 + 2^2)
    2.0
    """
    options = IntervalOptions(alpha, interval, resamples, seed)
    log = _log(reward, propensity, target, estimator, predicted, predicted_value, clip)
    ratios = RatioSum.single(log.above, log.below)
    return off_policy_estimate(VALUE, estimator, ratios, log.weights, log.reward, options, log.mean_weight)


def dcg(
    reward: Sequence[float] | Floats,
    propensity: Sequence[float] | Floats,
    target: Sequence[float] | Floats,
    position: Sequence[int] | Ints,
    *,
    k: int | None = None,
    estimator: OffPolicyEstimator = "SNIPS",
    predicted: Sequence[float] | Floats | None = None,
    predicted_value: Sequence[float] | Floats | None = None,
    clip: float | None = None,
    alpha: float = 0.05,
    interval: IntervalMethod = "t",
    resamples: int = 2_000,
    seed: int = 0,
    convention: ConventionLike = None,
) -> OffPolicyEstimate:
    """Estimate the DCG of a target policy: the discounted sum of its mean rewards at each position.

    Like ``value``, with the position (from 1) of each row; propensity and target refer to the item at that position.

    Parameters
    ----------
    reward
        The observed reward of each row.
    propensity, target
        Probabilities of the item at the position, under the logging and under the target policy.
    position
        The position of each row, from 1.
    k
        The cutoff; None for all items.
    estimator
        The estimator, as for ``value``.
    predicted
        The predicted reward of each row, for estimators that need one.
    predicted_value
        The predicted mean reward of the target policy, for estimators that need one.
    clip
        Largest weight of a row; None for no limit.
    alpha
        Significance level; the interval has the level 1 - alpha.
    interval
        The method of the interval: ``t`` or ``bootstrap``.
    resamples
        Number of bootstrap samples.
    seed
        Seed of the random numbers; the same seed gives the same result.
    convention
        The rules: a Convention, or the name of a preset such as ``lightgbm``; None for the default.

    Examples
    --------
    >>> import rankgauge as rg
    >>> estimate = rg.off_policy.dcg([1, 0, 1, 1], [0.5] * 4, [0.5] * 4, [1, 1, 2, 2], estimator="IPS")
    >>> round(estimate.value, 6)  # 0.5 / log2(2) + 1 / log2(3)
    1.13093
    """
    options = IntervalOptions(alpha, interval, resamples, seed)
    log = _log(reward, propensity, target, estimator, predicted, predicted_value, clip)
    places = np.asarray(unmasked(position, "position"))
    if places.shape != log.reward.shape or places.dtype.kind not in "iu" or (places < 1).any():
        raise ParameterError.of(
            "position",
            position,
            (
                f"{len(log.reward)} integers of at least 1, one for each row",
                f"{len(log.reward)} 个不小于 1 的整数，每行一个",
            ),
        )
    last = int(places.max()) if k is None else integer_from(1, "k", k)
    kept = places <= last
    unseen = sorted({*range(1, last + 1)} - {*places[kept].tolist()})
    if unseen:
        raise InputError(f"position {unseen[0]} does not occur in the log; set k below it")
    factor = discount_function(check_convention(convention).discount)(np.arange(1.0, last + 1.0))
    ratios = RatioSum(log.above[kept], log.below[kept], places[kept].astype(np.int64) - 1, factor)
    weights = Weights(log.weights.weight[kept], log.weights.clipped)
    name = Phrase(f"DCG@{last}", f"DCG@{last}")
    return off_policy_estimate(name, estimator, ratios, weights, log.reward[kept], options, log.mean_weight)


def clicked_dcg(
    clicks: TableLike | Iterable[Any],
    ranking: RankingLike,
    examination: Examination,
    *,
    k: int | None = None,
    clip: float | None = None,
    columns: Mapping[str, str] | None = None,
    alpha: float = 0.05,
    interval: IntervalMethod = "t",
    resamples: int = 2_000,
    seed: int = 0,
    convention: ConventionLike = None,
) -> OffPolicyEstimate:
    """Estimate the DCG of a new ranking from clicks on an old one, corrected for position bias.

    Items far down are seen less often, so each click is weighted by 1 over the probability that its position was
    examined. This is unbiased if every examined relevant item is clicked (Joachims et al. 2017).

    Parameters
    ----------
    clicks
        A frame with a row per shown item: query (one per impression), item, position, click (0 or 1).
    ranking
        New ranking of the same queries, in any form that ``evaluate`` accepts.
    examination
        Probability that a position is examined: ``{1: 0.9, 2: 0.6, ...}`` or a function such as
        ``lambda rank: 1 / rank``.
    k
        The cutoff; None for all items.
    clip
        Upper limit of the weights.
    columns
        Names of columns that are not recognised: ``{"query": ..., "item": ..., "grade": clicks, "rank": position}``.
    alpha
        Significance level; the interval has the level 1 - alpha.
    interval
        The method of the interval: ``t`` or ``bootstrap``.
    resamples
        Number of bootstrap samples.
    seed
        Seed of the random numbers; the same seed gives the same result.
    convention
        The rules: a Convention, or the name of a preset such as ``lightgbm``; None for the default.

    Examples
    --------
    >>> import polars as pl, rankgauge as rg
    >>> log = pl.DataFrame({"query": [1, 1], "item": ["a", "b"], "position": [1, 2], "click": [0, 1]})
    >>> estimate = rg.off_policy.clicked_dcg(log, {1: ["b", "a"]}, {1: 1.0, 2: 0.5}, columns={"grade": "click"})
    >>> estimate.value  # the click at position 2 counts 1 / 0.5, and b is now first
    2.0
    """
    options = IntervalOptions(alpha, interval, resamples, seed)
    judgments, weights, clicked = _weighted_clicks(clicks, examination, clip, columns)
    rules = replace(check_convention(convention), gain="linear", missing="zero", unjudged="nonrelevant")
    metric = "DCG" if k is None else f"DCG@{integer_from(1, 'k', k)}"
    per_query = evaluate(judgments, ranking, metric, convention=rules)[metric]
    ratios = RatioSum.single(per_query, np.ones(len(per_query)))
    return off_policy_estimate(Phrase(metric, metric), "IPS", ratios, weights, clicked, options)


@dataclass(frozen=True)
class _Log:
    """A validated log; the estimate is the sum of ``above`` over the sum of ``below``."""

    reward: Floats
    weights: Weights
    mean_weight: float
    above: Floats
    below: Floats


def _log(
    reward: object,
    propensity: object,
    target: object,
    estimator: OffPolicyEstimator,
    predicted: object,
    predicted_value: object,
    clip: float | None,
) -> _Log:
    check_choice("estimator", estimator, get_args(OffPolicyEstimator))
    rewards = _column("reward", reward, None)
    propensities = _column("propensity", propensity, rewards)
    targets = _column("target", target, rewards)
    _check_probabilities("propensity", propensities, "above 0 and at most 1", lowest=float(np.finfo(np.float64).tiny))
    _check_probabilities("target", targets, "from 0 to 1", lowest=0.0)
    if (estimator == "DR") != (predicted is not None and predicted_value is not None):
        raise ParameterError("predicted and predicted_value are both needed for DR, and for DR only")
    unclipped = targets / propensities
    weights = Weights.of(unclipped, clip)
    above, below = weights.weight * rewards, weights.weight if estimator == "SNIPS" else np.ones(len(rewards))
    if estimator == "DR":
        errors = rewards - _column("predicted", predicted, rewards)
        above = _column("predicted_value", predicted_value, rewards) + weights.weight * errors
    return _Log(rewards, weights, float(unclipped.mean()), above, below)


def _column(name: str, numbers: Any, like: Floats | None) -> Floats:
    try:
        column = np.asarray(unmasked(numbers, name), dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError.of(name, numbers, ("a list of numbers", "数的列表")) from None
    if column.ndim != 1 or not column.size or (like is not None and len(column) != len(like)):
        expected = "one or more numbers" if like is None else f"a list with one number for each reward ({len(like)})"
        raise ParameterError(f"{name} must be {expected}, not an array of shape {column.shape}")
    if not np.isfinite(column).all():
        place = int(np.argmax(~np.isfinite(column)))
        raise InputError(f"{name} is {shown(float(column[place]))} (row {place}); give finite numbers")
    return column


def _check_probabilities(name: str, column: Floats, allowed: str, lowest: float) -> None:
    invalid = (column < lowest) | (column > 1)
    if invalid.any():
        place = int(np.argmax(invalid))
        raise InputError(f"{name} {column[place]:g} (row {place}) is not a probability {allowed}")


def _weighted_clicks(
    source: object, examination: Examination, clip: float | None, columns: Mapping[str, str] | None
) -> tuple[Any, Weights, Floats]:
    """Return judgments whose grades are weighted clicks, the weights of the clicks, and the clicks of all rows."""
    from rankgauge.inputs.frames import read_interactions  # noqa: PLC0415 (loads polars)

    named = {ours: theirs for ours, theirs in (columns or {}).items() if ours != "rank"}
    if "grade" not in named and hasattr(source, "columns"):
        clicks = [str(name) for name in source.columns if normalise_name(str(name)) in CLICK]
        named |= {"grade": clicks[0]} if len(clicks) == 1 else {}
    log = read_interactions(source, named)
    rank_column = (columns or {}).get("rank")
    names = [
        name for name in log.frame.columns if (name == rank_column if rank_column else normalise_name(name) in POSITION)
    ]
    if len(names) != 1 or log.grade is None:
        raise input_error(
            "RG111",
            Phrase(
                "clicks: expected columns of position and click, found {names}",
                "clicks：应有位置与点击两列；现有 {names}",
            ).fill(names=", ".join(map(shown, log.frame.columns))),
            Phrase(
                'name them: columns={"rank": "...", "grade": "..."}',
                '指明这两列：columns={"rank": "...", "grade": "..."}',
            ),
        )
    click = log.grade.fill_null(float("nan")).to_numpy()
    invalid = ~np.isin(click, (0.0, 1.0))
    if invalid.any():
        place = int(np.argmax(invalid))
        raise InputError(f"click {shown(float(click[place]))} (row {place}) is neither 0 nor 1")
    position = log.frame[names[0]]
    if (
        not position.dtype.is_integer()
        or position.null_count()
        or (len(position) and int(position.to_numpy().min()) < 1)
    ):
        raise InputError(f"{shown(names[0])}: positions must be integers of at least 1")
    weights = Weights.of((1 / _examination_probabilities(examination, position.to_numpy()))[click == 1], clip)
    grade = np.zeros(len(click))
    grade[click == 1] = weights.weight
    return log.query.to_frame("query").with_columns(item=log.item, grade=grade), weights, click


def _examination_probabilities(examination: Examination, position: Ints) -> Floats:
    places, inverse = np.unique(position, return_inverse=True)
    probabilities = []
    for place in places.tolist():
        if isinstance(examination, Mapping) and place not in examination:
            raise ParameterError(f"examination: position {place} is in the log but has no probability")
        probability = examination[place] if isinstance(examination, Mapping) else examination(place)
        if not is_finite(probability) or not np.finfo(np.float64).tiny <= probability <= 1:
            raise ParameterError.of(
                f"examination of position {place}", probability, ("above 0 and at most 1", "大于 0 且不超过 1")
            )
        probabilities.append(float(probability))
    return np.array(probabilities)[inverse]
