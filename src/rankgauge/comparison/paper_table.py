"""The table of a paper: systems x metrics, the best value in bold, superscripts for significant differences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from string import ascii_lowercase
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.comparison.document import CORRECTIONS, NOTES
from rankgauge.comparison.metric_comparison import MetricComparison, QueryComparison
from rankgauge.comparison.number_texts import number
from rankgauge.rendering.blocks import Value
from rankgauge.rendering.document import Document, Table
from rankgauge.rendering.language import Lang, Phrase

if TYPE_CHECKING:
    from rankgauge.comparison.comparison import Comparison

MESSAGES = {
    "system": Phrase("system", "系统"),
    "caption": Phrase(
        "{metrics} on {queries:# query|# queries}. The best value of each metric is bold. A superscript names the "
        "systems that a value is significantly better than ({test}, p < {alpha:g}; {correction}).",
        "{queries:,} 个查询上的 {metrics}。每个指标的最好值为粗体。上标表示该值显著优于哪些系统"
        "（{test}，p < {alpha:g}；{correction}）。",
    ),
    "no marks": Phrase(
        "{metrics} on {queries:# query|# queries}. The best value of each metric is bold. No difference is significant "
        "({test}, p < {alpha:g}; {correction}).",
        "{queries:,} 个查询上的 {metrics}。每个指标的最好值为粗体。所有差异均不显著"
        "（{test}，p < {alpha:g}；{correction}）。",
    ),
    "t": Phrase("paired t test", "配对 t 检验"),
    "bootstrap": Phrase("bootstrap over queries", "对查询的自助法"),
    "both": Phrase("paired t test; bootstrap over queries for {metrics}", "配对 t 检验；{metrics} 为对查询的自助法"),
}


def paper_document(comparison: Comparison, lang: Lang) -> Document:
    """Return systems x metrics as one table with a caption that names the test and the correction."""
    return Document([marked_table(comparison, comparison.systems, lang)])


def marked_table(comparison: Comparison, systems: Sequence[str], lang: Lang) -> Table:
    """Return systems, in the order given, x metrics with marks for significant differences."""
    marks = dict(zip(systems, system_marks(len(systems)), strict=True))
    columns = [_column(comparison, metric, marks) for metric in comparison.metrics]
    rows = [[marks[system], system, *(column[place] for column in columns)] for place, system in enumerate(systems)]
    titles = ["", MESSAGES["system"].render(lang), *comparison.metrics]
    keys, align = ("mark", "system", *comparison.metrics), "ll" + "r" * len(columns)
    if any(value.marks for column in columns for value in column):
        return Table(titles, rows, align, caption=_caption(comparison, lang, "caption"), keys=keys)
    rows, caption = [row[1:] for row in rows], _caption(comparison, lang, "no marks")
    return Table(titles[1:], rows, align[1:], caption=caption, keys=keys[1:])


def system_marks(count: int) -> list[str]:
    """Return a mark for each system: letters, or numbers from the 27th on.

    >>> system_marks(3), system_marks(28)[-2:]
    (['a', 'b', 'c'], ['27', '28'])
    """
    return [*ascii_lowercase[:count]] if count <= len(ascii_lowercase) else [str(n) for n in range(1, count + 1)]


def _column(comparison: Comparison, metric: str, marks: dict[str, str]) -> list[Value]:
    """Return the cells of a metric, with the marks of the systems that each is significantly better than."""
    statistics = comparison.statistics(metric)
    places = [comparison.systems.index(system) for system in marks]
    means = statistics.means[places]
    gains = means[:, None] - means if statistics.higher_is_better else means - means[:, None]
    beaten = statistics.significant[np.ix_(places, places)] & (gains > 0)
    shown = [number(mean, f".{comparison.settings.digits}f") for mean in means.tolist()]
    best = shown[[*marks].index(comparison.leaderboard(metric)[0].system)]
    separator = "" if len(marks) <= len(ascii_lowercase) else ","
    return [
        Value(text, best=text == best, marks=separator.join(compress(marks.values(), row)))
        for text, row in zip(shown, beaten.tolist(), strict=True)
    ]


def _caption(comparison: Comparison, lang: Lang, key: str) -> str:
    statistics = {metric: comparison.statistics(metric) for metric in comparison.metrics}
    family = len(statistics[comparison.metrics[0]].compared.all_pairs)
    method = CORRECTIONS[comparison.settings.correction]
    correction = NOTES["corrected" if family > 1 else "one pair"].fill(pairs=family, how=method)
    return MESSAGES[key].render(
        lang,
        metrics=("、" if lang == "zh" else ", ").join(comparison.metrics),
        queries=max(one.queries for one in statistics.values()),
        test=_test(statistics, lang),
        alpha=comparison.settings.alpha,
        correction=_lowered(correction.render(lang)),
    )


def _test(statistics: dict[str, MetricComparison], lang: Lang) -> str:
    corpus = [metric for metric, one in statistics.items() if not isinstance(one, QueryComparison)]
    key = "t" if not corpus else "bootstrap" if len(corpus) == len(statistics) else "both"
    return MESSAGES[key].render(lang, metrics=", ".join(corpus))


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]
