"""What another policy would have earned, from the log of the one that ran.

Each row of a log was shown with a known probability, its propensity. A row that the other policy would show more
often counts more: its weight is the quotient of the two probabilities. IPS averages weighted rewards, SNIPS divides
by the sum of weights, DR adds weighted errors to the predictions of a reward model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.conventions.discounts import discount_function
from rankgauge.conventions.rule import above_zero, number_or
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.estimation.estimate import Estimator, LoggedEstimate, Method, Quotients, Weights, estimated
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats, Ints

__all__ = ["LoggedEstimate", "clicked_dcg", "dcg", "value"]

VALUE = Phrase("Value", "价值")


def value(
    reward: Sequence[float] | Floats,
    propensity: Sequence[float] | Floats,
    target: Sequence[float] | Floats,
    *,
    estimator: Estimator = "SNIPS",
    predicted: Sequence[float] | Floats | None = None,
    predicted_value: Sequence[float] | Floats | None = None,
    clip: float | None = None,
    level: float = 0.95,
    interval: Method = "t",
    samples: int = 2_000,
    seed: int = 0,
) -> LoggedEstimate:
    """The mean reward (such as the click-through rate) that a target policy would have had.

    Parameters
    ----------
    reward
        What each shown item earned: 1 for a click, or any number.
    propensity
        The probability with which the policy that ran showed it there and then; above 0.
    target
        The probability with which the target policy would have shown it.
    estimator
        ``IPS`` (unbiased), ``SNIPS`` (a little biased, far less variable) or ``DR`` (unbiased, and as much less
        variable as the predictions are good).
    predicted, predicted_value
        For ``DR``: the predicted reward of the shown item, and the mean prediction over what the target would show.
    clip
        Cut larger weights to this one.
    level, interval, samples, seed
        Of the interval: by Student's ``t`` (for SNIPS on linearised terms), or by ``bootstrap`` with so many samples.

    Examples
    --------
    >>> import rankgauge as rg
    >>> found = rg.off_policy.value([1, 0, 0, 1], [0.5, 0.5, 0.25, 0.25], [1, 0, 0, 0.5], estimator="IPS")
    >>> found.value  # (1 * 2 + 0 + 0 + 1 * 2) / 4
    1.0
    >>> found.effective  # (2 + 2)^2 / (2^2 + 2^2)
    2.0
    """
    _check_settings(estimator, interval, level, clip)
    log = _log(reward, propensity, target, estimator, predicted, predicted_value, clip)
    quotients = Quotients.single(log.above, log.below)
    return estimated(
        VALUE,
        estimator,
        quotients,
        log.weights,
        log.reward,
        level=level,
        method=interval,
        samples=samples,
        seed=seed,
        mean_weight=log.mean_weight,
    )


def dcg(
    reward: Sequence[float] | Floats,
    propensity: Sequence[float] | Floats,
    target: Sequence[float] | Floats,
    position: Sequence[int] | Ints,
    *,
    k: int | None = None,
    estimator: Estimator = "SNIPS",
    predicted: Sequence[float] | Floats | None = None,
    predicted_value: Sequence[float] | Floats | None = None,
    clip: float | None = None,
    level: float = 0.95,
    interval: Method = "t",
    samples: int = 2_000,
    seed: int = 0,
    convention: ConventionLike = None,
) -> LoggedEstimate:
    """The DCG that a target policy would have had: its mean reward at each position, discounted and added up.

    As ``value``, with the position (from 1) of each row; propensity and target are those of the item at that position.

    >>> import rankgauge as rg
    >>> found = rg.off_policy.dcg([1, 0, 1, 1], [0.5] * 4, [0.5] * 4, [1, 1, 2, 2], estimator="IPS")
    >>> round(found.value, 6)  # 0.5 / log2(2) + 1 / log2(3)
    1.13093
    """
    _check_settings(estimator, interval, level, clip)
    log = _log(reward, propensity, target, estimator, predicted, predicted_value, clip)
    places = np.asarray(position)
    if places.shape != log.reward.shape or places.dtype.kind not in "iu" or (places < 1).any():
        raise ParameterError.of("position", position, f"{len(log.reward)} whole numbers from 1 on, one for each row")
    last = int(places.max()) if k is None else _check_k(k)
    kept = places <= last
    unseen = sorted({*range(1, last + 1)} - {*places[kept].tolist()})
    if unseen:
        raise InputError(f"position {unseen[0]} was never logged, so nothing is known of it; set k below it")
    discount = discount_function(check_convention(convention).discount)
    factor = discount(np.arange(1.0, last + 1.0))
    quotients = Quotients(log.above[kept], log.below[kept], places[kept].astype(np.int64) - 1, factor)
    return estimated(
        Phrase(f"DCG@{last}", f"DCG@{last}"),
        estimator,
        quotients,
        Weights(log.weights.weight[kept], log.weights.clipped),
        log.reward[kept],
        level=level,
        method=interval,
        samples=samples,
        seed=seed,
        mean_weight=log.mean_weight,
    )


def clicked_dcg(
    clicks: Any,
    ranking: Any,
    examination: Mapping[int, float] | Callable[[int], float],
    *,
    k: int | None = None,
    clip: float | None = None,
    columns: Mapping[str, str] | None = None,
    level: float = 0.95,
    interval: Method = "t",
    samples: int = 2_000,
    seed: int = 0,
    convention: ConventionLike = None,
) -> LoggedEstimate:
    """The DCG of a new ranking from the clicks on an old one, corrected for the position of each click.

    An item far down is seen less often, so its click stands for more: it counts 1 over the probability that its
    position was examined. That is unbiased where every examined relevant item is clicked (Joachims et al. 2017).

    Parameters
    ----------
    clicks
        A frame with a row for each shown item: query (one for each impression), item, position, click (0 or 1).
    ranking
        The new ranking of the same queries, in any form that ``evaluate`` takes.
    examination
        The probability that a position is examined: ``{1: 0.9, 2: 0.6, ...}`` or a function such as
        ``lambda rank: 1 / rank``.
    clip
        Cut larger weights to this one.
    columns
        Names of columns that are not recognised: ``{"query": ..., "item": ..., "grade": the clicks, "rank": ...}``.

    Examples
    --------
    >>> import polars as pl, rankgauge as rg
    >>> log = pl.DataFrame({"query": [1, 1], "item": ["a", "b"], "position": [1, 2], "click": [0, 1]})
    >>> found = rg.off_policy.clicked_dcg(log, {1: ["b", "a"]}, {1: 1.0, 2: 0.5}, columns={"grade": "click"})
    >>> found.value  # the click at position 2 counts 1 / 0.5, and b now stands first
    2.0
    """
    from rankgauge.estimation.clicks import weighted_clicks  # noqa: PLC0415 (loads polars)

    _check_settings("IPS", interval, level, clip)
    found = weighted_clicks(clicks, examination, clip, columns)
    rules = replace(check_convention(convention), gain="linear", missing="zero", unjudged="nonrelevant")
    metric = "DCG" if k is None else f"DCG@{_check_k(k)}"
    per_query = evaluate(found.judgments, ranking, metric, convention=rules)[metric]
    return estimated(
        Phrase(metric, metric),
        "IPS",
        Quotients.single(per_query, np.ones(len(per_query))),
        found.weights,
        found.clicked,
        level=level,
        method=interval,
        samples=samples,
        seed=seed,
    )


@dataclass(frozen=True)
class _Log:
    """A log whose columns were checked, as summands: the estimate is the sum of ``above`` over that of ``below``."""

    reward: Floats
    weights: Weights
    mean_weight: float
    above: Floats
    below: Floats


def _log(
    reward: Any, propensity: Any, target: Any, estimator: Estimator, predicted: Any, predicted_value: Any, clip: Any
) -> _Log:
    rewards = _column("reward", reward, None)
    chance, wanted = (_column(name, given, rewards) for name, given in (("propensity", propensity), ("target", target)))
    for name, column, low in (("propensity", chance, np.nextafter(0, 1)), ("target", wanted, 0.0)):
        wrong = (column < low) | (column > 1)
        if wrong.any():
            place = int(np.argmax(wrong))
            kind = "above 0 and at most 1" if low else "from 0 to 1"
            raise InputError(f"{name} {column[place]:g} (row {place}) is not a probability {kind}")
    if (estimator == "DR") != (predicted is not None and predicted_value is not None):
        raise ParameterError("predicted and predicted_value are both needed for DR, and for DR only")
    given = wanted / chance
    weights = Weights.of(given, clip)
    weight, mean_weight = weights.weight, float(given.mean())
    if estimator == "SNIPS":
        return _Log(rewards, weights, mean_weight, weight * rewards, weight)
    ones = np.ones(len(rewards))
    if estimator == "IPS":
        return _Log(rewards, weights, mean_weight, weight * rewards, ones)
    shown_item = _column("predicted", predicted, rewards)
    corrected = _column("predicted_value", predicted_value, rewards) + weight * (rewards - shown_item)
    return _Log(rewards, weights, mean_weight, corrected, ones)


def _column(name: str, given: Any, like: Floats | None) -> Floats:
    try:
        column = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError.of(name, given, "a list of numbers") from None
    if column.ndim != 1 or not column.size or (like is not None and len(column) != len(like)):
        wanted = "one or more numbers" if like is None else f"{len(like)} numbers, one for each reward"
        raise ParameterError(f"{name} must be {wanted}, not an array of shape {column.shape}")
    if not np.isfinite(column).all():
        place = int(np.argmax(~np.isfinite(column)))
        raise InputError(f"{name} is {shown(float(column[place]))} (row {place}); give finite numbers")
    return column


def _check_settings(estimator: Any, interval: Any, level: float, clip: Any) -> None:
    if estimator not in get_args(Estimator):
        raise ParameterError.of("estimator", estimator, f"one of {', '.join(map(repr, get_args(Estimator)))}")
    if interval not in get_args(Method):
        raise ParameterError.of("interval", interval, "'t' or 'bootstrap'")
    if not 0 < number_or()("level", level) < 1:
        raise ParameterError.of("level", level, "a number between 0 and 1")
    if clip is not None:
        above_zero("clip", clip)


def _check_k(k: Any) -> int:
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise ParameterError.of("k", k, "a whole number of at least 1")
    return int(k)
