"""The search space of settings: every named value of every rule that can change the metric on the data.

The definition of each tool is tried with every rule changed to each of its values, one at a time, and with the usual
cutoffs. Then come combinations: rules that the formula reads in all combinations, with cutoffs near the requested one;
rules before and after the formula (ties, unjudged items, 0/0, averaging and others) one at a time and as a tool
combines them, with other cutoffs only at their defaults. Quiet rules, which few tools change, and gains that depend on
the relevance level are not combined.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, product
from typing import Any, NamedTuple

import numpy as np

from rankgauge.conventions import DEFAULT, RULES, gains
from rankgauge.conventions.convention import rules_at
from rankgauge.conventions.rule import NO_NUMBER, Stage
from rankgauge.errors import RankgaugeError
from rankgauge.metric_core.description import can_be_passed
from rankgauge.metric_core.metric import Metric
from rankgauge.reconciliation.equivalent_rules import (
    equivalent_discount,
    equivalent_gain,
    equivalent_ideal_cut,
    equivalent_level,
    simplified,
)
from rankgauge.reconciliation.reconciliation_data import RULES_AFTER, RULES_BEFORE, ReconciliationData
from rankgauge.reconciliation.rule_setting import CUTOFF, RuleSetting, relevant_rules, without_rules

MAX_LEVELS = 8
"""Maximal number of relevance levels tried."""
FORMULA_DEPENDENT = rules_at(Stage.AFTER)
"""Rules whose effect may depend on the formula, so that they are tried with each."""
MAX_IDEAL_ITEMS = 1_000_000
"""With more returned items, ideal orders as long as the list are not tried."""

RuleValues = tuple[tuple[str, Any], ...]
"""Rules with values."""


USUAL_CUTOFFS = (1, 3, 5, 10, 15, 20, 30, 100)
"""Cutoffs to try whatever was requested: columns of published tables get mixed up."""


def declared_values(rule: str) -> list[object]:
    """Return the values of a rule that reconcile tries on all data.

    >>> declared_values("undefined")
    ['skip', 0, 1, 0.5]
    """
    declared = RULES[rule]
    named = [name for name in declared.values if name not in declared.untried and can_be_passed(rule, name)]
    return [*named, *declared.tried]


class SearchPoint(NamedTuple):
    """A setting of the search space with its mean; rules that make no difference are at their defaults."""

    setting: RuleSetting
    mean: float


class SearchSpace:
    """The settings to try for a metric."""

    def __init__(self, metric: Metric, data: ReconciliationData, settings: Sequence[RuleSetting]) -> None:
        """Collect the values to try, including those of the settings of tools."""
        self.data = data
        self.settings = settings
        rules = DEFAULT.replace(duplicates="first") if data.has_copies.any() else DEFAULT
        pinned = metric.effective_convention(rules)
        fixed = {p.rule for name, p in metric.definition.parameters.items() if name in metric.parameters}
        self.start = RuleSetting.of(without_rules(metric), pinned)
        fixed |= {"averaging", "counts"} if len(data.queries) == 1 else set()  # nothing to average
        fixed |= set() if data.has_copies.any() else {"duplicates", "k_counts"}
        relevant = (rule for rule in relevant_rules(metric.definition) if RULES[rule].unsearched is None)
        names = [rule for rule in relevant if rule not in fixed]
        self.choices = {rule: _distinct(self._choices(rule, settings)) for rule in names}
        self.cutoffs = _distinct(
            [metric.k, *_near_cutoffs(metric.k), *(setting.metric.k for setting in settings)]
            if CUTOFF in metric.definition.parameters
            else [None]
        )

    def _choices(self, rule: str, settings: Sequence[RuleSetting]) -> list[object]:
        """Return the values to try for a rule, the default first."""
        if rule == "rel":
            return [self.start.convention.rel, *self._levels()]
        if rule == "max_grade":
            top = float(self.data.grades.max(initial=0.0))
            return [DEFAULT.max_grade, *([top] if top > 0 else []), "largest"]
        used = [setting.value(rule) for setting in settings]
        tried = [self.start.value(rule), *declared_values(rule), *used]
        refused = {name for name, why in RULES[rule].untried.items() if why is NO_NUMBER}
        return [value for value in tried if not isinstance(value, str) or value not in refused]

    def _levels(self) -> list[object]:
        """Return the relevance levels that divide the grades in different ways."""
        levels = self.data.grades[self.data.grades > 0]
        if len(levels) > MAX_LEVELS:
            levels = levels[np.unique(np.linspace(0, len(levels) - 1, MAX_LEVELS).astype(int))]
        return [equivalent_level(self.data, level) for level in levels]

    def points(self) -> Iterator[SearchPoint]:
        """Yield all settings that give a number; settings that are equivalent on these data only once."""
        seen = set()
        for tried in chain(self._near_tools(), self._combinations()):
            try:
                setting = simplified(self.data, *tried)
                if setting in seen:
                    continue
                seen.add(setting)
                mean = self.data.mean(setting)
            except RankgaugeError:  # these rules cannot be combined
                continue
            if not np.isnan(mean):
                yield SearchPoint(setting, mean)

    def _near_tools(self) -> Iterator[RuleSetting]:
        """Yield the setting of each tool, and those that differ from it in one rule or in the cutoff."""
        for setting in dict.fromkeys(self.settings):
            yield setting
            definition, choices = setting.metric.definition, dict(self.choices)
            if CUTOFF in definition.parameters:
                choices[CUTOFF] = _distinct([*self.cutoffs, *USUAL_CUTOFFS])
            if "rel" not in choices and definition.reads_rel(setting.convention):
                choices["rel"] = self._levels()
            for rule, values in choices.items():
                changed = (setting.replace(**{rule: value}) for value in values if value != setting.value(rule))
                yield from (other for other in changed if self._is_affordable(other))

    def _combinations(self) -> Iterator[RuleSetting]:
        """Yield combinations of rules, whether or not a tool has them."""
        requested_k, defaults = self.start.metric.k, [self._other_rules[0]]
        for formula in self._formulas():
            for other in self._other_rules if dict(formula).get(CUTOFF) == requested_k else defaults:
                setting = self.start.replace(**dict(other), **dict(formula))
                if self._is_affordable(setting):
                    yield setting

    def _is_affordable(self, setting: RuleSetting) -> bool:
        """Whether the ideal order has few enough items: under ``ideal='full'`` it may be as long as the list."""
        rules = setting.convention
        unlimited = rules.ideal == "full" and (setting.metric.k is None or rules.ideal_cut == "none")
        return not unlimited or int(self.data.plain.returned.sum()) <= MAX_IDEAL_ITEMS

    @cached_property
    def _other_rules(self) -> list[RuleValues]:
        """Values of the rules before and after the formula: the defaults, one changed, or as in a tool."""
        rules = [rule for rule in (*RULES_BEFORE, *RULES_AFTER) if rule in self.choices]
        tried = [{}, *({rule: value} for rule in rules for value in self.choices[rule])]
        tried += [{rule: setting.value(rule) for rule in rules} for setting in self.settings]
        distinct: dict[object, RuleValues] = {}
        for values in tried:
            try:
                setting = simplified(self.data, self.start.metric, self.start.convention.replace(**values))
                signature = self.data.signature(setting.convention)
            except RankgaugeError:  # these rules refuse the data
                continue
            after = {
                rule: values.get(rule, self.start.value(rule)) if rule in FORMULA_DEPENDENT else setting.value(rule)
                for rule in rules
                if rule in RULES_AFTER
            }
            key = (signature, *after.values())
            before = {rule: setting.value(rule) for rule in rules if rule in RULES_BEFORE}
            distinct.setdefault(key, tuple((before | after).items()))
        return [*distinct.values()]

    def _formulas(self) -> Iterator[RuleValues]:
        """Yield values of the rules that the formula reads, with the cutoff."""
        read = [rule for rule in self.choices if rule not in RULES_BEFORE and rule not in RULES_AFTER]
        choices = {rule: [self.start.value(rule)] if RULES[rule].quiet else self.choices[rule] for rule in read}
        if "gain" in choices:
            named = [gain for gain in choices["gain"] if not gains.reads_rel(gain)]
            choices["gain"] = _distinct([equivalent_gain(self.data, gain, DEFAULT.rel) for gain in named])
        if "discount" in choices:
            choices["discount"] = _distinct([equivalent_discount(discount) for discount in choices["discount"]])
        rules = (dict(zip(choices, values, strict=True)) for values in product(*choices.values()))
        yield from dict.fromkeys(chain.from_iterable(map(self._with_cutoffs, rules)))  # cuts may be equivalent

    def _with_cutoffs(self, rules: Mapping[str, Any]) -> Iterator[RuleValues]:
        """Yield the rules of a formula with each cutoff."""
        if CUTOFF not in self.start.metric.definition.parameters:
            yield tuple(rules.items())
            return
        ideal = rules.get("ideal", self.start.convention.ideal)
        for k in self.cutoffs:
            complete = dict(rules)
            if "ideal_cut" in rules:
                complete["ideal_cut"] = equivalent_ideal_cut(self.data, ideal, rules["ideal_cut"], k)
            yield (*complete.items(), (CUTOFF, k))


def _near_cutoffs(k: int | None) -> list[int | None]:
    return [] if k is None else [*([k - 1] if k > 1 else []), k + 1, None]


def _distinct(values: Sequence[Any]) -> list[Any]:
    distinct: list[Any] = []
    for value in values:
        if not any(value == other and isinstance(value, str) == isinstance(other, str) for other in distinct):
            distinct.append(value)
    return distinct
