"""All metrics by name, and how a name that a person typed is found."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rankgauge.conventions.per_metric import PerMetric
from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.metrics.metric import Metric

_METRICS: dict[str, Metric] = {}
_NAMES: dict[str, Metric] = {}  # names and aliases, and their lower-case forms where nothing else has them
_TREC: dict[str, str] = {}


def metrics() -> Mapping[str, Metric]:
    """Every metric by its name, built-in and your own.

    >>> metrics()["nDCG"] @ 10
    nDCG@10
    """
    return MappingProxyType(_METRICS)


def trec_names() -> Mapping[str, str]:
    """The names of trec_eval and the notation that each stands for."""
    return MappingProxyType(_TREC)


def register(metric: Metric) -> Metric:
    """Enter a metric; a name that is taken is an error."""
    definition, taken = metric.definition, _exact_names()
    for name in (definition.name, *definition.aliases):
        if name in taken:
            raise ParameterError(f"metric {definition.name}: the name {name!r} belongs to {taken[name].name}")
    for name in definition.trec:
        if name in _TREC:
            raise ParameterError(f"metric {definition.name}: the trec_eval name {name!r} is taken")
    _METRICS[definition.name] = metric
    _TREC.update(definition.trec)
    _index()
    return metric


def unregister(name: str) -> None:
    """Forget a metric, for instance one that a test or a notebook declared."""
    if name not in _METRICS:
        raise UnknownNameError.closest("metric", name, _METRICS)
    for trec_name in _METRICS.pop(name).definition.trec:
        del _TREC[trec_name]
    _index()


def find(name: str) -> Metric:
    """The metric of this name or alias; capital letters matter only where two names differ by them."""
    found = _NAMES.get(name) or _NAMES.get(name.lower())
    if found is None:
        raise UnknownNameError.closest("metric", name, [*_exact_names(), *_TREC])
    return found


def check_names(per_metric: PerMetric) -> None:
    """An error where a convention has rules for a metric that there is not."""
    for name, _ in per_metric:
        if name not in _METRICS:
            raise UnknownNameError.closest("metric of per_metric", name, _METRICS)


def _exact_names() -> dict[str, Metric]:
    return {
        name: metric for metric in _METRICS.values() for name in (metric.definition.name, *metric.definition.aliases)
    }


def _index() -> None:
    exact = _exact_names()
    _NAMES.clear()
    for name, metric in exact.items():
        _NAMES.setdefault(name.lower(), metric)
    _NAMES.update(exact)
