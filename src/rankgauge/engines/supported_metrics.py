"""Which metrics engines can be asked for: those of grades and ranks; the others need what no engine takes along."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.errors import ParameterError
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.requirements import NEEDS


def check_asked(metrics: Sequence[Metric]) -> None:
    """Refuse metrics that need more than the grades and ranks of single queries, and say what they need."""
    for metric in metrics:
        definition = metric.definition
        if definition.of_items:
            needs = [NEEDS[name] for name in definition.needs or ()]
            side_information = (
                ", side_information=rg.SideInformation(...)" if any(need.tables for need in needs) else ""
            )
            raise ParameterError(
                f"{metric} is not made of grades and ranks alone: it needs "
                f"{', and '.join(need.what.en for need in needs) or 'to know which items stand in the lists'}, which "
                f"engines do not take along; use rg.evaluate(...{side_information}) for it"
            )
