"""The metrics that engines compute: those of grades and ranks."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.errors import ParameterError
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.requirements import NEEDS


def check_supported(metrics: Sequence[Metric]) -> None:
    """Refuse metrics that need more than the grades and ranks of single queries, and name what they need."""
    for metric in metrics:
        definition = metric.definition
        if definition.of_items:
            needs = [NEEDS[name] for name in definition.needs or ()]
            option = ", side_information=rg.SideInformation(...)" if any(need.tables for need in needs) else ""
            raise ParameterError(
                f"{metric} needs more than grades and ranks: it needs "
                f"{', and '.join(need.what.en for need in needs) or 'the ids of the returned items'}, which engines "
                f"do not read; use rg.evaluate(...{option}) for it"
            )
