"""Rules for the value of a query that apply after the formula: short lists, rounding, nothing relevant."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.metric_core.sums import Sum
from rankgauge.segments import Floats

WITHOUT = {"short_list": "computed", "rounding": "none", "no_relevant": "computed"}
"""The values of these rules that change nothing."""


def adjusted_values(values: Floats, computed: Sum, k: int | None, rules: Convention) -> Iterator[tuple[str, Floats]]:
    """Yield the name of each rule that is set, and the values after it."""
    if rules.short_list == "zero" and k is not None and computed.returned is not None:
        values = np.where(computed.returned < k, 0.0, values)
        yield "short_list", values
    if rules.rounding != "none":
        unit = 10.0**rules.rounding
        values = np.floor(values * unit + 0.5) / unit
        yield "rounding", values
    if rules.no_relevant != "computed":
        instead = np.nan if rules.no_relevant == "skip" else 0.0
        yield "no_relevant", np.where(computed.judged.relevant_judged(rules.rel) > 0, values, instead)
