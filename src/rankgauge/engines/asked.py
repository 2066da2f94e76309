"""Which metrics engines can be asked for: those of grades and ranks; the others need what no engine takes along."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.errors import ParameterError
from rankgauge.metrics.metric import Metric
from rankgauge.metrics.needs import NEEDS


def check_asked(metrics: Sequence[Metric]) -> None:
    """Refuse metrics that need more than the grades and ranks of single queries, and say what they need."""
    for metric in metrics:
        definition = metric.definition
        if definition.of_items:
            needs = [NEEDS[name].what.en for name in definition.needs or ()]
            remedy = "rg.evaluate(..., background=rg.Background(...))" if needs else "rg.evaluate"
            raise ParameterError(
                f"{metric} looks at the items themselves and needs "
                f"{', and '.join(needs) or 'to know which they are'}; engines take along grades and ranks only: "
                f"use {remedy} for it"
            )
        if definition.summary == "weighted":
            raise ParameterError(
                f"{metric} needs a weight for each query; engines take along values only: use rg.evaluate for it"
            )
