"""Rules that apply after the formula: short lists, rounding, nothing relevant, and the weight of a query."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError
from rankgauge.metric_core.sums import Sum
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats

OVERFLOW = Phrase(
    "{metric}: the sum of the gains overflows; use a linear gain or smaller grades",
    "{metric}：增益之和超出双精度的范围；请改用线性增益或更小的等级",
)


def query_weights(metric: object, computed: Sum) -> Floats:
    """Return the weight of each query in the mean: that of the kernel, or its denominator if queries are pooled."""
    if computed.weight is not None:
        return computed.weight
    if computed.normaliser is None or computed.last is not None:
        no_denominator = computed.normaliser is None
        reason = "has no denominator" if no_denominator else "is not a quotient of sums"
        zh = "没有分母" if no_denominator else "不是两个和之商"
        raise ParameterError(
            (
                f"{metric} {reason}, so averaging='pooled' has nothing to add up; use averaging='mean'",
                f"{metric} {zh}，averaging='pooled' 无可相加；请用 averaging='mean'",
            )
        )
    return computed.normaliser.values


def adjusted_values(values: Floats, computed: Sum, k: int | None, rules: Convention) -> Iterator[tuple[str, Floats]]:
    """Yield the name of each rule that is set, and the values after it."""
    if rules.short_list == "zero" and k is not None and computed.returned is not None:
        values = np.where(computed.returned < (k if computed.enlarged is None else computed.enlarged), 0.0, values)
        yield "short_list", values
    if rules.rounding != "none":
        unit = 10.0**rules.rounding
        values = np.floor(values * unit + 0.5) / unit
        yield "rounding", values
    if rules.no_relevant != "computed":
        instead = np.nan if rules.no_relevant == "skip" else 0.0
        yield "no_relevant", np.where(computed.judged.relevant_judged(rules.rel) > 0, values, instead)
