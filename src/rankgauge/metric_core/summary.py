"""Summary strategies: how the values of queries become one number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from rankgauge.conventions import RULES, Convention
from rankgauge.conventions.convention import rules_at
from rankgauge.conventions.rule import Stage, number_or
from rankgauge.errors import InputError, ParameterError, UnknownNameError, shown
from rankgauge.metric_core.corpus_value import CorpusValue
from rankgauge.metric_core.sums import Sum
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats, total_of

if TYPE_CHECKING:
    from rankgauge.metric_core.metric import Metric

SummaryName = Literal["mean", "sum", "exp", "weighted", "corpus"]
GEOMETRIC_FLOOR = 1e-5
"""Lower values count as this in a geometric mean, as in trec_eval."""


@dataclass(frozen=True)
class Summary:
    """How the values of queries become one number."""

    is_average: bool = False
    """Whether this is a plain average of the values, of the kind that the convention chooses."""
    is_count: bool = False
    """Whether values are counts, shown as integers, which are added up unless the convention averages them."""
    of_logarithms: bool = False
    """Whether values are logarithms; the summary is the exponential of their mean under every convention."""
    weighs_queries: bool = False
    """Whether the kernel gives each query a weight."""
    has_query_values: bool = True
    """Whether each query has a value; if not, the kernel computes one value for all queries together."""
    idle: tuple[str, ...] = ()
    """Rules of the summary that have no effect on a metric with values of queries."""
    note: Phrase | None = None
    """Description for the page of a metric; None for the usual average."""

    @property
    def rules(self) -> tuple[str, ...]:
        """Rules of the convention that change the summary; where it is resampled, those that select queries."""
        rules = (rule for rule in rules_at(Stage.SUMMARY) if rule not in self.idle)
        return tuple(rule for rule in rules if RULES[rule].selects_queries or not self.is_resampled)

    @property
    def is_resampled(self) -> bool:
        """Whether the value and its interval come from a ``CorpusValue``."""
        return self.weighs_queries or not self.has_query_values

    def under(self, convention: Convention) -> Summary:
        """Return the strategy under a convention: pooled averaging weighs each query by its denominator."""
        return POOLED if self.is_average and convention.averaging == "pooled" else self

    def is_mean(self, convention: Convention) -> bool:
        """Whether this is the arithmetic mean over queries, to which Student's t applies."""
        return self.is_average and convention.averaging == "mean"

    def adds_up(self, convention: Convention) -> bool:
        """Whether the values are added up."""
        return self.is_count and convention.counts == "sum"

    def is_exponential(self, convention: Convention) -> bool:
        """Whether the summary is the exponential of a mean."""
        return self.of_logarithms or convention.averaging == "geometric"

    def terms(self, values: Floats, convention: Convention) -> Floats:
        """Values whose mean, or the exponential of whose mean, is the summary."""
        if self.of_logarithms or convention.averaging != "geometric":
            return values
        return np.log(np.maximum(values, GEOMETRIC_FLOOR))

    def combine(self, values: Floats, convention: Convention, weights: Floats | None = None) -> float:
        """Combine the values of the queries that count.

        >>> SUMMARIES["sum"].combine(np.array([1.0, 2.0]), Convention())
        3.0
        """
        if len(values) == 0:
            return float(convention.no_queries)
        if self.adds_up(convention):
            return total_of(values)
        if self.is_exponential(convention):
            return float(np.exp(total_of(self.terms(values, convention)) / len(values)))
        if convention.averaging == "median":
            return float(np.median(values))
        if convention.averaging == "weighted":
            if weights is None:
                raise ParameterError("averaging='weighted' needs weights={query: weight}")
            weight = total_of(weights)
            return total_of(values * weights) / weight if weight else float(convention.no_queries)
        return total_of(values) / len(values)


POOLED = Summary(weighs_queries=True)
SUMMARIES: Mapping[SummaryName, Summary] = {
    "mean": Summary(is_average=True, idle=("counts",)),
    "sum": Summary(is_count=True, note=Phrase("the values are added up.", "各查询的值相加。")),
    "exp": Summary(
        of_logarithms=True, idle=("averaging", "counts"), note=Phrase("the exponential of the mean.", "取均值的指数。")
    ),
    "weighted": Summary(
        weighs_queries=True,
        note=Phrase(
            "a mean with the weights given above, with a bootstrap interval over queries.",
            "按上述权重加权平均，其区间由对查询的自助法给出。",
        ),
    ),
    "corpus": Summary(
        has_query_values=False,
        note=Phrase(
            "corpus-level: one value for all queries together, with a bootstrap interval over queries.",
            "语料级指标：全体查询合起来只有一个值，其区间由对查询的自助法给出。",
        ),
    ),
}


def check_summary(name: SummaryName) -> Summary:
    """Return the strategy of this name, or raise an error that lists the names."""
    if name not in SUMMARIES:
        raise UnknownNameError.closest("summary", name, SUMMARIES)
    return SUMMARIES[name]


def no_query_values(metric: object, remedy: str) -> ParameterError:
    """Return the error for a corpus-level metric whose values per query are requested."""
    return ParameterError(f"{metric} is a corpus-level metric, one value for all queries together; {remedy}")


OVERFLOW = Phrase(
    "{metric}: the sum of the gains overflows; use a linear gain or smaller grades",
    "{metric}：增益之和超出双精度的范围；请改用线性增益或更小的等级",
)


def weights_by_query(weights: Mapping[object, float], queries: Sequence[object], rules: Convention) -> Floats:
    """Return the weight of each query as an array; raise an error if one is missing, not a number, or not used."""
    if rules.averaging != "weighted":
        en = f"weights have no effect with averaging={rules.averaging!r}; pass convention=rg.Convention("
        zh = f"averaging={rules.averaging!r} 时权重 weights 不起作用；请给出 convention=rg.Convention("
        raise ParameterError((f"{en}averaging='weighted') or omit weights", f"{zh}averaging='weighted')，或不给权重"))
    if not isinstance(weights, Mapping):
        raise ParameterError.of("weights", weights, ("{query: weight}", "{查询: 权重}"))
    for query in queries:
        if query not in weights:
            raise InputError(f"weights: query {shown(query)} has no weight")
    found = {query: float(number_or()(f"the weight of query {shown(query)}", weights[query])) for query in queries}
    for query, weight in found.items():
        if weight < 0:
            en = f"weights: query {shown(query)} has the weight {weight:g}; weights must not be negative"
            raise InputError((en, f"weights：查询 {shown(query)} 的权重为 {weight:g}；权重不能为负数"))
    if found and not any(found.values()):
        raise InputError(("weights: every weight is 0; one must be above 0", "weights：权重全部为 0，应有一个大于 0"))
    return np.array([*found.values()])


def query_weights(metric: object, computed: Sum) -> Floats:
    """Return the weight of each query in the mean: that of the kernel, or its denominator if queries are pooled."""
    if computed.weight is not None:
        return computed.weight
    if computed.normaliser is None or computed.last is not None:
        no_denominator = computed.normaliser is None
        reason = "has no denominator" if no_denominator else "is not a quotient of sums"
        zh = "没有分母" if no_denominator else "不是两个和之商"
        en = f"{metric} {reason}, so averaging='pooled' has nothing to add up; use averaging='mean'"
        raise ParameterError((en, f"{metric} {zh}，averaging='pooled' 无可相加；请用 averaging='mean'"))
    return computed.normaliser.values


def leaves_out_undefined(metric: Metric, convention: Convention) -> bool:
    """Whether queries for which the metric has no value are left out of its mean."""
    rules = metric.effective_convention(convention)
    return "skip" in {rules.undefined, rules.no_relevant}


def weighted_value(metric: Metric, values: Floats, weights: Floats, convention: Convention) -> CorpusValue:
    """Return the mean of a metric that weighs queries; if it pools them, 0/0 follows the rule of the convention."""
    rule = metric.resolve(convention).effective.undefined
    pooled = metric.definition.summary.under(convention) is POOLED
    return CorpusValue.weighted(values, weights, np.nan if isinstance(rule, str) or not pooled else float(rule))
