"""Which definition a function computes: the tool whose values it gives on all worlds, or the nearest rules."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rankgauge.auditing.laws import CLOSE
from rankgauge.auditing.worlds import World, listed
from rankgauge.conventions import DEFAULT, DEFAULT_NAME, PRESETS, Convention
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.matching.entrance import resolve_input
from rankgauge.metric_core.metric import Metric
from rankgauge.reconciliation.reconcile import read_data
from rankgauge.reconciliation.reconciliation_data import ReconciliationData
from rankgauge.reconciliation.rule_setting import CUTOFF, RuleSetting, differing_rules, plain_value, shown_value
from rankgauge.reconciliation.tools import YOURS, names_of
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.plain import PlainData
from rankgauge.segments import Bools, Floats

ANY_ORDER = {"input", "input-reversed", "random"}
"""Tie rules of tools that leave the order of tied items to their sort."""
LEAST_SCALE = 2
"""The highest grade that every definition of graded relevance has."""
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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(evaluate(*sources, at(metric, world.k), convention=rules)[at(metric, world.k)][0])
    except RankgaugeError:
        return float("nan")


def is_binary(metric: Metric) -> bool:
    """Return whether grades above 1 are alike to the metric.

    >>> from rankgauge.metric_core.notation import parse
    >>> is_binary(parse("AP")), is_binary(parse("nDCG"))
    (True, False)
    """
    first, second = (World((("a", x), ("b", y)), listed(("a", "b"))) for x, y in ((1.0, 2.0), (2.0, 1.0)))
    values = reference([first, second], metric, DEFAULT)
    return values[0] == values[1]


@dataclass(frozen=True)
class Candidate:
    """A definition that one or more tools have."""

    setting: RuleSetting
    tools: tuple[str, ...]


class Reference:
    """The values of any definition on some worlds."""

    def __init__(self, worlds: Sequence[World]) -> None:
        self.worlds = [*worlds]
        self._changed: dict[Callable[[World], World], Reference] = {}
        self._parts: list[tuple[int | None, list[int], ReconciliationData]] = []
        self._places: list[list[int]] = []
        alike: dict[tuple[int | None, float], list[int]] = {}  # one error must not hide the values of lower grades
        for place, world in enumerate(worlds):
            if world.gold:
                alike.setdefault((world.k, max(world.highest, LEAST_SCALE)), []).append(place)
        for (k, _), places in alike.items():
            judgments = {str(place): worlds[place].grades for place in places} | {"other": {"a": 1}}
            ranking = {str(place): worlds[place].source for place in places} | {"other": ["a"]}
            options = ReadOptions()
            data = read_data(resolve_input("audit", judgments, ranking, options), options, Findings())
            number = {name: place for place, name in enumerate(data.queries)}
            self._parts.append((k, [number[str(place)] for place in places], data))
            self._places.append(places)

    def values(self, setting: RuleSetting) -> Floats:
        """Return the value of each world; NaN where the definition has none."""
        values = np.full(len(self.worlds), np.nan)
        rules = setting.convention
        if "error" in (rules.undefined, rules.missing):
            rules = rules.replace(undefined="nan" if rules.undefined == "error" else rules.undefined, missing="zero")
        for places, (k, numbers, data) in zip(self._places, self._parts, strict=True):
            part = RuleSetting(at(setting.metric, k), rules)
            try:
                values[places] = data.values(part)[numbers]
            except RankgaugeError:
                continue
        return values

    def changed(self, change: Callable[[World], World]) -> Reference:
        """Return the values on the worlds after a change, which are read once."""
        if change not in self._changed:
            self._changed[change] = Reference([*map(change, self.worlds)])
        return self._changed[change]

    def distinct(self, known: Sequence[Candidate]) -> list[Candidate]:
        """Return the first of the definitions that have the same values on all worlds."""
        first: dict[bytes, Candidate] = {}
        for each in known:
            first.setdefault(self.values(each.setting).tobytes(), each)
        return [*first.values()]

    def largest_part(self) -> ReconciliationData:
        """Return the worlds of the cutoff that has most of them, as data."""
        return max(self._parts, key=lambda part: len(part[1]))[2]


def candidates(metric: Metric, own: Convention | None = None) -> list[Candidate]:
    """Return the definitions of a metric: the default, the stated one, and those of all tools."""
    named = [(DEFAULT_NAME, metric, DEFAULT), *([] if own is None else [(YOURS, metric, own)])]
    named += [
        (name, equivalent, preset.convention)
        for name, preset in PRESETS.items()
        for _, equivalent in names_of(metric, preset)
    ]
    tools: dict[RuleSetting, list[str]] = {}
    for name, equivalent, convention in named:
        setting = RuleSetting.of(equivalent, convention).replace(duplicates="first")
        tools.setdefault(setting, []).append(name)
    return [Candidate(setting, tuple(dict.fromkeys(names))) for setting, names in tools.items()]


def agreement(values: Floats, given: Floats, close: float = CLOSE) -> Bools:
    """Return where two arrays agree; a definition without a value agrees with none."""
    with np.errstate(invalid="ignore"):
        return np.abs(values - given) <= close * np.maximum(1.0, np.abs(values))


def constant_factor(values: Floats, given: Floats) -> float | None:
    """Return the number by which all values have to be multiplied; None if there is none.

    >>> constant_factor(np.array([0.0, 1.0, 2.0]), np.array([0.0, 3.0, 6.0]))
    3.0
    """
    other = ~np.isnan(values) & (values != 0)
    if not other.any():
        return None
    factor = float(given[other][0] / values[other][0])
    return factor if factor not in (0.0, 1.0) and agreement(values * factor, given).all() else None


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
        return self.agreed == self.tried and self.metric is None and self.factor is None

    @property
    def preset(self) -> str | None:
        """The preset with exactly this definition, the default first; None if rules differ from every preset."""
        return None if self.changes else self.tools[0]

    @property
    def convention(self) -> Convention:
        """The rules; those that make no difference are at their defaults."""
        rules = self.setting.convention
        return rules.replace(duplicates="error" if self.duplicates is None else self.duplicates)

    def with_rules(self, rules: Mapping[str, str]) -> DefinitionMatch:
        """Return the match of a mean with the rules for the queries that count, and the tools that have them.

        Every tool stays if the function gives no value without a ranking, since none is wrong then.
        """
        known = {"averaging": "mean"} | {rule: value for rule, value in rules.items() if value != "error"}
        setting = self.setting.replace(**{**known, **rules})
        other = [rule for rule in differing_rules(self.setting, setting) if rule in known]
        conventions = {name: PRESETS[name].convention if name in PRESETS else DEFAULT for name in self.tools}
        same = tuple(
            name
            for name, each in conventions.items()
            if all(_counted(getattr(each, rule)) == _counted(value) for rule, value in known.items())
        )
        changes = self.changes if same else tuple(dict.fromkeys((*self.changes, *other)))
        return replace(self, setting=setting, tools=same or self.tools, changes=changes)

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


def _counted(value: str) -> str:
    """Return the value of a rule for queries that count; one without relevant items counts as 0 either way."""
    return "zero" if value == "computed" else value


def unlike_default(metric: Metric, match: DefinitionMatch | None, worlds: Sequence[World]) -> tuple[str, ...]:
    """Return the rules that give a definition that was found other values than the default one of the metric."""
    if match is None or not match.exact or match.preset == DEFAULT_NAME:
        return ()
    compared = Reference([world for world in worlds if world.has_relevant and world.ranking and not world.repeats])
    default = RuleSetting.of(metric, DEFAULT).replace(duplicates="first")
    setting, rules = match.setting, []
    values = compared.values(setting)
    for rule in differing_rules(default, setting):
        other = setting.replace(**{rule: default.value(rule)})
        if np.allclose(compared.values(other), values, rtol=0, atol=CLOSE, equal_nan=True):
            setting = other
        else:
            rules.append(rule)
    return tuple(rules)
