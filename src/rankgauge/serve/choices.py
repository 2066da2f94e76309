"""What can be chosen for a rule, as the page shows it: of one list with the number of each choice, of files without."""

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

NEEDS_MORE = {"given", "{}", "weighted"}
"""Values of rules that need something that the page does not ask for."""
SCALE = (1.0, 2.0, 3.0, 4.0, 5.0)
"""Grades that files often have."""
WORTH_TRYING: Mapping[str, Sequence[float]] = {
    "rel": SCALE,
    "max_grade": SCALE,
    "undefined": (0.0, 1.0),
    "unjudged": (1.0,),
}
"""Numbers worth trying for a rule that takes numbers, where nothing is known of the grades."""


def of_files(metrics: Sequence[str], convention: str, rules: Iterable[str]) -> list[dict[str, Any]]:
    """Each rule that can move some of the metrics, with its choices."""
    force = convention_of(convention, rules)
    moving = {name for text in metrics for name in _open_to(parse(text))}
    return [
        described(name, force, (option for option, _ in choices(name, force, WORTH_TRYING.get(name, ()))))
        for name in RULES
        if name in moving
    ]


def _open_to(metric: Metric) -> set[str]:
    """The rules that a convention decides for a metric: those that move it, less what it sets itself."""
    return {*relevant_rules(metric.definition)} - own_rules(metric)


def own_rules(metric: Metric) -> set[str | None]:
    """The rules that a metric sets itself, so that no convention can."""
    return {metric.definition.parameters[name].rule for name in metric.parameters}


def described(name: str, force: Convention, options: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """A rule, what it asks, and what can be chosen."""
    rule = RULES[name]
    return {
        "name": name,
        "title": [*rule.title],
        "question": [*rule.question],
        "why": [*rule.why],
        "chosen": written(getattr(force, name)),
        "options": [*options],
    }


def choices(name: str, force: Convention, numbers: Iterable[float]) -> Iterator[tuple[dict[str, Any], Convention]]:
    """What can be chosen for a rule, each once and in words, and the convention with it."""
    seen = set()
    for value in [*RULES[name].values, *map(plain_number, numbers), getattr(force, name)]:
        text = written(value)
        if value in NEEDS_MORE or text in seen:
            continue
        seen.add(text)
        try:
            rules = force.replace(**{name: value})
        except ParameterError:  # a kind of value, such as a function, rather than a value
            continue
        yield {"text": text, "meaning": [rules.meaning(name, "en"), rules.meaning(name, "zh")]}, rules
