"""Off-policy estimates: ratios of weighted sums over a log, with intervals and effective sample sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

import numpy as np

from rankgauge.conventions.rule import above_zero
from rankgauge.errors import InputError, ParameterError
from rankgauge.rendering.document import Document, Heading, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import FrameResult, columns_of
from rankgauge.segments import Floats, Ints
from rankgauge.stats.intervals import Interval, student_interval
from rankgauge.stats.samples import check_samples, check_share, check_whole

OffPolicyEstimator = Literal["IPS", "SNIPS", "DR"]
IntervalMethod = Literal["t", "bootstrap"]

MEANING: dict[OffPolicyEstimator, Phrase] = {
    "IPS": Phrase("inverse propensity scoring: the mean of the weighted rewards", "逆倾向评分：加权奖励的均值"),
    "SNIPS": Phrase(
        "self-normalised IPS: the sum of the weighted rewards over the sum of the weights",
        "自归一化 IPS：加权奖励之和除以权重之和",
    ),
    "DR": Phrase(
        "doubly robust: the predicted value plus the mean of the weighted prediction errors",
        "双重稳健：预测值加上加权预测误差的均值",
    ),
}
WORDS = {
    "title": Phrase("{name} = {value:.6f} ({estimator})", "{name} = {value:.6f}（{estimator}）"),
    "interval": Phrase(
        "{level:.0%} confidence interval from {low:.6f} to {high:.6f} ({method}), standard error {error:.6f}.",
        "{level:.0%} 置信区间：{low:.6f} 至 {high:.6f}（{method}），标准误 {error:.6f}。",
    ),
    "t": Phrase("Student's t", "t 分布"),
    "bootstrap": Phrase("bootstrap percentiles", "自助法百分位"),
    "rows": Phrase("rows", "行数"),
    "effective": Phrase("effective sample size", "有效样本量"),
    "clipped": Phrase("clipped weights", "被裁剪的权重"),
    "largest": Phrase("largest weight", "最大权重"),
    "mean weight": Phrase("mean weight (about 1 if the propensities are correct)", "平均权重（倾向得分正确时约为 1）"),
    "logged": Phrase("mean logged reward", "日志中的平均奖励"),
    "quantity": Phrase("quantity", "项目"),
    "number": Phrase("value", "数值"),
    "biased": Phrase(
        "Clipping biases the estimate, downwards if no reward is negative.", "裁剪权重会引入偏差；奖励非负时估计偏低。"
    ),
}


@dataclass(frozen=True, repr=False)
class OffPolicyEstimate(ShownAsDocument, FrameResult):
    """An off-policy estimate with its interval, effective sample size and clipping."""

    name: Phrase
    estimator: OffPolicyEstimator
    value: float
    standard_error: float
    interval: Interval
    alpha: float
    method: IntervalMethod
    rows: int
    effective: float
    """Effective sample size: (sum of w)² / (sum of w²)."""
    clipped: float
    """Share of the weights that exceeded ``clip`` and were reduced to it."""
    largest: float
    mean_weight: float | None
    """Mean weight before clipping; None where it is not informative."""
    logged: float
    """Mean reward in the log: the value of the logging policy."""

    def frame_columns(self) -> Mapping[str, Sequence[Any]]:
        """One row with every number."""
        low, high = self.interval
        numbers = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "interval"}
        return columns_of([numbers | {"name": self.name.en, "low": low, "high": high}])

    def document(self, lang: str = "en") -> Document:
        """Return the estimate as a document."""
        language = check_lang(lang)
        numbers = {
            "rows": f"{self.rows:,}",
            "effective": f"{self.effective:,.1f}",
            "largest": decimal(self.largest, 4),
            "clipped": f"{self.clipped:.2%}",
            "mean weight": "" if self.mean_weight is None else decimal(self.mean_weight, 4),
            "logged": decimal(self.logged, 6),
        }
        low, high = self.interval
        limits = {"level": 1 - self.alpha, "low": low, "high": high, "error": self.standard_error}
        interval = WORDS["interval"].render(language, method=WORDS[self.method], **limits)
        title = WORDS["title"].render(language, name=self.name, value=self.value, estimator=self.estimator)
        meaning = MEANING[self.estimator].render(language)
        rows = [[WORDS[name].render(language), number] for name, number in numbers.items() if number]
        table = Table([WORDS["quantity"].render(language), WORDS["number"].render(language)], rows, align="lr")
        warning = [Paragraph(WORDS["biased"].render(language))] if self.clipped else []
        return Document([Heading(title), Paragraph(meaning), Paragraph(interval), table, *warning])

    def __repr__(self) -> str:
        low, high = self.interval
        return f"<{self.estimator} = {self.value:.6f} [{low:.6f}, {high:.6f}], {self.effective:.0f} effective rows>"


@dataclass(frozen=True)
class Weights:
    """Weights of the rows of a log after clipping, with the share that was clipped."""

    weight: Floats
    clipped: float

    @classmethod
    def of(cls, weight: Floats, clip: float | None) -> Weights:
        """Reduce weights above ``clip`` to it."""
        if clip is None:
            return cls(weight, 0.0)
        clip = float(above_zero("clip", clip))
        return cls(np.minimum(weight, clip), float((weight > clip).mean()) if weight.size else 0.0)

    @property
    def effective(self) -> float:
        """Effective sample size."""
        if not self.weight.any():
            return 0.0
        relative = self.weight / self.weight.max()  # the squares of tiny weights are 0
        return float(relative.sum() ** 2 / (relative**2).sum())


@dataclass(frozen=True)
class RatioSum:
    """The sum over groups (such as positions) of factor × (sum of ``above`` / sum of ``below``)."""

    above: Floats
    below: Floats
    group: Ints
    factor: Floats

    @classmethod
    def single(cls, above: Floats, below: Floats) -> RatioSum:
        """Return the ratio of all rows as one group."""
        return cls(above, below, np.zeros(len(above), dtype=np.int64), np.ones(1))

    def estimate(self) -> tuple[float, float]:
        """Return the value and its standard error, which is NaN if a group has a single row."""
        sums, sizes = self._sums(self.below), self._sums(np.ones(len(self.above)))
        if (sums == 0).any():
            where = f" at position {int(np.argmax(sums == 0)) + 1}" if len(self.factor) > 1 else ""
            raise InputError(f"the target policy would never show an item logged{where}: all weights are 0")
        ratio = self._sums(self.above) / sums
        # Delta method: to first order, the error of a ratio is the mean of these terms over its group.
        linear = (self.above - ratio[self.group] * self.below) / (sums / sizes)[self.group]
        variance = self._sums(linear**2) / np.maximum(sizes - 1, 1) / sizes
        error = float(np.sqrt(self.factor**2 @ variance)) if (sizes > 1).all() else float("nan")
        return float(self.factor @ ratio), error

    def _sums(self, column: Floats) -> Floats:
        return np.bincount(self.group, column, len(self.factor)).astype(np.float64)

    def bootstrap(self, level: float, samples: int, seed: int) -> Interval:
        """Percentile interval from bootstrap samples of the rows of each group."""
        order = np.argsort(self.group, kind="stable")
        above, below, group = self.above[order], self.below[order], self.group[order]
        sizes = np.bincount(group, minlength=len(self.factor))
        start, size = (np.cumsum(sizes) - sizes)[group], sizes[group]
        random, values = np.random.default_rng(seed), np.empty(samples)
        for sample in range(samples):
            rows = start + (random.random(len(group)) * size).astype(np.int64)
            over, under = (np.bincount(group, column[rows], len(sizes)) for column in (above, below))
            values[sample] = self.factor @ np.divide(over, under, out=np.zeros(len(sizes)), where=under != 0)
        low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
        return Interval(float(low), float(high))


@dataclass(frozen=True)
class IntervalOptions:
    """How a confidence interval is computed."""

    alpha: float
    method: IntervalMethod
    resamples: int
    seed: int

    def __post_init__(self) -> None:
        if self.method not in get_args(IntervalMethod):
            raise ParameterError.of("interval", self.method, ("'t' or 'bootstrap'", "'t' 或 'bootstrap'"))
        object.__setattr__(self, "alpha", check_share("alpha", self.alpha))
        check_samples("resamples", self.resamples, "")
        check_whole("seed", self.seed, 0, "")


def off_policy_estimate(
    name: Phrase,
    estimator: OffPolicyEstimator,
    ratios: RatioSum,
    weights: Weights,
    reward: Floats,
    options: IntervalOptions,
    mean_weight: float | None = None,
) -> OffPolicyEstimate:
    """Compute the estimate, its interval and its diagnostics."""
    value, error = ratios.estimate()
    if options.method == "t":
        freedom = max(len(ratios.above) - len(ratios.factor), 1)
        interval = student_interval(value, error, 1, 1 - options.alpha, freedom=freedom)
    else:
        interval = ratios.bootstrap(1 - options.alpha, options.resamples, options.seed)
    return OffPolicyEstimate(
        name=name,
        estimator=estimator,
        value=value,
        standard_error=error,
        interval=interval,
        alpha=options.alpha,
        method=options.method,
        rows=len(reward),
        effective=weights.effective,
        clipped=weights.clipped,
        largest=float(weights.weight.max(initial=0.0)),
        mean_weight=mean_weight,
        logged=float(reward.mean()),
    )
