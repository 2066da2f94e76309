"""Scores as a document: the table of values, notes and the definition used."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from rankgauge.conventions import Convention
from rankgauge.conventions.convention import COMMON_RULES
from rankgauge.conventions.rule import plain_number
from rankgauge.errors import shown
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.document import Document, Paragraph, Table, Value
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.number_texts import decimal

if TYPE_CHECKING:
    from rankgauge.evaluation.scores import Scores

SOME_UNJUDGED = 0.05
"""Share of unjudged items in the top ranks from which it is shown beside the values."""
SHOWN_ORDER = "shown order"
"""What hits of a search trigger whose scores do not tell the order in which they were shown."""
FEW_SYSTEMS = 5
"""Up to this number of systems smaller shares are shown, too, for comparison."""
MESSAGES = {
    "a system": Phrase(
        "{name} is the name of a system, not of a metric; write .system({name})",
        "{name} 是系统名，不是指标名；请写作 .system({name})",
    ),
    "queries": Phrase("{count:# query|# queries}", "{count:,} 个查询"),
    "counted of": Phrase("{counted:,} of {all:# query|# queries}", "{all:,} 个查询中的 {counted:,} 个"),
    "missing": Phrase(
        "{count:# judged query has|# judged queries have} no results ({rule}), first {first}",
        "{count:,} 个有标注的查询没有返回结果（{rule}），首个为 {first}",
    ),
    "missing from": Phrase(
        "{system}: {count:# judged query has|# judged queries have} no results ({rule}), first {first}",
        "{system}：{count:,} 个有标注的查询没有返回结果（{rule}），首个为 {first}",
    ),
    "left out": Phrase("{metric}: {count:# query|# queries} left out (0/0)", "{metric}：{count:,} 个查询未计入（0/0）"),
    "skipped": Phrase(
        "{metric}: {count:# query|# queries} left out (nothing relevant, or 0/0)",
        "{metric}：{count:,} 个查询未计入（没有相关物品，或 0/0）",
    ),
    "without relevant": Phrase(
        "{count:# query has|# queries have} no relevant item ({rule}), first {first}",
        "{count:,} 个查询没有相关物品（{rule}），首个为 {first}",
    ),
    "from values": Phrase(
        "The values were computed elsewhere: the definition, ties and unjudged items are unknown.",
        "这些值由其他工具算出：其定义、并列与未标注物品均不得而知。",
    ),
    "stated": Phrase("{metric} as computed by rankgauge before: {line}", "{metric} 由 rankgauge 先前算出：{line}"),
    "unjudged top": Phrase("Unjudged in the top {k}: {shares}.", "前 {k} 个中未标注的比例：{shares}。"),
    "others": Phrase("others below {share:.0%}", "其余均低于 {share:.0%}"),
    "grades": Phrase("Grades: {rule}", "等级：{rule}"),
    "query": Phrase("query", "查询"),
    "system": Phrase("system", "系统"),
    "all": Phrase("all", "总体"),
    "metric": Phrase("metric", "指标"),
    "every": Phrase("every metric", "所有指标"),
    "rules": Phrase("definition used", "所用定义"),
    "hits": Phrase("hits of a search", "检索命中"),
    "shown order": Phrase(
        "in the order shown, also where scores are equal, whatever ties says", "按返回的次序，分数相同时亦然，不按 ties"
    ),
}


def scores_document(scores: Scores, lang: Lang, per_query: bool, digits: int) -> Document:
    """Return the table of values with notes and the definition used."""
    titles = [MESSAGES["system"].render(lang)] * scores.named
    titles += [MESSAGES["query"].render(lang)] * (per_query or not scores.named)
    rows = [row for system in scores.systems for row in _rows(scores, system, lang, per_query, digits)]
    metrics = scores.metrics
    if len(scores.systems) > 1 and not per_query:
        rows = _with_best(scores, rows)
    table = Table([*titles, *map(str, metrics)], rows, align="l" * len(titles) + "r" * len(metrics))
    if scores.from_values:
        known = MESSAGES["queries"].render(lang, count=len(scores.queries))
        return Document([table, *map(Paragraph, [known, *definitions_of_values(scores, lang)])])
    definition = definition_table(metrics, scores.convention, lang, scores.triggered_rules)
    count = _counted(scores).render(lang)
    return Document([table, *map(Paragraph, [count, *data_notes(scores, lang)]), definition])


def definitions_of_values(scores: Scores, lang: Lang) -> list[str]:
    """Return what is known of the definitions of values from files: those that rankgauge stated in them, or nothing."""
    lines = [
        MESSAGES["stated"].render(lang, metric=metric, line=line) for metric, line in scores.definitions.items() if line
    ]
    unknown = [metric for metric in scores.metrics if not scores.definitions.get(metric)]
    return [*lines, *([MESSAGES["from values"].render(lang)] if unknown else [])]


def _counted(scores: Scores) -> Phrase:
    """Return how many queries there are, and how many count if those without results are left out of every mean."""
    skips = all(scores.convention.for_metric(metric.name).missing == "skip" for metric in scores.metrics)
    lacking = {len(scores.missing_in(system)) for system in scores.systems}
    count = len(scores.queries)
    if not skips or lacking == {0} or len(lacking) > 1:
        return MESSAGES["queries"].fill(count=count)
    return MESSAGES["counted of"].fill(counted=count - lacking.pop(), all=count)


def _rows(scores: Scores, system: str, lang: Lang, per_query: bool, digits: int) -> list[list[str]]:
    name = [system] * scores.named
    rows = []
    if per_query:
        columns = [scores.per_query(metric, system) for metric in scores.metrics]
        shown = [query for query in scores.queries if any(query in column for column in columns)]
        cells = [
            [_cell(metric, column.get(query), digits) for query in shown]
            for metric, column in zip(scores.metrics, columns, strict=True)
        ]
        rows = [[*name, str(query), *row] for query, *row in zip(shown, *cells, strict=True)]
    means = [_cell(metric, scores.mean(metric, system), digits) for metric in scores.metrics]
    return [*rows, [*name, *[MESSAGES["all"].render(lang)] * (per_query or not scores.named), *means]]


def _with_best(scores: Scores, rows: list[list[str]]) -> list[list[str]]:
    """Return the rows with the best value of each metric marked, wherever it is not the value of all systems."""
    marked = [[*row] for row in rows]
    for place, metric in enumerate(scores.metrics, len(rows[0]) - len(scores.metrics)):
        means = [scores.mean(metric, system) for system in scores.systems]
        defined = [mean for mean in means if not isnan(mean)]
        if not metric.definition.is_quality:
            continue
        best = (max if metric.definition.higher_is_better else min)(defined, default=0.0)
        leaders = [row for row, mean in zip(marked, means, strict=True) if mean == best]
        for row in leaders if len(leaders) < len(rows) else []:
            row[place] = Value(row[place], best=True)
    return marked


def _cell(metric: Metric, value: float | None, digits: int) -> str:
    """Return a value as shown in a table; a dash for a query that the rules of this metric leave out."""
    if value is None:
        return "–"
    return str(plain_number(value)) if metric.definition.summary.is_count else decimal(value, digits)


def data_notes(scores: Scores, lang: Lang) -> list[str]:
    """Return what about the data can change a conclusion: grades, missing queries, queries left out, unjudged items."""
    notes = [] if scores.grades is None else [MESSAGES["grades"].render(lang, rule=scores.grades.render(lang))]
    notes += catalogue_notes(scores, lang) + _missing_notes(scores, lang)
    if queries := scores.without_relevant:
        values = {"rule": scores.convention.meaning("no_relevant", lang), "first": queries[0]}
        notes.append(MESSAGES["without relevant"].render(lang, count=len(queries), **values))
    left_out = MESSAGES["skipped" if scores.convention.no_relevant == "skip" else "left out"]
    notes += [
        left_out.render(lang, metric=metric, count=count)
        for system in scores.systems
        for metric in scores.query_metrics
        if (count := int(scores.left_out(metric, system).sum()))
    ]
    return notes + unjudged_notes(scores, lang)


def system_notes(scores: Scores, lang: Lang, name: str = "") -> list[str]:
    """Return how many judged queries each system has no results for, and the share of unjudged items in its top ranks.

    ``name`` is what a single system is called.
    """
    return _missing_notes(scores, lang, name) + unjudged_notes(scores, lang, name)


def catalogue_notes(scores: Scores, lang: Lang) -> list[str]:
    """Return which catalogue metrics of items used, if they did."""
    return [] if scores.catalogue is None else [scores.catalogue.render(lang)]


def _missing_notes(scores: Scores, lang: Lang, name: str = "") -> list[str]:
    message = MESSAGES["missing from" if name or len(scores.systems) > 1 else "missing"]
    return [
        message.render(lang, system=name or system, count=len(queries), rule=rule, first=shown(queries[0]))
        for system in scores.systems
        for queries, rule in missing_by_rule(scores, system, lang)
    ]


def missing_by_rule(scores: Scores, system: str, lang: Lang) -> list[tuple[tuple[Any, ...], str]]:
    """Return the queries for which a system returned nothing, by how they count: those with an empty list always do."""
    as_empty = scores.convention.replace(missing="zero")
    absent = {scores.queries[place] for place in scores.by_system[system][1]}
    by_rule: dict[str, list[Any]] = {}
    for query in scores.missing_in(system):
        rules = scores.convention if query in absent else as_empty
        by_rule.setdefault(rules.meaning("missing", lang), []).append(query)
    return [(tuple(queries), rule) for rule, queries in by_rule.items()]


def unjudged_notes(scores: Scores, lang: Lang, name: str = "") -> list[str]:
    """Return the share of unjudged items in the top ranks of each system, where it matters for one of them.

    Of many systems, those for which it matters.
    """
    shares = {name or system: scores.unjudged_top.get(system, 0.0) for system in scores.systems}
    if max(shares.values()) < SOME_UNJUDGED:
        return []
    named = shares if len(shares) <= FEW_SYSTEMS else {name: n for name, n in shares.items() if n >= SOME_UNJUDGED}
    parts = [f"{system} {share:.0%}" if system else f"{share:.0%}" for system, share in named.items()]
    parts += [MESSAGES["others"].render(lang, share=SOME_UNJUDGED)] if len(named) < len(shares) else []
    listed = ("、" if lang == "zh" else ", ").join(parts)
    return [MESSAGES["unjudged top"].render(lang, k=scores.unjudged_k, shares=listed)]


def definition_table(
    metrics: Sequence[Metric], convention: Convention, lang: Lang, triggered: Collection[str] = ()
) -> Table:
    """Return the notable rules of each metric, then those that all of them share."""
    effective = {metric: metric.effective_convention(convention) for metric in metrics}
    shared = shared_rules(metrics, convention)
    triggered = {*triggered, *("budget_end" for metric in metrics if metric.budget is not None)}
    names_by_line: dict[str, list[str]] = {}
    for metric, rules in effective.items():
        metric_rules = [rule for rule in metric.used_rules(rules) if rule not in shared]
        line = metric.definition.line(metric.parameters, rules.line(rules.notable(metric_rules, triggered), lang))
        names_by_line.setdefault(line, []).append(str(metric))
    rows = [[", ".join(names), line] for line, names in names_by_line.items() if line]
    rows += shown_order_rows(triggered, lang)
    rows.append([MESSAGES["every"].render(lang), effective[metrics[0]].short_line(shared, lang, triggered)])
    return Table([MESSAGES["metric"].render(lang), MESSAGES["rules"].render(lang)], rows)


def shown_order_rows(triggered: Collection[str], lang: Lang) -> list[list[str]]:
    """Return a row that says how hits of a search were ordered where the rule for ties does not say it."""
    return [[MESSAGES["hits"].render(lang), MESSAGES["shown order"].render(lang)]] if SHOWN_ORDER in triggered else []


def shared_rules(metrics: Sequence[Metric], convention: Convention) -> list[str]:
    """Return the rules of all metrics and of their means that each of these uses with the same value.

    >>> import rankgauge as rg
    >>> shared_rules([rg.P, rg.ItemCoverage], rg.Convention())  # coverage is corpus-level: no query can be 0/0
    ['ties', 'score_precision', 'units', 'duplicates', 'unjudged', 'fractions', 'negative', 'match', 'missing']
    """
    effective = [metric.effective_convention(convention) for metric in metrics]
    used = [metric.used_rules(rules) for metric, rules in zip(metrics, effective, strict=True)]
    return [
        rule
        for rule in COMMON_RULES
        if all(rule in names for names in used) and len({getattr(rules, rule) for rules in effective}) == 1
    ]
