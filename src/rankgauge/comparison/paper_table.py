"""The table of a paper: systems x metrics, the best value in bold, superscripts for significant differences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from string import ascii_lowercase
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.comparison.document import family_phrase
from rankgauge.comparison.metric_comparison import MetricComparison, QueryComparison
from rankgauge.evaluation.score_document import definition_table, definitions_of_values, missing_by_rule, unjudged_notes
from rankgauge.rendering.document import Document, Table, Value
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.number_texts import number

if TYPE_CHECKING:
    from rankgauge.comparison.comparison import Comparison

BETTER, WORSE = "+", "−"
RANGE = 3
"""From this many neighbours on, marks are written as a range."""
MESSAGES = {
    "system": Phrase("system", "系统"),
    "caption": Phrase(
        "{metrics} on {queries:# query|# queries}.{bold} {marks} ({test}, p < {alpha:g}; {correction}).",
        "{queries:,} 个查询上的 {metrics}。{bold}{marks}（{test}，p < {alpha:g}；{correction}）。",
    ),
    "baseline": Phrase(
        "{metrics} on {queries:# query|# queries}.{bold} + and − mark values significantly better and worse than the "
        "baseline {baseline} ({test}, p < {alpha:g}; {correction}).",
        "{queries:,} 个查询上的 {metrics}。{bold}+ 与 − 分别表示显著优于与显著差于基线 {baseline}"
        "（{test}，p < {alpha:g}；{correction}）。",
    ),
    "no marks": Phrase(
        "{metrics} on {queries:# query|# queries}.{bold} No difference is significant ({test}, p < {alpha:g}; "
        "{correction}).",
        "{queries:,} 个查询上的 {metrics}。{bold}所有差异均不显著（{test}，p < {alpha:g}；{correction}）。",
    ),
    "bold": Phrase(" The best value of each metric is bold.", "每个指标的最好值为粗体。"),
    "superscript": Phrase(
        "A superscript names the systems that a value is significantly better than", "上标表示该值显著优于哪些系统"
    ),
    "letters": Phrase(
        "The marks after a value name the systems that it is significantly better than",
        "数值后的标记表示该值显著优于哪些系统",
    ),
    "unmarked": Phrase(
        " {metrics} {count:says|say} how complete the judgments are, not how good a system is, and {count:has|have} no "
        "marks.",
        "{metrics} 反映标注的完整程度而非系统的好坏，不加标记。",
    ),
    "definition": Phrase(" Definitions: {lines}.", "定义：{lines}。"),
    "lacks": Phrase(
        " {system} has no results for {count:,} of {queries:# query|# queries} ({rule}).",
        "{system} 在 {queries:,} 个查询中有 {count:,} 个没有结果（{rule}）。",
    ),
    "t": Phrase("paired t test", "配对 t 检验"),
    "bootstrap": Phrase("bootstrap over queries", "对查询的自助法"),
    "both": Phrase("paired t test; bootstrap over queries for {metrics}", "配对 t 检验；{metrics} 为对查询的自助法"),
}


def paper_document(comparison: Comparison, lang: Lang) -> Document:
    """Return systems x metrics, the baseline first, with a caption that says how they were computed."""
    order = [comparison.baseline, *(system for system in comparison.systems if system != comparison.baseline)]
    table, note = marked_table(comparison, order, lang), _provenance_note(comparison, lang)
    return Document([replace(table, caption=table.caption + note, plain_caption=table.plain_caption + note)])


def _provenance_note(comparison: Comparison, lang: Lang) -> str:
    """Return the definitions of the metrics, the queries without results and the unjudged items of each system."""
    scores = comparison.scores
    if scores is None:
        return ""
    if scores.from_values:
        separator = "" if lang == "zh" else " "
        return separator + separator.join(definitions_of_values(scores, lang))
    colon, semicolon = ("：", "；") if lang == "zh" else (": ", "; ")
    definitions = definition_table(scores.metrics, scores.convention, lang, scores.triggered_rules)
    note = MESSAGES["definition"].render(lang, lines=semicolon.join(colon.join(row) for row in definitions.rows))
    for system in comparison.systems:
        for lacking, rule in missing_by_rule(scores, system, lang):
            count, queries = len(lacking), len(scores.queries)
            note += MESSAGES["lacks"].render(lang, system=system, count=count, queries=queries, rule=rule)
    is_column = any(metric.k == scores.unjudged_k and not metric.definition.is_quality for metric in scores.metrics)
    return ("" if lang == "zh" else " ").join([note, *([] if is_column else unjudged_notes(scores, lang))])


def marked_table(comparison: Comparison, systems: Sequence[str], lang: Lang, *, numbered: bool = False) -> Table:
    """Return systems, in the order given, x metrics with marks for significant differences.

    With a baseline that was named, marks say whether a value is better or worse than it. Otherwise each system has a
    letter, or a number if ``numbered``, and a value has those of the systems that it is better than.
    """
    against_baseline = not comparison.covers_all_pairs()
    names = [str(n) for n in range(1, len(systems) + 1)] if numbered else system_marks(len(systems))
    marks = dict(zip(systems, names, strict=True))
    column = _baseline_column if against_baseline else _column
    unmarked = _unmarked(comparison)
    columns = [
        [*map(Value, cells)] if metric in unmarked else cells
        for metric in comparison.metrics
        for cells in [column(comparison, metric, marks)]
    ]
    rows = [[marks[system], system, *(column[place] for column in columns)] for place, system in enumerate(systems)]
    titles = ["", MESSAGES["system"].render(lang), *comparison.metrics]
    keys, align = ("mark", "system", *comparison.metrics), "ll" + "r" * len(columns)
    has_marks = any(value.marks for column in columns for value in column)
    key = "no marks" if not has_marks else "baseline" if against_baseline else "caption"
    first = 0 if key == "caption" else 1
    return Table(
        titles[first:],
        [row[first:] for row in rows],
        align[first:],
        caption=_caption(comparison, lang, key),
        plain_caption=_caption(comparison, lang, key, plain=True),
        keys=keys[first:],
    )


def system_marks(count: int) -> list[str]:
    """Return a mark for each system: letters, or numbers from the 27th on.

    >>> system_marks(3), system_marks(28)[-2:]
    (['a', 'b', 'c'], ['27', '28'])
    """
    return [*ascii_lowercase[:count]] if count <= len(ascii_lowercase) else [str(n) for n in range(1, count + 1)]


def _baseline_column(comparison: Comparison, metric: str, systems: Iterable[str]) -> list[Value]:
    """Return the cells of a metric, with marks at those significantly better or worse than the baseline."""
    marks = {pair.second: BETTER if pair.gain > 0 else WORSE for pair in comparison.pairs(metric) if pair.significant}
    board = {row.system: number(row.mean, f".{comparison.settings.digits}f") for row in comparison.leaderboard(metric)}
    best = next(iter(board.values()))
    return [Value(board[system], best=board[system] == best, marks=marks.get(system, "")) for system in systems]


def _unmarked(comparison: Comparison) -> list[str]:
    """Return the metrics whose values say nothing about the quality of a system."""
    parsed = comparison.parsed_metrics
    return [metric for metric in comparison.metrics if metric in parsed and not parsed[metric].definition.is_quality]


def _column(comparison: Comparison, metric: str, marks: dict[str, str]) -> list[Value]:
    """Return the cells of a metric, with the marks of the systems that each is significantly better than."""
    statistics = comparison.statistics(metric)
    places = [comparison.systems.index(system) for system in marks]
    means = statistics.means[places]
    gains = means[:, None] - means if statistics.higher_is_better else means - means[:, None]
    beaten = statistics.significant[np.ix_(places, places)] & (gains > 0)
    shown = [number(mean, f".{comparison.settings.digits}f") for mean in means.tolist()]
    best = shown[[*marks].index(comparison.leaderboard(metric)[0].system)]
    return [
        Value(text, best=text == best, marks=_joined([*marks.values()], row))
        for text, row in zip(shown, beaten.tolist(), strict=True)
    ]


def _joined(marks: Sequence[str], chosen: Sequence[bool]) -> str:
    """Return the chosen marks, neighbours as a range.

    >>> _joined("abcdef", [True, False, True, True, True, True]), _joined("abc", [True, True, False])
    ('ac–f', 'ab')
    >>> _joined(["1", "2", "3", "4"], [True, False, True, True])
    '1,3,4'
    """
    parts: list[str] = []
    for is_chosen, run in groupby(zip(marks, chosen, strict=True), key=itemgetter(1)):
        names = [mark for mark, _ in run]
        if is_chosen:
            parts += names if len(names) < RANGE else [f"{names[0]}–{names[-1]}"]
    return ("," if any(mark.isdigit() for mark in marks) else "").join(parts)


def _caption(comparison: Comparison, lang: Lang, key: str, *, plain: bool = False) -> str:
    """Return the caption; ``plain`` where there is neither bold type nor a superscript."""
    statistics = {metric: comparison.statistics(metric) for metric in comparison.metrics}
    comma, unmarked = "、" if lang == "zh" else ", ", _unmarked(comparison)
    no_marks = MESSAGES["unmarked"].render(lang, metrics=comma.join(unmarked), count=len(unmarked)) if unmarked else ""
    caption = MESSAGES[key].render(
        lang,
        metrics=comma.join(comparison.metrics),
        queries=max(one.queries for one in statistics.values()),
        test=_test(statistics, lang),
        alpha=comparison.settings.alpha,
        correction=family_phrase(comparison, comparison.pairs(comparison.metrics[0])),
        baseline=comparison.baseline,
        bold="" if plain else MESSAGES["bold"],
        marks=MESSAGES["letters" if plain else "superscript"],
    )
    return caption + no_marks


def _test(statistics: dict[str, MetricComparison], lang: Lang) -> str:
    corpus = [metric for metric, one in statistics.items() if not isinstance(one, QueryComparison)]
    key = "t" if not corpus else "bootstrap" if len(corpus) == len(statistics) else "both"
    return MESSAGES[key].render(lang, metrics=", ".join(corpus))
