"""``rg.keras``: any metric as a Keras 3 metric, on the torch and the JAX backend.

Keras keeps state in variables of single precision. Every sum is therefore kept as two of them, the number and what its
rounding left over, which together hold about as many digits as double precision; sums are added up outside Keras.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.engines.streaming.averages import Averages
from rankgauge.engines.streaming.moments import Moments
from rankgauge.engines.streaming.scores import batch_moments, check_streamable
from rankgauge.errors import ParameterError
from rankgauge.extras import extra
from rankgauge.metric_core.metric import Metric as RankingMetric
from rankgauge.metric_core.notation import parse
from rankgauge.segments import Floats

with extra("keras"):
    import keras


@keras.saving.register_keras_serializable(package="rankgauge")
class Metric(keras.metrics.Metric):  # type: ignore[misc]
    """The mean of a metric over queries: rows of ``y_true`` and ``y_pred``.

    On the torch backend batches stay on their device. On JAX, whose training steps are compiled, they are handed to
    the host. ``averages()`` gives the mean in double precision, the number of queries and the interval.

    Parameters
    ----------
    metric
        One metric, as a value or as text. It must be a mean (or sum) over queries.
    convention
        The rules in force: a Convention, or the name of a preset.
    padding
        The label that says that there is no item: rows of different length are filled up with it, such as -1.
    name
        What Keras calls it in its history; the metric's own text where none is given.
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
        self.metric = parse(metric)
        super().__init__(name=name or str(self.metric), dtype=dtype)
        self.convention = check_convention(convention)
        self.padding = padding
        check_streamable([self.metric], self.convention)
        self._direction = "up" if self.metric.definition.higher_is_better else "down"  # which way Keras stops early
        self.sums = self.add_variable((3, 2), "zeros", dtype="float32", name="sums")

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Take in one batch, a row for each query."""
        if sample_weight is not None:
            raise ParameterError(f"{self.name} is a mean over queries and knows no sample weights; use metrics=[...]")
        labels, scores = keras.ops.convert_to_tensor(y_true), keras.ops.convert_to_tensor(y_pred)
        self.sums.assign(_on_host(self._added, (3, 2), self.sums.value, labels, scores))

    def result(self) -> Any:
        """The mean so far, in single precision, as Keras has its numbers."""
        return _on_host(self._mean, (), self.sums.value)

    def averages(self) -> Averages:
        """Mean, number of queries and interval so far."""
        return self._averages(keras.ops.convert_to_numpy(self.sums.value))

    def _added(self, sums: Floats, labels: Any, scores: Any) -> Floats:
        mask = None if self.padding is None else labels != self.padding
        [batch] = batch_moments([self.metric], self.convention, scores, labels, mask=mask)
        together = _whole(sums) + np.array(batch.powers)
        return np.stack((together.astype(np.float32), (together - together.astype(np.float32)).astype(np.float32)), 1)

    def _averages(self, sums: Floats) -> Averages:
        return Averages([self.metric], self.convention, [Moments.of_powers(*_whole(sums).tolist())])

    def _mean(self, sums: Floats) -> Floats:
        return np.array(self._averages(sums).mean(self.metric), dtype=np.float32)

    def get_config(self) -> dict[str, Any]:
        """What the metric is made anew from."""
        rules = self.convention.to_dict()
        return {**super().get_config(), "metric": str(self.metric), "convention": rules, "padding": self.padding}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Metric:
        """The metric of such a description, which may have been written as JSON."""
        return cls(**{**config, "convention": Convention(**_read(config["convention"]))})


def _read(rules: dict[str, Any]) -> dict[str, Any]:
    """Rules from JSON, which makes texts of the grades of a gain table."""
    read = dict(rules)
    if isinstance(rules.get("gain"), dict):
        read["gain"] = {float(grade): gain for grade, gain in rules["gain"].items()}
    if "per_metric" in rules:
        read["per_metric"] = {metric: _read(own) for metric, own in rules["per_metric"].items()}
    return read


def _whole(sums: Floats) -> Floats:
    """Each sum from the two numbers that it is kept as."""
    return np.asarray(sums, dtype=np.float64).sum(axis=1)


def _on_host(function: Callable[..., Floats], shape: tuple[int, ...], sums: Any, *batch: Any) -> Any:
    """Call with the sums as NumPy has them; the answer comes back as Keras has it."""
    if keras.backend.backend() == "torch":
        answer = function(keras.ops.convert_to_numpy(sums), *batch)
        return keras.ops.convert_to_tensor(answer)
    if keras.backend.backend() != "jax":
        raise ParameterError(
            f"rg.keras runs on the torch and the JAX backend, not on {keras.backend.backend()}: set KERAS_BACKEND"
        )
    import jax  # noqa: PLC0415

    def called(*arrays: Any) -> Floats:
        return np.asarray(function(*map(np.asarray, arrays)), dtype=np.float32)

    return jax.pure_callback(called, jax.ShapeDtypeStruct(shape, np.float32), sums, *batch)
