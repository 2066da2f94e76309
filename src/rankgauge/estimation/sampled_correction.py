"""Metrics over the full catalogue, corrected for sampled candidates.

If the relevant item has rank r among n items, and m of the other n - 1 are sampled, the number of sampled items above
it is hypergeometric (binomial if sampled with replacement), so the metric of the sampled rank is biased. The
corrections of Krichene and Rendle (2020) assign each sampled rank a value whose expectation is close to the metric of
the true rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.conventions.rule import integer_from, number_or
from rankgauge.errors import ParameterError, check_choice
from rankgauge.matching.apply_rules import apply_rules
from rankgauge.matching.matched import Matched
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricLike, metric_or_default
from rankgauge.rendering.document import Document, Heading, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import FrameResult
from rankgauge.segments import Floats, Ints
from rankgauge.value_checks import unmasked

SampledEstimator = Literal["uncorrected", "rank", "least-squares", "constrained", "bias-variance"]

MAX_CATALOGUE = 100_000_000
"""Items of the largest catalogue; each takes some 50 bytes."""
RANKS_AT_A_TIME = 4_096
"""Rows of the probability table that are held at once, so that memory does not grow with the catalogue."""

MEANING: dict[SampledEstimator, Phrase] = {
    "uncorrected": Phrase("the metric of the sampled rank", "直接用抽样名次计算指标"),
    "rank": Phrase(
        "the metric of the unbiased estimate of the rank, 1 + (n - 1)(s - 1) / m",
        "用名次的无偏估计 1 + (n - 1)(s - 1) / m 计算指标",
    ),
    "least-squares": Phrase("the values with the least squared bias", "使偏差平方和最小的取值"),
    "constrained": Phrase(
        "the values with the least squared bias that decrease with the rank and stay in the range of the metric",
        "在随名次单调不增且不超出指标取值范围的取值中，使偏差平方和最小者",
    ),
    "bias-variance": Phrase(
        "the values with the least squared bias plus {gamma} times the variance",
        "使偏差平方加 {gamma} 倍方差之和最小的取值",
    ),
}
WORDS = {
    "title": Phrase(
        "{metric} over {catalogue:# item|# items}, estimated from {sampled:# sampled item|# sampled items}",
        "由 {sampled:,} 个抽样物品估计 {catalogue:,} 个物品上的 {metric}",
    ),
    "estimator": Phrase("Estimator: {name}, {meaning}.", "估计方法：{name}，{meaning}。"),
    "value": Phrase(
        "{metric} = {value:.6f}, standard error {error:.6f} over {users:# user|# users}. Uncorrected: {raw:.6f}.",
        "{metric} = {value:.6f}，标准误 {error:.6f}（{users:,} 个用户）。修正前为 {raw:.6f}。",
    ),
    "bias": Phrase(
        "Bias over all true ranks: mean absolute value {mean:.6f}, largest {worst:.6f} at rank {rank}; "
        "mean standard deviation for one user {spread:.6f}.",
        "各真实名次上的偏差：绝对值平均为 {mean:.6f}，最大为名次 {rank} 处的 {worst:.6f}；"
        "单个用户的标准差平均为 {spread:.6f}。",
    ),
    "rank": Phrase("true rank", "真实名次"),
    "true": Phrase("metric", "指标"),
    "expected": Phrase("expected estimate", "估计的期望"),
    "rank bias": Phrase("bias", "偏差"),
    "spread": Phrase("standard deviation", "标准差"),
}


@dataclass(frozen=True, repr=False)
class SampledEstimate(ShownAsDocument, FrameResult):
    """A metric over the full catalogue, estimated from sampled ranks, with bias and variance at every true rank."""

    metric: Metric
    estimator: SampledEstimator
    gamma: float
    catalogue: int
    sampled: int
    value: float
    """Mean of the corrected values over users."""
    standard_error: float
    """Standard error of that mean; NaN for a single user."""
    uncorrected: float
    """Mean of the metric of the sampled ranks."""
    users: int
    values: Floats
    """Corrected value of each sampled rank 1, 2, ..., sampled + 1."""
    truth: Floats
    """Metric of each true rank 1, 2, ..., catalogue."""
    expected: Floats
    """Expected estimate at each true rank."""
    variance: Floats
    """Variance of the estimate at each true rank."""

    @property
    def bias(self) -> Floats:
        """Expected estimate minus the metric, at each true rank."""
        return self.expected - self.truth

    def frame_columns(self) -> Mapping[str, Sequence[Any]]:
        """One row for each true rank, with the metric, its expected estimate, the bias and the standard deviation."""
        return {
            "rank": range(1, self.catalogue + 1),
            "truth": self.truth.tolist(),
            "expected": self.expected.tolist(),
            "bias": self.bias.tolist(),
            "deviation": np.sqrt(self.variance).tolist(),
        }

    def document(self, lang: str = "en", ranks: Sequence[int] = (1, 2, 5, 10, 20, 50, 100, 1000)) -> Document:
        """Return the estimate as a document, with bias and standard deviation at these true ranks."""
        language = check_lang(lang)
        worst = int(np.argmax(np.abs(self.bias)))
        values = {
            "metric": self.metric,
            "catalogue": self.catalogue,
            "sampled": self.sampled,
            "value": self.value,
            "error": self.standard_error,
            "users": self.users,
            "raw": self.uncorrected,
            "name": self.estimator,
            "meaning": MEANING[self.estimator].fill(gamma=self.gamma),
            "mean": float(np.abs(self.bias).mean()),
            "worst": float(self.bias[worst]),
            "rank": worst + 1,
            "spread": float(np.sqrt(self.variance).mean()),
        }
        heading = Heading(WORDS["title"].render(language, **values))
        texts = [Paragraph(WORDS[key].render(language, **values)) for key in ("value", "estimator", "bias")]
        shown_columns = (self.truth, self.expected, self.bias, np.sqrt(self.variance))
        rows = [
            [f"{rank:,}", *(decimal(column[rank - 1], 6) for column in shown_columns)]
            for rank in ranks
            if rank <= self.catalogue
        ]
        columns = [WORDS[name].render(language) for name in ("rank", "true", "expected", "rank bias", "spread")]
        return Document([heading, *texts, Table(columns, rows, align="rrrrr")])

    def __repr__(self) -> str:
        return f"<{self.metric} = {self.value:.6f} ± {self.standard_error:.6f} ({self.estimator})>"


def correct_sampled(
    ranks: Sequence[int] | Ints | Floats,
    metric: MetricLike | None = None,
    *,
    sampled: int,
    catalogue: int,
    estimator: SampledEstimator = "bias-variance",
    gamma: float = 0.1,
    prior: Sequence[float] | Floats | None = None,
    replacement: bool = False,
    convention: ConventionLike = None,
) -> SampledEstimate:
    """Estimate a metric over the full catalogue from the rank of each user's only relevant item among sampled items.

    Parameters
    ----------
    ranks
        For each user, the rank of the relevant item among the sampled items and itself, from 1 to ``sampled`` + 1, for
        example ``scores["FirstRank"]``.
    metric
        A metric that depends on the rank of the relevant item, such as ``HR@10`` or ``RR``; None for
        nDCG@10.
    sampled
        Number of other items sampled for each user: 99 if there are 100 candidates.
    catalogue
        Number of items in the catalogue, including the relevant one.
    estimator
        ``uncorrected``, ``rank``, ``least-squares``, ``constrained`` or ``bias-variance`` (Krichene and Rendle 2020).
        Less bias means more variance: ``gamma`` is the weight of the variance in the last one.
    gamma
        Weight of the variance, for ``bias-variance``.
    prior
        Weight of each true rank when biases are combined; equal by default.
    replacement
        Whether items were sampled with replacement.
    convention
        The rules: a Convention, or the name of a preset such as ``lightgbm``; None for the default.

    Examples
    --------
    >>> import rankgauge as rg
    >>> estimate = rg.correct_sampled([1, 2, 5, 40, 77], "HR@10", sampled=99, catalogue=3706)
    >>> estimate.uncorrected, round(estimate.value, 3)  # three of five in the top 10 of 100; far fewer of 3,706
    (0.6, 0.063)
    """
    _check_estimator(estimator, gamma)
    _check_sizes(sampled, catalogue, replacement)
    sampled_ranks = _checked_ranks(ranks, sampled)
    rules, parsed = check_convention(convention), metric_or_default(metric)
    truth = _metric_at_ranks(parsed, np.arange(1, catalogue + 1), catalogue, rules)
    uncorrected = _metric_at_ranks(parsed, np.arange(1, sampled + 2), sampled + 1, rules)
    weights = _checked_prior(prior, catalogue)
    probabilities = _RankProbabilities(sampled, catalogue, replacement)
    match estimator:
        case "uncorrected":
            values = uncorrected
        case "rank":
            values = _at_scaled_ranks(truth, sampled)
        case "constrained":
            values = _constrained(probabilities, truth, weights)
        case _:
            share = float(gamma) if estimator == "bias-variance" else 0.0
            values = _least_squares(probabilities, truth, weights, share)
    expected, squared = np.empty(catalogue), np.empty(catalogue)
    for rows, table in probabilities:
        expected[rows], squared[rows] = table @ values, table @ values**2
    corrected = values[sampled_ranks - 1]
    error = float(corrected.std(ddof=1) / np.sqrt(len(sampled_ranks))) if len(sampled_ranks) > 1 else float("nan")
    return SampledEstimate(
        parsed,
        estimator,
        gamma,
        catalogue,
        sampled,
        float(corrected.mean()),
        error,
        float(uncorrected[sampled_ranks - 1].mean()),
        len(sampled_ranks),
        values,
        truth,
        expected,
        np.maximum(squared - expected**2, 0.0),
    )


def _check_estimator(estimator: SampledEstimator, gamma: float) -> None:
    check_choice("estimator", estimator, get_args(SampledEstimator))
    if not 0 <= number_or()("gamma", gamma) < 1:
        raise ParameterError.of(
            "gamma", gamma, ("a number from 0 (only bias counts) to below 1", "不小于 0（只计偏差）且小于 1 的数")
        )


def _at_scaled_ranks(truth: Floats, sampled: int) -> Floats:
    """Return the metric at the ranks that sampled ranks stand for in the catalogue, interpolated."""
    estimated = 1 + (len(truth) - 1) * np.arange(sampled + 1) / sampled
    return np.interp(estimated, np.arange(1, len(truth) + 1), truth)


def _metric_at_ranks(metric: Metric, ranks: Ints, items: int, rules: Convention) -> Floats:
    """Return the metric of lists of ``items`` items whose only relevant item is at these ranks."""
    count = len(ranks)
    query = np.arange(count)
    matched = Matched(
        query=query,
        grade=np.ones(count),
        above=ranks - 1,
        tied=np.ones(count, dtype=np.int64),
        before=np.zeros(count, dtype=np.int64),
        returned=np.full(count, items),
        pool_query=query,
        pool_grade=np.ones(count),
    )
    values: Floats = metric.values(apply_rules(matched, metric.list_convention(rules)), rules)
    if np.isnan(values).any():
        raise ParameterError(f"{metric} is undefined for a list with one relevant item; choose another metric")
    return values


class _RankProbabilities:
    """Probability of each sampled rank (columns) given each true rank (rows), a block of rows at a time."""

    def __init__(self, sampled: int, catalogue: int, replacement: bool) -> None:
        self.sampled, self.catalogue, self.replacement = sampled, catalogue, replacement

    def __iter__(self) -> Iterator[tuple[slice, Floats]]:
        for start in range(0, self.catalogue, RANKS_AT_A_TIME):
            above = np.arange(start, min(start + RANKS_AT_A_TIME, self.catalogue))
            # j of the items above and m - j of those below: C(a, j) C(b, m - j), or a^j / j! b^(m - j) / (m - j)!
            ways = self._log_ways(above) + self._log_ways(self.catalogue - 1 - above)[:, ::-1]
            table = np.exp(ways - ways.max(axis=1, keepdims=True))
            yield slice(start, start + len(above)), table / table.sum(axis=1, keepdims=True)

    def _log_ways(self, items: Ints) -> Floats:
        """Return the logarithm of the number of ways to draw 0, 1, ..., m of these numbers of items."""
        taken = np.arange(self.sampled)
        left = items[:, None] - (0 if self.replacement else taken)
        with np.errstate(divide="ignore"):
            steps = np.log(np.maximum(left, 0) / (taken + 1))
        return np.concatenate([np.zeros((len(items), 1)), np.cumsum(steps, axis=1)], axis=1)

    def condensed(self, truth: Floats, prior: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the least-squares problem of the bias, one row per sampled rank, and the rank probabilities."""
        size = self.sampled + 1
        triangle, probability = np.zeros((0, size + 1)), np.zeros(size)
        for rows, table in self:
            weight = np.sqrt(prior[rows, None])
            block = np.concatenate([table, truth[rows, None]], axis=1) * weight
            triangle = np.asarray(np.linalg.qr(np.concatenate([triangle, block]), mode="r"))
            probability += prior[rows] @ table
        return triangle[:, :-1], triangle[:, -1], probability


def _least_squares(probabilities: _RankProbabilities, truth: Floats, prior: Floats, gamma: float) -> Floats:
    """Minimise the squared bias plus gamma times the variance over the prior.

    The variance is the mean square minus the squared mean, so it only adds one row per value.
    """
    left, right, probability = probabilities.condensed(truth, prior)
    share = np.sqrt(1 - gamma)
    rows = np.concatenate([share * left, np.diag(np.sqrt(gamma * probability))])
    goal = np.concatenate([right / share, np.zeros(len(probability))])
    return np.asarray(np.linalg.lstsq(rows, goal, rcond=None)[0])


def _constrained(probabilities: _RankProbabilities, truth: Floats, prior: Floats) -> Floats:
    """Minimise the squared bias over values that decrease with the rank and stay in the range of the metric.

    Such values are the lowest value of the metric plus non-negative steps. If they start above the highest value, the
    optimum starts at it: a row with a large weight then fixes the sum of the steps.
    """
    from scipy.optimize import nnls  # noqa: PLC0415 (a second to load)

    low, high = float(truth.min()), float(truth.max())
    left, right, probability = probabilities.condensed(truth - low, prior)
    size = len(probability)
    decreasing = np.triu(np.ones((size, size)))  # a value is the sum of the steps from its rank on
    rows = left @ decreasing
    steps, _ = nnls(rows, right)
    if steps.sum() > high - low:
        steps, _ = nnls(np.concatenate([rows, np.full((1, size), 1e6)]), np.append(right, 1e6 * (high - low)))
    return np.minimum(low + decreasing @ steps, high)


def _check_sizes(sampled: int, catalogue: int, replacement: bool) -> None:
    for name, value, least in (("sampled", sampled, 1), ("catalogue", catalogue, 2)):
        if integer_from(least, name, value) > MAX_CATALOGUE:
            raise ParameterError.of(
                name,
                value,
                (
                    f"at most {MAX_CATALOGUE:,}: every rank of the catalogue takes memory",
                    f"至多 {MAX_CATALOGUE:,}：目录中的每个名次都占内存",
                ),
            )
    if not replacement and sampled > catalogue - 1:
        raise ParameterError(
            f"cannot draw sampled={sampled} items without replacement from a catalogue of {catalogue}; "
            "pass replacement=True or correct the sizes"
        )


def _checked_ranks(ranks: object, sampled: int) -> Ints:
    try:
        array = np.asarray(unmasked(ranks, "ranks"))
    except ValueError:  # lists of different lengths
        raise ParameterError.of(
            "ranks", ranks, ("a list of integers, one for each user", "整数的列表，每个用户一个")
        ) from None
    if array.dtype.kind == "f" and np.isfinite(array).all() and (array == np.floor(array)).all():
        array = array.astype(np.int64)  # scores["FirstRank"] holds floats
    if array.ndim != 1 or not array.size or array.dtype.kind not in "iu":
        raise ParameterError.of("ranks", ranks, ("a list of integers, one for each user", "整数的列表，每个用户一个"))
    invalid = (array < 1) | (array > sampled + 1)
    if invalid.any():
        place = int(np.argmax(invalid))
        raise ParameterError(
            f"ranks: {array[place]} at index {place} is not between 1 and {sampled + 1}, the number of candidates"
        )
    return array.astype(np.int64)


def _checked_prior(prior: object, catalogue: int) -> Floats:
    allowed = f"{catalogue} weights of at least 0, one for each rank, not all 0"
    try:
        weights = np.ones(catalogue) if prior is None else np.asarray(unmasked(prior, "prior"))
    except ValueError:  # lists of different lengths
        raise ParameterError.of("prior", prior, allowed) from None
    if (
        weights.dtype.kind not in "iuf"
        or weights.shape != (catalogue,)
        or not np.isfinite(weights).all()
        or (weights < 0).any()
        or not weights.sum()
    ):
        raise ParameterError.of("prior", prior, allowed)
    return weights / weights.sum()
