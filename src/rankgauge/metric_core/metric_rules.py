"""The rules of one metric under one convention, resolved once per call."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError
from rankgauge.metric_core.parameters import JUDGED_ONLY

if TYPE_CHECKING:
    from rankgauge.metric_core.metric import Metric


class MetricRules(NamedTuple):
    """The rules of one metric under one convention, resolved."""

    convention: Convention
    """The convention of the call."""
    effective: Convention
    """The convention with the rules that apply to this metric alone."""
    arguments: Mapping[str, Any]
    """The keyword arguments of the kernel."""


@lru_cache(maxsize=1024)
def resolve(metric: Metric, convention: Convention, ties: str | None = None, ideal_given: bool = False) -> MetricRules:
    """Resolve the rules of a metric: those of the call, of the convention and of its own parameters."""
    from rankgauge.metric_core.registry import check_names  # noqa: PLC0415 (the registry imports this module)

    if ties == "bounds":
        raise ParameterError("ties='bounds' is not a rule: use bounds() for the lowest and highest value")
    if ties is not None:
        convention = convention.replace(ties=ties)
    if ideal_given:
        convention = convention.replace(ideal="given")
    if convention.per_metric:
        check_names(convention.to_dict()["per_metric"])
    rules, definition = convention.for_metric(metric.name), metric.definition
    arguments = {
        name: parameter.bind(metric.parameters.get(name, parameter.default), rules)
        for name, parameter in definition.parameters.items()
        if parameter is not JUDGED_ONLY
    }
    own = {
        parameter.rule: metric.parameters[name]
        for name, parameter in definition.parameters.items()
        if parameter.rule is not None and metric.parameters.get(name) is not None
    }
    if metric.judged_only:
        if not isinstance(rules.unjudged, str):
            raise ParameterError(
                f"{metric} removes unjudged items, and the convention says that they have grade {rules.unjudged}; "
                "set only one of the two"
            )
        own["unjudged"] = "removed"
    if definition.undefined is not None and "undefined" not in convention.rules_of(metric.name):
        # A number makes no sense for 0/0 here, unless it was given for this metric alone.
        own |= {} if isinstance(rules.undefined, str) else {"undefined": definition.undefined}
    return MetricRules(convention, rules.replace(**own), arguments)
