"""The tools that have a metric, with its definition in each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rankgauge.conventions import DEFAULT, DEFAULT_NAME, PRESETS, RULES, Convention, Preset
from rankgauge.conventions.presets.boosting import BOOSTING
from rankgauge.conventions.presets.learning import LEARNING
from rankgauge.conventions.presets.search import SEARCH
from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.reconciliation.equivalent_rules import simplified
from rankgauge.reconciliation.reconciliation_data import NO_REFUSAL, ReconciliationData, refusal
from rankgauge.reconciliation.rule_setting import RuleSetting
from rankgauge.rendering.language import Phrase

YOURS = "yours"
FAMILIES_OF_FORM: dict[str, tuple[tuple[Preset, ...], ...]] = {
    "trec": (SEARCH,),
    "letor": (BOOSTING, LEARNING),
    "arrays": (BOOSTING, LEARNING),
}
"""The presets that data of a form are meant for."""


@dataclass(frozen=True)
class Tool:
    """A metric of one tool, evaluated on the data."""

    name: str
    """Name of the preset."""
    metric_name: str
    """The tool's name for the metric."""
    setting: RuleSetting
    """The definition, with rules that make no difference on the data at their defaults: equal if two tools agree."""
    own: RuleSetting
    """The definition with the rules of the preset, as it is shown."""
    variant: bool = False
    """Whether the tool has another metric that is closer to the requested one."""
    reason: Phrase = NO_REFUSAL
    """Why the tool gives no value for these data, in both languages."""

    @property
    def is_requested(self) -> bool:
        """Whether this is the requested definition, by the default or the caller's rules, and not that of a tool."""
        return self.name not in PRESETS

    @property
    def refusal(self) -> str:
        """Why the tool gives no value for these data; empty if it gives one."""
        return self.reason.en


def tools_with(metric: Metric, data: ReconciliationData, yours: Convention | None) -> tuple[list[Tool], list[str]]:
    """Return the tools that have the metric, the default and the caller's rules first, and the presets without it."""

    def tool(name: str, metric_name: str, metric: Metric, convention: Convention, *, variant: bool = False) -> Tool:
        rules = RuleSetting.of(metric, convention)
        return Tool(name, metric_name, simplified(data, metric, convention), rules, variant, refusal(data, rules))

    tools = [tool(DEFAULT_NAME, str(metric), metric, rules) for rules in decided(DEFAULT, data)]
    if yours is not None and yours != DEFAULT:
        tools += [tool(YOURS, str(metric), metric, rules) for rules in decided(yours, data)]
    without_metric = []
    for name, preset in PRESETS.items():
        variants = [
            tool(name, metric_name, equivalent, preset.convention, variant=place > 0)
            for place, (metric_name, equivalent) in enumerate(names_of(metric, preset))
        ]
        distinct = {tool.setting: tool for tool in reversed(variants)}  # keeps the first of equal settings
        tools += reversed(distinct.values())
        if not variants:
            without_metric.append(name)
    return tools, without_metric


def decided(convention: Convention, data: ReconciliationData) -> list[Convention]:
    """Return the convention; if it refuses the repeated items of the data, with every other rule for them instead."""
    if convention.duplicates != "error" or not data.has_copies.any():
        return [convention]
    return [convention.replace(duplicates=value) for value in RULES["duplicates"].values if value != "error"]


def names_of(metric: Metric, preset: Preset) -> Iterator[tuple[str, Metric]]:
    """Yield the tool's names for the metric, with the metric that each one denotes.

    >>> from rankgauge.conventions import PRESETS
    >>> [*names_of(parse("nDCG@10"), PRESETS["ranx"])]
    [('ndcg@10', nDCG@10), ('ndcg_burges@10', nDCG(gain='exp2')@10)]
    >>> [*names_of(parse("nDCG"), PRESETS["xgboost-2"])]  # without a cutoff it stops at 32
    [('ndcg', nDCG@32)]
    """
    for pattern, notation in preset.metrics.items():
        if "{k}" in notation and metric.k is None:
            continue
        name, meaning = (text.replace("{k}", str(metric.k)) for text in (pattern, notation))
        candidate = parse(meaning)
        implicit_k = metric.k is None and not re.search(r"\d", pattern)
        if (
            candidate.definition is metric.definition
            and (candidate.k == metric.k or implicit_k)
            and _agree(metric, candidate)
        ):
            # with the rules that the requested metric sets itself
            yield name, candidate(**{rule: value for rule, value in metric.parameters.items() if rule != "k"})


def _agree(metric: Metric, other: Metric) -> bool:
    """Whether the parameters are equal; a rule that only one of them sets is ignored."""
    declared = metric.definition.parameters
    pairs = {name: (metric.parameters.get(name), other.parameters.get(name)) for name in declared if name != "k"}
    return all(
        first == second or (declared[name].rule is not None and None in (first, second))
        for name, (first, second) in pairs.items()
    )


def by_plausibility(tools: Sequence[Tool], data: ReconciliationData, typed: str) -> list[Tool]:
    """Return the tools, those first that the data and the name of the metric suggest.

    The default and the caller's rules come first, then tools that spell the metric as the caller did, tools for data of
    this form, and tools for graded judgments if the data have several grades; otherwise in the order of the presets.
    """
    families = FAMILIES_OF_FORM.get(data.form, ())
    fitting = {preset.name for family in families for preset in family}

    def unlikeliness(tool: Tool) -> tuple[bool, ...]:
        if tool.is_requested:
            return (False,)
        binary = PRESETS[tool.name].convention.gain == "binary"
        return True, tool.metric_name != typed, tool.name not in fitting, data.is_graded and binary

    return sorted(tools, key=unlikeliness)


def tool_named(tools: list[Tool], name: str) -> Tool:
    """Return the tool with this name, which must give a value."""
    tool = next((tool for tool in tools if tool.name == name), None)
    if tool is None:
        kind = ("preset with this metric", "含此指标的预设") if name in PRESETS else "preset"
        raise UnknownNameError.closest(kind, name, dict.fromkeys(tool.name for tool in tools))
    if tool.refusal:
        en, zh = tool.reason
        raise ParameterError((f"{name} gives no value for these data: {en}", f"{name} 对这些数据没有值：{zh}"))
    return tool
