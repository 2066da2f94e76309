"""Means and intervals computed from moments, which add up over batches and processes: no value of a query is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.evaluation.score_document import MESSAGES, definition_table
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricLike, parse
from rankgauge.metric_core.summary import leaves_out_undefined
from rankgauge.rendering.document import Document, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.language import check_lang
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import FrameResult
from rankgauge.segments import Floats
from rankgauge.stats.intervals import Interval, bounded_interval


@dataclass(frozen=True)
class Moments:
    """Count, sum and squared deviations of values.

    >>> Moments.of(np.array([1.0, 2.0])) + Moments.of(np.array([6.0]))
    Moments(count=3, total=9.0, squares=14.0)
    """

    count: int = 0
    total: float = 0.0
    squares: float = 0.0
    """Sum of squared deviations from the mean."""

    @classmethod
    def of(cls, values: Floats) -> Moments:
        """The moments of an array of values."""
        if not len(values):
            return cls()
        deviation = values - values.mean()
        return cls(len(values), float(values.sum()), float((deviation * deviation).sum()))

    @classmethod
    def of_powers(cls, count: float, total: float, powers: float) -> Moments:
        """From the count, the sum and the sum of squares, which a distributed sum can add up.

        Digits are lost if the values lie close together and far from 0: for values between 0 and 1, about twice as many
        as the standard deviation has leading zeros.

        >>> Moments.of_powers(3, 9.0, 41.0)
        Moments(count=3, total=9.0, squares=14.0)
        """
        return cls(round(count), total, max(0.0, powers - total * total / count)) if count else cls()

    @property
    def powers(self) -> tuple[float, float, float]:
        """The count, the sum and the sum of squares.

        >>> Moments.of(np.array([1.0, 2.0, 6.0])).powers
        (3.0, 9.0, 41.0)
        """
        return float(self.count), self.total, self.squares + (self.total * self.mean if self.count else 0.0)

    def __add__(self, other: Moments) -> Moments:
        """Combine two sets of values without cancellation (Chan, Golub and LeVeque, 1979)."""
        if not self.count or not other.count:
            return self if self.count else other
        count = self.count + other.count
        difference = other.mean - self.mean
        between = difference * difference * (self.count * other.count / count)
        return Moments(count, self.total + other.total, self.squares + other.squares + between)

    @property
    def mean(self) -> float:
        """Arithmetic mean; NaN without values."""
        return self.total / self.count if self.count else float("nan")

    @property
    def deviation(self) -> float:
        """Sample standard deviation; NaN for fewer than two values."""
        return float(np.sqrt(self.squares / (self.count - 1))) if self.count > 1 else float("nan")


class Averages(ShownAsDocument, FrameResult):
    """The mean of each metric over queries with its interval, computed from moments.

    >>> import rankgauge as rg
    >>> averages = Averages([rg.RR], rg.Convention(), [Moments.of(np.array([1.0, 0.5]))])
    >>> averages.mean("RR"), averages.count("RR")
    (0.75, 2)
    """

    def __init__(self, metrics: Sequence[Metric], convention: Convention, moments: Sequence[Moments]) -> None:
        self.metrics = tuple(metrics)
        self.convention = convention
        self._moments = tuple(moments)

    def moments(self, metric: MetricLike) -> Moments:
        """Count, sum and squared deviations of the averaged values; logarithms if the mean is geometric."""
        return self._moments[self._place(metric)]

    def _place(self, metric: MetricLike) -> int:
        parsed = parse(metric)
        if parsed not in self.metrics:
            raise UnknownNameError.closest("metric of these scores", str(metric), map(str, self.metrics))
        return self.metrics.index(parsed)

    def count(self, metric: MetricLike) -> int:
        """Number of queries in the mean, without those that the convention leaves out."""
        return self.moments(metric).count

    def mean(self, metric: MetricLike) -> float:
        """The values of all queries as one number, averaged as the convention says."""
        parsed, moments = parse(metric), self.moments(metric)
        summary = parsed.definition.summary
        if not moments.count:
            return float("nan" if summary.weighs_queries else self.convention.no_queries)
        if summary.adds_up(self.convention):
            return moments.total
        if summary.under(self.convention).weighs_queries:
            return self._weighted(parsed)
        if summary.is_exponential(self.convention):
            return float(np.exp(moments.mean))
        return self._median(parsed) if self.convention.averaging == "median" else moments.mean

    def _median(self, metric: Metric) -> float:
        en = f"{metric}: a median needs the value of every query, not moments; use rg.evaluate"
        raise ParameterError((en, f"{metric}：中位数需要每个查询的值，仅有矩不够；请用 rg.evaluate"))

    def _weighted(self, metric: Metric) -> float:
        en = f"{metric}: moments do not contain the weights of the queries; use rg.evaluate"
        raise ParameterError((en, f"{metric}：矩中没有查询的权重；请用 rg.evaluate"))

    def interval(self, metric: MetricLike, alpha: float = 0.05) -> Interval:
        """Confidence interval of the arithmetic mean over queries, between the bounds of the metric."""
        parsed = parse(metric)
        if not parsed.definition.summary.is_mean(self.convention):
            en = f"{parsed}: only an arithmetic mean over queries has an interval"
            raise ParameterError((en, f"{parsed}：只有各查询的算术平均才有置信区间"))
        moments = self.moments(metric)
        return bounded_interval(moments.mean, moments.deviation, moments.count, 1 - alpha, parsed.definition.bounds)

    def means(self) -> dict[str, float]:
        """The mean of each metric by its text, as loggers take them."""
        return {str(metric): self.mean(metric) for metric in self.metrics}

    def frame_columns(self) -> Mapping[str, Sequence[Any]]:
        """One row for each metric."""
        return {
            "metric": [*map(str, self.metrics)],
            "value": [self.mean(metric) for metric in self.metrics],
            "queries": [self.count(metric) for metric in self.metrics],
        }

    def document(self, lang: str = "en") -> Document:
        """The means, with the definition used below them."""
        language = check_lang(lang)
        row = [MESSAGES["all"].render(language), *(decimal(self.mean(metric), 6) for metric in self.metrics)]
        table = Table(["", *map(str, self.metrics)], [row], align="l" + "r" * len(self.metrics))
        note = Paragraph(MESSAGES["queries"].render(language, count=self._queries()))
        return Document([table, note, definition_table(self.metrics, self.convention, language)])

    def _queries(self) -> int:
        return max(moments.count for moments in self._moments)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(map(str, self.metrics))}>"


def values_to_average(values: Floats, metric: Metric, convention: Convention) -> Any:
    """The values that enter the mean: without those left out, and as logarithms if the mean is geometric."""
    if leaves_out_undefined(metric, convention):
        values = values[~np.isnan(values)]
    summary = metric.definition.summary
    return values if summary.adds_up(convention) else summary.terms(values, convention)
