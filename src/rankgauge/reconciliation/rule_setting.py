"""A metric with all rules that can change its value, in a form in which two of them can be compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from rankgauge.conventions import DEFAULT, RULES, Convention
from rankgauge.conventions.rule import written
from rankgauge.metric_core.definition import Definition
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.language import Lang, Phrase

CUTOFF = "k"
"""The cutoff, treated like a rule."""
CUTOFF_TITLE = Phrase("cutoff", "截断")
CUTOFF_MEANING = Phrase("only the first {k:item counts|# items count}", "只计前 {k} 个物品")
NO_CUTOFF = Phrase("all items count", "所有物品都计入")


class RuleSetting(NamedTuple):
    """A metric without rules of its own, and the convention with all rules.

    >>> import rankgauge as rg
    >>> RuleSetting.of(rg.nDCG(gain="exp2") @ 5, rg.Convention(p_over="returned", rel=3)).rules()
    {'k': 5, 'gain': 'exp2'}
    """

    metric: Metric
    convention: Convention

    @classmethod
    def of(cls, metric: Metric, convention: Convention) -> RuleSetting:
        """Return the setting of a metric under a convention; rules that do not matter are at their defaults."""
        definition, effective = metric.definition, metric.effective_convention(convention)
        used = {*definition.used_rules(effective)}
        idle = {name: getattr(DEFAULT, name) for name in RULES if name not in used}
        reset = {name: value for name, value in idle.items() if value != getattr(effective, name)}
        return cls(without_rules(metric), effective.replace(**reset))

    def rules(self) -> dict[str, Any]:
        """Return the cutoff and the rules that differ from the defaults."""
        values = {name: getattr(self.convention, name) for name in RULES}
        return {CUTOFF: self.metric.k} | {
            name: value for name, value in values.items() if value != getattr(DEFAULT, name)
        }

    def value(self, rule: str) -> Any:
        """Return the value of a rule or the cutoff."""
        return self.metric.k if rule == CUTOFF else getattr(self.convention, rule)

    def replace(self, **rules: Any) -> RuleSetting:
        """Return a copy with some rules (or the cutoff) changed."""
        metric = self.metric @ rules.pop(CUTOFF) if CUTOFF in rules else self.metric
        return RuleSetting(metric, self.convention.replace(**rules) if rules else self.convention)

    def with_rules_of(self, other: RuleSetting, rules: Iterable[str]) -> RuleSetting:
        """Return a copy that takes these rules from the other setting."""
        return self.replace(**{rule: other.value(rule) for rule in rules})


def without_rules(metric: Metric) -> Metric:
    """Return the metric with its cutoff and other numbers, but without the rules that it sets."""
    declared = metric.definition.parameters
    kept = {name: value for name, value in metric.parameters.items() if declared[name].rule is None}
    return metric if len(kept) == len(metric.parameters) else Metric(metric.definition, kept)


def relevant_rules(definition: Definition) -> tuple[str, ...]:
    """Return the rules that can change the mean of a metric, in the order of the convention."""
    return tuple(name for name in RULES if name in definition.applicable_rules)


def differing_rules(first: RuleSetting, second: RuleSetting) -> list[str]:
    """Return the rules in which two settings differ: the cutoff first, then in the order of the convention."""
    return [rule for rule in (CUTOFF, *RULES) if first.value(rule) != second.value(rule)]


def title(rule: str, lang: Lang) -> str:
    """Return the name of a rule."""
    return CUTOFF_TITLE.render(lang) if rule == CUTOFF else RULES[rule].title.render(lang)


def shown_value(setting: RuleSetting, rule: str) -> str:
    """Return the value of a rule as text."""
    value = setting.value(rule)
    return "–" if rule == CUTOFF and value is None else written(value)


def meaning(setting: RuleSetting, rule: str, lang: Lang) -> str:
    """Return the meaning of the value of a rule."""
    if rule != CUTOFF:
        return setting.convention.meaning(rule, lang)
    return NO_CUTOFF.render(lang) if setting.metric.k is None else CUTOFF_MEANING.render(lang, k=setting.metric.k)


def plain_value(setting: RuleSetting, rule: str) -> object:
    """Return the value of a rule as plain data."""
    return setting.metric.k if rule == CUTOFF else setting.convention.to_dict()[rule]


def plain_setting(setting: RuleSetting) -> dict[str, object]:
    """Return the setting as plain data."""
    changed = {rule: plain_value(setting, rule) for rule in setting.rules() if rule != CUTOFF}
    return {"metric": str(setting.metric), "rules": changed}
