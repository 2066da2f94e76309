"""Notes on metrics that hold whatever the ranking is: what a preset does not cover, and grades that are too low."""

from __future__ import annotations

from collections.abc import Iterable

from rankgauge.inputs.findings import Findings
from rankgauge.matching.judgments import Judgments
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_plan import MetricPlan
from rankgauge.rendering.language import Phrase


def note_not_covered(findings: Findings, name: str, metrics: Iterable[Metric]) -> None:
    """Report metrics that the preset of this name does not cover, with the presets of the tool that do."""
    from rankgauge.conventions.presets import not_covered  # noqa: PLC0415 (only for a preset)

    texts = {metric: not_covered(name, str(metric), is_quality=metric.definition.is_quality) for metric in metrics}
    lacking = {metric: text for metric, text in texts.items() if text is not None}
    if lacking:
        by_name = {metric.name: text for metric, text in reversed(lacking.items())}
        findings.add("RG414", Phrase("; ", "；").join(reversed(by_name.values())), len(lacking))


def note_relevance(findings: Findings, judgments: Judgments, plan: MetricPlan) -> Findings:
    """Report metrics for which no item is relevant although some have a grade above 0.

    Judgments have non-relevant items if a grade is below a threshold, even if it is above 0.
    """
    levels = {metric: rules.effective.rel for metric, rules in plan.rules.items()}
    low, high = judgments.grade_range
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
