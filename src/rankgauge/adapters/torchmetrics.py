"""``rg.torchmetrics``: any metric as a ``torchmetrics.Metric``, for Lightning and for distributed training."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.engines.streaming.averages import Averages
from rankgauge.engines.streaming.moments import Moments
from rankgauge.engines.streaming.scores import batch_moments, check_streamable, last_query
from rankgauge.extras import extra
from rankgauge.metric_core.metric import Metric as RankingMetric
from rankgauge.metric_core.metric_list import parse_all

with extra("torchmetrics"):
    import torch
    import torchmetrics


class Metric(torchmetrics.Metric):  # type: ignore[misc]
    """One or several metrics over the queries of all batches and all processes, in constant memory.

    Each process adds up the number, the sum and the sum of squares of the values of its queries, in double precision;
    together they are added up once more. ``compute`` gives a number, or a dict where a list of metrics was asked for;
    ``averages`` gives intervals too.

    Parameters
    ----------
    metrics
        One metric or a list, as values or as text. Each must be a mean (or sum) over queries.
    convention
        The rules in force: a Convention, or the name of a preset such as ``"torchmetrics-1.7.4"``.
    options
        What every ``torchmetrics.Metric`` takes, such as ``sync_on_compute``.
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
        self.metrics = tuple(parse_all(metrics))
        self.several = not isinstance(metrics, str | RankingMetric)
        self.convention = check_convention(convention)
        check_streamable(self.metrics, self.convention)
        self._last_query: Any = None
        self.add_state("powers", torch.zeros(len(self.metrics), 3, dtype=torch.float64), dist_reduce_fx="sum")

    @property
    def higher_is_better(self) -> bool | None:
        """Whether more is better; None where some of the metrics say yes and others no."""
        better = {metric.definition.higher_is_better for metric in self.metrics}
        return better.pop() if len(better) == 1 else None

    def update(self, preds: Any, target: Any, indexes: Any = None, mask: Any = None) -> None:
        """Take in the whole queries of one batch.

        Rows are queries; or all are flat, and ``indexes`` has the query of each item. Rows that were padded have a
        ``mask``, true where there is an item. NaN targets are not judged.
        """
        if indexes is not None:
            self._last_query = last_query(indexes, self._last_query)
        batch = batch_moments(self.metrics, self.convention, preds, target, indexes, mask)
        added = torch.tensor([moments.powers for moments in batch], dtype=torch.float64, device=self.powers.device)
        self.powers = self.powers.double() + added  # whatever precision the model was moved to

    def compute(self) -> Any:
        """The mean over the queries of all processes."""
        means = {
            name: torch.tensor(mean, dtype=torch.float64, device=self.powers.device)
            for name, mean in self.averages().means().items()
        }
        return means if self.several else next(iter(means.values()))

    def averages(self) -> Averages:
        """Mean, number of queries and interval of what this process has seen; of all, where it is in sync."""
        moments = [Moments.of_powers(*powers) for powers in self.powers.tolist()]
        return Averages(self.metrics, self.convention, moments)

    def reset(self) -> None:
        """Forget all batches."""
        super().reset()
        self._last_query = None

    def __repr__(self) -> str:
        return f"Metric({', '.join(map(str, self.metrics))})"
