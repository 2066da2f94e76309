"""The rules of one metric under one convention, resolved once per call."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from rankgauge.conventions import DEFAULT, Convention
from rankgauge.conventions.budget import UNITS, Budget
from rankgauge.conventions.convention import LIST_RULES
from rankgauge.conventions.order import SHARED_RANK
from rankgauge.errors import ParameterError
from rankgauge.matching.apply_rules import apply_rules
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.matching.matched import Matched
from rankgauge.matching.ties import at_one_rank, averaged
from rankgauge.metric_core.definition import CUTOFF_RULES
from rankgauge.metric_core.parameters import JUDGED_ONLY
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats

if TYPE_CHECKING:
    from rankgauge.metric_core.metric import Metric

AFTER_CUT = "removed-after-cut"


class MetricRules(NamedTuple):
    """The rules of one metric under one convention, resolved."""

    convention: Convention
    """The convention of the call."""
    of_list: Convention
    """The convention by which the list is formed that this metric evaluates."""
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
        convention = convention.replace_for(metric.name, ties=ties)
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
    set_by_metric = {
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
        set_by_metric["unjudged"] = "removed"
    if definition.undefined is not None and "undefined" not in convention.rules_of(metric.name):
        # Neither a number nor NaN makes sense for 0/0 here, unless it was given for this metric alone.
        set_by_metric |= {} if rules.undefined == "error" else {"undefined": definition.undefined}
    effective = rules.replace(**set_by_metric) if set_by_metric else rules
    formed = {rule: getattr(effective, rule) for rule in LIST_RULES}
    other = any(value != getattr(convention, rule) for rule, value in formed.items())
    of_list = convention.replace(**formed) if other else convention  # mostly one object, found without comparing rules
    if definition.of_items:
        _check_items(metric, convention, of_list)
    return MetricRules(convention, of_list, effective, arguments)


def _check_items(metric: Metric, convention: Convention, of_list: Convention) -> None:
    """Refuse rules that form the list of a metric of items in a way that only metrics of grades have."""
    for rule in (*CUTOFF_RULES, *([] if metric.definition.of_spans else ["match"])):
        if (value := getattr(of_list, rule)) != getattr(DEFAULT, rule):
            raise ParameterError(f"{metric} evaluates the items themselves; {rule}={value!r} is for metrics of grades")
    if of_list.unjudged == AFTER_CUT:
        raise ParameterError(f"{metric} evaluates the items themselves; use unjudged='removed', not {AFTER_CUT!r}")
    if not metric.judged_only and of_list != convention:
        raise ParameterError(f"{metric} evaluates the items themselves: per_metric cannot form another list for it")


def no_lengths(metric: Metric, budget: Budget) -> ParameterError:
    """Return the error for a budget where items have no lengths."""
    unit = UNITS[budget.unit]
    return ParameterError(
        Phrase(
            f"{metric} cuts lists at a number of {unit.en}, which is not known here; use rg.evaluate, rg.compare "
            "or rg.explain with spans, texts or a column of lengths, or a cutoff such as @10",
            f"{metric} 按{unit.zh}数截断列表，而此处不知道{unit.zh}数；请对片段、文本或含长度列的表使用 "
            "rg.evaluate、rg.compare 或 rg.explain，或改用 @10 这样的截断",
        )
    )


def check_after_cut(metric: Metric, judged: JudgedRankings, k: Floats | int | None, rules: Convention) -> None:
    """Refuse to remove unjudged items after the cut if it is open which items are above it."""
    if judged.rare.copies is not None:
        raise ParameterError(
            f"{metric}: unjudged={AFTER_CUT!r} is not defined for copies that keep their place; use "
            "duplicates='close-up' or 'again'"
        )
    if rules.ties == "mean" and k is not None and judged.tie_first is not None and judged.tie_size is not None:
        last = judged.tie_first + judged.tie_size - 1
        cut = k if isinstance(k, int) else judged.segments.spread(k)
        if ((judged.tie_first <= cut) & (last > cut)).any():
            raise ParameterError(
                f"{metric} has no closed form for ties='mean' with unjudged={AFTER_CUT!r}: items tied at rank "
                f"{metric.k} are removed in some orders only; use another rule for ties"
            )


def tied_rows(metric: Metric, judged: JudgedRankings, ties: str, arguments: Mapping[str, Any]) -> JudgedRankings:
    """Return the rankings with the rows that a rule makes of tied items."""
    if ties in SHARED_RANK:
        metric.definition.check_shared_ranks(metric, ties, arguments)
        return at_one_rank(judged, ties)
    if ties == "mean" and metric.definition.holds(metric.definition.ties_mean, arguments):
        return averaged(judged)
    if ties == "mean" and not metric.definition.handles_ties(arguments):
        raise ParameterError(
            f"{metric} has no closed form for ties='mean'; use bounds() for the lowest and highest value"
        )
    return judged


class JudgedQueries:
    """Matched rows with the rules of each metric applied; metrics with the same rules share the result."""

    def __init__(self, matched: Matched, convention: Convention) -> None:
        self._matched = matched
        self._convention = convention
        self._judged: dict[Convention, JudgedRankings] = {}

    def of(self, metric: Metric) -> JudgedRankings:
        """Return the rankings that this metric evaluates."""
        return self.under(metric.resolve(self._convention).of_list)

    def under(self, rules: Convention) -> JudgedRankings:
        """Return the rankings as these rules form them."""
        if rules not in self._judged:
            self._judged[rules] = apply_rules(self._matched, rules)
        return self._judged[rules]
