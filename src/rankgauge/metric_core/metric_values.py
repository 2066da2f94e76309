"""Values by metric, found under every spelling of a metric."""

from __future__ import annotations

from typing import Any

from rankgauge.errors import ParameterError
from rankgauge.metric_core.notation import parse


class MetricValues(dict[str, float]):
    """A value of each metric, by its name as it is printed; every spelling that ``rg.parse`` takes finds it.

    >>> values = MetricValues({"nDCG@10": 0.5})
    >>> values["ndcg_cut_10"], "ndcg@10" in values, values.get("AP")
    (0.5, True, None)
    """

    def __missing__(self, metric: Any) -> float:
        try:
            name = str(parse(metric))
        except ParameterError:
            name = metric
        if name == metric or not dict.__contains__(self, name):
            raise KeyError(metric)
        return self[name]

    def __contains__(self, metric: object) -> bool:
        return self.get(metric) is not None

    def get(self, metric: Any, default: Any = None) -> Any:
        """Return the value of a metric, ``default`` if there is none."""
        try:
            return self[metric]
        except KeyError:
            return default
