"""An estimate from a log: a quotient of sums, how sure it is, and how much of the log speaks for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankgauge.errors import InputError
from rankgauge.rendering.document import Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.segments import Floats, Ints
from rankgauge.stats.intervals import Interval, student_interval

Estimator = Literal["IPS", "SNIPS", "DR"]
Method = Literal["t", "bootstrap"]

MEANING: dict[Estimator, Phrase] = {
    "IPS": Phrase("inverse propensity scoring: the mean of the weighted rewards", "逆倾向评分：加权奖励的平均"),
    "SNIPS": Phrase(
        "self-normalised IPS: the sum of the weighted rewards over the sum of the weights",
        "自归一化 IPS：加权奖励之和除以权重之和",
    ),
    "DR": Phrase(
        "doubly robust: the predicted value plus the mean of the weighted errors of the prediction",
        "双重稳健：预测值加上预测误差的加权平均",
    ),
}
WORDS = {
    "title": Phrase("{name} = {value:.6f} ({estimator})", "{name} = {value:.6f}（{estimator}）"),
    "value": Phrase("Value", "价值"),
    "interval": Phrase(
        "{level:.0%} interval from {low:.6f} to {high:.6f} ({method}), standard error {error:.6f}.",
        "{level:.0%} 置信区间：{low:.6f} 至 {high:.6f}（{method}），标准误 {error:.6f}。",
    ),
    "t": Phrase("Student's t", "t 分布"),
    "bootstrap": Phrase("bootstrap percentiles", "自助法百分位"),
    "rows": Phrase("rows", "行数"),
    "effective": Phrase("effective sample size", "有效样本量"),
    "clipped": Phrase("clipped weights", "被截断的权重"),
    "largest": Phrase("largest weight", "最大权重"),
    "mean weight": Phrase("mean weight (about 1 if the propensities are right)", "平均权重（倾向正确时约为 1）"),
    "logged": Phrase("mean reward of the log itself", "日志自身的平均奖励"),
    "what": Phrase("what", "内容"),
    "number": Phrase("number", "数值"),
    "biased": Phrase(
        "Clipped weights make the estimate biased, downwards where rewards are not negative.",
        "截断权重会带来偏差；奖励非负时偏低。",
    ),
}


@dataclass(frozen=True, repr=False)
class LoggedEstimate:
    """An estimate from a log, how sure it is, and how much of the log speaks for it."""

    name: Phrase
    estimator: Estimator
    value: float
    standard_error: float
    interval: Interval
    level: float
    method: Method
    rows: int
    effective: float
    """The number of equally weighted rows that would be as sure: (sum of w)² / (sum of w²)."""
    clipped: float
    """The share of the weights that were larger than ``clip`` and were cut to it."""
    largest: float
    mean_weight: float | None
    """Before clipping; None where it tells nothing."""
    logged: float
    """The mean reward of the log, which is the value of the policy that ran."""

    def document(self, lang: str = "en") -> Document:
        """The estimate to read."""
        spoken = check_lang(lang)
        numbers = {
            "rows": f"{self.rows:,}",
            "effective": f"{self.effective:,.1f}",
            "largest": f"{self.largest:.4f}",
            "clipped": f"{self.clipped:.2%}",
            "mean weight": "" if self.mean_weight is None else f"{self.mean_weight:.4f}",
            "logged": f"{self.logged:.6f}",
        }
        low, high = self.interval
        interval = WORDS["interval"].render(
            spoken,
            level=self.level,
            low=low,
            high=high,
            error=self.standard_error,
            method=WORDS[self.method].render(spoken),
        )
        title = WORDS["title"].render(spoken, name=self.name.render(spoken), value=self.value, estimator=self.estimator)
        meaning = MEANING[self.estimator].render(spoken)
        rows = [[WORDS[name].render(spoken), number] for name, number in numbers.items() if number]
        table = Table([WORDS["what"].render(spoken), WORDS["number"].render(spoken)], rows, align="lr")
        warning = [Paragraph(WORDS["biased"].render(spoken))] if self.clipped else []
        return Document([Heading(title), Paragraph(meaning), Paragraph(interval), table, *warning])

    def __str__(self) -> str:
        return self.document().to_text()

    def __repr__(self) -> str:
        low, high = self.interval
        return f"<{self.estimator} = {self.value:.6f} [{low:.6f}, {high:.6f}], {self.effective:.0f} effective rows>"

    def _repr_html_(self) -> str:
        return self.document().to_html()


@dataclass(frozen=True)
class Weights:
    """The weights of the rows of a log after clipping, and the share that was clipped."""

    weight: Floats
    clipped: float

    @classmethod
    def of(cls, weight: Floats, clip: float | None) -> Weights:
        """Cut the weights that are larger than ``clip``."""
        if clip is None:
            return cls(weight, 0.0)
        return cls(np.minimum(weight, clip), float((weight > clip).mean()) if weight.size else 0.0)

    @property
    def effective(self) -> float:
        """The number of equally weighted rows that would be as sure."""
        return float(self.weight.sum() ** 2 / (self.weight**2).sum()) if self.weight.any() else 0.0


@dataclass(frozen=True)
class Quotients:
    """The sum over groups (such as positions) of factor × (sum of ``above`` / sum of ``below``)."""

    above: Floats
    below: Floats
    group: Ints
    factor: Floats

    @classmethod
    def single(cls, above: Floats, below: Floats) -> Quotients:
        """One group of all rows."""
        return cls(above, below, np.zeros(len(above), dtype=np.int64), np.ones(1))

    def settled(self) -> tuple[float, float]:
        """The value and its standard error; NaN where a group has a single row."""
        sums, sizes = self._sums(self.below), self._sums(np.ones(len(self.above)))
        if (sums == 0).any():
            where = f" at position {int(np.argmax(sums == 0)) + 1}" if len(self.factor) > 1 else ""
            raise InputError(
                f"no logged row{where} could have been shown by the target policy: all weights are 0, so the log says "
                "nothing about it"
            )
        quotient = self._sums(self.above) / sums
        # One summand for each row whose mean in its group is, to first order, the error of the quotient (delta method).
        linear = (self.above - quotient[self.group] * self.below) / (sums / sizes)[self.group]
        variance = self._sums(linear**2) / np.maximum(sizes - 1, 1) / sizes
        error = float(np.sqrt(self.factor**2 @ variance)) if (sizes > 1).all() else float("nan")
        return float(self.factor @ quotient), error

    def _sums(self, column: Floats) -> Floats:
        return np.bincount(self.group, column, len(self.factor)).astype(np.float64)

    def t_interval(self, level: float) -> Interval:
        """By Student's t on the linearised summands."""
        value, error = self.settled()
        return student_interval(value, error, 1, level, freedom=max(len(self.above) - len(self.factor), 1))

    def bootstrap(self, level: float, samples: int, seed: int) -> Interval:
        """By percentiles over samples of the rows of each group."""
        order = np.argsort(self.group, kind="stable")
        above, below, group = self.above[order], self.below[order], self.group[order]
        sizes = np.bincount(group, minlength=len(self.factor))
        start, size = (np.cumsum(sizes) - sizes)[group], sizes[group]
        random, values = np.random.default_rng(seed), np.empty(samples)
        for sample in range(samples):
            drawn = start + (random.random(len(group)) * size).astype(np.int64)
            over, under = (np.bincount(group, column[drawn], len(sizes)) for column in (above, below))
            values[sample] = self.factor @ np.divide(over, under, out=np.zeros(len(sizes)), where=under != 0)
        low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
        return Interval(float(low), float(high))


def estimated(
    name: Phrase,
    estimator: Estimator,
    quotients: Quotients,
    weights: Weights,
    reward: Floats,
    *,
    level: float,
    method: Method,
    samples: int,
    seed: int,
    mean_weight: float | None = None,
) -> LoggedEstimate:
    """Everything that is said about an estimate."""
    value, error = quotients.settled()
    interval = quotients.t_interval(level) if method == "t" else quotients.bootstrap(level, samples, seed)
    return LoggedEstimate(
        name=name,
        estimator=estimator,
        value=value,
        standard_error=error,
        interval=interval,
        level=level,
        method=method,
        rows=len(reward),
        effective=weights.effective,
        clipped=weights.clipped,
        largest=float(weights.weight.max(initial=0.0)),
        mean_weight=mean_weight,
        logged=float(reward.mean()),
    )
