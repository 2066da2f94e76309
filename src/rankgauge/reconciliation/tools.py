"""Tools: the presets whose tool has the metric, and what it means there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rankgauge.conventions import DEFAULT, PRESETS, Convention, Preset
from rankgauge.errors import ParameterError
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.reconciliation.data import Data, refusal
from rankgauge.reconciliation.equivalent_rules import plainest
from rankgauge.reconciliation.rule_setting import Setting

DEFAULT_NAME, YOURS = "default", "yours"


@dataclass(frozen=True)
class Tool:
    """One metric of one tool on the data at hand."""

    name: str
    """Of the preset."""
    theirs: str
    """What the tool calls the metric."""
    setting: Setting
    variant: bool = False
    """Whether the tool has another one that is closer to the metric asked for."""
    refusal: str = ""
    """Why the tool gives no value for these data; empty where it gives one."""


def tools_with(metric: Metric, data: Data, own: Convention | None) -> tuple[list[Tool], list[str]]:
    """The tools that have the metric, ours and the caller's own rules first; and the presets that lack it."""
    found = [_tool(DEFAULT_NAME, str(metric), metric, DEFAULT, data)]
    if own is not None and own != DEFAULT:
        found.append(_tool(YOURS, str(metric), metric, own, data))
    lacking = []
    for name, preset in PRESETS.items():
        here = [
            _tool(name, theirs, same, preset.convention, data, variant=place > 0)
            for place, (theirs, same) in enumerate(names_of(metric, preset))
        ]
        unlike = {tool.setting: tool for tool in reversed(here)}  # the first of those that mean the same
        found += reversed(unlike.values())
        if not here:
            lacking.append(name)
    return found, lacking


def _tool(name: str, theirs: str, metric: Metric, convention: Convention, data: Data, *, variant: bool = False) -> Tool:
    asked = Setting.of(metric, convention)
    reason = refusal(data, asked)
    return Tool(name, theirs, asked if reason else plainest(data, metric, convention), variant, reason)


def names_of(metric: Metric, preset: Preset) -> Iterator[tuple[str, Metric]]:
    """The tool's names of the metric, and what each stands for.

    >>> from rankgauge.conventions import PRESETS
    >>> [*names_of(parse("nDCG@10"), PRESETS["ranx"])]
    [('ndcg@10', nDCG@10), ('ndcg_burges@10', nDCG(gain='exp2')@10)]
    >>> [*names_of(parse("nDCG"), PRESETS["xgboost-2"])]  # without a cutoff it stops at 32
    [('ndcg', nDCG@32)]
    """
    for theirs, ours in preset.metrics.items():
        if "{k}" in ours and metric.k is None:
            continue
        named, meant = (text.replace("{k}", str(metric.k)) for text in (theirs, ours))
        same = parse(meant)
        silent = metric.k is None and not re.search(r"\d", theirs)
        if same.definition is metric.definition and (same.k == metric.k or silent) and _agree(metric, same):
            yield named, _with_rules_of(same, metric)


def _agree(metric: Metric, other: Metric) -> bool:
    """Whether what both set is the same, and numbers that are not rules are, too."""
    declared = metric.definition.parameters
    ours = {name: metric.parameters.get(name) for name in declared if name != "k"}
    theirs = {name: other.parameters.get(name) for name in declared if name != "k"}
    return all(
        ours[name] == theirs[name] or (declared[name].rule is not None and None in {ours[name], theirs[name]})
        for name in ours
    )


def _with_rules_of(metric: Metric, asked: Metric) -> Metric:
    """The metric with the rules that the one asked for sets itself."""
    return metric(**{name: value for name, value in asked.parameters.items() if name != "k"})


def named(tools: list[Tool], name: str) -> Tool:
    """The tool of a name that gives a value."""
    here = [tool for tool in tools if tool.name == name]
    if not here:
        known = ", ".join(dict.fromkeys(tool.name for tool in tools))
        raise ParameterError(f"{name!r} is not a preset that has this metric; those are: {known}")
    if here[0].refusal:
        raise ParameterError(f"{name} gives no value for these data: {here[0].refusal}")
    return here[0]
