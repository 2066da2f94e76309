"""Measures over judgment groups: an ordinary measure for each assessor's judgments, then the mean over assessors.

Each group is matched as if it were a query of its own with the same ranking, so the values are those of the metrics
of this library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rankgauge.inputs.findings import Findings
from rankgauge.kernels.average import AP
from rankgauge.kernels.precision import P, Rprec
from rankgauge.matching.apply_rules import apply_rules
from rankgauge.matching.from_dicts import match_dicts
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.tool_names import FAMILIES
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats, Segments
from rankgauge.trec_eval.grouped_judgments import GradesByGroup, GroupedTopics, evaluate_grouped, read_grouped_grades
from rankgauge.trec_eval.measures import NUM_Q, RUNID, Evaluation, Measure, MeasureLine
from rankgauge.trec_eval.options import Options
from rankgauge.trec_eval.topics import cut

GROUP_MEANINGS: Mapping[str, Phrase] = {
    "map_avgjg": Phrase(
        "Average precision under the judgments of each judgment group, then the mean over the groups of the query.",
        "分别按每个标注组的标注计算平均精确率，再对该查询的各组求平均。",
    ),
    "P_avgjg": Phrase(
        "Precision at a cutoff under the judgments of each judgment group, then the mean over the groups of the query.",
        "分别按每个标注组的标注计算前 k 个结果的精确率，再对该查询的各组求平均。",
    ),
    "Rprec_mult_avgjg": Phrase(
        "Precision at rank m R + 0.9, truncated to an integer, where R is the number of items that the group judged "
        "relevant and m is the parameter; then the mean over the groups of the query.",
        "第 m R + 0.9 名（取整数部分）处的精确率，其中 R 为该组判为相关的物品数，m 为参数；再对该查询的各组求平均。",
    ),
}

GROUP_MEASURES: tuple[Measure, ...] = (
    Measure("map_avgjg", GROUP_MEANINGS["map_avgjg"].en, formats=("qrels_jg",)),
    Measure("P_avgjg", GROUP_MEANINGS["P_avgjg"].en, kind="cutoffs", default=FAMILIES["P"], formats=("qrels_jg",)),
    Measure(
        "Rprec_mult_avgjg",
        GROUP_MEANINGS["Rprec_mult_avgjg"].en,
        kind="points",
        default=FAMILIES["Rprec_mult"],
        formats=("qrels_jg",),
    ),
)
"""All measures over judgment groups, in the output order of trec_eval."""

MEASURES = (RUNID, NUM_Q, *GROUP_MEASURES)
NICKNAMES = {"qrels_jg": tuple(measure.name for measure in MEASURES)}


def evaluate(options: Options, lines: Sequence[MeasureLine]) -> Evaluation:
    """Read both files and evaluate them."""
    return evaluate_grouped(options, lines, read_grouped_grades, group_columns)


def group_columns(task: GroupedTopics[GradesByGroup], lines: Sequence[MeasureLine]) -> dict[str, Floats]:
    """Return the values of measures over judgment groups, by printed name, one per topic.

    >>> judgments = {"1": {"ann": {"a": 1, "b": 0}, "bob": {"a": 0, "b": 1}}}
    >>> task = GroupedTopics(judgments, {"1": {"a": 2, "b": 1}}, ["1"])
    >>> group_columns(task, Measure("map_avgjg").lines())  # (1 + 1/2) / 2
    {'map_avgjg': array([0.75])}
    """
    judgments, convention = task.judgments, task.convention
    by_group = {(topic, group): judgments[topic][group] for topic in task.topics for group in sorted(judgments[topic])}
    same_ranking = {(topic, group): task.rankings.get(topic, {}) for topic, group in by_group}
    metrics = {line.name: _metric(line) for line in lines}
    values = {name: np.zeros(len(by_group)) for name in metrics}
    for numbers, matched in match_dicts(by_group, same_ranking, [*by_group], convention, Findings()):
        judged = apply_rules(cut(matched, task.depth), convention)
        for name, metric in metrics.items():
            values[name][numbers] = metric.values(judged, convention)
    groups = Segments.of_sizes(np.array([len(judgments[topic]) for topic in task.topics], dtype=np.int64))
    return {name: groups.sum(column) / groups.sizes for name, column in values.items()}


def _metric(line: MeasureLine) -> Metric:
    """Return the metric that is averaged over groups."""
    match line.measure.name:
        case "map_avgjg":
            return AP
        case "P_avgjg":
            return P(k=int(line.numbers[0]))
        case _:
            return Rprec(multiple=line.numbers[0])
