"""Summary strategies: how the values of queries become one number. Each metric declares one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats

SummaryName = Literal["mean", "sum", "exp", "weighted", "corpus"]
GEOMETRIC_FLOOR = 1e-5
"""Lower values count as this in a geometric mean, as in trec_eval."""


class Summary:
    """The average over queries that the convention chooses; base class of the other strategies."""

    has_query_values: ClassVar[bool] = True
    """Whether each query has a value."""
    weighs_queries: ClassVar[bool] = False
    """Whether the kernel gives each query a weight."""
    is_count: ClassVar[bool] = False
    """Whether values are counts, shown as integers."""
    is_average: ClassVar[bool] = True
    """Whether this is a plain average of the values, of the kind that the convention chooses."""
    rules: ClassVar[tuple[str, ...]] = ("averaging",)
    """Rules of the convention that change the summary."""
    note: ClassVar[Phrase | None] = None
    """Description for the page of a metric; None for the usual average."""

    @property
    def is_resampled(self) -> bool:
        """Whether the value and its interval come from a ``CorpusValue``."""
        return self.weighs_queries or not self.has_query_values

    def is_mean(self, convention: Convention) -> bool:
        """Whether this is the arithmetic mean over queries, to which Student's t applies."""
        return self.is_average and convention.averaging == "mean"

    def adds_up(self, convention: Convention) -> bool:  # noqa: ARG002
        """Whether the values are added up."""
        return False

    def is_exponential(self, convention: Convention) -> bool:
        """Whether the summary is the exponential of a mean."""
        return convention.averaging == "geometric"

    def terms(self, values: Floats, convention: Convention) -> Floats:
        """Values whose mean, or the exponential of whose mean, is the summary."""
        return np.log(np.maximum(values, GEOMETRIC_FLOOR)) if convention.averaging == "geometric" else values

    def combine(self, values: Floats, convention: Convention, weights: Floats | None = None) -> float:
        """Combine the values of the queries that count; NaN if there are none.

        >>> SUMMARIES["sum"].combine(np.array([1.0, 2.0]), Convention())
        3.0
        """
        if len(values) == 0:
            return float("nan")
        if self.adds_up(convention):
            return float(values.sum())
        if self.is_exponential(convention):
            return float(np.exp(self.terms(values, convention).mean()))
        if convention.averaging == "median":
            return float(np.median(values))
        if convention.averaging == "weighted":
            if weights is None:
                raise ParameterError("averaging='weighted' needs weights={query: weight}")
            return float(np.average(values, weights=weights))
        return float(values.mean())


class SumOfCounts(Summary):
    """Counts, which are added up unless the convention averages them."""

    is_average = False
    is_count = True
    rules = ("averaging", "counts")
    note = Phrase("the values are added up.", "各查询的值相加。")

    def adds_up(self, convention: Convention) -> bool:
        """Whether the convention adds counts up."""
        return convention.counts == "sum"


class ExpOfMean(Summary):
    """The exponential of the mean of values that are logarithms, under every convention."""

    is_average = False
    rules = ()
    note = Phrase("the exponential of the mean.", "取均值的指数。")

    def is_exponential(self, convention: Convention) -> bool:  # noqa: ARG002
        """Return True under every convention."""
        return True

    def terms(self, values: Floats, convention: Convention) -> Floats:  # noqa: ARG002
        """Return the values, which are logarithms already."""
        return values


class WeightedMean(Summary):
    """A mean in which each query has the weight that the kernel gives it."""

    is_average = False
    weighs_queries = True
    rules = ()
    note = Phrase(
        "a mean with the weights given above, with a bootstrap interval over queries.",
        "按上述权重加权平均，其区间由对查询的自助法给出。",
    )


class CorpusLevel(Summary):
    """One value for all queries together, which the kernel computes; queries have no values."""

    is_average = False
    has_query_values = False
    rules = ()
    note = Phrase(
        "corpus-level: one value for all queries together, with a bootstrap interval over queries.",
        "语料级指标：全体查询合起来只有一个值，其区间由对查询的自助法给出。",
    )


SUMMARIES: Mapping[SummaryName, Summary] = {
    "mean": Summary(),
    "sum": SumOfCounts(),
    "exp": ExpOfMean(),
    "weighted": WeightedMean(),
    "corpus": CorpusLevel(),
}


def check_summary(name: str) -> Summary:
    """Return the strategy of this name, or raise an error that lists the names."""
    for summary_name, summary in SUMMARIES.items():
        if name == summary_name:
            return summary
    raise UnknownNameError.closest("summary", name, SUMMARIES)


def no_query_values(metric: object, remedy: str) -> ParameterError:
    """Return the error for a corpus-level metric whose values per query are requested."""
    return ParameterError(f"{metric} is a corpus-level metric, one value for all queries together; {remedy}")
