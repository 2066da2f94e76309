"""The registry of metrics: by name, alias and trec_eval name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.metric_core.ambiguous_names import check_ambiguous
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.verdict_metrics import VERDICT_METRICS

CHINESE_NAMES = {
    "精确率": "P", "查准率": "P", "召回率": "R", "查全率": "R", "命中率": "HR", "平均精度": "AP", "平均精确率": "AP",
    "平均精度均值": "AP", "平均精确率均值": "AP",
    "倒数排名": "RR", "平均倒数排名": "RR", "归一化折损累计增益": "nDCG", "折损累计增益": "DCG", "累计增益": "CG",
    "覆盖率": "ItemCoverage", "物品覆盖率": "ItemCoverage", "商品覆盖率": "ItemCoverage", "目录覆盖率": "ItemCoverage",
    "用户覆盖率": "UserCoverage", "类别覆盖率": "CategoryCoverage", "类目覆盖率": "CategoryCoverage",
    "新颖性": "MIUF", "新颖度": "MIUF", "惊喜性": "Serendipity", "惊喜度": "Serendipity",
    "流行度": "ARP", "平均流行度": "ARP", "基尼系数": "Gini", "信息熵": "Entropy",
}  # fmt: skip
"""Names of metrics in Chinese, as they can be written instead of the names here: ``精确率@3``."""
_METRICS: dict[str, Metric] = {}
_NAMES: dict[str, Metric] = {}  # names and aliases
_LOWER: dict[str, Metric] = {}  # lower-case forms; the first declared wins
_TREC: dict[str, str] = {}
ON_CHANGE: list[Callable[[], None]] = []
"""What is called when a metric was registered or removed."""


def metrics() -> Mapping[str, Metric]:
    """Return every metric by name, built-in and your own.

    >>> metrics()["nDCG"] @ 10
    nDCG@10
    """
    return MappingProxyType(_METRICS)


def trec_names() -> Mapping[str, str]:
    """Return the trec_eval names and the notation of each."""
    return MappingProxyType(_TREC)


def register(metric: Metric) -> Metric:
    """Register a metric; a name that is taken is an error."""
    definition = metric.definition
    for name in (definition.name, *definition.aliases):
        if name in _NAMES:
            raise ParameterError(f"metric {definition.name}: the name {name!r} belongs to {_NAMES[name].name}")
    for name in definition.trec:
        if name in _TREC:
            raise ParameterError(f"metric {definition.name}: the trec_eval name {name!r} is taken")
    _METRICS[definition.name] = metric
    _TREC.update(definition.trec)
    _enter_names(metric)
    for on_change in ON_CHANGE:
        on_change()
    return metric


def unregister(name: str) -> None:
    """Remove the metric of a name, for instance one declared in a test or a notebook."""
    if name not in _METRICS:
        raise UnknownNameError.closest("metric", name, _METRICS)
    for trec_name in _METRICS.pop(name).definition.trec:
        del _TREC[trec_name]
    _NAMES.clear()
    _LOWER.clear()
    for metric in _METRICS.values():
        _enter_names(metric)
    for on_change in ON_CHANGE:
        on_change()


def find(name: str, other_names: Iterable[str] = ()) -> Metric:
    """Return the metric of this name or alias; case matters only if two names differ by case alone.

    ``other_names`` can be suggested instead of an unknown name as well.
    """
    metric = _find(name)
    if metric is None:
        check_ambiguous(name)
        single = (trec_name for trec_name, notation in _TREC.items() if "{}" not in notation)  # not ndcg_cut
        known = dict.fromkeys([*_METRICS, *_NAMES, *other_names, *single, *CHINESE_NAMES])
        raise UnknownNameError.closest("metric", name, known)
    return metric


def names() -> list[str]:
    """Return the names and aliases of all metrics."""
    return [*_NAMES]


def is_known(name: str) -> bool:
    """Return whether a metric has this name or alias."""
    return _find(name) is not None


def _find(name: str) -> Metric | None:
    name = CHINESE_NAMES.get(name, name)
    lower = name.lower()
    return _NAMES.get(name) or _NAMES.get(lower) or _LOWER.get(lower) or VERDICT_METRICS.get(lower)


def check_names(names: Iterable[str]) -> None:
    """Raise an error if ``per_metric`` of a convention names an unknown metric."""
    for name in names:
        if name not in _METRICS:
            raise UnknownNameError.closest("metric of per_metric", name, _METRICS)


def _enter_names(metric: Metric) -> None:
    for name in (metric.definition.name, *metric.definition.aliases):
        _NAMES[name] = metric
        _LOWER.setdefault(name.lower(), metric)
