"""Setting: a metric and all rules that can move it, in a form in which two of them can be laid side by side."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from rankgauge.conventions import DEFAULT, RULES, Convention
from rankgauge.conventions.rule import written
from rankgauge.metric_core.definition import Definition
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.language import Lang, Phrase

CUTOFF = "k"
"""The cutoff, which people change like a rule."""
CUTOFF_TITLE = Phrase("cutoff", "截断")
CUTOFF_MEANING = Phrase("only the first {k} items count", "只计前 {k} 个物品")
NO_CUTOFF = Phrase("all items count", "所有物品都计入")


class Setting(NamedTuple):
    """A metric that sets no rule of its own, and the convention that sets them all.

    >>> import rankgauge as rg
    >>> Setting.of(rg.nDCG(gain="exp2") @ 5, rg.Convention(p_over="returned", rel=3)).rules()
    {'k': 5, 'gain': 'exp2'}
    """

    metric: Metric
    convention: Convention

    @classmethod
    def of(cls, metric: Metric, convention: Convention) -> Setting:
        """What the metric means under the convention; rules that cannot move it are as by default."""
        definition, force = metric.definition, metric.effective_convention(convention)
        moving = {name: getattr(force, name) for name in rules_moving(definition)}
        if reads_rel(definition, force):
            moving["rel"] = force.rel
        if force.ties == "random":
            moving["seed"] = force.seed
        return cls(bare(metric), DEFAULT.replace(**moving))

    def rules(self) -> dict[str, Any]:
        """The cutoff, and the rules that are not as by default."""
        own = {name: getattr(self.convention, name) for name in RULES}
        return {CUTOFF: self.metric.k} | {name: value for name, value in own.items() if value != getattr(DEFAULT, name)}

    def value(self, rule: str) -> Any:
        """The value of a rule, or the cutoff."""
        return self.metric.k if rule == CUTOFF else getattr(self.convention, rule)

    def replace(self, **rules: Any) -> Setting:
        """The same with some rules (or the cutoff) changed."""
        metric = self.metric @ rules.pop(CUTOFF) if CUTOFF in rules else self.metric
        return Setting(metric, self.convention.replace(**rules) if rules else self.convention)

    def toward(self, other: Setting, rules: Iterable[str]) -> Setting:
        """The same with these rules as the other has them."""
        return self.replace(**{rule: other.value(rule) for rule in rules})


def bare(metric: Metric) -> Metric:
    """The metric with its cutoff and other numbers, but without the rules that it sets."""
    declared = metric.definition.parameters
    return Metric(
        metric.definition, {name: value for name, value in metric.parameters.items() if declared[name].rule is None}
    )


def rules_moving(definition: Definition) -> tuple[str, ...]:
    """The rules that can move the mean of a metric, in the order of the convention."""
    moving = {*definition.applicable_rules, "score_precision", "missing"}
    moving.update(definition.summary.rules)
    return tuple(name for name in RULES if name in moving)


def reads_rel(definition: Definition, convention: Convention) -> bool:
    """Whether the relevance level moves the metric: it reads it, or a rule in force does."""
    by_gain = "gain" in definition.rules and convention.gain == "exp2-rel"
    return "rel" in definition.rules or by_gain or convention.no_relevant == "skip"


def differing(first: Setting, second: Setting) -> list[str]:
    """The rules in which two settings differ, the cutoff first, then in the order of the convention."""
    return [rule for rule in (CUTOFF, *RULES) if first.value(rule) != second.value(rule)]


def title(rule: str, lang: Lang) -> str:
    """What a rule is called."""
    return CUTOFF_TITLE.render(lang) if rule == CUTOFF else RULES[rule].title.render(lang)


def shown_value(setting: Setting, rule: str) -> str:
    """The value of a rule as it is written."""
    value = setting.value(rule)
    return "–" if rule == CUTOFF and value is None else written(value)


def meaning(setting: Setting, rule: str, lang: Lang) -> str:
    """What the value of a rule means."""
    if rule != CUTOFF:
        return setting.convention.meaning(rule, lang)
    return NO_CUTOFF.render(lang) if setting.metric.k is None else CUTOFF_MEANING.render(lang, k=setting.metric.k)


def plain_value(setting: Setting, rule: str) -> Any:
    """The value of a rule as plain data."""
    return setting.metric.k if rule == CUTOFF else setting.convention.to_dict()[rule]


def number_or_none(value: float) -> float | None:
    """What is not a number as None, for JSON."""
    return None if math.isnan(value) else value


def plain(setting: Setting) -> dict[str, Any]:
    """The setting as plain data."""
    own = {rule: plain_value(setting, rule) for rule in setting.rules() if rule != CUTOFF}
    return {"metric": str(setting.metric), "rules": own}
