"""``rg.keras``: any metric as a Keras 3 metric, on the torch and the JAX backend.

Keras holds state in variables of single precision. Every sum is therefore stored in two of them, the rounded number and
the rounding error, which together have about as many digits as double precision. The sums are computed outside Keras.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.engines.streaming.averages import Averages, Moments
from rankgauge.engines.streaming.scores import batch_moments, parse_streamable
from rankgauge.errors import ParameterError, extra
from rankgauge.metric_core.metric import Metric as RankingMetric
from rankgauge.segments import Floats

__all__ = ["Metric"]

with extra("keras"):
    import keras


@keras.saving.register_keras_serializable(package="rankgauge")
class Metric(keras.metrics.Metric):  # type: ignore[misc]
    """The mean of a metric over queries: rows of ``y_true`` and ``y_pred``.

    On the torch backend batches stay on their device. On JAX, whose training steps are compiled, they are copied to
    the host. ``averages()`` gives the mean in double precision, the number of queries and the interval.

    Parameters
    ----------
    metric
        One metric, as a value or as text. It must be a mean (or sum) over queries.
    convention
        A Convention, or the name of a preset.
    padding
        The label, such as -1, that marks padding in rows of different length.
    name
        The name in the history of Keras; by default the text of the metric.
    dtype
        Type of the state that Keras keeps.
    """

    def __init__(
        self,
        metric: str | RankingMetric,
        *,
        convention: ConventionLike = None,
        padding: float | None = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        (self.metric,), self.convention = parse_streamable([metric], convention)
        super().__init__(name=name or str(self.metric), dtype=dtype)
        self.padding = padding
        self._direction = "up" if self.metric.definition.higher_is_better else "down"  # for early stopping in Keras
        self.sums = self.add_variable((3, 2), "zeros", dtype="float32", name="sums")

    def update_state(self, y_true: object, y_pred: object, sample_weight: object = None) -> None:
        """Add a batch with one row per query."""
        if sample_weight is not None:
            raise ParameterError(f"{self.name} is a mean over queries and takes no sample weights; use metrics=[...]")
        labels, scores = keras.ops.convert_to_tensor(y_true), keras.ops.convert_to_tensor(y_pred)
        self.sums.assign(_on_host(self._add, (3, 2), self.sums.value, labels, scores))

    def result(self) -> Any:
        """The mean so far, in the single precision of Keras."""
        return _on_host(self._mean, (), self.sums.value)

    def averages(self) -> Averages:
        """Mean, number of queries and interval so far."""
        return self._averages(keras.ops.convert_to_numpy(self.sums.value))

    def _add(self, sums: Floats, labels: object, scores: object) -> Floats:
        mask = None if self.padding is None else labels != self.padding
        [batch] = batch_moments([self.metric], self.convention, labels, scores, mask=mask)
        total = _join(sums) + np.array(batch.powers)
        rounded = total.astype(np.float32)
        return np.stack((rounded, (total - rounded).astype(np.float32)), 1)

    def _averages(self, sums: Floats) -> Averages:
        return Averages([self.metric], self.convention, [Moments.of_powers(*_join(sums).tolist())])

    def _mean(self, sums: Floats) -> Floats:
        return np.array(self._averages(sums).mean(self.metric), dtype=np.float32)

    def get_config(self) -> dict[str, Any]:
        """The configuration from which ``from_config`` creates the metric."""
        rules = self.convention.to_dict()
        return {**super().get_config(), "metric": str(self.metric), "convention": rules, "padding": self.padding}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Metric:
        """Create the metric from its configuration, which may have been stored as JSON."""
        return cls(**{**config, "convention": Convention(**_rules_from_json(config["convention"]))})


def _rules_from_json(rules: dict[str, Any]) -> dict[str, Any]:
    """Rules from JSON, in which the grades of a gain table are strings."""
    converted = dict(rules)
    if isinstance(rules.get("gain"), dict):
        converted["gain"] = {float(grade): gain for grade, gain in rules["gain"].items()}
    if "per_metric" in rules:
        converted["per_metric"] = {
            metric: _rules_from_json(metric_rules) for metric, metric_rules in rules["per_metric"].items()
        }
    return converted


def _join(sums: Floats) -> Floats:
    """Each sum from the two numbers that store it."""
    return np.asarray(sums, dtype=np.float64).sum(axis=1)


def _on_host(function: Callable[..., Floats], shape: tuple[int, ...], sums: object, *batch: object) -> Any:
    """Call a function of NumPy sums; return its result as a tensor of Keras."""
    if keras.backend.backend() == "torch":
        return keras.ops.convert_to_tensor(function(keras.ops.convert_to_numpy(sums), *batch))
    if keras.backend.backend() != "jax":
        raise ParameterError(
            f"rg.keras supports the torch and JAX backends, not {keras.backend.backend()}: set KERAS_BACKEND"
        )
    import jax  # noqa: PLC0415

    def callback(*arrays: object) -> Floats:
        return np.asarray(function(*map(np.asarray, arrays)), dtype=np.float32)

    return jax.pure_callback(callback, jax.ShapeDtypeStruct(shape, np.float32), sums, *batch)
