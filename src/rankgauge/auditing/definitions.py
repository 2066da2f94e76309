"""Which definition a function computes: the tool whose values it gives on all worlds, or the nearest rules."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rankgauge.auditing.laws import CLOSE
from rankgauge.auditing.worlds import World
from rankgauge.conventions import Convention
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.matching.entrance import resolve_input
from rankgauge.metric_core.metric import Metric
from rankgauge.reconciliation.reconcile import read_data
from rankgauge.reconciliation.rule_setting import CUTOFF, RuleSetting, differing_rules, plain_value, shown_value
from rankgauge.reconciliation.search_space import SearchSpace
from rankgauge.reconciliation.tools import DEFAULT_NAME, YOURS, Tool, tools_with
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.plain import PlainData
from rankgauge.segments import Bools, Floats

SEARCH_SECONDS = 4.0
"""Time for definitions that no tool has."""
ANY_ORDER = {"input", "input-reversed", "random"}
"""Tie rules of tools that leave the order of tied items to their sort."""
MOST_NAMES = 6
"""Names of tools in a line."""
AND_OTHERS = Phrase(" and {count} others", "，以及另外 {count} 个")
ROUNDED = Phrase(", rounded to {count:# decimal|# decimals}", "，保留 {count} 位小数")
WITH_RULES = Phrase(" with {rules}", "，其中 {rules}")


def at(metric: Metric, k: int | None) -> Metric:
    """Return the metric with the cutoff of a world, if it has one."""
    return metric if k is None or CUTOFF not in metric.definition.parameters else metric @ k


def reference(worlds: Sequence[World], metric: Metric, convention: Convention) -> list[float]:
    """Return the values of the definition; NaN where it has none."""
    return [_reference(world, metric, convention) for world in worlds]


def _reference(world: World, metric: Metric, convention: Convention) -> float:
    if not world.gold:
        return float("nan")
    rules = convention.replace(duplicates="first") if world.repeats and convention.duplicates == "error" else convention
    sources = {"q1": world.grades, "other": {"a": 1}}, {"q1": world.source, "other": ["a"]}
    try:
        return float(evaluate(*sources, at(metric, world.k), convention=rules)[at(metric, world.k)][0])
    except RankgaugeError:
        return float("nan")


@dataclass(frozen=True)
class DefinitionMatch:
    """A definition and how far a function agrees with it."""

    setting: RuleSetting
    tools: tuple[str, ...]
    """The presets with this definition; if there is none, the nearest one."""
    changes: tuple[str, ...]
    """Rules in which the definition differs from the nearest preset."""
    agreed: int
    """Number of worlds on which the function gave the value of the definition."""
    tried: int
    duplicates: str | None = None
    """What the function does with repeated items, as a value of that rule; None if it was not found out."""
    decimals: int | None = None
    """To how many decimals the function rounds; None if it does not."""
    factor: float | None = None
    """The number by which the function multiplies the values of the definition; None if there is no such number."""
    metric: Metric | None = None
    """The metric, if it is another one than the function is meant to compute."""

    @property
    def exact(self) -> bool:
        """Whether the function gave the value of the definition on every world."""
        return self.agreed == self.tried and self.metric is None

    @property
    def preset(self) -> str | None:
        """The preset with exactly this definition, the default first; None if rules differ from every preset."""
        return None if self.changes else self.tools[0]

    @property
    def convention(self) -> Convention:
        """The rules; those that make no difference are at their defaults."""
        own = self.setting.convention
        return own if self.duplicates is None else own.replace(duplicates=self.duplicates)

    def to_dict(self) -> PlainData:
        """Return the match as plain data."""
        rules = {rule: plain_value(self.setting, rule) for rule in self.changes}
        return {
            "tools": [*self.tools],
            "changes": rules,
            "duplicates": self.duplicates,
            "decimals": self.decimals,
            "factor": self.factor,
            "metric": None if self.metric is None else str(self.metric),
            "agreed": self.agreed,
            "tried": self.tried,
        }

    def render(self, lang: Lang = "en") -> str:
        """Return the presets, and the rules in which the definition differs from them."""
        changes = [f"{rule}={shown_value(self.setting, rule)}" for rule in self.changes]
        changes += [] if self.duplicates is None else [f"duplicates={self.duplicates}"]
        others = len(self.tools) - MOST_NAMES
        few = others <= 1
        text = ", ".join(self.tools if few else self.tools[:MOST_NAMES])
        text += "" if few else AND_OTHERS.render(lang, count=others)
        text += WITH_RULES.render(lang, rules=", ".join(changes)) if changes else ""
        return text + ("" if self.decimals is None else ROUNDED.render(lang, count=self.decimals))

    def __str__(self) -> str:
        return self.render()


class Definitions:
    """The definitions of a metric on worlds with one cutoff."""

    def __init__(self, metric: Metric, worlds: Sequence[World], own: Convention | None, close: float = CLOSE) -> None:
        self.metric, self._close = at(metric, worlds[0].k), close
        names = [f"w{number}" for number in range(len(worlds))]
        judgments = {name: world.grades for name, world in zip(names, worlds, strict=True)}
        ranking = {name: world.source for name, world in zip(names, worlds, strict=True)}
        options = ReadOptions()
        self._data = read_data(resolve_input("audit", judgments, ranking, options), options, Findings())
        place = {name: number for number, name in enumerate(self._data.queries)}
        self._places = np.array([place[name] for name in names])
        self._tied = np.array([world.ties for world in worlds])
        self.tools = tools_with(self.metric, self._data, own)[0]

    def values(self, setting: RuleSetting) -> Floats | None:
        """Return the values of a setting on the worlds; None if it refuses them."""
        try:
            return self._data.values(setting)[self._places]
        except RankgaugeError:
            return None

    def tool_values(self) -> list[tuple[Tool, Floats]]:
        """Return the values of every tool that accepts the worlds."""
        found = [(tool, self.values(tool.setting)) for tool in self.tools]
        return [(tool, values) for tool, values in found if values is not None]

    def nearest(self, given: Floats) -> DefinitionMatch | None:
        """Return the definition with the most agreement: a tool, or else a setting with as few changes as possible."""
        agreed = [(tool, agreement(values, given, self._close)) for tool, values in self.tool_values()]
        if not agreed:
            return None
        best = max(int(same.sum()) for _, same in agreed)
        match = self._of_tools([tool for tool, same in agreed if same.sum() == best], best, len(given))
        if match.exact:
            return match
        sorting = [
            tool for tool, same in agreed if tool.setting.convention.ties in ANY_ORDER and (same | self._tied).all()
        ]
        if sorting:
            return self._of_tools(sorting, len(given), len(given))
        for tool, values in self.tool_values():
            if (factor := constant_factor(values, given)) is not None:
                return replace(self._of_tools([tool], match.agreed, len(given)), factor=factor)
        return self._search(given, match)

    def of_tools(self, given: Floats) -> DefinitionMatch | None:
        """Return the tools with exactly these values; None if there are none."""
        exact = [tool for tool, values in self.tool_values() if agreement(values, given, self._close).all()]
        return self._of_tools(exact, len(given), len(given)) if exact else None

    def _of_tools(self, tools: Iterable[Tool], agreed: int, tried: int) -> DefinitionMatch:
        ordered = sorted(tools, key=lambda tool: tool.name != DEFAULT_NAME)
        names = [*dict.fromkeys(tool.name for tool in ordered)]
        named = [name for name in names if name != YOURS] or names
        return DefinitionMatch(ordered[0].setting, tuple(named), (), agreed, tried)

    def _search(self, given: Floats, best: DefinitionMatch) -> DefinitionMatch:
        """Try settings that no tool has, nearest to a tool first, for a limited time."""
        end = time.monotonic() + SEARCH_SECONDS
        for point in SearchSpace(self.metric, self._data, [tool.setting for tool in self.tools]).points():
            values = self.values(point.setting)
            if values is not None and (agreed := int(agreement(values, given, self._close).sum())) > best.agreed:
                best = self._with_changes(point.setting, agreed, len(given))
                if best.exact:
                    break
            if time.monotonic() > end:
                break
        return best

    def _with_changes(self, setting: RuleSetting, agreed: int, tried: int) -> DefinitionMatch:
        nearest = min(self.tools, key=lambda tool: len(differing_rules(tool.setting, setting)))
        changes = tuple(differing_rules(nearest.setting, setting))
        return DefinitionMatch(setting, (nearest.name,), changes, agreed, tried)


def constant_factor(values: Floats, given: Floats) -> float | None:
    """Return the number by which all values have to be multiplied; None if there is none.

    >>> constant_factor(np.array([0.0, 1.0, 2.0]), np.array([0.0, 3.0, 6.0]))
    3.0
    """
    other = ~np.isnan(values) & (values != 0)
    if not other.any():
        return None
    factor = float(given[other][0] / values[other][0])
    return factor if factor != 0 and agreement(values * factor, given).all() else None


def agreement(values: Floats, given: Floats, close: float = CLOSE) -> Bools:
    """Return where two arrays agree; a definition without a value agrees with any."""
    return np.isnan(values) | (np.abs(values - given) <= close * np.maximum(1.0, np.abs(values)))
