"""The definition used: a table of the rules that apply to the metrics."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.conventions import Convention
from rankgauge.metric_core.definition import RULES_OF_ALL
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.document import Table
from rankgauge.rendering.language import Lang, Phrase

MESSAGES = {
    "metric": Phrase("metric", "指标"),
    "every": Phrase("every metric", "所有指标"),
    "rules": Phrase("definition used", "所用定义"),
}


def definition_table(metrics: Sequence[Metric], convention: Convention, lang: Lang) -> Table:
    """Return the rules of each metric, then those that all of them share."""
    effective = {metric: metric.effective_convention(convention) for metric in metrics}
    shared = shared_rules(metrics, convention)
    names_by_line: dict[str, list[str]] = {}
    for metric, rules in effective.items():
        own = [rule for rule in metric.definition.applicable_rules if rule not in shared]
        names_by_line.setdefault(rules.line(own, lang), []).append(str(metric))
    rows = [[", ".join(names), line] for line, names in names_by_line.items() if line]
    rows.append([MESSAGES["every"].render(lang), effective[metrics[0]].line(shared, lang)])
    return Table([MESSAGES["metric"].render(lang), MESSAGES["rules"].render(lang)], rows)


def shared_rules(metrics: Sequence[Metric], convention: Convention) -> list[str]:
    """Return the rules of all metrics that apply to each of these with the same value.

    >>> import rankgauge as rg
    >>> shared_rules([rg.P, rg.ItemCoverage], rg.Convention())  # coverage is corpus-level: no query can be 0/0
    ['ties', 'unjudged', 'negative']
    """
    effective = [metric.effective_convention(convention) for metric in metrics]
    return [
        rule
        for rule in RULES_OF_ALL
        if all(rule in metric.definition.applicable_rules for metric in metrics)
        and len({getattr(rules, rule) for rules in effective}) == 1
    ]
