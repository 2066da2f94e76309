"""The options of rules, as the page shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rankgauge.conventions import RULES, Convention
from rankgauge.conventions.rule import plain_number, written
from rankgauge.conventions.texts import convention_of
from rankgauge.errors import ParameterError
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.reconciliation.rule_setting import relevant_rules

NEEDS_MORE = {"given", "{}", "weighted", "rolled-up"}
"""Values that need input which the page has no field for."""
SCALE = (1.0, 2.0, 3.0, 4.0, 5.0)
"""Common grades."""
NUMBERS: Mapping[str, Sequence[float]] = {"rel": SCALE, "max_grade": SCALE, "undefined": (0.0, 1.0), "unjudged": (1.0,)}
"""Options for rules that take numbers, when the grades are not known."""


def rules_for_files(metrics: Sequence[str], convention: str, rules: Iterable[str]) -> list[dict[str, Any]]:
    """Return each rule that can affect one of the metrics, with its options."""
    effective = convention_of(convention, rules)
    parsed = [parse(text) for text in metrics]
    moving = {name for metric in parsed for name in relevant_rules(metric.definition) if name not in own_rules(metric)}
    return [
        rule_data(name, effective, (option for option, _ in choices(name, effective, NUMBERS.get(name, ()))))
        for name in RULES
        if name in moving
    ]


def own_rules(metric: Metric) -> set[str | None]:
    """Return the rules that a metric sets itself, so that a convention cannot."""
    return {metric.definition.parameters[name].rule for name in metric.parameters}


def rule_data(name: str, convention: Convention, options: Iterable[Mapping[str, object]]) -> dict[str, Any]:
    """Return a rule with its question, its reason and its options."""
    rule = RULES[name]
    return {
        "name": name,
        "title": [*rule.title],
        "question": [*rule.question],
        "why": [*rule.why],
        "chosen": written(getattr(convention, name)),
        "options": [*options],
    }


def choices(name: str, convention: Convention, numbers: Iterable[float]) -> Iterator[tuple[dict[str, Any], Convention]]:
    """Yield each option of a rule with its meaning, and the convention that has it."""
    seen = set()
    for value in [*RULES[name].values, *map(plain_number, numbers), getattr(convention, name)]:
        text = written(value)
        if value in NEEDS_MORE or text in seen:
            continue
        seen.add(text)
        try:
            rules = convention.replace(**{name: value})
        except ParameterError:  # a kind of value, such as a function, rather than a value
            continue
        yield {"text": text, "meaning": [rules.meaning(name, "en"), rules.meaning(name, "zh")]}, rules
