"""MetricPlan: metrics under one convention, resolved once: what matching must keep, and in which passes they see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rankgauge.conventions import Convention
from rankgauge.matching.copies import REMOVED
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_rules import MetricRules
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.inputs.findings import Findings


@dataclass(frozen=True, eq=False)
class MetricPlan:
    """What a call computes under one convention, whatever the judgments and rankings are."""

    rules: Mapping[Metric, MetricRules]
    """The rules of each metric, without its budget."""
    together: tuple[Metric, ...]
    """Metrics of the ranking as it is matched with the judgments."""
    apart: tuple[tuple[Metric, ...], ...]
    """Metrics that see other rows of the ranking, those together that see the same."""
    of_items: tuple[Metric, ...]
    """Those of the first that evaluate the items themselves."""
    weighing: tuple[Metric, ...]
    """Metrics that weigh the queries themselves."""
    depth: int | None
    """The last rank that can change a value, None if all can."""
    matching_rules: Convention
    needs_grades: bool


@lru_cache(maxsize=256)
def metric_plan(metrics: tuple[Metric, ...], convention: Convention) -> MetricPlan:
    """Return the plan of these metrics; a call with the same metrics and rules finds it again."""
    together = tuple(metric for metric in metrics if not metric.has_own_pass)
    apart: dict[object, list[Metric]] = {}
    for metric in metrics:
        if metric.has_own_pass:
            apart.setdefault((metric.budget, metric.definition.of_spans), []).append(metric)
    return MetricPlan(
        {metric: metric.without_budget.resolve(convention) for metric in metrics},
        together,
        tuple(map(tuple, apart.values())),
        tuple(metric for metric in together if metric.definition.of_items),
        tuple(metric for metric in metrics if metric.definition.summary.under(convention).weighs_queries),
        common_depth(metrics, convention),
        matching_rules(metrics, convention),
        needs_grades(metrics, convention),
    )


def common_depth(metrics: Iterable[Metric], convention: Convention) -> int | None:
    """Return the last rank that can change any of the metrics, or None if all ranks can."""
    depths = [metric.depth(convention) for metric in metrics]
    return None if None in depths else max(depth for depth in depths if depth is not None)


def matching_rules(metrics: Iterable[Metric], convention: Convention) -> Convention:
    """Return the convention to match by: with all that one of these metrics needs, even if it sets the rule itself."""
    conventions = [metric.resolve(convention).of_list for metric in metrics]
    needed: dict[str, object] = {}
    if any(rules.hit_if != convention.hit_if for rules in conventions):
        needed["hit_if"] = "score>0"
    if isinstance(convention.unjudged, str) and not all(isinstance(rules.unjudged, str) for rules in conventions):
        needed["unjudged"] = 0  # a row for every item
    if any(rules.tied_at_k == "all" for rules in conventions):
        needed |= {"tied_at_k": "all"} | ({"unjudged": 0} if isinstance(convention.unjudged, str) else {})
    if convention.duplicates in REMOVED and convention.duplicates != "error":
        kept = [rules.duplicates for rules in conventions if rules.duplicates not in REMOVED]
        needed |= {"duplicates": kept[0]} if kept else {}
    return convention.replace(**needed)


def needs_grades(metrics: Iterable[Metric], convention: Convention) -> bool:
    """Return whether grades can change one of the values: a kernel reads them, or a rule that moves items does.

    Metrics of scores compare all items, so that they are matched as well.
    """
    for metric in metrics:
        _, of_list, effective, arguments = metric.resolve(convention)
        by_rules = of_list.unjudged == "removed" or of_list.ties in {"best", "worst"} or of_list.negative == "error"
        if by_rules or effective.no_relevant != "computed":
            return True
        definition = metric.definition
        if definition.grades is True or "scores" in (definition.needs or ()):
            return True
        if definition.holds(definition.grades, arguments):
            return True
    return False


def note_relevance(findings: Findings, grade_range: tuple[float, float], plan: MetricPlan) -> Findings:
    """Report metrics for which no item is relevant although some have a grade above 0.

    Judgments have non-relevant items if a grade is below a threshold, even if it is above 0.
    """
    levels = {metric: rules.effective.rel for metric, rules in plan.rules.items()}
    low, high = grade_range
    if low <= 0 and high >= max(levels.values(), default=0):
        return findings
    levels = {
        metric: rel for metric, rel in levels.items() if metric.definition.reads_rel(plan.rules[metric].effective)
    }
    below = {metric: rel for metric, rel in levels.items() if 0 < high < rel}
    if below:
        names, level = ", ".join(map(str, below)), min(below.values())
        example = Phrase(
            f"the largest grade {high:g} is below rel={level:g}, so that no item is relevant for {names}",
            f"最大的等级 {high:g} 低于 rel={level:g}，因此对 {names} 没有相关物品",
        )
        findings.add("RG415", example, len(below))
    return findings.without({"RG405"}) if low < min(levels.values(), default=plan.matching_rules.rel) else findings


def note_not_covered(findings: Findings, name: str, metrics: Iterable[Metric]) -> None:
    """Report metrics that the preset of this name does not cover, with the presets of the tool that do."""
    from rankgauge.conventions.presets import not_covered  # noqa: PLC0415 (only for a preset)

    texts = {metric: not_covered(name, str(metric), is_quality=metric.definition.is_quality) for metric in metrics}
    lacking = {metric: text for metric, text in texts.items() if text is not None}
    if lacking:
        by_name = {metric.name: text for metric, text in reversed(lacking.items())}
        findings.add("RG414", Phrase("; ", "；").join(reversed(by_name.values())), len(lacking))
