"""``rg.torchmetrics``: any metric as a ``torchmetrics.Metric``, for Lightning and for distributed training."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rankgauge.conventions import ConventionLike
from rankgauge.engines.streaming.averages import Averages, Moments
from rankgauge.engines.streaming.scores import batch_moments, check_last_query, parse_streamable
from rankgauge.errors import extra
from rankgauge.metric_core.metric import Metric as RankingMetric

__all__ = ["Metric"]

with extra("torchmetrics"):
    import torch
    import torchmetrics


class Metric(torchmetrics.Metric):  # type: ignore[misc]
    """One or several metrics over the queries of all batches and all processes, in constant memory.

    The state of a process is the count, the sum and the sum of squares of the values of its queries, in double
    precision, summed over processes. ``compute`` returns a number, or a dict for a list of metrics; ``averages`` also
    gives intervals.

    Parameters
    ----------
    metrics
        One metric or a list, as values or as text. Each must be a mean (or sum) over queries.
    convention
        A Convention, or the name of a preset such as ``"torchmetrics-1.7.4"``.
    options
        The options of every ``torchmetrics.Metric``, such as ``sync_on_compute``.
    """

    is_differentiable = False
    full_state_update = False
    powers: Any

    def __init__(
        self,
        metrics: str | RankingMetric | Iterable[str | RankingMetric],
        *,
        convention: ConventionLike = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.metrics, self.convention = parse_streamable(metrics, convention)
        self._is_list = not isinstance(metrics, str | RankingMetric)
        self._last_query: Any = None
        self.add_state("powers", torch.zeros(len(self.metrics), 3, dtype=torch.float64), dist_reduce_fx="sum")

    @property
    def higher_is_better(self) -> bool | None:
        """Whether higher is better; None if the metrics differ in this."""
        better = {metric.definition.higher_is_better for metric in self.metrics}
        return better.pop() if len(better) == 1 else None

    def update(self, preds: object, target: object, indexes: object = None, mask: object = None) -> None:
        """Add a batch of complete queries.

        Pass one row per query, or flat tensors with the query of each item as ``indexes``. ``mask`` is true where a
        padded row has an item. NaN targets are not judged.
        """
        last_query = self._last_query if indexes is None else check_last_query(indexes, self._last_query)
        batch = batch_moments(self.metrics, self.convention, target, preds, indexes, mask)
        added = self.powers.new_tensor([moments.powers for moments in batch], dtype=torch.float64)
        self._last_query = last_query
        self.powers = self.powers.double() + added  # also after the model was moved to another precision

    def compute(self) -> Any:
        """The mean over the queries of all processes."""
        means = self.averages().means()
        values = self.powers.new_tensor([*means.values()], dtype=torch.float64)
        return dict(zip(means, values, strict=True)) if self._is_list else values[0]

    def averages(self) -> Averages:
        """Mean, number of queries and interval over this process; over all processes while synced."""
        moments = [Moments.of_powers(*powers) for powers in self.powers.tolist()]
        return Averages(self.metrics, self.convention, moments)

    def reset(self) -> None:
        """Discard all batches."""
        super().reset()
        self._last_query = None

    def __repr__(self) -> str:
        return f"Metric({', '.join(map(str, self.metrics))})"
