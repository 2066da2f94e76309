"""The definition used under a table of values: the rules that move them."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.conventions import Convention
from rankgauge.metric_core.definition import RULES_OF_ALL
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.document import Table
from rankgauge.rendering.language import Lang, Phrase

WORDS = {
    "metric": Phrase("metric", "指标"),
    "every": Phrase("every metric", "所有指标"),
    "rules": Phrase("definition used", "所用定义"),
}


def definition_in_force(metrics: Sequence[Metric], convention: Convention, lang: Lang) -> Table:
    """What moves one metric, then what moves them all."""
    force = {metric: metric.effective_convention(convention) for metric in metrics}
    of_all = shared_rules(metrics, convention)
    alike: dict[str, list[str]] = {}
    for metric, rules in force.items():
        own = [rule for rule in metric.definition.applicable_rules if rule not in of_all]
        alike.setdefault(rules.line(own, lang), []).append(str(metric))
    rows = [[", ".join(names), line] for line, names in alike.items() if line]
    rows.append([WORDS["every"].render(lang), force[metrics[0]].line(of_all, lang)])
    return Table([WORDS["metric"].render(lang), WORDS["rules"].render(lang)], rows)


def shared_rules(metrics: Sequence[Metric], convention: Convention) -> list[str]:
    """The rules of every metric that move each of these, and are the same for all of them.

    >>> import rankgauge as rg
    >>> shared_rules([rg.P, rg.ItemCoverage], rg.Convention())  # coverage has no value of a query that could be 0/0
    ['ties', 'unjudged', 'negative']
    """
    force = [metric.effective_convention(convention) for metric in metrics]
    return [
        rule
        for rule in RULES_OF_ALL
        if all(rule in metric.definition.applicable_rules for metric in metrics)
        and len({getattr(rules, rule) for rules in force}) == 1
    ]
