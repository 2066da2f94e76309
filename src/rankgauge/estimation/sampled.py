"""From ranks among sampled candidates to metrics of the whole catalogue.

Where the relevant item stands at rank r of n items, and m of the other n - 1 are drawn at random, the number of drawn
items above it is hypergeometric (binomial, where they are drawn with replacement). A metric of the sampled rank is
therefore not the metric of the rank. The corrections of Krichene and Rendle (2020) give each sampled rank the value
that makes the expectation come close.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.conventions.rule import number_or
from rankgauge.errors import ParameterError
from rankgauge.matching.apply_rules import settle
from rankgauge.matching.matched import Matched
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.document import Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.segments import Floats, Ints

Estimator = Literal["uncorrected", "rank", "least-squares", "constrained", "bias-variance"]

RANKS_AT_A_TIME = 4_096
"""Rows of the table of probabilities that are held at once: memory does not grow with the catalogue."""

MEANING: dict[Estimator, Phrase] = {
    "uncorrected": Phrase("the metric of the sampled rank, as it is", "直接用抽样名次计算指标"),
    "rank": Phrase(
        "the metric of the unbiased estimate of the rank, 1 + (n - 1)(s - 1) / m",
        "用名次的无偏估计 1 + (n - 1)(s - 1) / m 计算指标",
    ),
    "least-squares": Phrase("the values with the least squared bias", "使偏差平方和最小的取值"),
    "constrained": Phrase(
        "the values with the least squared bias that fall with the rank and stay in the range of the metric",
        "在随名次不增且不超出指标范围的取值中，使偏差平方和最小者",
    ),
    "bias-variance": Phrase(
        "the values with the least squared bias plus {gamma} times the variance",
        "使偏差平方加 {gamma} 倍方差之和最小的取值",
    ),
}
WORDS = {
    "title": Phrase(
        "{metric} over {catalogue} items, from {sampled} sampled ones",
        "由 {sampled} 个抽样物品估计 {catalogue} 个物品上的 {metric}",
    ),
    "estimator": Phrase("Estimator: {name}, {meaning}.", "估计方法：{name}，{meaning}。"),
    "value": Phrase(
        "{metric} = {value:.6f}, standard error {error:.6f} over {users} users. Uncorrected it would be {raw:.6f}.",
        "{metric} = {value:.6f}，标准误 {error:.6f}（{users} 个用户）。不修正则为 {raw:.6f}。",
    ),
    "bias": Phrase(
        "Bias over all true ranks: {mean:.6f} in size on average, at worst {worst:.6f} at rank {rank}; "
        "standard deviation for one user {spread:.6f} on average.",
        "各真实名次上的偏差：绝对值平均为 {mean:.6f}，最坏为名次 {rank} 处的 {worst:.6f}；"
        "单个用户的标准差平均为 {spread:.6f}。",
    ),
    "rank": Phrase("true rank", "真实名次"),
    "true": Phrase("metric", "指标"),
    "expected": Phrase("expected estimate", "估计的期望"),
    "rank bias": Phrase("bias", "偏差"),
    "spread": Phrase("standard deviation", "标准差"),
}


@dataclass(frozen=True, repr=False)
class SampledEstimate:
    """A metric of the whole catalogue, estimated from sampled ranks, with its bias and spread at every true rank."""

    metric: Metric
    estimator: Estimator
    gamma: float
    catalogue: int
    sampled: int
    value: float
    """The mean of the corrected values over users."""
    standard_error: float
    """Of that mean, over users; NaN for a single user."""
    uncorrected: float
    """The mean of the metric of the sampled ranks."""
    users: int
    values: Floats
    """The corrected value of each sampled rank 1, 2, ..., sampled + 1."""
    truth: Floats
    """The metric of each true rank 1, 2, ..., catalogue."""
    expected: Floats
    """What the estimate is on average, at each true rank."""
    variance: Floats
    """How much it varies with the sample, at each true rank."""

    @property
    def bias(self) -> Floats:
        """The expectation of the estimate less the metric, at each true rank."""
        return self.expected - self.truth

    def document(self, lang: str = "en", ranks: Sequence[int] = (1, 2, 5, 10, 20, 50, 100, 1000)) -> Document:
        """The estimate to read, with bias and spread at some true ranks."""
        spoken = check_lang(lang)
        worst = int(np.argmax(np.abs(self.bias)))
        meaning = MEANING[self.estimator].render(spoken, gamma=self.gamma)
        names = {"metric": self.metric, "catalogue": f"{self.catalogue:,}", "sampled": f"{self.sampled:,}"}
        shown_columns = (self.truth, self.expected, self.bias, np.sqrt(self.variance))
        rows = [
            [f"{rank:,}", *(f"{column[rank - 1]:.6f}" for column in shown_columns)]
            for rank in ranks
            if rank <= self.catalogue
        ]
        columns = [WORDS[name].render(spoken) for name in ("rank", "true", "expected", "rank bias", "spread")]
        return Document(
            [
                Heading(WORDS["title"].render(spoken, **names)),
                Paragraph(
                    WORDS["value"].render(
                        spoken,
                        metric=self.metric,
                        value=self.value,
                        error=self.standard_error,
                        users=f"{self.users:,}",
                        raw=self.uncorrected,
                    )
                ),
                Paragraph(WORDS["estimator"].render(spoken, name=self.estimator, meaning=meaning)),
                Paragraph(
                    WORDS["bias"].render(
                        spoken,
                        mean=float(np.abs(self.bias).mean()),
                        worst=float(self.bias[worst]),
                        rank=worst + 1,
                        spread=float(np.sqrt(self.variance).mean()),
                    )
                ),
                Table(columns, rows, align="rrrrr"),
            ]
        )

    def __str__(self) -> str:
        return self.document().to_text()

    def __repr__(self) -> str:
        return f"<{self.metric} = {self.value:.6f} ± {self.standard_error:.6f} ({self.estimator})>"

    def _repr_html_(self) -> str:
        return self.document().to_html()


def correct_sampled(
    ranks: Sequence[int] | Ints | Floats,
    metric: str | Metric,
    *,
    sampled: int,
    catalogue: int,
    estimator: Estimator = "bias-variance",
    gamma: float = 0.1,
    prior: Sequence[float] | Floats | None = None,
    replacement: bool = False,
    convention: ConventionLike = None,
) -> SampledEstimate:
    """Estimate a metric over the whole catalogue from the rank of each user's one relevant item among sampled ones.

    Parameters
    ----------
    ranks
        For each user, the rank of the relevant item among itself and the sampled items, from 1 to ``sampled`` + 1, such
        as ``scores["FirstRank"]``.
    metric
        Any metric that depends on the rank of the relevant item, such as ``HR@10``, ``nDCG@10`` or ``RR``.
    sampled
        How many other items were drawn for each user: 99 where there are 100 candidates.
    catalogue
        How many items could have been drawn, and the relevant one.
    estimator
        ``uncorrected``, ``rank``, ``least-squares``, ``constrained`` or ``bias-variance`` (Krichene and Rendle 2020).
        Less bias costs more variance: ``gamma`` weighs the two in the last one.
    prior
        How likely each true rank is thought to be where bias is weighed; equally by default.
    replacement
        Whether an item could be drawn twice.

    Examples
    --------
    >>> import rankgauge as rg
    >>> found = rg.correct_sampled([1, 2, 5, 40, 77], "HR@10", sampled=99, catalogue=3706)
    >>> found.uncorrected, round(found.value, 3)  # three of five in the top 10 of 100; far fewer in that of 3,706
    (0.6, 0.063)
    """
    if estimator not in get_args(Estimator):
        raise ParameterError.of("estimator", estimator, f"one of {', '.join(map(repr, get_args(Estimator)))}")
    if not 0 <= number_or()("gamma", gamma) < 1:
        raise ParameterError.of("gamma", gamma, "a number from 0 (only bias counts) to below 1")
    _check_sizes(sampled, catalogue, replacement)
    drawn = _checked_ranks(ranks, sampled)
    rules, asked = check_convention(convention), parse(metric)
    truth = metric_of_rank(asked, np.arange(1, catalogue + 1), catalogue, rules)
    short = metric_of_rank(asked, np.arange(1, sampled + 2), sampled + 1, rules)
    weights = _checked_prior(prior, catalogue)
    chances = _Chances(sampled, catalogue, replacement)
    match estimator:
        case "uncorrected":
            values = short
        case "rank":
            estimated = 1 + (catalogue - 1) * np.arange(sampled + 1) / sampled
            values = np.interp(estimated, np.arange(1, catalogue + 1), truth)
        case "constrained":
            values = _constrained(chances, truth, weights)
        case _:
            values = _least_squares(chances, truth, weights, gamma if estimator == "bias-variance" else 0.0)
    expected, squared = np.empty(catalogue), np.empty(catalogue)
    for rows, table in chances:
        expected[rows], squared[rows] = table @ values, table @ values**2
    corrected = values[drawn - 1]
    error = float(corrected.std(ddof=1) / np.sqrt(len(drawn))) if len(drawn) > 1 else float("nan")
    return SampledEstimate(
        asked,
        estimator,
        gamma,
        catalogue,
        sampled,
        float(corrected.mean()),
        error,
        float(short[drawn - 1].mean()),
        len(drawn),
        values,
        truth,
        expected,
        np.maximum(squared - expected**2, 0.0),
    )


def metric_of_rank(metric: Metric, ranks: Ints, items: int, rules: Convention) -> Floats:
    """The metric of lists of so many items whose one relevant item stands at these ranks."""
    count = len(ranks)
    one, query = np.ones(count, dtype=np.int64), np.arange(count)
    matched = Matched(
        query=query,
        grade=np.ones(count),
        above=ranks - 1,
        tied=one,
        before=np.zeros(count, dtype=np.int64),
        returned=np.full(count, items),
        pool_query=query,
        pool_grade=np.ones(count),
    )
    judged = settle(matched, rules)
    values: Floats = metric.values(judged, rules)
    if np.isnan(values).any():
        raise ParameterError(f"{metric} is undefined for a list with one relevant item; choose another metric")
    return values


class _Chances:
    """The probability of every sampled rank (columns) at every true rank (rows), some rows at a time."""

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
        """The logarithm of the number of ways to draw 0, 1, ..., m of so many items."""
        taken = np.arange(self.sampled)
        left = items[:, None] - (0 if self.replacement else taken)
        with np.errstate(divide="ignore"):
            steps = np.log(np.maximum(left, 0) / (taken + 1))
        return np.concatenate([np.zeros((len(items), 1)), np.cumsum(steps, axis=1)], axis=1)

    def condensed(self, truth: Floats, prior: Floats) -> tuple[Floats, Floats, Floats]:
        """The least-squares problem of the bias with one row for each sampled rank, and how likely those ranks are."""
        size = self.sampled + 1
        triangle, likely = np.zeros((0, size + 1)), np.zeros(size)
        for rows, table in self:
            weight = np.sqrt(prior[rows, None])
            here = np.concatenate([table, truth[rows, None]], axis=1) * weight
            triangle = np.asarray(np.linalg.qr(np.concatenate([triangle, here]), mode="r"))
            likely += prior[rows] @ table
        return triangle[:, :-1], triangle[:, -1], likely


def _least_squares(chances: _Chances, truth: Floats, prior: Floats, gamma: float) -> Floats:
    """Minimise the squared bias plus gamma times the variance over the prior.

    The variance is the mean of the squares less the square of the mean, so it only adds a row for each value.
    """
    left, right, likely = chances.condensed(truth, prior)
    share = np.sqrt(1 - gamma)
    rows = np.concatenate([share * left, np.diag(np.sqrt(gamma * likely))])
    wanted = np.concatenate([right / share, np.zeros(len(likely))])
    solution: Floats = np.linalg.lstsq(rows, wanted, rcond=None)[0]
    return solution


def _constrained(chances: _Chances, truth: Floats, prior: Floats) -> Floats:
    """The least squared bias among values that fall from the first rank to the last, within the metric's range.

    Such values are the lowest value of the metric plus steps that are not negative. Where they would begin above the
    highest, the best ones begin at it: a row of great weight then holds the sum of the steps.
    """
    from scipy.optimize import nnls  # noqa: PLC0415 (a second to load)

    low, high = float(truth.min()), float(truth.max())
    left, right, likely = chances.condensed(truth - low, prior)
    falling = np.triu(np.ones((len(likely), len(likely))))  # the value at a rank is the sum of the steps from it on
    rows = left @ falling
    steps, _ = nnls(rows, right)
    if steps.sum() > high - low:
        steps, _ = nnls(np.concatenate([rows, np.full((1, len(likely)), 1e6)]), np.append(right, 1e6 * (high - low)))
    values: Floats = np.minimum(low + falling @ steps, high)
    return values


def _check_sizes(sampled: int, catalogue: int, replacement: bool) -> None:
    for name, value, least in (("sampled", sampled, 1), ("catalogue", catalogue, 2)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
            raise ParameterError.of(name, value, f"a whole number of at least {least}")
    if not replacement and sampled > catalogue - 1:
        raise ParameterError(
            f"sampled={sampled} items cannot be drawn without replacement from the other {catalogue - 1} of the "
            "catalogue; say replacement=True, or correct the sizes"
        )


def _checked_ranks(ranks: Any, sampled: int) -> Ints:
    found = np.asarray(ranks)
    if found.dtype.kind == "f" and (found == np.floor(found)).all():
        found = found.astype(np.int64)  # as scores["FirstRank"] has them
    if found.ndim != 1 or not found.size or found.dtype.kind not in "iu":
        raise ParameterError.of("ranks", ranks, "a list of whole numbers, one for each user")
    wrong = (found < 1) | (found > sampled + 1)
    if wrong.any():
        place = int(np.argmax(wrong))
        raise ParameterError(
            f"ranks: {found[place]} at place {place} is not from 1 to {sampled + 1}, the number of candidates"
        )
    return found.astype(np.int64)


def _checked_prior(prior: Any, catalogue: int) -> Floats:
    weights = np.ones(catalogue) if prior is None else np.asarray(prior)
    if (
        weights.dtype.kind not in "iuf"
        or weights.shape != (catalogue,)
        or not np.isfinite(weights).all()
        or (weights < 0).any()
        or not weights.sum()
    ):
        raise ParameterError.of("prior", prior, f"{catalogue} weights of at least 0, one for each rank, not all 0")
    return weights / weights.sum()
