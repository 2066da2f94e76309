"""Measures over judgment groups: an ordinary measure for the judgments of each person, then the mean over persons.

Each group of a query is matched as if it were a query of its own with the same ranking, so the values are those of the
metrics of this library and of nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rankgauge.conventions import DEFAULT, Convention
from rankgauge.inputs.findings import Findings
from rankgauge.kernels.average import AP
from rankgauge.kernels.precision import P, Rprec
from rankgauge.matching.apply_rules import settle
from rankgauge.matching.from_dicts import match_dicts
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats, Segments
from rankgauge.trec_eval.grouped_files import read_grouped_grades
from rankgauge.trec_eval.measure import Evaluated, Measure, Setting
from rankgauge.trec_eval.measures import FIFTHS, NUM_Q, RUNID, STANDARD
from rankgauge.trec_eval.options import Options
from rankgauge.trec_eval.qrels import cut
from rankgauge.trec_eval.several_people import Rankings, Wanted, evaluate_topics

GROUP_MEANINGS: Mapping[str, Phrase] = {
    "map_avgjg": Phrase(
        "Average precision under the judgments of each judgment group, then the mean over the groups of the query.",
        "分别按每个标注组的标注计算平均精确率，再对该查询的各组求平均。",
    ),
    "P_avgjg": Phrase(
        "Precision at a cutoff under the judgments of each judgment group, then the mean over the groups of the query.",
        "分别按每个标注组的标注计算前 k 个的精确率，再对该查询的各组求平均。",
    ),
    "Rprec_mult_avgjg": Phrase(
        "Precision at a multiple m of R, the number of items that the group finds relevant: at the rank m R + 0.9, "
        "cut to a whole number; then the mean over the groups of the query.",
        "在 R（该组认为相关的物品数）的 m 倍处的精确率，即名次取 m R + 0.9 的整数部分；再对该查询的各组求平均。",
    ),
}
"""What each measure says, in both languages."""

GROUP_MEASURES: tuple[Measure, ...] = (
    Measure("map_avgjg", GROUP_MEANINGS["map_avgjg"].en, formats=("qrels_jg",)),
    Measure("P_avgjg", GROUP_MEANINGS["P_avgjg"].en, kind="cutoffs", default=STANDARD, formats=("qrels_jg",)),
    Measure(
        "Rprec_mult_avgjg", GROUP_MEANINGS["Rprec_mult_avgjg"].en, kind="points", default=FIFTHS, formats=("qrels_jg",)
    ),
)
"""All measures over judgment groups, in the order in which trec_eval prints them."""

MEASURES = (RUNID, NUM_Q, *GROUP_MEASURES)
NICKNAMES = {"qrels_jg": tuple(measure.name for measure in MEASURES)}


def evaluate(options: Options, wanted: Wanted) -> Evaluated:
    """Read both files and evaluate."""
    return evaluate_topics(options, wanted, read_grouped_grades, group_columns)


def group_columns(
    judgments: Mapping[str, Mapping[str, Mapping[str, float]]],
    rankings: Rankings,
    queries: Sequence[str],
    settings: Wanted,
    convention: Convention = DEFAULT,
    depth: int | None = None,
) -> dict[str, Floats]:
    """The values of measures over judgment groups, by printed name, one for each query.

    Parameters
    ----------
    judgments
        The grade of each item, by query and group.
    rankings
        The score of each returned item, by query; a query that is not there returned nothing.
    queries
        The judged queries in question.
    settings
        The lines to be printed, each with its measure.
    convention
        The rules in force: the relevance level (``-l``), unjudged items removed (``-J``), the precision of scores.
    depth
        How many returned items are looked at (``-M``); None for all.

    Examples
    --------
    >>> judgments = {"1": {"ann": {"a": 1, "b": 0}, "bob": {"a": 0, "b": 1}}}
    >>> asked = [(Measure("map_avgjg"), Setting("map_avgjg"))]
    >>> group_columns(judgments, {"1": {"a": 2, "b": 1}}, ["1"], asked)  # (1 + 1/2) / 2
    {'map_avgjg': array([0.75])}
    """
    by_group = {(query, name): judgments[query][name] for query in queries for name in sorted(judgments[query])}
    same_ranking = {(query, name): rankings.get(query, {}) for query, name in by_group}
    persons = [*by_group]
    metrics = {setting.name: _metric(measure, setting) for measure, setting in settings}
    values = {name: np.zeros(len(persons)) for name in metrics}
    for numbers, matched in match_dicts(by_group, same_ranking, persons, convention, Findings()):
        judged = settle(cut(matched, depth), convention)
        for name, metric in metrics.items():
            values[name][numbers] = metric.values(judged, convention)
    groups = Segments.of_sizes(np.array([len(judgments[query]) for query in queries], dtype=np.int64))
    return {name: groups.sum(column) / groups.sizes for name, column in values.items()}


def _metric(measure: Measure, setting: Setting) -> Metric:
    """The metric of which a measure is the mean over groups."""
    match measure.name:
        case "map_avgjg":
            return AP
        case "P_avgjg":
            return P(k=int(setting.numbers[0]))
        case _:
            return Rprec(multiple=setting.numbers[0])
